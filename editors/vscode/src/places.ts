import * as vscode from "vscode";
import type { RulePlace } from "./shared/answer";

/** Opens the rule at a place of an answer; `address` is that of its file. */
export async function openPlace(place: RulePlace, address: string | undefined): Promise<void> {
  if (address === undefined) {
    void vscode.window.showWarningMessage(`${place.file} is no file that can be opened here.`);
    return;
  }
  const uri = vscode.Uri.parse(address, true);
  const at = new vscode.Position(Math.max(0, place.line - 1), Math.max(0, place.column - 1));
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), viewColumn: columnOf(uri) });
}

/** Where a file is shown already, it is shown there. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  return shown?.viewColumn ?? vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.One;
}
