//! Policies typed character by character: what is published of each version is what a check of that text alone says.

use std::collections::{BTreeMap, HashMap};

use policyc::db::{self, Database};
use policyc::diagnostics::Severity;
use policyc::shipped::{prelude, shipped};
use policyc::source::{Module, PolicySet, SourceFile};
use policyc_tests::random::Random;
use salsa::Setter;
use serde_json::{Value, json};

use crate::editor::Editor;

const URI: &str = "untitled:typed.rules";
const EDITS: usize = 50_000;
/// So many edits at most are sent before the server is waited for.
const LONGEST_BURST: usize = 80;

/// A diagnostic as it is compared: code, severity, first line of the message, and the four numbers of its range.
type Told = (String, u64, String, [u64; 4]);

/// Checks texts alone, each as a file that nothing is known of. What is shipped is run once.
struct Oracle {
    db: Database,
    set: PolicySet,
}

impl Oracle {
    fn new() -> Self {
        let db = Database::default();
        let files = shipped()
            .iter()
            .map(|(label, text)| ((*label).to_owned(), SourceFile::new(&db, (*label).to_owned(), (*text).to_owned())));
        let files: BTreeMap<String, SourceFile> = files.collect();
        let prelude = prelude().iter().map(|(label, _)| files[*label]).collect();
        let modules = files.into_iter().map(|(label, file)| (label, Module::File(file))).collect();
        let home = policyc::workspace::Surroundings::home();
        let set = PolicySet::builder(Vec::new(), modules, vec![String::new()], "/".to_owned(), home);
        let set = set.prelude(prelude).new(&db);
        Self { db, set }
    }

    fn check(&mut self, text: &str) -> Vec<Told> {
        let file = SourceFile::new(&self.db, "typed.rules".to_owned(), text.to_owned());
        self.set.set_files(&mut self.db).to(vec![file]);
        let position = |offset: u32| {
            let before = &text[..offset as usize];
            let line = before.matches('\n').count() as u64;
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            [line, before[start..].encode_utf16().count() as u64]
        };
        let told = db::diagnostics(&self.db, self.set).iter().map(|it| {
            assert_eq!(it.primary.file, file, "the text is alone");
            let ([line, column], [end_line, end]) = (position(it.primary.span.start), position(it.primary.span.end));
            let severity = if it.severity == Severity::Error { 1 } else { 2 };
            (it.code.0.to_owned(), severity, it.message.clone(), [line, column, end_line, end])
        });
        told.collect()
    }
}

fn published(diagnostics: &Value) -> Vec<Told> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let told = |it: &Value| {
        let (start, end) = (&it["range"]["start"], &it["range"]["end"]);
        let range = [&start["line"], &start["character"], &end["line"], &end["character"]].map(number);
        let message = text(&it["message"]);
        let message = message.lines().next().expect("a message has a line").to_owned();
        (text(&it["code"]), number(&it["severity"]), message, range)
    };
    diagnostics.as_array().expect("a list").iter().map(told).collect()
}

/// A document as an editor holds it: in UTF-16, of which a place counts units.
#[derive(Clone, Default)]
struct Buffer {
    units: Vec<u16>,
    cursor: usize,
}

impl Buffer {
    fn text(&self) -> String {
        String::from_utf16(&self.units).expect("no pair is parted")
    }

    fn position(&self, place: usize) -> Value {
        let newline = u16::from(b'\n');
        let before = &self.units[..place];
        let line = before.iter().filter(|unit| **unit == newline).count();
        let start = before.iter().rposition(|unit| *unit == newline).map_or(0, |end| end + 1);
        json!({ "line": line, "character": place - start })
    }

    /// The nearest place at or before this one that parts no pair.
    fn whole(&self, place: usize) -> usize {
        let low = |unit: &u16| (0xdc00..0xe000).contains(unit);
        let place = place.min(self.units.len());
        if place > 0 && self.units.get(place).is_some_and(low) { place - 1 } else { place }
    }

    /// Replaces what is between two places, and says so as the protocol does. The replaced text is returned.
    fn replace(&mut self, start: usize, end: usize, text: &str) -> (Value, String) {
        let range = json!({ "start": self.position(start), "end": self.position(end) });
        let new: Vec<u16> = text.encode_utf16().collect();
        let length = new.len();
        let old: Vec<u16> = self.units.splice(start..end, new).collect();
        self.cursor = start + length;
        (json!({ "range": range, "text": text }), String::from_utf16(&old).expect("no pair is parted"))
    }
}

