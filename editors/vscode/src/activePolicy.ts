import * as vscode from "vscode";
import { SCHEME } from "./shipped";

/** The policy file that is worked on: the active one, or the one that was active last. */
export class ActivePolicy implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri | undefined>();
  readonly #subscriptions: vscode.Disposable[];
  #uri: vscode.Uri | undefined;

  readonly onDidChange = this.#changed.event;

  constructor() {
    // A shipped policy is in no set of its own: one that is looked at changes nothing.
    const isPolicy = ({ languageId, uri }: vscode.TextDocument): boolean => languageId === "policy" && uri.scheme !== SCHEME;
    const look = (editor: vscode.TextEditor | undefined): void => {
      if (!editor || !isPolicy(editor.document) || editor.document.uri.toString() === this.#uri?.toString()) return;
      this.#uri = editor.document.uri;
      this.#changed.fire(this.#uri);
    };
    look(vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find((editor) => isPolicy(editor.document)));
    this.#subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.uri.toString() !== this.#uri?.toString()) return;
        this.#uri = vscode.workspace.textDocuments.find((other) => isPolicy(other) && other !== document)?.uri;
        this.#changed.fire(this.#uri);
      }),
    ];
  }

  get uri(): vscode.Uri | undefined {
    return this.#uri;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }
}
