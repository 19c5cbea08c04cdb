import * as vscode from "vscode";
import type { ActivePolicy } from "./activePolicy";
import type { Session, Status } from "./session";

/** The policy set of the active file in the status bar: how many rules, and whether any file of it stands for an earlier text. */
export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("policyc.status", vscode.StatusBarAlignment.Right, 100);
  readonly #session: Session;
  readonly #active: ActivePolicy;
  readonly #subscriptions: vscode.Disposable[];

  constructor(session: Session, active: ActivePolicy) {
    this.#session = session;
    this.#active = active;
    this.#item.name = "Command Policy";
    const draw = (): void => this.#draw();
    this.#subscriptions = [
      session.onDidChange(draw),
      session.onDidCheck(draw),
      active.onDidChange(draw),
      vscode.window.onDidChangeActiveTextEditor(draw),
      vscode.workspace.onDidChangeConfiguration(draw),
    ];
    draw();
  }

  #draw(): void {
    const enabled = vscode.workspace.getConfiguration("policyc").get("statusItem.enable", true);
    if (!enabled || !this.#active.uri) {
      this.#item.hide();
      return;
    }
    const status = statusOf(this.#session.statuses, this.#active.uri);
    const background = (name: string): vscode.ThemeColor => new vscode.ThemeColor(`statusBarItem.${name}Background`);
    this.#item.backgroundColor = undefined;
    this.#item.command = "policyc.tryCommand";
    if (!this.#session.running) {
      this.#item.text = "$(law) no language server";
      this.#item.tooltip = tooltip(["The language server of command policies is not running."]);
      this.#item.command = "policyc.restart";
      this.#item.backgroundColor = background("error");
    } else if (!status) {
      this.#item.text = "$(law) policy";
      this.#item.tooltip = tooltip(["The policy set was not checked yet."]);
    } else {
      const degraded = status.degraded.length > 0;
      this.#item.text = `$(law) ${count(status.rules, "rule")}${degraded ? " $(warning)" : ""}`;
      this.#item.tooltip = tooltip(lines(status));
      this.#item.backgroundColor = degraded ? background("warning") : undefined;
    }
    this.#item.accessibilityInformation = { label: this.#item.text.replace(/\$\([^)]*\)\s*/g, "") };
    this.#item.show();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#item.dispose();
  }
}

/** The status of the set that a document is in. */
export function statusOf(statuses: Status[], uri: vscode.Uri): Status | undefined {
  return statuses.find((status) => status.documents.includes(uri.toString()));
}

function lines(status: Status): string[] {
  const found = [
    `**${count(status.rules, "rule")}** in \`${status.name}\``,
    `${status.allow} allow · ${status.prompt} prompt · ${status.forbidden} forbidden`,
  ];
  if (status.errors > 0) found.push(count(status.errors, "mistake"));
  if (status.degraded.length > 0) {
    const files = status.degraded.map((label) => `\`${label}\``).join(", ");
    found.push(`$(warning) answering from an earlier text, for want of one without mistakes: ${files}`);
  }
  return found;
}

function tooltip(lines: string[]): vscode.MarkdownString {
  const commands = [
    "[Try a command](command:policyc.tryCommand)",
    "[Decision table](command:policyc.showTable)",
    "[Restart](command:policyc.restart)",
    "[Log](command:policyc.showLog)",
  ];
  const text = new vscode.MarkdownString([...lines, commands.join(" · ")].join("\n\n"), true);
  text.isTrusted = { enabledCommands: ["policyc.tryCommand", "policyc.showTable", "policyc.restart", "policyc.showLog"] };
  return text;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
