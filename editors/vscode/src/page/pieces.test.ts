import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Command } from "../shared/answer";
import { unitOfByte } from "./offsets";
import { deciding, distinct, hasCard, ownDecision, pieces, piecesOfLines } from "./pieces";

const plain: Command = { found: "text", display: "", words: [], matches: [], doubts: [] };
const rule = { file: "a.rules", line: 1, column: 1, decision: "prompt", counts: true } as const;

test("bytes are counted as UTF-16 units", () => {
  const text = "é 😀x";
  const unit = unitOfByte(text);
  assert.deepEqual([0, 2, 3, 7, 8].map(unit), [0, 1, 2, 4, 5]);
  assert.equal(unit(1), 0, "a place within a character is where it begins");
  assert.equal(unit(99), text.length);
});

test("the pieces put together are the text", () => {
  const text = "é; git push 😀";
  const answer: Answer = {
    texts: [{ text, display: text, shell: "bash" }],
    commands: [
      { ...plain, span: { text: 0, start: 0, end: 2 } },
      {
        ...plain,
        span: { text: 0, start: 4, end: 17 },
        words: [
          { text: "git", span: { start: 4, end: 7 } },
          { text: "push", span: { start: 8, end: 12 } },
        ],
        matches: [{ ...rule, words: [1] }],
      },
    ],
  };
  const found = pieces(answer, 0, text);
  assert.equal(found.map((piece) => piece.text).join(""), text);
  assert.deepEqual(
    found.map((piece) => [piece.text, piece.command, piece.taken]),
    [["é", 0, false], ["; ", undefined, false], ["git ", 1, false], ["push", 1, true], [" 😀", 1, false]],
  );
});

test("a command among the words of another is underlined, not the one that runs it", () => {
  const text = "sudo git push";
  const words = [
    { text: "git", span: { start: 5, end: 8 } },
    { text: "push", span: { start: 9, end: 13 } },
  ];
  const answer: Answer = {
    texts: [{ text, display: text, shell: "bash" }],
    commands: [
      { ...plain, span: { text: 0, start: 0, end: 13 }, decision: "prompt" },
      { ...plain, found: "operands", inside: 0, words, matches: [{ ...rule, words: [0, 1] }], decision: "prompt" },
    ],
  };
  assert.equal(hasCard(answer, 0), false);
  const found = pieces(answer, 0, text).map((piece) => [piece.text, piece.command]);
  assert.deepEqual(found, [["sudo ", undefined], ["git", 1], [" ", 1], ["push", 1]]);
});

test("a problem behind the end stands under the last character", () => {
  const text = "git $(";
  const problem = { span: { start: 6, end: 6 }, message: "not closed" };
  const answer: Answer = { texts: [{ text, display: text, shell: "bash", problem }], commands: [] };
  assert.deepEqual(pieces(answer, 0, text).map((piece) => [piece.text, piece.broken]), [["git $", false], ["(", true]]);
});

test("words that stand one on a line are marked by their lines", () => {
  const words = [{ text: "git" }, { text: "push" }];
  const answer: Answer = { commands: [{ ...plain, found: "request", words, matches: [{ ...rule, words: [0] }] }] };
  const found = piecesOfLines(answer, "git\n\npush").map((piece) => [piece.text, piece.command, piece.taken]);
  assert.deepEqual(found, [["git", 0, true], ["\n\n", undefined, false], ["push", 0, false]]);
});

test("the strictest of the matches that count decide", () => {
  const matches = [
    { ...rule, words: [0], decision: "allow" as const },
    { ...rule, words: [0], line: 2 },
    { ...rule, words: [0], line: 3, decision: "forbidden" as const, counts: false },
  ];
  assert.deepEqual(deciding({ ...plain, matches }).map((match) => match.line), [2]);
});

test("rules of one place that say the same are one", () => {
  const matches = [{ ...rule, words: [0] }, { ...rule, words: [0, 1] }, { ...rule, words: [0], line: 2 }];
  assert.deepEqual(distinct(matches).map((match) => match.line), [1, 2]);
});

test("a command that runs others shows what its own rule says", () => {
  const outer: Command = { ...plain, decision: "forbidden", matches: [{ ...rule, words: [0] }] };
  const answer: Answer = { commands: [outer, { ...plain, found: "operands", inside: 0, decision: "forbidden" }] };
  assert.deepEqual([0, 1].map((place) => ownDecision(answer, place)), ["prompt", "forbidden"]);
});
