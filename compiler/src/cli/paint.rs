//! Colour, on a terminal only.

use std::env;
use std::fmt;
use std::io::{self, IsTerminal};

/// Whether to colour, and how.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    on: bool,
}

impl Paint {
    /// Colour if standard output is a terminal that takes it.
    pub(super) fn for_stdout() -> Self {
        Self { on: wanted(io::stdout().is_terminal()) }
    }

    /// Colour if standard error is a terminal that takes it.
    pub(super) fn for_stderr() -> Self {
        Self { on: wanted(io::stderr().is_terminal()) }
    }

    /// No colour.
    #[cfg(test)]
    pub(super) const fn plain() -> Self {
        Self { on: false }
    }

    pub(super) const fn is_on(self) -> bool {
        self.on
    }

    pub(super) fn error<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;31", text)
    }

    pub(super) fn warning<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;33", text)
    }

    pub(super) fn good<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;32", text)
    }

    pub(super) fn strong<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1", text)
    }

    pub(super) fn faint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("2", text)
    }

    pub(super) fn place<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("36", text)
    }

    /// A decision in its colour.
    pub(super) fn decision(self, decision: policyc_runtime::Decision, text: impl fmt::Display) -> impl fmt::Display {
        let style = match decision {
            policyc_runtime::Decision::Allow => "1;32",
            policyc_runtime::Decision::Prompt => "1;33",
            policyc_runtime::Decision::Forbidden => "1;31",
        };
        self.painted(style, text)
    }

    const fn painted<T>(self, style: &'static str, text: T) -> Painted<T> {
        Painted { style: if self.on { Some(style) } else { None }, text }
    }
}

/// A text and its style.
pub(super) struct Painted<T> {
    style: Option<&'static str>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(style) = self.style else { return self.text.fmt(f) };
        write!(f, "\x1b[{style}m")?;
        self.text.fmt(f)?;
        f.write_str("\x1b[0m")
    }
}

/// <https://no-color.org> and <https://bixense.com/clicolors/>.
fn wanted(terminal: bool) -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is = |name, expected: &str| env::var_os(name).is_some_and(|value| value == expected);
    if set("NO_COLOR") || is("CLICOLOR", "0") {
        return false;
    }
    if set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    terminal && !is("TERM", "dumb")
}
