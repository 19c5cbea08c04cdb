//! A rule that allows a program to run anything.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};
use crate::rules::{Operands, Program};

/// A rule that allows a program to run anything.
pub const CODE: Code = Code("broad-rule");

/// What a program runs by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Code that cannot be looked into.
    Code,
    /// Text, from its operands or its standard input.
    Text,
    /// Another command.
    Command,
}

/// What `program` runs because of its operands, or for want of them.
#[must_use]
pub const fn runs(program: &Program) -> Option<Runs> {
    match program.operands {
        Operands::Code => Some(Runs::Code),
        Operands::Joined(_) | Operands::First(_) => Some(Runs::Text),
        Operands::Command => Some(Runs::Command),
        _ if program.stdin.is_some() => Some(Runs::Text),
        _ => None,
    }
}

/// How many others of a rule are named.
const MOST_OTHERS: usize = 5;

/// The pattern of an allow rule ends at `site`, at the program `name`, which runs something; `others` of its alternatives do
/// as well.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, runs: Runs, others: &[&str]) -> Diagnostic {
    let what = match runs {
        Runs::Code => "any code",
        Runs::Text => "any commands",
        Runs::Command => "any command",
    };
    let message = format!("an allow rule for all of `{}` lets it run {what}", name.escape_debug());
    let mut diagnostic = Diagnostic::warning(CODE, site, message, "and no word after it");
    if let Some(shown) = others.get(..others.len().min(MOST_OTHERS)).filter(|shown| !shown.is_empty()) {
        let more = others.len() - shown.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        diagnostic.notes.push(format!("the same goes for {}{more}", list(shown, "and")));
    }
    match runs {
        Runs::Command => diagnostic
            .with_note(
                "where commands are read, what it runs needs a rule of its own; for the reference engine it does not",
            )
            .with_help("allow what is run, and make the pattern longer"),
        _ => diagnostic.with_help("make the pattern longer: name the file, the option or the text that may be run"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Runs, diagnostic};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_run() {
        let code = diagnostic(&site(), "awk", Runs::Code, &["sed"]);
        assert_eq!(code.notes, ["the same goes for `sed`"]);
        assert_eq!(message(&code), "an allow rule for all of `awk` lets it run any code");
        let command = diagnostic(&site(), "sudo", Runs::Command, &[]);
        assert_eq!(message(&command), "an allow rule for all of `sudo` lets it run any command");
    }
}
