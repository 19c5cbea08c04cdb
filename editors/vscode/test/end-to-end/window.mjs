// What a person does in VS Code and sees there. Everything waits for what it needs to see, and for nothing else.
import assert from "node:assert/strict";

const PATIENCE = 30_000;

/** Waits until `look` returns what `done` accepts; if it never does, `what` was not seen, and what was instead. */
export async function until(what, look, done = Boolean) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const seen = await look();
    if (done(seen)) return seen;
    if (Date.now() > end) assert.fail(`waited in vain for ${what}; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Window {
  constructor(page) {
    this.page = page;
  }

  /** Opens a policy by its name in the explorer, and waits for its text and for the extension, which says so in the status bar. */
  async open(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row").getByText(name, { exact: true }).dblclick();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.lines().first().waitFor();
    await until("the status item", () => this.status("policyc.status"));
  }

  /** The lines that are shown, each with the hints in it. */
  lines() {
    return this.page.locator(".editor-group-container.active .view-line");
  }

  /** The first line shown that holds `text`. */
  line(text) {
    return this.lines().filter({ hasText: spaced(text) }).first();
  }

  async lineText(text) {
    const line = this.line(text);
    return (await line.count()) === 0 ? "" : plain(await line.textContent());
  }

  /** All text shown, hints and all. */
  async text() {
    const rows = await this.lines().evaluateAll((lines) =>
      lines.map((line) => [Number.parseFloat(line.style.top), line.textContent]).sort(([left], [right]) => left - right),
    );
    return rows.map(([, text]) => plain(text)).join("\n");
  }

  /**
   * Puts the cursor into the first occurrence of `text` in a line that is shown. Lines move while lenses come and go, so where
   * the cursor is then is looked at, and what was missed is tried again.
   */
  async click(text) {
    await until(`the cursor in ${text}`, async () => {
      const point = await this.page.evaluate(pointOf, text);
      if (!point) return `${text} is not shown`;
      await this.page.mouse.move(point.x, point.middle);
      if (point.below !== 0) {
        await this.page.mouse.wheel(0, point.below);
        return `${text} is not quite in sight`;
      }
      await this.page.mouse.click(point.x, point.y);
      return this.page.evaluate(cursorIsIn, text);
    }, (seen) => seen === true);
  }

  /** Runs a command as a person does who knows its name. */
  async command(name) {
    await this.page.keyboard.press("F1");
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await input.fill(`>${name}`);
    const row = this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first();
    await row.waitFor();
    await row.click();
    await input.waitFor({ state: "hidden" });
  }

  press(keys) {
    return this.page.keyboard.press(keys);
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** How many mistakes are underlined in the file that is shown. */
  async mistakes() {
    return this.page.locator(".editor-group-container.active .squiggly-error").count();
  }

  /** What the status bar says under `id`. */
  async status(id) {
    const item = this.page.locator(`.statusbar-item[id*="${id}"]`);
    return (await item.count()) === 0 ? "" : plain(await item.first().textContent());
  }

  /** The page of the view, within its two frames. */
  view() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  }

  /** Drags the upper edge of a part of the window until the part is `height` high. */
  async raise(part, height) {
    const { x, y, width, height: before } = await this.page.locator(part).boundingBox();
    await this.page.mouse.move(x + width / 2, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width / 2, y + before - height, { steps: 5 });
    await this.page.mouse.up();
  }

  async close() {
    await this.command("View: Close All Editors");
    const discard = this.page.getByRole("button", { name: "Don't Save" });
    await until("the editors to close", async () => {
      if (await discard.isVisible()) await discard.click();
      return this.page.locator(".tab").count();
    }, (count) => count === 0);
  }
}

/**
 * In the page: a point within the first occurrence of `wanted` in a line of the active editor, the middle of the editor, and how
 * far the point is below that if it is hardly in sight.
 */
function pointOf(wanted) {
  for (const line of document.querySelectorAll(".editor-group-container.active .view-line")) {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const whole = nodes.map((node) => node.textContent).join("").replaceAll("\u00a0", " ");
    let place = whole.indexOf(wanted) + 1;
    if (place === 0) continue;
    const node = nodes.find((one) => {
      if (place < one.textContent.length) return true;
      place -= one.textContent.length;
      return false;
    });
    const range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place);
    const { x, y, height } = range.getBoundingClientRect();
    const shown = line.closest(".editor-instance").getBoundingClientRect();
    const middle = (shown.top + shown.bottom) / 2;
    const inSight = y > shown.top + 5 && y + height < shown.bottom - 5;
    return { x, y: y + height / 2, middle, below: inSight ? 0 : y - middle };
  }
  return undefined;
}

/** In the page: whether the cursor is in a line of the active editor that holds `wanted`, or what is in the line instead. */
function cursorIsIn(wanted) {
  const group = document.querySelector(".editor-group-container.active");
  const cursor = group.querySelector(".cursors-layer .cursor")?.getBoundingClientRect();
  for (const line of group.querySelectorAll(".view-line")) {
    const { top, bottom } = line.getBoundingClientRect();
    const middle = cursor && (cursor.top + cursor.bottom) / 2;
    if (middle < top || middle > bottom) continue;
    const text = line.textContent.replaceAll("\u00a0", " ");
    return text.includes(wanted) || text;
  }
  return "no cursor is shown";
}

/** What the editor draws as text: blanks of another kind. */
function plain(text) {
  return (text ?? "").replaceAll("\u00a0", " ").replaceAll("\u200b", "").replaceAll("\u200c", "");
}

function spaced(text) {
  const parts = text.split(" ").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(parts.join("[ \\u00a0]"));
}
