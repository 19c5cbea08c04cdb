import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ActivePolicy } from "./activePolicy";
import { literal, shellWord } from "./literal";
import { html } from "./page/html";
import { openPlace } from "./places";
import type { Session } from "./session";
import type { FromPage, Question, ToPage } from "./shared/messages";
import { statusOf } from "./statusItem";

const VIEW = "policyc.try";

/** The view "Try a command": asks the server what the page asks, and has the page ask again when policies change. */
export class TryView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #session: Session;
  readonly #active: ActivePolicy;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscriptions: vscode.Disposable[];
  #view: vscode.WebviewView | undefined;
  /** Whether the page listens; what is to be shown until it does waits in `#wanted`. */
  #ready = false;
  #wanted: ToPage | undefined;
  #asking: vscode.CancellationTokenSource | undefined;

  constructor(context: vscode.ExtensionContext, session: Session, active: ActivePolicy, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#session = session;
    this.#active = active;
    this.#log = log;
    const again = (): void => {
      this.#say(this.#surroundings());
      this.#say({ type: "policiesChanged" });
    };
    this.#subscriptions = [
      vscode.window.registerWebviewViewProvider(VIEW, this, { webviewOptions: { retainContextWhenHidden: true } }),
      session.onDidChange(again),
      session.onDidCheck(again),
      active.onDidChange(again),
    ];
  }

  /** Brings the view to the front, with a question if there is one, and the cursor in it. */
  async show(question?: Question): Promise<void> {
    this.#wanted = question ? { type: "set", question } : { type: "set" };
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.#sayWanted();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#ready = false;
    const { webview } = view;
    const roots = ["media", "dist"].map((folder) => vscode.Uri.joinPath(this.#context.extensionUri, folder));
    webview.options = { enableScripts: true, localResourceRoots: roots };
    const file = (...parts: string[]): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#context.extensionUri, ...parts)).toString();
    const nonce = randomBytes(16).toString("hex");
    webview.onDidReceiveMessage((message: FromPage) => void this.#hear(message));
    webview.html = html(webview.cspSource, nonce, file("media", "page.css"), file("dist", "page.js"));
    view.onDidDispose(() => {
      this.#view = undefined;
      this.#ready = false;
    });
  }

  async #hear(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.#say(this.#surroundings());
        this.#sayWanted();
        return;
      case "ask":
        return this.#answer(message.id, message.question);
      case "open":
        return openPlace(message.place, message.address);
      case "copy":
        return copy(message.text);
      case "copyExplain":
        return copy(this.#explain(message.question));
      case "addRule":
        return this.#append(message.rule);
      case "addExpectation":
        return this.#append(expectation(message.question, message.decision));
      case "restart":
        return this.#session.restart();
      case "showLog":
        this.#log.show(true);
        return;
    }
  }

  async #answer(id: number, question: Question): Promise<void> {
    this.#asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    try {
      const answer = await this.#session.evaluate(question, this.#active.uri, asking.token);
      this.#say({ type: "answer", id, answer });
    } catch (error) {
      // A question that a later one replaced needs no answer, and one that an edit cut short is asked again.
      if (asking.token.isCancellationRequested || isCancelled(error)) return;
      this.#say({ type: "failure", id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      asking.dispose();
    }
  }

  /** Adds a statement to the end of the policy file that is worked on, and shows it there. */
  async #append(statement: string): Promise<void> {
    const uri = this.#active.uri;
    if (!uri) {
      void vscode.window.showInformationMessage("Open the policy file that this is for first.");
      return;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const end = document.lineAt(document.lineCount - 1).range.end;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, end, `${end.character === 0 ? "" : "\n"}${statement}\n`);
    await vscode.workspace.applyEdit(edit);
    const last = document.lineAt(Math.max(0, document.lineCount - 2)).range;
    const editor = await vscode.window.showTextDocument(document, { preserveFocus: true, viewColumn: vscode.ViewColumn.One });
    editor.revealRange(last);
    editor.selection = new vscode.Selection(last.end, last.end);
  }

  /** The command line that says the same in a terminal. */
  #explain({ kind, text }: Question): string {
    const words = ["policyc", "explain"];
    if (this.#active.uri) words.push("--rules", vscode.workspace.asRelativePath(this.#active.uri, false));
    if (kind === "words") words.push("--", ...text.split(/\r?\n/).filter((word) => word !== ""));
    else words.push(...(kind === "bash" ? [] : ["--shell-kind", kind]), "--shell", text);
    return words.map(shellWord).join(" ");
  }

  #surroundings(): ToPage {
    const uri = this.#active.uri;
    const status = uri ? statusOf(this.#session.statuses, uri) : undefined;
    return {
      type: "surroundings",
      running: this.#session.running,
      ...(uri ? { policy: vscode.workspace.asRelativePath(uri) } : {}),
      ...(status ? { set: status.name, rules: status.rules } : {}),
    };
  }

  #sayWanted(): void {
    if (!this.#wanted || !this.#ready) return;
    this.#say(this.#wanted);
    this.#wanted = undefined;
  }

  #say(message: ToPage): void {
    if (this.#ready) void this.#view?.webview.postMessage(message);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`Copied: ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`, 4000);
}

function expectation({ kind, text }: Question, decision: string | undefined): string {
  const words = text.split(/\r?\n/).filter((word) => word !== "");
  const command = kind === "words" ? `[${words.map(literal).join(", ")}]` : literal(text.trim());
  return `expect(${command}, ${decision === undefined ? "None" : literal(decision)})`;
}

/** The protocol's codes for what was cancelled, by either side, or overtaken by an edit. */
function isCancelled(error: unknown): boolean {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === -32800 || code === -32801 || code === -32802 || error instanceof vscode.CancellationError;
}
