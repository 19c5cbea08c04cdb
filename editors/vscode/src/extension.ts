import * as vscode from "vscode";
import { ActivePolicy } from "./activePolicy";
import { Session } from "./session";
import { ShippedPolicies } from "./shipped";
import { StatusItem } from "./statusItem";
import { TableView } from "./tableView";
import { TryView } from "./tryView";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("policyc", { log: true });
  const started = new Session(context, log);
  session = started;
  const active = new ActivePolicy();
  const table = new TableView(started, active);
  const view = new TryView(context, started, active, log);
  context.subscriptions.push(log, started, active, table, view);
  context.subscriptions.push(new ShippedPolicies(started), new StatusItem(started, active));

  const command = (name: string, run: (...given: never[]) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(`policyc.${name}`, run));
  };
  command("restart", () => started.restart());
  command("showLog", () => log.show());
  command("showTable", () => table.show());
  // A lens names its file and, if it has one, its command; without, what is selected is tried.
  command("tryCommand", (_uri?: unknown, text?: unknown) => {
    const wanted = typeof text === "string" ? text : selected();
    return view.show(wanted === undefined ? undefined : { kind: "bash", text: wanted });
  });
  command("showHits", showHits);

  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("policyc.server")) void started.restart();
    }),
  );
  await started.start();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

function selected(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "policy" || editor.selection.isEmpty) return undefined;
  return editor.document.getText(editor.selection);
}

interface Position {
  line: number;
  character: number;
}

interface Location {
  uri: string;
  range: { start: Position; end: Position };
}

/** Shows what hits a rule, as the editor shows references. What a lens carries is the protocol's, not the editor's. */
async function showHits(uri: string, at: Position, locations: Location[]): Promise<void> {
  const position = ({ line, character }: Position): vscode.Position => new vscode.Position(line, character);
  const found = locations.map(({ uri, range }) => {
    return new vscode.Location(vscode.Uri.parse(uri, true), new vscode.Range(position(range.start), position(range.end)));
  });
  const here = vscode.Uri.parse(uri, true);
  await vscode.commands.executeCommand("editor.action.showReferences", here, position(at), found);
}
