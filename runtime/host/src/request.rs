//! What is asked for: owned, bounded, and named by its digest.

use std::fmt;

use policyc_runtime::ShellKind;

use crate::approval::ApprovalRecord;

/// The longest text, and the longest arguments of a tool call, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// The most words, and the bytes of all of them.
const MOST_WORDS: usize = 4096;
const LONGEST_COMMAND: usize = 1 << 20;

/// The longest single name: of a tool, a target, a protocol, a host.
const LONGEST_NAME: usize = 4096;

/// What may run, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A command: its program and its further words.
    Command(Vec<String>),
    /// Text for a shell.
    Text {
        /// The whole text.
        text: String,
        /// Its language.
        kind: ShellKind,
    },
    /// A call of a tool.
    Tool {
        /// Its name.
        tool: String,
        /// The arguments, a JSON object.
        arguments: String,
        /// What it is said to be done to.
        target: Option<String>,
    },
}

impl Asked {
    /// The same as the runtime is asked it.
    #[must_use]
    pub fn as_runtime(&self) -> policyc_runtime::Request<'_, String> {
        use policyc_runtime::Request;
        match self {
            Self::Command(words) => Request::Command(words),
            Self::Text { text, kind } => Request::Text { text, kind: *kind },
            Self::Tool { tool, arguments, target } => Request::Tool { tool, arguments, target: target.as_deref() },
        }
    }

    /// The digest by which approvals are bound to it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.as_runtime().digest()
    }

    /// What kind it is, as events say it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Text { .. } => "text",
            Self::Tool { .. } => "tool",
        }
    }

    /// Whether it is within bounds. What is not is refused before anything looks at it closely.
    pub(crate) fn check(&self) -> Result<(), RequestProblem> {
        match self {
            Self::Command(words) => check_words(words),
            Self::Text { text, .. } => check_text(text, LONGEST_TEXT),
            Self::Tool { tool, arguments, target } => {
                check_text(tool, LONGEST_NAME)?;
                target.as_deref().map_or(Ok(()), |target| check_text(target, LONGEST_NAME))?;
                if arguments.len() > LONGEST_TEXT { Err(RequestProblem::TooLong) } else { Ok(()) }
            }
        }
    }
}

fn check_words(words: &[String]) -> Result<(), RequestProblem> {
    if words.first().is_none_or(String::is_empty) {
        return Err(RequestProblem::Empty);
    }
    if words.len() > MOST_WORDS || words.iter().map(|word| word.len() + 1).sum::<usize>() > LONGEST_COMMAND {
        return Err(RequestProblem::TooLong);
    }
    if words.iter().any(|word| word.contains('\0')) { Err(RequestProblem::Nul) } else { Ok(()) }
}

fn check_text(text: &str, longest: usize) -> Result<(), RequestProblem> {
    match text {
        _ if text.trim().is_empty() => Err(RequestProblem::Empty),
        _ if text.len() > longest => Err(RequestProblem::TooLong),
        _ if text.contains('\0') => Err(RequestProblem::Nul),
        _ => Ok(()),
    }
}

/// Why something is no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestProblem {
    /// Nothing is asked for.
    Empty,
    /// It is longer than any honest request.
    TooLong,
    /// It has a NUL, which no system call takes.
    Nul,
}

impl fmt::Display for RequestProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the request is empty",
            Self::TooLong => "the request is longer than any that is taken",
            Self::Nul => "the request has a NUL",
        })
    }
}

/// A request, with what was said about it.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is asked for.
    pub asked: Asked,
    /// Who has approved of it.
    pub approval: Option<ApprovalRecord>,
    /// Whether a commitment says that it must be asked about itself: no grant counts.
    pub per_request: bool,
    /// The intention that it serves: requests for grants from one share a batch.
    pub intention: Option<String>,
}

impl Request {
    /// A request of which nothing was said yet.
    #[must_use]
    pub const fn new(asked: Asked) -> Self {
        Self { asked, approval: None, per_request: false, intention: None }
    }

    /// The same with an approval.
    #[must_use]
    pub fn approved(self, approval: ApprovalRecord) -> Self {
        Self { approval: Some(approval), ..self }
    }
}

impl From<Asked> for Request {
    fn from(asked: Asked) -> Self {
        Self::new(asked)
    }
}
