//! What is known around a simple command before its own words are looked at.

use policyc_shell::{Parameters, Redirect, SimpleCommand, Variable};

use super::conditions::is_harmless;
use crate::answers::Reading;

/// What an answer may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Everything: the words are surely those that run.
    Certain,
    /// No allow: the words are those that run as far as they are known.
    Doubtful,
    /// Only prompt and forbidden: the words may be those that run.
    Restrictive,
}

impl Mode {
    /// The more careful one.
    pub(super) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Restrictive, _) | (_, Self::Restrictive) => Self::Restrictive,
            (Self::Doubtful, _) | (_, Self::Doubtful) => Self::Doubtful,
            _ => Self::Certain,
        }
    }
}

/// The surroundings of a simple command.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s> {
    pub(super) mode: Mode,
    pub(super) reading: Reading,
    /// The variables that are set for it and not inert.
    pub(super) foreign: &'s [&'s str],
    pub(super) redirects: &'s [Redirect<'s>],
    /// The parameters that its text may have been given.
    pub(super) parameters: &'s [Parameters],
    /// The variables that its text may have been given.
    pub(super) variables: &'s [Variable],
    /// Literal texts that run something if they are evaluated as the value of a variable.
    pub(super) evaluable: &'s [&'s str],
    /// All commands of its text.
    pub(super) script: &'s [SimpleCommand<'s>],
    /// The commands that its standard input comes from: those of a pipeline, the last of which is next to it.
    pub(super) feeders: &'s [SimpleCommand<'s>],
    /// How many of its words an allow takes that reaches into it from what runs it.
    pub(super) covered: Option<usize>,
    /// Whether the language is one of Windows, where letter case of programs makes no difference.
    pub(super) windows: bool,
    /// Where the words of the recorded command begin, if matches are about those words.
    pub(super) origin: Option<usize>,
    /// Whether its program is only named together with a subcommand: rules about the program alone are not about it.
    pub(super) parted: bool,
    /// Whether a restriction only costs the allow.
    pub(super) weak: bool,
    /// The place of its text among the recorded ones.
    pub(super) text: Option<usize>,
    /// The recorded command that it was found in.
    pub(super) inside: Option<usize>,
    pub(super) depth: u32,
}

impl Setting<'_> {
    pub(super) const TOP: Setting<'static> = Setting {
        mode: Mode::Certain,
        reading: Reading { base_name: false, skipped_options: false, expanded: false, scanned: false, guessed: false },
        foreign: &[],
        redirects: &[],
        parameters: &[],
        variables: &[],
        evaluable: &[],
        script: &[],
        feeders: &[],
        covered: None,
        windows: false,
        origin: None,
        parted: false,
        weak: false,
        text: None,
        inside: None,
        depth: 0,
    };

    /// Whether nothing around the words can keep an allow from counting.
    pub(super) fn is_plain(&self) -> bool {
        self.is_certain() && self.foreign.is_empty() && self.redirects.iter().all(is_harmless)
    }

    pub(super) fn is_certain(&self) -> bool {
        self.mode == Mode::Certain
    }

    /// The same for words that may be those that run.
    pub(super) fn restrictive(&self, reading: Reading) -> Self {
        Self { mode: Mode::Restrictive, reading, ..*self }
    }

    /// The same for words that may run by themselves, without what is read and written around these.
    pub(super) fn apart(&self, reading: Reading) -> Self {
        Self { redirects: &[], feeders: &[], covered: None, ..self.restrictive(reading) }
    }
}
