//! What an editor asks of a policy while it is written: one question a file, each a function of the database, the policy
//! set and a place in a file that gives plain data. Whoever speaks a protocol translates it; nothing here knows of one,
//! nor of files, and what is decided comes from the runtime's table alone.
//!
//! Offsets and spans are bytes; those that no text has are answered with nothing. A text is broken most of the time while it is
//! typed, so every question has an answer for any text.

mod standing;
mod answer;
mod asked;
pub mod hits;
mod expected;
pub mod lenses;
pub mod evaluate;
#[cfg(test)]
pub(crate) mod fixture;

pub use asked::Purpose;
pub use hits::{Hit, hits};
pub use lenses::{Action, Counts, Lens, counts, lenses};

use crate::source::{SourceFile, Span};

/// A piece of text in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: SourceFile,
    /// The bytes.
    pub span: Span,
}
