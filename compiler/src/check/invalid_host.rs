//! A network rule whose host is not one.

use crate::diagnostics::{Code, Diagnostic, Fix, Site};

/// A network rule whose host is not one.
pub const CODE: Code = Code("invalid-host");

/// Why a text cannot be a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Nothing is left of it.
    Empty,
    /// It holds a scheme, a path, a query or a fragment.
    Address,
    /// It holds `*`.
    Wildcard,
    /// It holds a blank.
    Blank,
    /// It opens a bracket and goes on as no address in brackets does.
    Brackets,
}

/// The host `given` at `site` is not one. `quoted` is how a host is written there, if a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, problem: Problem, quoted: Option<fn(&str) -> String>) -> Diagnostic {
    let (what, label) = match problem {
        Problem::Empty => ("names no host", "no host here"),
        Problem::Address => ("is more than a host", "only a host can stand here"),
        Problem::Wildcard => ("holds a wildcard", "`*` is not part of a host"),
        Problem::Blank => ("holds a blank", "a host has no blanks"),
        Problem::Brackets => ("is not an address in brackets", "a port may follow `]`, and nothing else"),
    };
    let diagnostic = Diagnostic::error(CODE, site, format!("the host `{}` {what}", given.escape_debug()), label);
    match problem {
        Problem::Address => match bare(given) {
            Some(host) => {
                // What stands before an `@` is no part of the host, and may be a password.
                let edit = quoted.filter(|_| !host.contains('@')).map(|quoted| diagnostic.replacing(quoted(host)));
                let help = diagnostic.with_help(format!("write the host alone: `{host}`"));
                help.with_fix(Fix::sure(format!("write `\"{host}\"`"), edit))
            }
            None => diagnostic.with_help("write the host alone, without scheme and path"),
        },
        Problem::Wildcard => {
            diagnostic.with_note("a network rule is about exactly one host").with_help("write one rule for each host")
        }
        Problem::Brackets => diagnostic.with_help("write `[::1]` or `[::1]:443`"),
        Problem::Empty | Problem::Blank => diagnostic,
    }
}

/// What is left of an address without its scheme and path.
fn bare(address: &str) -> Option<&str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().filter(|host| !host.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::{Problem, diagnostic};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_too_much() {
        let address = diagnostic(&site(), "https://example.com/x", Problem::Address, None);
        assert_eq!(message(&address), "the host `https://example.com/x` is more than a host");
        assert_eq!(address.help.unwrap().text, "write the host alone: `example.com`");
        let blank = diagnostic(&site(), " ", Problem::Empty, None);
        assert_eq!(message(&blank), "the host ` ` names no host");
    }
}
