//! Writes the golden policies and their tables, and the texts of the cases, where the fuzzer looks for seeds.
//!
//!     cargo run --package policyc-tests --example seeds

use std::path::Path;

use policyc_tests::policy::Policy;
use policyc_tests::{suite, workspace};

fn main() {
    let corpus = workspace::root().join("tests/fuzz/corpus");
    let mut number = 0;
    let mut seed = |text: &str| {
        number += 1;
        write(&corpus.join("policy_text"), number, text.as_bytes());
        let policy = Policy::of(text);
        if policy.is_usable() {
            write(&corpus.join("table_bytes"), number, &[&[0], policy.table()].concat());
        }
    };
    for name in ["edge", "random"] {
        let path = workspace::root().join(format!("tests/golden/{name}.jsonl"));
        let lines = std::fs::read_to_string(path).expect("the golden answers are there");
        for line in lines.lines() {
            let set: serde_json::Value = serde_json::from_str(line).expect("a golden line is JSON");
            let files = set.get("files").and_then(serde_json::Value::as_array).expect("a golden set has files");
            for text in files.iter().filter_map(|file| file.get("text")?.as_str()) {
                seed(text);
            }
        }
    }
    for path in workspace::files(&workspace::root().join("stdlib-policies"), "rules") {
        seed(&std::fs::read_to_string(path).expect("a shipped policy can be read"));
    }
    let texts = workspace::files(&workspace::root().join("tests/cases"), "md");
    let texts = texts.iter().map(|path| std::fs::read_to_string(path).expect("a suite can be read"));
    for (number, text) in texts.flat_map(|document| suite::texts(&document)).enumerate() {
        write(&corpus.join("shell_text"), number, text.as_bytes());
        write(&corpus.join("readings"), number, text.as_bytes());
    }
}

fn write(folder: &Path, number: usize, bytes: &[u8]) {
    std::fs::create_dir_all(folder).expect("the corpus can be made");
    std::fs::write(folder.join(format!("seed-{number:04}")), bytes).expect("the corpus can be written");
}