/// What was done, so that it can be undone: where, how many units came, and what went.
type Done = (usize, usize, String);

/// An author who makes slips.
struct Author {
    random: Random,
    buffer: Buffer,
    /// What is still to be typed.
    rest: Vec<char>,
    done: Vec<Done>,
}

impl Author {
    fn edit(&mut self, start: usize, end: usize, text: &str) -> Value {
        let (change, old) = self.buffer.replace(start, end, text);
        self.done.push((start, text.encode_utf16().count(), old));
        change
    }

    /// One edit: most often the next character.
    fn next(&mut self) -> Value {
        let (length, cursor) = (self.buffer.units.len(), self.buffer.cursor);
        match self.random.below(100) {
            0..=5 if cursor > 0 => {
                let start = self.buffer.whole(cursor.saturating_sub(self.random.between(1, 6)));
                self.edit(start, cursor, "")
            }
            6..=8 if !self.done.is_empty() => {
                let (start, came, went) = self.done.pop().expect("it is not empty");
                self.buffer.replace(start, start + came, &went).0
            }
            9..=10 => {
                let place = self.buffer.whole(self.random.below(length + 1));
                let text = *self.random.pick(&["😀", "é", "\"", "(", "[", "\n", "\r\n", "# 𝔸", "]", "#? ls 😀\n"]);
                self.edit(place, place, text)
            }
            11 if length > 0 => {
                // A piece somewhere is replaced, and the author goes on at the end.
                let start = self.buffer.whole(self.random.below(length));
                let end = self.buffer.whole((start + self.random.below(12)).min(length)).max(start);
                let change = self.edit(start, end, "x");
                self.buffer.cursor = self.buffer.units.len();
                change
            }
            _ => {
                let character = self.rest.pop().unwrap_or('\n');
                let mut text = [0; 4];
                let text: &str = character.encode_utf8(&mut text);
                let text = text.to_owned();
                self.edit(cursor, cursor, &text)
            }
        }
    }
}

#[test]
fn what_is_published_of_a_version_is_what_a_fresh_check_says() {
    let mut random = Random::seeded(4);
    let mut oracle = Oracle::new();
    let mut editor = Editor::new();
    // Their beginnings: the rest would be more of the same.
    let beginning = |text: &str| text.lines().take(60).map(|line| format!("{line}\n")).collect::<String>();
    let policies: Vec<String> = shipped().iter().map(|(_, text)| beginning(text)).collect();
    assert!(policies.len() > 20, "there are policies to type");
    editor.open(URI, "");
    editor.diagnostics(URI, 1);
    let (mut version, mut edits, mut compared) = (1, 0, 0);
    let mut fresh = |text: &str, told: &Value, version: i64| {
        assert_eq!(published(told), oracle.check(text), "version {version} of\n{text}");
    };
    while edits < EDITS {
        // A policy is typed until most of it is there; then the next one, in a document that is emptied.
        let policy = random.pick(&policies);
        let policy = policy.replace("\n\n", "\n# 😀 𝔸é\n");
        let seed = random.bits();
        let mut author = Author {
            random: Random::new(seed),
            buffer: Buffer::default(),
            rest: policy.chars().rev().collect(),
            done: Vec::new(),
        };
        version += 1;
        editor.change(URI, version, json!([{ "text": "" }]));
        while !author.rest.is_empty() && edits < EDITS {
            let mut texts: HashMap<i64, String> = HashMap::new();
            for _ in 0..author.random.between(1, LONGEST_BURST) {
                let changes: Vec<Value> =
                    (0..if author.random.one_in(20) { 3 } else { 1 }).map(|_| author.next()).collect();
                edits += changes.len();
                version += 1;
                editor.change(URI, version, Value::Array(changes));
                texts.insert(version, author.buffer.text());
            }
            // Whatever comes before the last version is of one in between, and no less right.
            loop {
                let told = editor.await_notification("textDocument/publishDiagnostics");
                let of = told["version"].as_i64().expect("a version");
                if let Some(text) = texts.get(&of) {
                    fresh(text, &told["diagnostics"], of);
                    compared += 1;
                }
                if of == version {
                    break;
                }
            }
            editor.notifications.clear();
        }
    }
    assert!(compared >= EDITS / LONGEST_BURST, "only {compared} versions were compared");
    editor.finish();
}
