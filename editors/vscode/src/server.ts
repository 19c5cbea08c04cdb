import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Where the language server was found, or where it was looked for. */
export type Found = { command: string; how: "setting" | "shipped" | "path" } | { tried: string[] };

/** What decides which language server runs. */
export interface Surroundings {
  /** The setting `policyc.server.path`; empty if it is not set. */
  setting: string;
  /** The folder of the extension, which may carry a server. */
  extension: string;
  /** The first folder of the workspace, which `${workspaceFolder}` stands for. */
  workspace: string | undefined;
  /** `PATH` as the editor has it. */
  search: string;
  windows: boolean;
}

/** The server that the setting names, and no other if it names one; else the shipped one; else the first on `PATH`. */
export function findServer(surroundings: Surroundings): Found {
  const name = surroundings.windows ? "policyc-lsp.exe" : "policyc-lsp";
  const setting = surroundings.setting.trim();
  if (setting !== "") {
    const command = expand(setting, surroundings);
    // A bare name is one to be found on PATH.
    if (!/[\\/]/.test(command)) return onPath(command, surroundings) ?? { tried: [`${command} on PATH`] };
    return isProgram(command) ? { command, how: "setting" } : { tried: [command] };
  }
  const shipped = path.join(surroundings.extension, "server", name);
  if (isProgram(shipped)) return { command: shipped, how: "shipped" };
  return onPath(name, surroundings) ?? { tried: [shipped, `${name} on PATH`] };
}

function expand(setting: string, { workspace }: Surroundings): string {
  const home = setting.startsWith("~/") ? path.join(homedir(), setting.slice(2)) : setting;
  return workspace === undefined ? home : home.replaceAll("${workspaceFolder}", workspace);
}

function onPath(name: string, { search, windows }: Surroundings): Found | undefined {
  const folders = search.split(windows ? ";" : ":").filter((folder) => folder !== "" && path.isAbsolute(folder));
  const command = folders.map((folder) => path.join(folder, name)).find(isProgram);
  return command === undefined ? undefined : { command, how: "path" };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
