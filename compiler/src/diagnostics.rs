//! Diagnostics as pure data; the edges draw them.

use crate::rules::{Frame, Origin};
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
    /// What to do as edits, where there are any: the likeliest first.
    pub fixes: Vec<Fix>,
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
}

/// One way to mend a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: lower case, no full stop.
    pub title: String,
    /// Whether it is what was meant, so that it may be made unseen along with others; otherwise it is one way of several.
    pub sure: bool,
    /// What is to be edited, all of it together. No two edits overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// What was surely meant; nothing without an edit.
    #[must_use]
    pub fn sure(title: impl Into<String>, edits: impl IntoIterator<Item = Edit>) -> Option<Self> {
        let edits: Vec<Edit> = edits.into_iter().collect();
        (!edits.is_empty()).then(|| Self { title: title.into(), sure: true, edits })
    }

    /// One way of several; nothing without an edit.
    #[must_use]
    pub fn choice(title: impl Into<String>, edits: impl IntoIterator<Item = Edit>) -> Option<Self> {
        Self::sure(title, edits).map(|fix| Self { sure: false, ..fix })
    }
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

/// Where a mistake stands, and how the run came there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file.
    pub file: SourceFile,
    /// The smallest text that is wrong.
    pub span: Span,
    /// The calls of functions that led there, outermost first; empty at top level and for what does not run.
    pub stack: Vec<Frame>,
}

impl Site {
    /// A place that no call led to.
    #[must_use]
    pub const fn new(file: SourceFile, span: Span) -> Self {
        Self { file, span, stack: Vec::new() }
    }

    /// The text at `span` of the call that `origin` tells of.
    #[must_use]
    pub fn within(origin: &Origin, span: Span) -> Self {
        Self { file: origin.file, span, stack: origin.stack.clone() }
    }
}

/// How many calls on the way to a mistake are shown: the innermost ones.
const MOST_FRAMES: usize = 8;

impl Diagnostic {
    /// An error at `site`, whose text gets the label `label`. The calls that led there become labels too.
    #[must_use]
    pub fn error(code: Code, site: &Site, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: Label { file: site.file, span: site.span, text: label.into() },
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
        .with_calls(&site.stack)
    }

    /// With the calls that led there, the outermost of `stack` first.
    pub(crate) fn with_calls(mut self, stack: &[Frame]) -> Self {
        // A function that calls itself leaves the same frame many times.
        let mut calls: Vec<&Frame> = Vec::new();
        for frame in stack.iter().rev() {
            if calls.len() < MOST_FRAMES && !calls.contains(&frame) {
                calls.push(frame);
            }
        }
        let label = |frame: &Frame| Label {
            file: frame.file,
            span: frame.span,
            text: format!("in `{}`, called here", frame.function),
        };
        self.labels.extend(calls.into_iter().map(label));
        self
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(code: Code, site: &Site, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, site, message, label) }
    }

    /// With one more place.
    #[must_use]
    pub fn with_label(mut self, file: SourceFile, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { file, span, text: text.into() });
        self
    }

    /// With one more reason.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With what to do next.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(Help { text: text.into() });
        self
    }

    /// With what to do next, as a replacement of the text that is wrong.
    #[must_use]
    pub fn with_replacement(self, text: impl Into<String>, replacement: impl Into<String>) -> Self {
        let text = text.into();
        let edit = self.replacing(replacement);
        self.with_help(text.clone()).with_fix(Fix::sure(text, [edit]))
    }

    /// With one more way to mend it, if it is one. Without any help so far, what is sure is the help.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<Fix>) -> Self {
        if let Some(fix) = fix.as_ref().filter(|fix| fix.sure && self.help.is_none()) {
            self.help = Some(Help { text: fix.title.clone() });
        }
        self.fixes.extend(fix);
        self
    }

    /// A replacement of the text that is wrong.
    pub(crate) fn replacing(&self, text: impl Into<String>) -> Edit {
        Edit { file: self.primary.file, span: self.primary.span, text: text.into() }
    }
}
