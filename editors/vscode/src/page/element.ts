type Child = Node | string | undefined;
type Value = string | boolean | undefined | ((event: Event) => void);

/** An element with attributes and children. Text is only ever set as text, so that nothing that is judged becomes markup. */
export function element(tag: string, attributes: Record<string, Value> = {}, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Prose in which `code` is set as code. */
export function prose(text: string): Node[] {
  return text.split(/(`[^`]+`)/).map((part) => {
    const isCode = part.length > 2 && part.startsWith("`") && part.endsWith("`");
    return isCode ? element("code", {}, part.slice(1, -1)) : document.createTextNode(part);
  });
}

const SHAPES: Record<string, string> = {
  allow: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM7.1 10.9 4.3 8.1l1-1 1.8 1.8 3.7-3.8 1 1-4.7 4.8Z",
  prompt:
    "M8 1 .7 14.2h14.6L8 1Zm-.75 4.9h1.5v4.3h-1.5V5.9Zm.75 6.9a.9.9 0 1 1 0-1.8.9.9 0 0 1 0 1.8Z",
  forbidden: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM4.2 7.1h7.6v1.8H4.2V7.1Z",
  undecided:
    "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 1.3a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 8 2.8ZM4.3 7.3h1.5v1.5H4.3V7.3Zm2.95 0h1.5v1.5h-1.5V7.3Zm2.95 0h1.5v1.5h-1.5V7.3Z",
};

/** The shape of a decision: nobody needs the colour to tell them apart. */
export function shape(decision: string): Node {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "shape");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[decision] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
