//! What is asked: a command and how it is to be judged.

use crate::path::Folders;

/// How the words of a command are compared with patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Matching {
    /// As typed, word by word: what the reference engine does, bit for bit.
    #[default]
    Reference,
}

/// What a decision depends on besides the command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'q> {
    /// How words are compared.
    pub matching: Matching,
    /// If given, a command that nothing matches is looked up once more by the base name of its first word, which
    /// these folders make an absolute path and `host_executable` declarations must list.
    pub resolve_host_executables: Option<Folders<'q>>,
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
