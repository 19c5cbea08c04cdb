//! Colour, on a terminal only.

use std::env;
use std::io::{self, IsTerminal};

pub(super) use policyc::paint::Paint;

/// What the terminal at the other end takes.
pub(super) trait OnTerminal {
    /// Colour if standard output is a terminal that takes it.
    fn for_stdout() -> Self;
    /// Colour if standard error is a terminal that takes it.
    fn for_stderr() -> Self;
}

impl OnTerminal for Paint {
    fn for_stdout() -> Self {
        Self::new(wanted(io::stdout().is_terminal()))
    }

    fn for_stderr() -> Self {
        Self::new(wanted(io::stderr().is_terminal()))
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
