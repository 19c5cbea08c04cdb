import type { Answer, Command, Decision, Match, Span } from "../shared/answer";
import { unitOfByte } from "./offsets";

/** A stretch of a text within which nothing changes: which command it is of, and whether a rule's pattern took it. */
export interface Piece {
  text: string;
  /** The place of the innermost command that it belongs to, of those that have a card. */
  command?: number;
  /** A word that the pattern of a deciding rule took. */
  taken: boolean;
  /** Where the text is not understood. */
  broken: boolean;
}

/** Cuts the text at `place` of an answer's texts, which is `source`, into pieces that put together are the text. */
export function pieces(answer: Answer, place: number, source: string): Piece[] {
  const unit = unitOfByte(source);
  const marks = new Marks(source.length);
  // Each command comes after the one that runs it, so that the innermost is painted last.
  answer.commands.forEach((command, number) => {
    const stretch = stretchOf(answer, command);
    if (stretch?.text !== place || !hasCard(answer, number)) return;
    const words = takenWords(command).flatMap((word) => command.words[word]?.span ?? []);
    const inUnits = (span: Span): Span => ({ start: unit(span.start), end: unit(span.end) });
    marks.command(number, inUnits(stretch), words.map(inUnits));
  });
  const problem = answer.texts?.[place]?.problem;
  if (problem?.span) marks.problem({ start: unit(problem.span.start), end: unit(problem.span.end) });
  return marks.pieces(source);
}

/** The same for words that stand one on a line: all are of the first command, which is the request. */
export function piecesOfLines(answer: Answer, source: string): Piece[] {
  const marks = new Marks(source.length);
  const [request] = answer.commands;
  if (!request) return marks.pieces(source);
  const lines: Span[] = [];
  for (const line of source.matchAll(/[^\n]+/g)) lines.push({ start: line.index, end: line.index + line[0].length });
  const taken = takenWords(request).flatMap((word) => lines[word] ?? []);
  for (const line of lines) marks.command(0, line, taken.filter((span) => span.start === line.start));
  return marks.pieces(source);
}

/** What holds of each unit of a text. */
class Marks {
  readonly #owner: (number | undefined)[];
  readonly #taken: boolean[];
  readonly #broken: boolean[];

  constructor(length: number) {
    this.#owner = new Array<number | undefined>(length).fill(undefined);
    this.#taken = new Array<boolean>(length).fill(false);
    this.#broken = new Array<boolean>(length).fill(false);
  }

  command(number: number, span: Span, taken: Span[]): void {
    this.#owner.fill(number, span.start, span.end);
    this.#taken.fill(false, span.start, span.end);
    for (const word of taken) this.#taken.fill(true, word.start, word.end);
  }

  /** A problem at the end of the text has nothing to stand under but what is last. */
  problem(span: Span): void {
    const start = Math.max(0, Math.min(span.start, this.#broken.length - 1));
    this.#broken.fill(true, start, Math.max(span.end, start + 1));
  }

  pieces(source: string): Piece[] {
    const found: Piece[] = [];
    let start = 0;
    for (let at = 1; at <= source.length; at++) {
      if (at < source.length && this.#same(at, start)) continue;
      const command = this.#owner[start];
      const taken = this.#taken[start] === true;
      const broken = this.#broken[start] === true;
      const piece = { text: source.slice(start, at), taken, broken };
      found.push(command === undefined ? piece : { ...piece, command });
      start = at;
    }
    return found;
  }

  #same(left: number, right: number): boolean {
    const marks = [this.#owner, this.#taken, this.#broken];
    return marks.every((mark) => mark[left] === mark[right]);
  }
}

/** Where a command stands: in its span, or from the first to the last of its words, in the text of what runs it. */
function stretchOf(answer: Answer, command: Command): (Span & { text: number }) | undefined {
  if (command.span) return command.span;
  if (command.found !== "operands") return undefined;
  const spans = command.words.flatMap((word) => word.span ?? []);
  const text = textOf(answer, command);
  if (spans.length === 0 || text === undefined) return undefined;
  return { text, start: Math.min(...spans.map((span) => span.start)), end: Math.max(...spans.map((span) => span.end)) };
}

function textOf(answer: Answer, command: Command): number | undefined {
  // What runs a command stands before it, so that this ends.
  let at: Command | undefined = command;
  while (at && !at.span) at = at.inside === undefined ? undefined : answer.commands[at.inside];
  return at?.span?.text;
}

/**
 * Whether a command has something of its own to say. One that only runs others, and is decided by them, has not; nor has
 * a wrapper that needs no rule.
 */
export function hasCard(answer: Answer, place: number): boolean {
  const command = answer.commands[place];
  if (!command) return false;
  if (command.matches.length > 0 || command.doubts.length > 0) return true;
  const runsOthers = answer.commands.some((other) => other.inside === place);
  return !runsOthers || (command.decision === undefined && command.harmless !== true);
}

/**
 * What is said about a command itself: one that runs others is answered with them, but has a rule of its own to show for
 * what it is alone.
 */
export function ownDecision(answer: Answer, place: number): Decision | undefined {
  const command = answer.commands[place];
  const counting = command?.matches.filter((match) => match.counts) ?? [];
  const runsOthers = answer.commands.some((other) => other.inside === place);
  return runsOthers && command && counting.length > 0 ? deciding(command)[0]?.decision : command?.decision;
}

/** The matches without those that say what another says: a call in a loop makes many rules of one place. */
export function distinct(matches: Match[]): Match[] {
  const said = new Set<string>();
  return matches.filter(({ file, line, column, decision, counts, how }) => {
    const key = JSON.stringify([file, line, column, decision, counts, how]);
    return !said.has(key) && said.add(key);
  });
}

/** The matches that make the decision: the strictest of those that count, or all if none counts. */
export function deciding(command: Command): Match[] {
  const counting = command.matches.filter((match) => match.counts);
  const strictest = Math.max(...counting.map((match) => strictness(match.decision)));
  const best = counting.filter((match) => strictness(match.decision) === strictest);
  return best.length > 0 ? best : command.matches;
}

/** allow < prompt < forbidden; no decision comes before all. */
export function strictness(decision: string | undefined): number {
  return ["allow", "prompt", "forbidden"].indexOf(decision ?? "");
}

function takenWords(command: Command): number[] {
  return deciding(command).flatMap((match) => match.words);
}
