// What an author sees who has no language server.
import { after, before, test } from "node:test";
import { policies, start } from "./editor.mjs";
import { until, Window } from "./window.mjs";

let copy;
let editor;

before(async () => {
  copy = policies();
  editor = await start(copy.folder, { settings: { "policyc.server.path": "/nowhere/policyc-lsp" } });
});

after(async () => {
  await editor?.close();
  copy?.remove();
});

test("a missing server is named, with where it was looked for, and how to mend it", async () => {
  const window = new Window(editor.page);
  await window.open("git.rules");
  const message = editor.page.locator(".notification-toast").filter({ hasText: "policyc-lsp" });
  await message.getByText("/nowhere/policyc-lsp").waitFor();
  await until("the status item", () => window.status("policyc.status"), (text) => text.includes("no language server"));
  await message.getByRole("button", { name: "Open Settings" }).click();
  await editor.page.locator(".settings-editor").getByText("policyc.server.path").or(editor.page.locator(".setting-item-label").getByText("Path")).first().waitFor();
});
