//! A policy that fails while it runs.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A policy that fails while it runs.
pub const CODE: Code = Code("failing-evaluation");

/// The policy called `fail` at `site` and gave `reason`.
#[must_use]
pub fn gave_up(site: &Site, reason: &str) -> Diagnostic {
    let reason = one_line(reason);
    let message = if reason.is_empty() {
        "the policy calls `fail`".to_owned()
    } else {
        format!("the policy calls `fail`: {reason}")
    };
    Diagnostic::error(CODE, site, message, "gives up here").with_note(REST)
}

/// The evaluator can't go on at `site`; `reason` is its own sentence.
#[must_use]
pub fn cannot_go_on(site: &Site, reason: &str) -> Diagnostic {
    Diagnostic::error(CODE, site, uncapitalised(&one_line(reason)), "fails here").with_note(REST)
}

const REST: &str = "nothing after this place was run";

/// The first line of `text`, without a full stop.
fn one_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.strip_suffix('.').unwrap_or(line).to_owned()
}

/// `text` without its first capital, unless that begins a name.
fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if !characters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cannot_go_on, gave_up};
    use crate::check::testing::{message, site};

    #[test]
    fn reasons_become_messages() {
        assert_eq!(message(&gave_up(&site(), "no.\nmore")), "the policy calls `fail`: no");
        assert_eq!(
            message(&cannot_go_on(&site(), "Operation `+` not supported for types `int` and `string`")),
            "operation `+` not supported for types `int` and `string`"
        );
    }
}
