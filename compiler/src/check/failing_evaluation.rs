//! A policy that fails while it runs.

use super::words::uncapitalised;
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
    Diagnostic::error(CODE, site, plain(reason), "fails here").with_note(REST)
}

/// The evaluator itself broke down at `site`.
#[must_use]
pub fn broke_down(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "the evaluator broke down", "while running this")
        .with_note("most likely a value grew too large; if not, this is a fault of the compiler, and a report helps")
}

/// What a run that ends early leaves out.
pub const REST: &str = "nothing after this place was run";

/// The first line of `text`, without a full stop.
fn one_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.strip_suffix('.').unwrap_or(line).to_owned()
}

/// The evaluator's sentence in the words of these messages.
fn plain(reason: &str) -> String {
    let reason = one_line(reason);
    let operations = [
        ("Operation `(iter)` not supported on type ", " cannot be iterated over"),
        ("Operation `call()` not supported on type ", " cannot be called"),
        ("Operation `len()` not supported on type ", " has no length"),
        ("Operation `in` not supported on type ", " has no items"),
    ];
    for (prefix, what) in operations {
        if let Some(kind) = reason.strip_prefix(prefix) {
            return format!("a value of type {kind}{what}");
        }
    }
    if let Some(kinds) = reason.strip_prefix("Operation `cmp()` not supported for types ") {
        return format!("values of types {kinds} cannot be compared");
    }
    let variable =
        reason.strip_prefix("Local variable ").and_then(|rest| rest.strip_suffix(" referenced before assignment"));
    match variable {
        Some(name) => format!("{name} is used before it is assigned"),
        None => uncapitalised(&reason),
    }
}

#[cfg(test)]
mod tests {
    use super::{broke_down, cannot_go_on, gave_up};
    use crate::check::testing::{message, site};

    #[test]
    fn reasons_become_messages() {
        assert_eq!(message(&broke_down(&site())), "the evaluator broke down");
        assert_eq!(message(&gave_up(&site(), "no.\nmore")), "the policy calls `fail`: no");
        assert_eq!(
            message(&cannot_go_on(&site(), "Operation `+` not supported for types `int` and `string`")),
            "operation `+` not supported for types `int` and `string`"
        );
        let operation = cannot_go_on(&site(), "Operation `(iter)` not supported on type `string`");
        assert_eq!(message(&operation), "a value of type `string` cannot be iterated over");
        let variable = cannot_go_on(&site(), "Local variable `x` referenced before assignment");
        assert_eq!(message(&variable), "`x` is used before it is assigned");
    }
}
