//! Diagnostics as pure data; the edges draw them.

use crate::source::{SourceFile, Span};

/// A kind of mistake: what its page in `docs/diagnostics/` is named after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub &'static str);

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The policy works, though probably not as meant.
    Warning,
    /// The policy cannot be used.
    Error,
}

/// One mistake: what is wrong, where, why, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of mistake.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong: one line, lower case, no full stop, understandable alone.
    pub message: String,
    /// The smallest text that is wrong.
    pub primary: Label,
    /// Related places.
    pub labels: Vec<Label>,
    /// Why.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<Help>,
}

/// A piece of text and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file.
    pub file: SourceFile,
    /// The bytes.
    pub span: Span,
    /// A few words, or nothing.
    pub text: String,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// In words.
    pub text: String,
    /// As an edit, where it is sure.
    pub edit: Option<Edit>,
}

/// A replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The file.
    pub file: SourceFile,
    /// What goes.
    pub span: Span,
    /// What comes.
    pub text: String,
}
