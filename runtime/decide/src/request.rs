//! What is asked: a command, a text, a tool call or a host, and how it is to be judged.

use policyc_shell::ShellKind;

use crate::path::Folders;
use crate::terms::Terms;

/// What may run, or not.
#[derive(Debug)]
pub enum Request<'q, W = &'q str> {
    /// A command: its program and its further words, as a system call takes them.
    Command(&'q [W]),
    /// Text for a shell.
    Text {
        /// The whole text.
        text: &'q str,
        /// Its language.
        kind: ShellKind,
    },
    /// A call of a tool.
    Tool {
        /// Its name: a word, or `server/tool`.
        tool: &'q str,
        /// The arguments, a JSON object.
        arguments: &'q str,
        /// What it is said to be done to. It is told by the arguments; one that differs is refused.
        target: Option<&'q str>,
    },
    /// A host that is to be reached.
    Network {
        /// The name of the protocol, as in policies.
        protocol: &'q str,
        /// The host.
        host: &'q str,
    },
}

impl<'q> Request<'q> {
    /// Text for a shell.
    #[must_use]
    pub const fn text(text: &'q str, kind: ShellKind) -> Self {
        Self::Text { text, kind }
    }

    /// A call of a tool, whose arguments are a JSON object.
    #[must_use]
    pub const fn tool(tool: &'q str, arguments: &'q str) -> Self {
        Self::Tool { tool, arguments, target: None }
    }

    /// A host that is to be reached.
    #[must_use]
    pub const fn network(protocol: &'q str, host: &'q str) -> Self {
        Self::Network { protocol, host }
    }
}

impl<W> Clone for Request<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Request<'_, W> {}

impl<'q, W> From<&'q [W]> for Request<'q, W> {
    fn from(words: &'q [W]) -> Self {
        Self::Command(words)
    }
}

impl<'q, W, const WORDS: usize> From<&'q [W; WORDS]> for Request<'q, W> {
    fn from(words: &'q [W; WORDS]) -> Self {
        Self::Command(words)
    }
}

impl<'q, W> From<&'q alloc::vec::Vec<W>> for Request<'q, W> {
    fn from(words: &'q alloc::vec::Vec<W>) -> Self {
        Self::Command(words)
    }
}

/// How commands are compared with patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matching {
    /// In every way that they can be read: uncertainty may turn allow into prompt, and never weakens prompt or forbidden.
    #[default]
    Guarded,
    /// As typed, word by word: what the reference engine does, bit for bit. Of a text, nothing matches.
    Reference,
}

/// What a decision depends on besides the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'q> {
    /// How commands are compared with patterns.
    pub matching: Matching,
    /// Under reference matching: whether a command that nothing matches is looked up once more by the base name of its
    /// first word, which the folders make an absolute path and `host_executable` declarations must list. Guarded
    /// matching always looks at base names.
    pub resolve_host_executables: bool,
    /// The folders that paths are relative to. Without them, relative paths name no place that a rule could allow.
    pub folders: Option<Folders<'q>>,
    /// What a request may do, and who asks. Without terms the rules alone decide; with them, matching is guarded.
    pub terms: Option<&'q Terms<'q>>,
}

/// The words that are judged: those of the command, the first perhaps replaced by its base name.
pub(crate) struct Words<'q, W> {
    pub(crate) program: &'q str,
    pub(crate) command: &'q [W],
}

impl<W> Clone for Words<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Words<'_, W> {}

impl<'q, W: AsRef<str>> Words<'q, W> {
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Option<&'q str> {
        if place == 0 { Some(self.program) } else { self.command.get(place).map(AsRef::as_ref) }
    }
}
