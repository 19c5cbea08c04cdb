import type { Answer } from "../shared/answer";
import type { FromPage, Kind, Question, ToPage } from "../shared/messages";
import { type Actions, cardList, placeLink } from "./cards";
import { element, prose, shape } from "./element";
import { hasCard, pieces, piecesOfLines } from "./pieces";
import { tally, underlined } from "./underlined";

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): Question | undefined;
  setState(question: Question): void;
};

const code = acquireVsCodeApi();
const one = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};
const input = one("#command") as HTMLTextAreaElement;
const kind = one("#kind") as HTMLSelectElement;
const backdrop = one("#backdrop");
const verdict = one("#verdict");
const answers = one("#answers");
const surroundings = one("#surroundings");

/** Only the answer to the last question is shown: answers may come out of order. */
let asked = 0;
let running = false;
let shown: { question: Question; answer: Answer; cards: number[] } | undefined;

const actions: Actions = {
  open: (place) => code.postMessage({ type: "open", place, address: shown?.answer.files?.[place.file] }),
  copy: (text) => code.postMessage({ type: "copy", text }),
  addRule: (rule) => code.postMessage({ type: "addRule", rule }),
  hover: mark,
};

function question(): Question {
  return { kind: kind.value as Kind, text: input.value };
}

function ask(): void {
  const now = question();
  code.setState(now);
  asked += 1;
  if (now.text.trim() === "") {
    shown = undefined;
    backdrop.replaceChildren(now.text, "\u200b");
    greet();
    return;
  }
  // Until the answer comes, what is typed stands without underlines where it differs from what was judged.
  if (shown?.question.text !== now.text) backdrop.replaceChildren(now.text, "\u200b");
  document.body.dataset["asking"] = String(asked);
  code.postMessage({ type: "ask", id: asked, question: now });
}

function show(asked: Question, answer: Answer): void {
  const cards = answer.commands.flatMap((_, place) => (hasCard(answer, place) ? [place] : []));
  shown = { question: asked, answer, cards };
  const numberOf = (command: number): number | undefined => cards.indexOf(command) + 1 || undefined;
  const found = asked.kind === "words" ? piecesOfLines(answer, asked.text) : pieces(answer, 0, asked.text);
  backdrop.replaceChildren(...underlined(answer, found, numberOf), "\u200b");
  verdict.replaceChildren(...verdictLine(asked, answer, cards));
  verdict.className = answer.decision ?? "undecided";
  answers.replaceChildren(...remarks(answer), cardList(answer, cards, actions));
  markCaret();
}

function verdictLine(asked: Question, answer: Answer, cards: number[]): Node[] {
  const decision = answer.decision ?? "undecided";
  const counts = tally(answer, cards).map(([name, count]) =>
    element("button", { type: "button", class: `count ${name}`, title: "Go to the first", click: () => reveal(name) }, `${count} ${name}`),
  );
  return [
    element("span", { class: `decision ${decision}` }, shape(decision), decision),
    element("span", { class: "because" }, because(answer, cards)),
    element("span", { class: "counts" }, ...(cards.length > 1 ? counts : [])),
    element(
      "span",
      { class: "actions" },
      element(
        "button",
        {
          type: "button",
          class: "quiet",
          title: "Add this as an `expect` to the policy, so that `policyc check` holds it to this answer",
          click: () => code.postMessage({ type: "addExpectation", question: asked, decision: answer.decision }),
        },
        "Keep as expectation",
      ),
      element(
        "button",
        {
          type: "button",
          class: "quiet",
          title: "Copy the command line that explains this in a terminal",
          click: () => code.postMessage({ type: "copyExplain", question: asked }),
        },
        "Copy as policyc explain",
      ),
    ),
  ];
}

function because(answer: Answer, cards: number[]): string {
  if (answer.exhausted) return "it takes more steps to judge than any honest command";
  if (answer.decision === undefined) return "no rule decides the whole: the host's default does";
  if (cards.length > 1) return `the strictest of ${cards.length} commands`;
  return "";
}

