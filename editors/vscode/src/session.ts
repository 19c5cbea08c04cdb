import * as vscode from "vscode";
import { type LanguageClientOptions, LanguageClient, State, type ServerOptions } from "vscode-languageclient/node";
import { findServer } from "./server";
import type { Answer } from "./shared/answer";
import type { Question } from "./shared/messages";

/** What the server says after each check of a policy set: `policyc/status`. */
export interface Status {
  /** The address of its folder, or of its only document. */
  set: string;
  /** What people call it. */
  name: string;
  /** The open documents that are in it. */
  documents: string[];
  rules: number;
  allow: number;
  prompt: number;
  forbidden: number;
  /** Files that answer from an earlier text, because the present one has mistakes. */
  degraded: string[];
  errors: number;
}

const MISSING = "policyc-lsp, the language server of command policies, was not found";

/** The conversation with the language server: one at a time, begun anew on request. */
export class Session implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #checked = new vscode.EventEmitter<Status>();
  #client: LanguageClient | undefined;
  #statuses = new Map<string, Status>();
  /** Starting and stopping take time, and may be asked for meanwhile: each begins when the one before is done. */
  #turn: Promise<void> = Promise.resolve();

  /** Whether there is a server to talk to has changed. */
  readonly onDidChange = this.#changed.event;
  /** A policy set was checked: whatever was asked of it may be answered otherwise now. */
  readonly onDidCheck = this.#checked.event;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  get running(): boolean {
    return this.#client?.state === State.Running;
  }

  /** The policy sets that the server has told of. */
  get statuses(): Status[] {
    return [...this.#statuses.values()];
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#start());
  }

  restart(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  async evaluate(question: Question, policy: vscode.Uri | undefined, token: vscode.CancellationToken): Promise<Answer> {
    const { kind, text } = question;
    const asked = kind === "words" ? { words: text.split(/\r?\n/).filter((word) => word !== "") } : { text, shellKind: kind };
    return this.#request<Answer>("policyc/evaluate", { ...asked, ...textDocument(policy) }, token);
  }

  async table(policy: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const answer = await this.#request<{ listing: string }>("policyc/table", textDocument(policy), token);
    return answer.listing;
  }

  /** The text of a policy that is shipped with the server, by its address. */
  async shipped(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const answer = await this.#request<{ text: string }>("policyc/shipped", { uri: uri.toString() }, token);
    return answer.text;
  }

  /** Asks for something, if there is anybody to ask. */
  async #request<Result>(method: string, params: unknown, token: vscode.CancellationToken): Promise<Result> {
    if (!this.#client || !this.running) throw new Error("The language server is not running.");
    return this.#client.sendRequest<Result>(method, params, token);
  }

  dispose(): void {
    void this.#inTurn(() => this.#stop());
    this.#changed.dispose();
    this.#checked.dispose();
  }

  async stop(): Promise<void> {
    await this.#inTurn(() => this.#stop());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work, work);
    return this.#turn;
  }

  async #start(): Promise<void> {
    const settings = vscode.workspace.getConfiguration("policyc");
    const found = findServer({
      setting: settings.get("server.path", ""),
      extension: this.#context.extensionPath,
      workspace: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      search: process.env["PATH"] ?? "",
      windows: process.platform === "win32",
    });
    if ("tried" in found) {
      this.#log.error(`${MISSING}: ${found.tried.join(", ")}`);
      this.#changed.fire();
      void this.#sayMissing(found.tried);
      return;
    }
    this.#log.info(`starting ${found.command} (${found.how})`);
    const run = { command: found.command, args: settings.get<string[]>("server.arguments", []) };
    const client = new LanguageClient("policyc", "policyc", { run, debug: run } satisfies ServerOptions, this.#options());
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Running) this.#statuses.clear();
      this.#changed.fire();
    });
    client.onNotification("policyc/status", (status: Status) => {
      this.#statuses.set(status.set, status);
      this.#checked.fire(status);
    });
    this.#client = client;
    try {
      await client.start();
    } catch (error) {
      // The client has shown what went wrong; what remains is to say that nobody answers.
      this.#log.error(`the language server did not start: ${String(error)}`);
    }
    this.#changed.fire();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#statuses.clear();
    if (!client) return;
    try {
      await client.dispose(2000);
    } catch (error) {
      this.#log.warn(`the language server did not stop as asked: ${String(error)}`);
    }
    this.#changed.fire();
  }

  #options(): LanguageClientOptions {
    const enabled = (name: string): boolean => vscode.workspace.getConfiguration("policyc").get(`${name}.enable`, true);
    return {
      documentSelector: [
        { scheme: "file", language: "policy" },
        { scheme: "untitled", language: "policy" },
        { scheme: "file", pattern: "**/policyc.toml" },
      ],
      initializationOptions: { shipped: true },
      outputChannel: this.#log,
      traceOutputChannel: this.#log,
      markdown: { supportHtml: false },
      middleware: {
        provideInlayHints: (document, range, token, next) => (enabled("inlayHints") ? next(document, range, token) : []),
        provideCodeLenses: (document, token, next) => (enabled("codeLens") ? next(document, token) : []),
      },
    };
  }

  async #sayMissing(tried: string[]): Promise<void> {
    const settings = "Open Settings";
    const install = "How to Install";
    const text = `${MISSING}. Looked for: ${tried.join(", ")}.`;
    const chosen = await vscode.window.showErrorMessage(text, settings, install);
    if (chosen === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "policyc.server.path");
    } else if (chosen === install) {
      const page = "https://github.com/policyc/policyc/blob/main/editors/vscode/README.md#the-language-server";
      await vscode.env.openExternal(vscode.Uri.parse(page));
    }
  }
}

function textDocument(policy: vscode.Uri | undefined): { textDocument?: { uri: string } } {
  return policy === undefined ? {} : { textDocument: { uri: policy.toString() } };
}
