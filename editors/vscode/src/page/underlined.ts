import type { Answer } from "../shared/answer";
import { element } from "./element";
import { ownDecision, strictness, type Piece } from "./pieces";

/** A text with each of its commands underlined as it is decided, and numbered as its card is. */
export function underlined(answer: Answer, found: Piece[], numberOf: (command: number) => number | undefined): Node[] {
  const begun = new Set<number>();
  return found.map((piece) => {
    const command = piece.command === undefined ? undefined : answer.commands[piece.command];
    if (piece.command === undefined || !command) {
      return piece.broken ? element("span", { class: "broken" }, piece.text) : document.createTextNode(piece.text);
    }
    const number = begun.has(piece.command) ? undefined : numberOf(piece.command);
    begun.add(piece.command);
    const classes = ["piece", ownDecision(answer, piece.command) ?? "undecided"];
    if (piece.taken) classes.push("taken");
    if (piece.broken) classes.push("broken");
    return element(
      "span",
      { class: classes.join(" "), "data-command": String(piece.command), "data-number": number?.toString() },
      piece.text,
    );
  });
}

/** How many commands got which decision, the strictest first. */
export function tally(answer: Answer, cards: number[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const card of cards) {
    const decision = ownDecision(answer, card) ?? "undecided";
    counts.set(decision, (counts.get(decision) ?? 0) + 1);
  }
  return [...counts].sort(([left], [right]) => strictness(right) - strictness(left));
}
