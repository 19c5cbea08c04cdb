//! Why a text is not understood.

use core::fmt;

use crate::{MAX_BRACE_WORDS, MAX_COMMANDS, MAX_DEPTH, Span};

/// The first reason why a text is not wholly understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

/// What is wrong with a text. Its display is a sentence in lower case, without a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is longer than [`MAX_TEXT`](crate::MAX_TEXT).
    TooLong,
    /// A NUL, at which programs and shells see different ends of a text.
    Nul,
    /// A character that people don't see, or that shows others in another order.
    Invisible,
    /// Nesting beyond [`MAX_DEPTH`].
    TooDeep,
    /// More than [`MAX_COMMANDS`].
    TooManyCommands,
    /// A brace expansion beyond [`MAX_BRACE_WORDS`].
    TooManyWords,
    /// Redirects or other readings that multiply beyond what the text's length justifies.
    TooManyReadings,
    /// A quote without its end.
    UnclosedQuote,
    /// A substitution, expansion or arithmetic without its end.
    UnclosedExpansion,
    /// A group, loop, condition or body without its end.
    UnclosedCommand,
    /// A here-document without its delimiter.
    UnclosedHereDocument,
    /// An operator with no command before or after it.
    MissingCommand,
    /// A redirect without a target, or with several.
    MissingTarget,
    /// A word or an operator that cannot stand there.
    Unexpected,
    /// A `${…}` of no known form.
    InvalidExpansion,
    /// A backslash with nothing behind it.
    TrailingBackslash,
    /// A substitution in quotes, in a text that also calculates: arithmetic would run it.
    QuotedSubstitution,
    /// Anything else that is not certain.
    NotUnderstood,
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("longer than 1 MiB"),
            Self::Nul => f.write_str("a NUL character"),
            Self::Invisible => f.write_str("an invisible or bidirectional character"),
            Self::TooDeep => write!(f, "nested deeper than {MAX_DEPTH} levels"),
            Self::TooManyCommands => write!(f, "more than {MAX_COMMANDS} commands"),
            Self::TooManyWords => write!(f, "a brace expansion of more than {MAX_BRACE_WORDS} words"),
            Self::TooManyReadings => f.write_str("redirects or variables that multiply too much"),
            Self::UnclosedQuote => f.write_str("a quote is not closed"),
            Self::UnclosedExpansion => f.write_str("an expansion is not closed"),
            Self::UnclosedCommand => f.write_str("a compound command is not closed"),
            Self::UnclosedHereDocument => f.write_str("a here-document is not closed"),
            Self::MissingCommand => f.write_str("an operator without a command"),
            Self::MissingTarget => f.write_str("a redirect without a single target"),
            Self::Unexpected => f.write_str("a word or operator that cannot stand here"),
            Self::InvalidExpansion => f.write_str("an expansion of no known form"),
            Self::TrailingBackslash => f.write_str("a backslash at the end of the text"),
            Self::QuotedSubstitution => f.write_str("a quoted substitution that arithmetic may run"),
            Self::NotUnderstood => f.write_str("this construct is not understood"),
        }
    }
}
