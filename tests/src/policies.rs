//! Every policy that the repository holds, good and bad, as text.

use serde::Deserialize;

use crate::markdown::sections;
use crate::random::Random;
use crate::workspace;

/// What a mutation puts into a text: what brackets, lines, strings and names are made of.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "\n",
    "\n    ",
    "\r\n",
    " ",
    "\t",
    "\\\n",
    "'",
    "\"",
    "\"\"\"",
    "f\"",
    "\\",
    "#",
    "#? x\n",
    "=",
    "+=",
    "*",
    "**",
    "-",
    "->",
    ".",
    "..",
    "not ",
    "in ",
    "if ",
    "else",
    "elif a:\n",
    "for a in b",
    "def f(a):\n",
    "lambda x: ",
    "load(",
    "return",
    "1",
    "0x",
    "é",
    "😀",
    "\0",
    "\u{feff}",
    "x",
    "prefix_rule(",
    "None",
];

/// A policy and where it is from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, and the line of it or the name in it.
    pub place: String,
    /// The policy.
    pub text: String,
}

#[derive(Deserialize)]
struct Golden {
    name: String,
    files: Vec<GoldenFile>,
}

#[derive(Deserialize)]
struct GoldenFile {
    text: String,
}

/// The policy files, those in the documents of suites, cases and pages, and those of the golden answers.
///
/// # Panics
/// When a file of the repository can't be read.
#[must_use]
pub fn policies() -> Vec<Source> {
    let root = workspace::root();
    let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("the files of the repository are text");
    let mut found = Vec::new();
    for path in workspace::files(&root, "rules") {
        found.push(Source { place: workspace::relative(&path), text: read(&path) });
    }
    for path in workspace::files(&root, "md") {
        for section in sections(&read(&path)) {
            for block in section.blocks.into_iter().filter(|block| matches!(&*block.language, "policy" | "module")) {
                found.push(Source {
                    place: format!("{}:{}", workspace::relative(&path), section.line),
                    text: block.text,
                });
            }
        }
    }
    for path in workspace::files(&root.join("tests/golden"), "jsonl") {
        for line in read(&path).lines() {
            let set: Golden = serde_json::from_str(line).expect("a golden line is a policy set");
            found.extend(set.files.into_iter().map(|file| Source { place: set.name.clone(), text: file.text }));
        }
    }
    found
}

/// `text` with a few pieces put in, taken out or doubled.
#[must_use]
pub fn mutated(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..random.between(1, 4) {
        let place = random.below(characters.len() + 1);
        let end = (place + random.below(12)).min(characters.len());
        match random.below(3) {
            0 => drop(characters.splice(place..place, random.pick(PIECES).chars())),
            1 => drop(characters.drain(place..end)),
            _ => {
                let copy: Vec<char> = characters.get(place..end).unwrap_or_default().to_vec();
                let to = random.below(characters.len() + 1);
                drop(characters.splice(to..to, copy));
            }
        }
    }
    characters.into_iter().collect()
}
