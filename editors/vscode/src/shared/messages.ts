import type { Answer, RulePlace } from "./answer";

/** What is asked about: text of a shell, or the words of one command, one a line. */
export interface Question {
  kind: Kind;
  text: string;
}

export type Kind = "bash" | "kin" | "powershell" | "cmd" | "words";

/** What the page says to the extension. */
export type FromPage =
  | { type: "ready" }
  | { type: "ask"; id: number; question: Question }
  | { type: "open"; place: RulePlace; address: string | undefined }
  | { type: "copy"; text: string }
  | { type: "copyExplain"; question: Question }
  | { type: "addRule"; rule: string }
  | { type: "addExpectation"; question: Question; decision: string | undefined }
  | { type: "restart" }
  | { type: "showLog" };

/** What the extension says to the page. */
export type ToPage =
  | { type: "answer"; id: number; answer: Answer }
  | { type: "failure"; id: number; message: string }
  | { type: "policiesChanged" }
  | { type: "set"; question?: Question }
  | { type: "surroundings"; running: boolean; policy?: string; set?: string; rules?: number };
