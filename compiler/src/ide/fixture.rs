//! Policy sets written as one text, with the place that is asked about marked in it.

use std::collections::BTreeMap;

use super::Place;
use crate::db::Database;
use crate::shipped::shipped;
use crate::source::{Module, PolicySet, SourceFile, Span};

/// What marks the place that is asked about. A second one ends a span that the first begins.
pub(crate) const CURSOR: &str = "<cursor>";

/// A policy set and a place in it.
pub(crate) struct Fixture {
    pub(crate) db: Database,
    pub(crate) set: PolicySet,
    /// The file with the cursor, or else the first.
    pub(crate) file: SourceFile,
    /// Where the cursor is.
    pub(crate) offset: u32,
    /// From the first cursor to the second; the whole file if there is no cursor.
    pub(crate) span: Span,
    /// The files by their labels.
    pub(crate) files: BTreeMap<String, SourceFile>,
}

/// A policy set as a text of several files, each after a line `//- LABEL`; without one, all is `a.rules`. After the label,
/// `loaded` makes a file that is only there to be loaded, and `prelude` one of the prelude, which is empty otherwise.
/// Shipped policies can be loaded.
///
/// ```text
/// //- words.rules loaded
/// READ = ["log", "show"]
/// //- git.rules
/// load("./words.rules", "RE<cursor>AD")
/// ```
pub(crate) fn fixture(text: &str) -> Fixture {
    let db = Database::default();
    let (mut own, mut prelude, mut files) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut marked = None;
    for (label, kind, text) in parts(text) {
        let (text, cursors) = without_cursors(&text);
        let end = u32::try_from(text.len()).unwrap();
        let file = SourceFile::new(&db, label.clone(), text);
        let span = match cursors.as_slice() {
            [] => Span::new(0, end),
            [only] => Span::new(*only, *only),
            [start, end] => Span::new(*start, *end),
            _ => panic!("more than two cursors in {label}"),
        };
        if marked.is_none() || !cursors.is_empty() {
            marked = Some((file, span));
        }
        match kind.as_str() {
            "" => own.push(file),
            "loaded" => {}
            "prelude" => prelude.push(file),
            other => panic!("a file is not `{other}`"),
        }
        files.insert(label, file);
    }
    let mut modules: BTreeMap<String, Module> =
        files.iter().map(|(label, file)| (label.clone(), Module::File(*file))).collect();
    for (label, text) in shipped() {
        let file = SourceFile::new(&db, (*label).to_owned(), (*text).to_owned());
        modules.insert((*label).to_owned(), Module::File(file));
    }
    let home = Some("/home/me".to_owned());
    let set = PolicySet::builder(own, modules, vec![String::new()], "/work".to_owned(), home);
    let set = set.prelude(prelude).new(&db);
    let (file, span) = marked.expect("a fixture has a file");
    Fixture { db, set, file, offset: span.start, span, files }
}

impl Fixture {
    /// The text at a place.
    pub(crate) fn text(&self, place: Place) -> &str {
        place.span.of(place.file.text(&self.db))
    }

    /// Types `text` in the place of the file's, whose last good text that stays.
    pub(crate) fn edit(&mut self, file: SourceFile, text: &str) {
        use salsa::Setter;
        let (label, old) = (file.label(&self.db).clone(), file.text(&self.db).clone());
        let last_good = SourceFile::new(&self.db, label, old);
        file.set_last_good(&mut self.db).to(Some(last_good));
        file.set_text(&mut self.db).to(text.to_owned());
    }

    /// A place as `LABEL:LINE text`.
    pub(crate) fn shown(&self, place: Place) -> String {
        let line = crate::syntax::line_index(&self.db, place.file).position(place.span.start).line;
        format!("{}:{line} {}", place.file.label(&self.db), self.text(place))
    }
}

/// The label, the kind and the text of each file.
fn parts(text: &str) -> Vec<(String, String, String)> {
    const MARK: &str = "//- ";
    if !text.starts_with(MARK) {
        return vec![("a.rules".to_owned(), String::new(), text.to_owned())];
    }
    let mut parts: Vec<(String, String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix(MARK), parts.last_mut()) {
            (Some(head), _) => {
                let (label, kind) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
                parts.push((label.to_owned(), kind.to_owned(), String::new()));
            }
            (None, Some((_, _, text))) => text.push_str(line),
            (None, None) => unreachable!("the first line is a mark"),
        }
    }
    parts
}

fn without_cursors(text: &str) -> (String, Vec<u32>) {
    let (mut plain, mut cursors) = (String::new(), Vec::new());
    for (index, piece) in text.split(CURSOR).enumerate() {
        if index > 0 {
            cursors.push(u32::try_from(plain.len()).unwrap());
        }
        plain.push_str(piece);
    }
    (plain, cursors)
}

#[test]
fn a_fixture_is_several_files_with_a_cursor() {
    let fixture = fixture(
        "//- words.rules loaded\nREAD = ['log']\n//- git.rules\nload('./words.rules', 'READ')\nprefix_rule(['git', <cursor>READ<cursor>])\n",
    );
    assert_eq!(fixture.shown(Place { file: fixture.file, span: fixture.span }), "git.rules:2 READ");
    assert_eq!(crate::db::diagnostics(&fixture.db, fixture.set), &[]);
    assert_eq!((fixture.files.len(), fixture.offset), (2, fixture.span.start));
}
