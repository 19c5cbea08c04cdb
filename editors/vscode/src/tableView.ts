import * as vscode from "vscode";
import type { ActivePolicy } from "./activePolicy";
import type { Session } from "./session";

const SCHEME = "policyc-table";

/** The listing of a policy set's decision table, as a document that follows the policies. */
export class TableView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #session: Session;
  readonly #active: ActivePolicy;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(session: Session, active: ActivePolicy) {
    this.#session = session;
    this.#active = active;
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      session.onDidCheck(() => {
        for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#changed.fire(uri);
      }),
    ];
  }

  async show(): Promise<void> {
    const policy = this.#active.uri;
    if (!policy) {
      void vscode.window.showInformationMessage("Open a policy file first: the table is that of its policy set.");
      return;
    }
    const path = `${policy.path.replace(/\.rules$/, "")}.table.txt`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: policy.toString() });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    try {
      return await this.#session.table(vscode.Uri.parse(uri.query, true), token);
    } catch (error) {
      return `There is no table: ${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }
}