function remarks(answer: Answer): Node[] {
  const found: Node[] = [];
  if (answer.problem) {
    found.push(element("p", { class: "remark" }, ...prose(`The text is not understood, so nothing in it is allowed: ${answer.problem.message}.`)));
  }
  if (answer.default) {
    const { decision, justification } = answer.default;
    const why = justification ? [": ", ...prose(justification)] : [];
    found.push(element("p", { class: "remark" }, `Where no rule decides, ${decision} is what the policy says at `, placeLink(answer.default, actions), ...why));
  }
  return found;
}

function greet(): void {
  verdict.replaceChildren();
  verdict.className = "";
  const examples = ["git push --force", "sudo sh -c 'make && rm -rf build'", "curl -fsSL example.com/x | sh"];
  answers.replaceChildren(
    element(
      "div",
      { class: "greeting" },
      element("p", {}, "Type a command, or paste a line of shell. Every piece is judged by the whole policy set, as it is in the editor now."),
      element(
        "p",
        { class: "examples" },
        "Try ",
        ...examples.map((example) => element("button", { type: "button", class: "example", click: () => set({ kind: "bash", text: example }) }, example)),
      ),
    ),
  );
}

function fail(message: string): void {
  shown = undefined;
  backdrop.replaceChildren(input.value, "\u200b");
  verdict.replaceChildren();
  verdict.className = "";
  answers.replaceChildren(
    element(
      "div",
      { class: "failure", role: "alert" },
      element("p", {}, ...prose(message)),
      running
        ? undefined
        : element("button", { type: "button", click: () => code.postMessage({ type: "restart" }) }, "Restart the language server"),
      element("button", { type: "button", class: "quiet", click: () => code.postMessage({ type: "showLog" }) }, "Show the log"),
    ),
  );
}

function set(wanted: Question | undefined): void {
  if (wanted) {
    kind.value = wanted.kind;
    input.value = wanted.text;
    hint();
    ask();
  }
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

/** Shows which piece of the text a card is about, and the other way round. */
function mark(command: number | undefined): void {
  for (const marked of document.querySelectorAll("[data-command]")) {
    marked.classList.toggle("active", command !== undefined && marked.getAttribute("data-command") === String(command));
  }
}

/** Leads to the first card of a decision: the view is low, and what decides may stand far below. */
function reveal(decision: string): void {
  const card = answers.querySelector<HTMLElement>(`.card.${decision}`);
  card?.scrollIntoView({ block: "start", behavior: "smooth" });
  card?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
}

function markCaret(): void {
  if (document.activeElement !== input || !shown) return;
  let at = 0;
  for (const piece of backdrop.childNodes) {
    at += piece.textContent?.length ?? 0;
    if (at < input.selectionStart) continue;
    const command = piece instanceof HTMLElement ? piece.dataset["command"] : undefined;
    mark(command === undefined ? undefined : Number(command));
    return;
  }
}

function hint(): void {
  input.placeholder = kind.value === "words" ? "One word a line: git, push, --force" : "A command, or any text for a shell";
}

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  switch (data.type) {
    case "answer":
      if (data.id === asked) {
        show(question(), data.answer);
        document.body.dataset["answered"] = String(asked);
      }
      break;
    case "failure":
      if (data.id === asked) fail(data.message);
      break;
    case "policiesChanged":
      ask();
      break;
    case "set":
      set(data.question);
      break;
    case "surroundings": {
      running = data.running;
      const rules = data.rules === undefined ? "" : ` · ${data.rules} rule${data.rules === 1 ? "" : "s"}`;
      surroundings.textContent = data.running ? `${data.set ?? data.policy ?? "no policy is open"}${rules}` : "not connected";
      surroundings.title = data.policy ?? "";
      surroundings.classList.toggle("stopped", !data.running);
      break;
    }
  }
});

input.addEventListener("input", ask);
kind.addEventListener("change", () => {
  hint();
  ask();
});
document.addEventListener("selectionchange", markCaret);
input.addEventListener("blur", () => mark(undefined));
document.addEventListener("keydown", (event) => {
  // Escape leads back to the text from wherever one is.
  if (event.key === "Escape" && document.activeElement !== input) input.focus();
});

const before = code.getState();
if (before) {
  kind.value = before.kind;
  input.value = before.text;
}
hint();
ask();
code.postMessage({ type: "ready" });
