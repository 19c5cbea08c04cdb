//! Completion: what may be written at a place.

mod code;
mod command;
mod paths;
mod snippets;
mod words;
mod fitting;

#[cfg(test)]
mod tests;

pub use fitting::fitting;

use super::asked::SCRATCH;
use super::cursor::Cursor;
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::token::TokenKind;

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words about it; may be empty.
    pub detail: String,
    /// More about it, as Markdown; may be empty.
    pub documentation: String,
    /// The text that it replaces.
    pub span: Span,
    /// What is written in its place. In a snippet `$1` and the like stand for places to go on at.
    pub text: String,
    /// Whether the text is a snippet.
    pub snippet: bool,
}

/// What something is that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CompletionKind {
    /// A builtin of policies.
    Builtin,
    /// A function of the policy or of Starlark.
    Function,
    /// A name of the policy.
    Variable,
    /// A word of the language.
    Keyword,
    /// A keyword argument.
    Argument,
    /// One of few values, such as a decision.
    Value,
    /// A program or a subcommand that is declared.
    Program,
    /// An option that is declared.
    Option,
    /// A word that rules use there.
    Word,
    /// A policy file.
    File,
    /// A whole statement to go on from.
    Snippet,
}

/// What may be written at a place, the most fitting first. What begins otherwise than the word at the place is there as well:
/// it is for the editor to choose.
#[must_use]
pub fn completions(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Vec<Completion> {
    let cursor = Cursor::new(db, file, offset);
    let place = Asking { db, set, file, cursor: &cursor };
    match cursor.token {
        Some(token) if token.kind == TokenKind::Comment => {
            let text = Span::new(token.span.start, token.span.end).of(file.text(db));
            let content = token.span.start + u32::try_from(SCRATCH.len()).unwrap_or_default();
            if text.starts_with(SCRATCH) && offset >= content {
                return command::text(&place, Span::new(content, token.span.end));
            }
            Vec::new()
        }
        Some(token) if is_text(token.kind) && token.span.start < offset => words::in_string(&place),
        _ if cursor.previous().is_some_and(|previous| previous.kind == TokenKind::Dot) => Vec::new(),
        _ => code::in_code(&place),
    }
}

/// Whether a token is part of a string.
pub(super) fn is_text(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::String
            | TokenKind::UnclosedString
            | TokenKind::FStringStart
            | TokenKind::FStringText
            | TokenKind::FStringEnd
    )
}

/// The place that is asked about.
struct Asking<'a> {
    db: &'a dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    cursor: &'a Cursor<'a>,
}

impl Asking<'_> {
    /// The word of code that is being typed.
    fn typed(&self) -> Span {
        let offset = self.cursor.offset;
        let text = self.file.text(self.db);
        let word =
            |span: &Span| span.start < offset && span.of(text).starts_with(|it: char| it.is_alphabetic() || it == '_');
        self.cursor.token.map(|token| token.span).filter(word).unwrap_or(Span::new(offset, offset))
    }
}

impl Completion {
    fn new(label: impl Into<String>, kind: CompletionKind, span: Span) -> Self {
        let label = label.into();
        let (detail, documentation) = (String::new(), String::new());
        Self { text: label.clone(), label, kind, detail, documentation, span, snippet: false }
    }

    fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    fn documentation(self, documentation: impl Into<String>) -> Self {
        Self { documentation: documentation.into(), ..self }
    }

    fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    fn snippet(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), snippet: true, ..self }
    }
}
