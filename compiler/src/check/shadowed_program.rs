//! A declaration that takes the place of a shipped one, and knows less.

use super::broad_rule::Runs;
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A declaration that takes the place of a shipped one, and knows less.
pub const CODE: Code = Code("shadowed-program");

/// How many options are named.
const MOST_OPTIONS: usize = 3;

/// The declaration of `name`, whose path stands at `site`, replaces a shipped one: it leaves out the `options`, which run
/// something or write files, and that the program `runs` what it is given.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, options: &[&str], runs: Option<Runs>) -> Diagnostic {
    let mut dropped = Vec::new();
    if let Some(runs) = runs {
        dropped.push(match runs {
            Runs::Code => "that its operands are code".to_owned(),
            Runs::Text => "that it runs text".to_owned(),
            Runs::Command => "that its operands are a command".to_owned(),
        });
    }
    let more = options.len().saturating_sub(MOST_OPTIONS);
    let named: Vec<&str> = options.iter().copied().take(MOST_OPTIONS).collect();
    let listed = if more > 0 {
        format!("{} and {more} more", named.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
    } else {
        list(&named, "and")
    };
    if !listed.is_empty() {
        dropped.push(format!("{listed}, which run code or write files"));
    }
    let message =
        format!("this replaces what is shipped about `{}`, and drops {}", name.escape_debug(), dropped.join(", and "));
    Diagnostic::warning(CODE, site, message, "replaces all of it")
        .with_note("without that, rules that restrict see less, and rules that allow allow more")
        .with_help("add to it instead: write `inherit = True`, with no more than the options that are new or different")
}

#[cfg(test)]
mod tests {
    use super::diagnostic;
    use crate::check::broad_rule::Runs;
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_lost() {
        let many = diagnostic(&site(), "make", &["SHELL=", "-f", "-E", "CC=", "CXX="], None);
        let expected = "this replaces what is shipped about `make`, and drops `SHELL=`, `-f`, `-E` and 2 more, which run code or write files";
        assert_eq!(message(&many), expected);
        let both = diagnostic(&site(), "sudo", &["-e"], Some(Runs::Command));
        let expected = "this replaces what is shipped about `sudo`, and drops that its operands are a command, and `-e`, which run code or write files";
        assert_eq!(message(&both), expected);
    }
}
