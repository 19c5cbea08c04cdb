//! What was typed: text and the label it is known by. No file system here.
#![expect(missing_docs, reason = "the setters that salsa makes of a documented field have no text of their own")]

use std::collections::BTreeMap;

/// One policy file as the author sees it.
#[salsa::input(debug)]
pub struct SourceFile {
    /// How the file is named in diagnostics and tables, and what `load` paths are relative to:
    /// `policies/git.rules`, or `@std//git.rules` for a shipped policy. Always with `/`.
    #[returns(ref)]
    pub label: String,
    /// The whole text.
    #[returns(ref)]
    pub text: String,
    /// The file as it last ran without an error, if somebody keeps that: an editor does, so that a text which is broken while it
    /// is typed goes on to answer as before.
    #[default]
    #[returns(copy)]
    pub last_good: Option<SourceFile>,
}

/// The files that answer together, in order, and what they may load.
#[salsa::input(debug)]
pub struct PolicySet {
    /// The policy files, in the order of the command line.
    #[returns(ref)]
    pub files: Vec<SourceFile>,
    /// Every file that a `load` may name, by its label: what the edge found when it looked.
    #[returns(ref)]
    pub modules: BTreeMap<String, Module>,
    /// The folders (labels without a trailing `/`; `""` is the folder the labels are relative to)
    /// that loads must stay inside. `@std//` needs no root.
    #[returns(ref)]
    pub roots: Vec<String>,
    /// The absolute folder that relative paths in examples are judged against.
    #[returns(ref)]
    pub working_directory: String,
    /// What `~` stands for in examples.
    #[returns(ref)]
    pub home: Option<String>,
    /// Files that say what programs are, before the policy says so itself. Nothing else of them counts.
    #[default]
    #[returns(ref)]
    pub prelude: Vec<SourceFile>,
    /// Whose files these are, in order; none for one trusted layer without a name.
    #[default]
    #[returns(ref)]
    pub layers: Vec<Layer>,
    /// The layer of each of the [files](Self::files), by its place; the first if it is left out.
    #[default]
    #[returns(ref)]
    pub layer_of_file: Vec<usize>,
}

/// Files of one origin, such as a user's or a project's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How it is called in diagnostics and answers; may be empty.
    pub name: String,
    /// Whether its files may allow: those of an untrusted layer only restrict.
    pub trusted: bool,
}

/// What stands behind the label of a `load`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Module {
    /// A file that was read.
    File(SourceFile),
    /// The edge could not read it; the reason as the system gives it, without the label.
    Unreadable(String),
    /// The label is inside the roots, but what it names lies outside (a symbolic link).
    Outside,
}

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`, which are offsets into a text of less than 4 GiB.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The same bytes, counted from `base` bytes earlier.
    #[must_use]
    pub const fn shifted(self, base: u32) -> Self {
        Self { start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }

    /// What `text` holds there, or nothing if the span is not one of `text`'s.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

impl From<std::ops::Range<usize>> for Span {
    /// Offsets beyond 4 GiB, which no policy file reaches, become the last offset.
    fn from(range: std::ops::Range<usize>) -> Self {
        let offset = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self::new(offset(range.start), offset(range.end))
    }
}

impl From<rowan::TextRange> for Span {
    fn from(range: rowan::TextRange) -> Self {
        Self::new(range.start().into(), range.end().into())
    }
}

impl From<Span> for rowan::TextRange {
    /// A span that ends before it begins, which no text has, becomes the empty one where it begins.
    fn from(span: Span) -> Self {
        Self::new(span.start.into(), span.end.max(span.start).into())
    }
}

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}
