//! A parameter that no tool has.

use super::closest::{closest, quoted};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A parameter that no tool has.
pub const CODE: Code = Code("unknown-parameter");

/// The parameter `given` at `site` is none of the `known` ones of the tool. `replaceable` says that a string literal of
/// its name alone stands there.
#[must_use]
pub fn diagnostic(site: &Site, tool: &str, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let message = format!("the tool `{}` has no parameter `{}`", tool.escape_debug(), given.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "unknown parameter");
    let diagnostic = match known {
        [] => diagnostic.with_note("it takes no parameters at all"),
        _ => diagnostic.with_note(format!("it takes {}", list(known, "and"))),
    };
    diagnostic.did_you_mean(closest(given, known.iter().copied()), replaceable.then_some(quoted))
}

/// The fact at `site` asks for the parameter `given`, which none of the tools with its effects has.
#[must_use]
pub fn fact(site: &Site, given: &str, known: &[&str]) -> Diagnostic {
    let message = format!("no tool with these effects has a parameter `{}`", given.escape_debug());
    let diagnostic = Diagnostic::error(CODE, site, message, "can never be known")
        .with_note("a fact that cannot be told is missing, and what requires it is forbidden");
    diagnostic.did_you_mean(closest(given, known.iter().copied()), None)
}

/// The fact at `site` asks for the parameter `given`, which `tool` does not have although it has one of the effects.
#[must_use]
pub fn lacking(site: &Site, given: &str, tool: &str) -> Diagnostic {
    let message = format!("the tool `{tool}` has one of these effects and no `{given}`");
    Diagnostic::error(CODE, site, message, "can never be known of it")
        .with_note("a fact that cannot be told is missing, and what requires it is forbidden")
        .with_help("give the tool an effect of its own, or a claim that the fact excepts with `unless`")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_tool_and_parameter() {
        let diagnostic = super::diagnostic(&site(), "t", "pth", &["path", "text"], false);
        assert_eq!(message(&diagnostic), "the tool `t` has no parameter `pth`");
        assert_eq!(diagnostic.notes, ["it takes `path` and `text`"]);
        assert_eq!(message(&super::fact(&site(), "x", &[])), "no tool with these effects has a parameter `x`");
        assert_eq!(message(&super::lacking(&site(), "x", "t")), "the tool `t` has one of these effects and no `x`");
    }
}
