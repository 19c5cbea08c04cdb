// The stories, in one VS Code, as a person would go through them.
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { policies, root, start } from "./editor.mjs";
import { until, Window } from "./window.mjs";

const COMMAND = "shipit plan && nice shipit release --force | tee release.log";

let copy;
let editor;
let window;
let failed = false;

before(async () => {
  copy = policies();
  editor = await start(copy.folder);
  window = new Window(editor.page);
});

after(async () => {
  const log = editor?.log() ?? "";
  // A bug that the server lives through is one all the same.
  const bug = /this is a bug|panicked at/.test(log);
  if (failed || bug) console.error(log);
  await editor?.close();
  copy?.remove();
  assert.ok(!bug, "the log tells of a bug");
});

afterEach(async (story) => {
  if (!story.passed) {
    failed = true;
    await picture(`failed-${story.name.replace(/\W+/g, "-")}`, false);
  }
  await window.press("Escape");
  await window.close();
});

/** Those of the documentation go there if that is asked for; all others where nothing is committed. */
async function picture(name, shown = true) {
  const folder = path.join(root, shown && process.env.POLICYC_PICTURES ? "docs/images" : "editors/vscode/dist/pictures");
  mkdirSync(folder, { recursive: true });
  await editor.page.screenshot({ path: path.join(folder, `${name}.png`) });
}

test("three mistakes are three diagnostics, and one goes by its quick fix", async () => {
  await window.open("mistakes.rules");
  await until("three mistakes", () => window.mistakes(), (count) => count === 3);
  await until("three in the status bar", () => window.status("status.problems"), (text) => /^\s*3\s*0/.test(text));
  await window.click('"deny"');
  await window.press("Control+.");
  const action = editor.page.locator(".action-widget .monaco-list-row.focused").filter({ hasText: "forbidden" });
  await action.waitFor();
  await window.press("Enter");
  await until("two mistakes", () => window.mistakes(), (count) => count === 2);
  assert.match(await window.text(), /^ {4}"forbidden",$/m);
});

test("a scratch line is judged while it is typed", async () => {
  await window.open("team.rules");
  const scratch = () => window.lineText("#? shipit");
  await until("its decision", scratch, (text) => /→ prompt\s+team\.rules:7/.test(text));
  await window.click("#? shipit release v2");
  await window.press("End");
  await window.type(" --force");
  await until("another decision", scratch, (text) => /--force\s*→ forbidden\s+team\.rules:17/.test(text));
});

test("a name is renamed in the file that has it and in the one that loads it", async () => {
  await window.open("team.rules");
  await until("the policy to be judged", () => window.lineText("#? shipit"), (text) => text.includes("→"));
  await window.click("PUBLISHING],");
  await window.press("F2");
  const box = editor.page.locator(".rename-box input");
  await box.waitFor();
  await box.fill("RELEASING");
  await window.press("Enter");
  await until("the new name where it is used", () => window.text(), (text) => text.includes('["shipit", RELEASING]'));
  assert.ok(!(await window.text()).includes("PUBLISHING"));
  await window.open("words.rules");
  await until("the new name where it is made", () => window.text(), (text) => text.includes('RELEASING = ["publish"'));
});

test("a file is formatted", async () => {
  await window.open("untidy.rules");
  await window.click("prefix_rule");
  await window.command("Format Document");
  const formatted = 'prefix_rule(["tidy", "up"], "allow"';
  await until("one style", () => window.text(), (text) => text.includes(formatted));
});

test("a command is tried in the view, which leads to the rules and follows the policy", async () => {
  await window.open("team.rules");
  await window.command("policyc: Try a Command");
  const view = window.view();
  await view.locator("#command").fill(COMMAND);
  const verdict = () => view.locator("#verdict").textContent();
  await until("the answer", verdict, (text) => /^forbidden.*the strictest of 3 commands/.test(text));

  const pieces = view.locator("#backdrop .piece");
  assert.deepEqual(
    await pieces.evaluateAll((found) => {
      const numbered = found.filter((piece) => piece.dataset.number);
      return numbered.map((piece) => [piece.dataset.number, piece.textContent, piece.classList[1], piece.classList.contains("taken")]);
    }),
    [["1", "shipit", "allow", true], ["2", "shipit", "forbidden", true], ["3", "tee release.log", "undecided", false]],
  );
  assert.equal(await view.locator("#backdrop").textContent(), `${COMMAND}\u200b`);
  assert.equal(await view.getByRole("listitem").filter({ hasText: "run by nice" }).count(), 1);

  // By keyboard alone: on from the text to the first rule, which Enter opens.
  await view.locator("#command").focus();
  const place = view.locator(".card.forbidden a.place").first();
  await until("the rule in the order of Tab", async () => {
    await window.press("Tab");
    return place.evaluate((link) => link === link.ownerDocument.activeElement);
  });
  await window.press("Enter");
  await until("the rule's line", () => window.status("status.editor.selection"), (text) => text.startsWith("Ln 17,"));

  // What is typed into the policy changes the answer, saved or not.
  await window.click('"forbidden",');
  await window.press("Home");
  await window.press("Shift+End");
  await window.type('"prompt",');
  await until("another answer", verdict, (text) => text.startsWith("prompt"));
});

