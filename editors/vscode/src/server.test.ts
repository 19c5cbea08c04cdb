import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { findServer, type Surroundings } from "./server";

let folder: string;
let surroundings: Surroundings;

before(() => {
  folder = mkdtempSync(path.join(tmpdir(), "policyc-server-"));
  for (const name of ["bin", "extension/server", "workspace"]) mkdirSync(path.join(folder, name), { recursive: true });
  surroundings = {
    setting: "",
    extension: path.join(folder, "extension"),
    workspace: path.join(folder, "workspace"),
    search: `relative:${path.join(folder, "none")}:${path.join(folder, "bin")}`,
    windows: false,
  };
});
after(() => rmSync(folder, { recursive: true }));

function program(...parts: string[]): string {
  const file = path.join(folder, ...parts);
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

test("what is missing is named, with where it was looked for", () => {
  const shipped = path.join(folder, "extension", "server", "policyc-lsp");
  assert.deepEqual(findServer(surroundings), { tried: [shipped, "policyc-lsp on PATH"] });
});

test("the shipped server comes before the one on PATH, the setting before both", () => {
  const command = program("bin", "policyc-lsp");
  assert.deepEqual(findServer(surroundings), { command, how: "path" });
  const shipped = program("extension", "server", "policyc-lsp");
  assert.deepEqual(findServer(surroundings), { command: shipped, how: "shipped" });
  const own = program("workspace", "own");
  assert.deepEqual(findServer({ ...surroundings, setting: "${workspaceFolder}/own" }), { command: own, how: "setting" });
});

test("a setting that leads nowhere is not replaced by another server", () => {
  const setting = path.join(folder, "gone");
  assert.deepEqual(findServer({ ...surroundings, setting }), { tried: [setting] });
});

test("a folder is no program", () => {
  assert.deepEqual(findServer({ ...surroundings, setting: folder }), { tried: [folder] });
});
