import type { Answer, Command, Doubt, Match, RulePlace } from "../shared/answer";
import { element, prose, shape } from "./element";
import { deciding, distinct, ownDecision, pieces } from "./pieces";
import { underlined } from "./underlined";

/** What a card asks to be done. */
export interface Actions {
  open(place: RulePlace): void;
  copy(text: string): void;
  addRule(rule: string): void;
  hover(command: number | undefined): void;
}

/** The cards of `cards`, the places of commands, numbered from 1: a list, as a screen reader should say. */
export function cardList(answer: Answer, cards: number[], actions: Actions): HTMLElement {
  const numberOf = (command: number): number | undefined => cards.indexOf(command) + 1 || undefined;
  const items: Node[] = [];
  let text = 0;
  for (const place of cards) {
    const command = answer.commands[place];
    if (!command) continue;
    const inner = command.span?.text ?? text;
    if (inner !== text && inner > 0) items.push(innerText(answer, inner, numberOf));
    text = inner;
    items.push(card(answer, place, command, numberOf(place) ?? 0, actions));
  }
  return element("ol", { class: "cards", "aria-label": "Commands" }, ...items);
}

/** The text that a command runs, between the cards of what it runs: its places are not those of the text asked about. */
function innerText(answer: Answer, place: number, numberOf: (command: number) => number | undefined): Node {
  const text = answer.texts?.[place];
  const source = text?.text ?? "";
  const runner = text?.of === undefined ? undefined : answer.commands[text.of];
  const who = runner?.words[0]?.text ?? "it";
  return element(
    "li",
    { class: "inner" },
    element("p", {}, element("code", {}, who), " runs this text:"),
    element("pre", { class: "line" }, ...underlined(answer, pieces(answer, place, source), numberOf)),
    text?.problem ? element("p", { class: "doubt" }, ...prose(`not understood: ${text.problem.message}`)) : undefined,
  );
}

function card(answer: Answer, place: number, command: Command, number: number, actions: Actions): HTMLElement {
  const decision = ownDecision(answer, place) ?? "undecided";
  const best = deciding(command);
  const others = command.matches.filter((match) => !best.includes(match));
  const leave = (): void => actions.hover(undefined);
  const enter = (): void => actions.hover(place);
  const head = element(
    "header",
    {},
    element("span", { class: "number", "aria-label": `command ${number}` }, String(number)),
    element("span", { class: `decision ${decision}` }, shape(decision), decision),
    element("code", { class: "command" }, ...display(command)),
    through(answer, command),
  );
  return element(
    "li",
    { class: `card ${decision}`, "data-command": String(place), mouseenter: enter, mouseleave: leave, focusin: enter, focusout: leave },
    head,
    best.length + others.length > 0
      ? element("ul", { class: "rules", "aria-label": "Rules" },
          ...distinct(best).map((match) => rule(match, true, actions)),
          ...distinct(others).map((match) => rule(match, false, actions)))
      : undefined,
    ...command.doubts.map((doubt) => doubtLine(doubt)),
    decision === "undecided" ? undecided(command, actions) : undefined,
  );
}

/** The command with the words that the pattern took told apart; on one line, with what would not be seen escaped. */
function display(command: Command): Node[] {
  const taken = new Set(deciding(command).flatMap((match) => match.words));
  const plain = command.words.map((word) => word.text).join(" ");
  if (plain !== command.display) return [document.createTextNode(command.display)];
  return command.words.flatMap((word, place) => {
    const text = taken.has(place) ? element("strong", {}, word.text) : document.createTextNode(word.text);
    return place === 0 ? [text] : [document.createTextNode(" "), text];
  });
}

/** By which commands this one is run, the outermost first. */
function through(answer: Answer, command: Command): Node | undefined {
  const names: string[] = [];
  let at = command.inside;
  while (at !== undefined) {
    const outer: Command | undefined = answer.commands[at];
    names.unshift(outer?.words[0]?.text ?? "?");
    at = outer?.inside;
  }
  if (names.length === 0) return undefined;
  return element("span", { class: "through" }, "run by ", ...names.flatMap((name, place) => [place ? " › " : "", element("code", {}, name)]));
}

function rule(match: Match, decides: boolean, actions: Actions): Node {
  const classes = ["rule", decides && match.counts ? "decides" : "beside"].join(" ");
  return element(
    "li",
    { class: classes },
    element(
      "p",
      {},
      element("span", { class: `word ${match.decision}${match.counts ? "" : " void"}` }, match.decision),
      placeLink(match, actions),
      match.layer ? element("span", { class: "layer" }, `layer ${match.layer}`) : undefined,
      match.counts ? undefined : element("span", { class: "how" }, "does not count here"),
      match.how ? element("span", { class: "how" }, ...prose(match.how)) : undefined,
    ),
    decides && match.justification ? element("p", { class: "why" }, ...prose(match.justification)) : undefined,
  );
}

/** A link to a rule, named as a person would name its place. */
export function placeLink(place: RulePlace, actions: Actions): HTMLElement {
  const name = place.file.startsWith("@") ? place.file : (place.file.split(/[\\/]/).pop() ?? place.file);
  const open = (event: Event): void => {
    event.preventDefault();
    actions.open(place);
  };
  const label = `${name}:${place.line}`;
  return element("a", { href: "#", class: "place", title: `${place.file}:${place.line}:${place.column}`, click: open }, label);
}

function doubtLine(doubt: Doubt): Node {
  return element(
    "div",
    { class: "doubt" },
    element("p", {}, ...prose(doubt.message)),
    doubt.fix ? element("p", { class: "fix" }, element("span", { class: "label" }, "To end the doubt: "), ...prose(doubt.fix)) : undefined,
  );
}

function undecided(command: Command, actions: Actions): Node {
  const suggestion = command.suggestion;
  if (!suggestion) return element("p", { class: "nothing" }, "No rule is about it: the host's own default decides.");
  return element(
    "div",
    { class: "nothing suggestion" },
    element("span", {}, "No rule is about it. The smallest that would allow it:"),
    element("code", {}, suggestion),
    element("button", { type: "button", class: "second", click: () => actions.addRule(suggestion) }, "Add to the policy"),
    element("button", { type: "button", class: "quiet", click: () => actions.copy(suggestion) }, "Copy"),
  );
}