test("what hits a rule stands over it, and is tried or looked at from there", async () => {
  await window.open("team.rules");
  const lenses = editor.page.locator(".codelens-decoration a");
  await lenses.filter({ hasText: "try a command" }).first().click();
  const command = window.view().locator("#command");
  await until("the rule's example", () => command.inputValue(), (text) => text === "shipit release v2");
  await lenses.filter({ hasText: "hit by 2 expectations" }).first().click();
  await until("both expectations", () => editor.page.locator(".zone-widget .monaco-list-row .referenceMatch").count(), (count) => count === 2);
});

test("a server that is killed comes back", async () => {
  await window.open("team.rules");
  const scratch = () => window.lineText("#? shipit");
  await until("a decision", scratch, (text) => text.includes("→ prompt"));
  const [server, ...others] = editor.servers();
  assert.deepEqual(others, [], "there is one server");
  process.kill(server, "SIGKILL");
  await until("another server", () => editor.servers(), (found) => found.length === 1 && found[0] !== server);
  await window.click("#? shipit release v2");
  await window.press("End");
  await window.type(" --force");
  await until("its decisions", scratch, (text) => text.includes("→ forbidden"));
});

test("the decision table is listed", async () => {
  await window.open("team.rules");
  await until("the policy to be judged", () => window.lineText("#? shipit"), (text) => text.includes("→"));
  await window.command("policyc: Show the Decision Table");
  await editor.page.locator('.tab[data-resource-name="team.table.txt"]').waitFor();
  const listing = editor.page.locator(".view-lines").filter({ hasText: "decision" }).filter({ hasText: "checksum" });
  await listing.waitFor();
});

test("what was wrong with a deleted file is forgotten; pictures, light and dark", async () => {
  const { page } = editor;
  await window.open("mistakes.rules");
  await until("three mistakes", () => window.status("status.problems"), (text) => /^\s*3\s*0/.test(text));
  await window.close();
  rmSync(path.join(copy.folder, "mistakes.rules"));
  await until("no mistakes", () => window.status("status.problems"), (text) => /^\s*0\s*0/.test(text));
  await page.setViewportSize({ width: 1280, height: 1050 });
  await window.open("team.rules");
  await window.lines().nth(5).click();
  await window.press("Control+Home");
  // VS Code asks for them while the editor has the focus.
  const lenses = page.locator(".codelens-decoration a").filter({ hasText: "try a command" });
  await until("the lenses", () => lenses.count(), (count) => count === 3);
  await window.command("View: Toggle Primary Side Bar Visibility");
  await window.command("policyc: Try a Command");
  const view = window.view();
  await view.locator("#command").fill(COMMAND);
  await window.raise(".part.panel", 450);
  await page.mouse.move(1270, 480);
  for (const [name, base] of [["light", "vs"], ["dark", "vs-dark"]]) {
    if (name === "dark") await window.command("Preferences: Toggle between Light/Dark Themes");
    await page.locator(`.monaco-workbench.${base}`).waitFor();
    await view.locator(`body.vscode-${name}`).waitFor();
    await until("the answer", () => view.locator("#verdict").textContent(), (text) => text.startsWith("forbidden"));
    await until("the decisions", () => window.lineText("#? shipit"), (text) => text.includes("→"));
    // Another theme sets the editor to work for a moment, which is not to be in the picture.
    const work = page.getByText("Activating Extensions...");
    await work.waitFor({ timeout: 2000 }).catch(() => undefined);
    await work.waitFor({ state: "hidden" });
    await view.locator("#command").blur();
    await picture(`vscode-${name}`);
  }
});
