import * as vscode from "vscode";
import type { Session } from "./session";

/** The policies that are shipped with the server have addresses of this scheme: they are no files, and cannot be edited. */
export const SCHEME = "policyc-std";

export class ShippedPolicies implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #session: Session;
  readonly #registration: vscode.Disposable;

  constructor(session: Session) {
    this.#session = session;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    return this.#session.shipped(uri, token);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
