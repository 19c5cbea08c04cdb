import * as vscode from "vscode";
import type { RulePlace } from "./shared/answer";

/** Opens the rule at a place of an answer, whose file is named as the server names it. */
export async function openPlace(place: RulePlace, near: vscode.Uri | undefined): Promise<void> {
  const uri = await uriOf(place.file, near);
  if (!uri) {
    void vscode.window.showWarningMessage(`${place.file} was not found.`);
    return;
  }
  const at = new vscode.Position(Math.max(0, place.line - 1), Math.max(0, place.column - 1));
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), viewColumn: columnOf(uri) });
}

/** Where a file is shown already, it is shown there. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  return shown?.viewColumn ?? vscode.window.activeTextEditor?.viewColumn ?? vscode.ViewColumn.One;
}

async function uriOf(label: string, near: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(label)) return vscode.Uri.parse(label, true);
  if (/^([\\/]|[A-Za-z]:[\\/])/.test(label)) return vscode.Uri.file(label);
  const folders = vscode.workspace.workspaceFolders?.map((folder) => folder.uri) ?? [];
  for (const folder of near ? [...folders, ...ancestors(near)] : folders) {
    const uri = vscode.Uri.joinPath(folder, label);
    if (await exists(uri)) return uri;
  }
  return vscode.workspace.textDocuments.find((document) => document.uri.path.endsWith(label))?.uri;
}

function ancestors(uri: vscode.Uri): vscode.Uri[] {
  const found: vscode.Uri[] = [];
  let at = vscode.Uri.joinPath(uri, "..");
  while (at.path !== found[found.length - 1]?.path) {
    found.push(at);
    at = vscode.Uri.joinPath(at, "..");
  }
  return found;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
