/**
 * An answer as docs/answers.md describes it, as far as it is shown. Spans are bytes of UTF-8, places count from 0, lines and
 * columns from 1. Keys that are not known are skipped, as the document asks of every reader.
 */
export interface Answer {
  decision?: Decision;
  problem?: { span?: Span; message: string };
  default?: RulePlace & { decision: Decision; justification?: string };
  exhausted?: boolean;
  text?: string;
  texts?: Text[];
  commands: Command[];
  /** The addresses of the files that are named, which `policyc/evaluate` adds. */
  files?: Record<string, string>;
}

export type Decision = "allow" | "prompt" | "forbidden";

export interface Span {
  start: number;
  end: number;
}

export interface Text {
  text: string;
  display: string;
  shell: string;
  /** The place of the command that runs it. */
  of?: number;
  problem?: { span?: Span; message: string };
}

export interface Command {
  found: "request" | "text" | "operands" | "inner-text";
  /** The place of the command that runs this one. */
  inside?: number;
  span?: Span & { text: number };
  display: string;
  words: Word[];
  decision?: Decision;
  harmless?: boolean;
  matches: Match[];
  doubts: Doubt[];
  suggestion?: string;
}

export interface Word {
  text: string;
  dynamic?: boolean;
  span?: Span;
}

export interface RulePlace {
  file: string;
  line: number;
  column: number;
  layer?: string;
}

export interface Match extends RulePlace {
  decision: Decision;
  /** The places of the words that the pattern took. */
  words: number[];
  counts: boolean;
  reading?: string[];
  how?: string;
  justification?: string;
}

export interface Doubt {
  kind: string;
  word?: number;
  message: string;
  fix?: string;
}
