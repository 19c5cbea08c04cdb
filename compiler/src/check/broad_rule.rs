//! A rule that allows a program to run anything.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};
use crate::rules::{Operands, Program, Runs as OptionRuns, Stdin};

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

/// Why a rule is broad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The words that may follow are what runs.
    Runs(Runs),
    /// These options, which may follow, run commands.
    Options(Vec<String>),
    /// This subcommand, which may follow, runs something.
    Subcommand(String, Runs),
}

/// What `program` runs because of its operands, or for want of them.
#[must_use]
pub const fn runs(program: &Program) -> Option<Runs> {
    match program.operands {
        Operands::Code | Operands::Script => Some(Runs::Code),
        Operands::Joined(_) | Operands::First(_) => Some(Runs::Text),
        Operands::Command => Some(Runs::Command),
        _ if matches!(program.stdin, Some(Stdin::Text(_))) => Some(Runs::Text),
        _ => None,
    }
}

/// What an option runs.
#[must_use]
pub const fn option_runs(runs: OptionRuns) -> Runs {
    match runs {
        OptionRuns::Command | OptionRuns::Words => Runs::Command,
        OptionRuns::Text(_) | OptionRuns::StandardInput => Runs::Text,
        OptionRuns::Code => Runs::Code,
    }
}

impl Runs {
    const fn anything(self) -> &'static str {
        match self {
            Self::Code => "any code",
            Self::Text => "any commands",
            Self::Command => "any command",
        }
    }
}

/// How many others of a rule are named.
const MOST_OTHERS: usize = 5;

/// How many options are named.
const MOST_OPTIONS: usize = 3;

/// The pattern of an allow rule at `site` is about every program.
#[must_use]
pub fn everything(site: &Site) -> Diagnostic {
    Diagnostic::warning(CODE, site, "an allow rule for every program allows every command", "every program").with_help(
        "name the programs that are allowed, or have what nothing matches asked about: `default_decision(\"prompt\")`",
    )
}

/// The pattern of an allow rule ends at `site`, and leaves open what the program `name` runs; with `others` of its
/// alternatives it is the same.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, why: &Why, others: &[&str]) -> Diagnostic {
    let name = name.escape_debug();
    let message = match why {
        Why::Runs(runs) => format!("an allow rule for all of `{name}` lets it run {}", runs.anything()),
        Why::Options(_) => format!("an allow rule for all of `{name}` lets it run any command"),
        Why::Subcommand(subcommand, runs) => {
            let subcommand = subcommand.escape_debug();
            format!("an allow rule for all of `{name}` lets `{subcommand}` run {}", runs.anything())
        }
    };
    let mut diagnostic = Diagnostic::warning(CODE, site, message, "and no word after it");
    if let Some(shown) = others.get(..others.len().min(MOST_OTHERS)).filter(|shown| !shown.is_empty()) {
        let more = others.len() - shown.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        diagnostic.notes.push(format!("the same goes for {}{more}", list(shown, "and")));
    }
    let read = "where commands are read, what it runs needs a rule of its own; for the reference engine it does not";
    match why {
        Why::Runs(Runs::Command) => {
            diagnostic.with_note(read).with_help("allow what is run, and make the pattern longer")
        }
        Why::Runs(_) => {
            diagnostic.with_help("make the pattern longer: name the file, the option or the text that may be run")
        }
        Why::Options(options) => {
            let options: Vec<&str> = options.iter().take(MOST_OPTIONS).map(String::as_str).collect();
            diagnostic
                .with_note(format!("it does so with options such as {}", list(&options, "and")))
                .with_note(read)
                .with_help("make the pattern longer, or rule those options out with `without = […]`")
        }
        Why::Subcommand(..) => diagnostic.with_help("name the subcommands that are allowed"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Runs, Why, diagnostic, everything};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_run() {
        let code = diagnostic(&site(), "awk", &Why::Runs(Runs::Code), &["sed"]);
        assert_eq!(code.notes, ["the same goes for `sed`"]);
        assert_eq!(message(&code), "an allow rule for all of `awk` lets it run any code");
        let command = diagnostic(&site(), "sudo", &Why::Runs(Runs::Command), &[]);
        assert_eq!(message(&command), "an allow rule for all of `sudo` lets it run any command");
        let below = diagnostic(&site(), "go", &Why::Subcommand("go run".to_owned(), Runs::Code), &[]);
        assert_eq!(message(&below), "an allow rule for all of `go` lets `go run` run any code");
        assert_eq!(message(&everything(&site())), "an allow rule for every program allows every command");
    }
}
