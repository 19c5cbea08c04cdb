// A real VS Code: code-server with the packaged extension installed, in a real browser. One fresh folder for everything that it
// keeps; ended by the number of its process group, so that nothing stays behind.
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const here = import.meta.dirname;
export const root = path.resolve(here, "../../../..");

/** What must be there already, by the variables that `.ci/run` sets. */
function needed(variable, what) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} must name ${what}: see test/end-to-end/README.md`);
  return path.resolve(value);
}

export const server = () => needed("POLICYC_LSP", "the language server, policyc-lsp");
const entry = () =>
  path.join(needed("POLICYC_EDITORS", "the folder of .ci/real-editors"), "vscode/node_modules/code-server/out/node/entry.js");

const CHROMIUM = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--force-color-profile=srgb", "--font-render-hinting=none",
];

const SETTINGS = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "extensions.ignoreRecommendations": true,
  "extensions.autoUpdate": false,
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
  "workbench.layoutControl.enabled": false,
  "window.commandCenter": false,
  "editor.minimap.enabled": false,
  "editor.fontSize": 13,
  "editor.stickyScroll.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.lightbulb.enabled": "on",
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.autoSurround": "never",
  "editor.autoIndent": "none",
  "editor.quickSuggestions": { strings: "off", other: "off", comments: "off" },
  "editor.suggestOnTriggerCharacters": false,
  "editor.parameterHints.enabled": false,
  "editor.hover.delay": 100,
  "files.autoSave": "off",
  "breadcrumbs.enabled": false,
  "problems.showCurrentInStatus": false,
};

/** A copy of the shipped policies and of the stories, without their pages: the explorer shows only what fits into it. */
export function policies() {
  const folder = mkdtempSync(path.join(tmpdir(), "policyc-policies-"));
  const copy = path.join(folder, "policies");
  const filter = (file) => !file.endsWith(".md");
  for (const source of ["stdlib-policies", "editors/stories"]) cpSync(path.join(root, source), copy, { recursive: true, filter });
  return { folder: copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts VS Code on `folder`, with the server on its PATH; `settings` are added to those that keep it quiet. */
export async function start(folder, { settings = {}, viewport = { width: 1280, height: 860 } } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), "policyc-vscode-"));
  const places = Object.fromEntries(["data", "extensions", "home", "bin"].map((name) => [name, path.join(home, name)]));
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true });
  mkdirSync(path.join(places.data, "User"));
  const configure = (more) => {
    writeFileSync(path.join(places.data, "User/settings.json"), JSON.stringify({ ...SETTINGS, ...settings, ...more }));
  };
  configure({});
  symlinkSync(server(), path.join(places.bin, "policyc-lsp"));
  // As for a person, PATH is what the login shell makes of it.
  writeFileSync(path.join(places.home, ".profile"), `PATH='${places.bin}':$PATH\n`);
  const env = { ...process.env, SHELL: "/bin/bash", HOME: places.home, XDG_CONFIG_HOME: places.home, XDG_DATA_HOME: places.home };
  delete env.VSCODE_PROXY_URI;
  const common = ["--user-data-dir", places.data, "--extensions-dir", places.extensions, "--disable-telemetry"];
  await promisify(execFile)(process.execPath, [entry(), ...common, "--install-extension", path.join(here, "../../dist/policyc.vsix")], { env });

  const argumentsOf = [entry(), ...common, "--disable-update-check", "--auth", "none", "--bind-addr", "127.0.0.1:0", folder];
  const child = spawn(process.execPath, argumentsOf, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  const address = await new Promise((resolve, reject) => {
    const look = (chunk) => {
      output.push(String(chunk));
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output.join(""));
      if (found) resolve(found[1]);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (code) => reject(new Error(`code-server ended with ${code}:\n${output.join("")}`)));
    child.on("error", reject);
  });
  const browser = await chromium.launch({ executablePath: process.env.POLICYC_CHROMIUM ?? "/usr/bin/chromium", args: CHROMIUM });
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1.5, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);

  async function close() {
    await browser.close();
    await end(child);
    rmSync(home, { recursive: true, force: true });
  }
  try {
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  } catch (error) {
    await close();
    throw new Error(`VS Code did not come up:\n${output.join("")}`, { cause: error });
  }
  return { page, close, configure, log: () => logs(places.data), servers: () => serversOf(child.pid) };
}

/** The process numbers of the language servers that the process group runs. */
function serversOf(group) {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
      const [state, , processGroup] = rest.split(" ");
      return state !== "Z" && Number(processGroup) === group && readlinkSync(`/proc/${pid}/exe`).includes("policyc-lsp");
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
}

/** Ends the process group that `child` leads, and waits until it is gone. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGTERM");
  const impatient = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 5000);
  await gone;
  clearTimeout(impatient);
}

/** What the extension and its host wrote, for a failing test to show. */
function logs(data) {
  const found = [];
  for (const file of readdirSync(path.join(data, "logs"), { recursive: true })) {
    if (/policyc.*\.log$|remoteexthost\.log$/.test(file)) {
      found.push(`== ${file}\n${readFileSync(path.join(data, "logs", file), "utf8")}`);
    }
  }
  return found.join("\n");
}
