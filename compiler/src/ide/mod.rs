//! What an editor asks of a policy while it is written: one question a file, each a function of the database, the policy
//! set and a place in a file that gives plain data. Whoever speaks a protocol translates it; nothing here knows of one,
//! nor of files, and what is decided comes from the runtime's table alone.
//!
//! Offsets and spans are bytes; those that no text has are answered with nothing. A text is broken most of the time while it is
//! typed, so every question has an answer for any text.

mod standing;
mod cursor;
mod answer;
mod asked;
mod explain;
pub mod hits;
mod scope;
mod expected;
mod vocabulary;
mod language;
pub mod lenses;
pub mod evaluate;
mod names;
mod bonds;
pub mod links;
pub mod definition;
pub mod references;
pub mod highlights;
pub mod rename;
pub mod calls;
pub mod symbols;
pub mod actions;
pub mod completion;
pub mod signature;
mod phrase;
mod word_rules;
pub mod hover;
pub mod folding;
pub mod selection;
pub mod tokens;
pub mod on_type;
#[cfg(test)]
pub(crate) mod fixture;

pub use actions::{ActionKind, CodeAction, code_actions, fix_all};
pub use asked::Purpose;
pub use calls::{Caller, Calls, callers, incoming, outgoing};
pub use completion::{Completion, CompletionKind, completions, fitting};
pub use definition::{Definition, Target, definition};
pub use folding::{Fold, FoldKind, folds};
pub use highlights::{Highlight, highlights};
pub use hits::{Hit, hits};
pub use hover::{Hover, hover};
pub use lenses::{Action, Counts, Lens, counts, lenses};
pub use links::{Link, links};
pub use on_type::on_type;
pub use references::{Access, Reference, references};
pub use rename::{Refusal, Renamable, prepare_rename, rename};
pub use selection::selections;
pub use signature::{ParameterHelp, SignatureHelp, signature};
pub use symbols::{Found, Symbol, SymbolKind, document_symbols, workspace_symbols};
pub use tokens::{SemanticKind, SemanticToken, semantic_tokens};

use crate::source::{SourceFile, Span};

/// A piece of text in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: SourceFile,
    /// The bytes.
    pub span: Span,
}
