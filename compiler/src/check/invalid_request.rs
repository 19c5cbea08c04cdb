//! A request that is written as a dict and is none.

use super::closest::closest;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A request that is written as a dict and is none.
pub const CODE: Code = Code("invalid-request");

/// What is wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem<'a> {
    /// It says neither a tool nor a host.
    Nothing,
    /// It says both a tool and a host.
    Both,
    /// This is no key of requests.
    Key(&'a str),
    /// The value of this key is no such thing.
    Value(&'a str, &'a str),
    /// A value is no value of JSON.
    NoJson(&'a str),
    /// Values are nested deeper than this.
    TooDeep(usize),
}

/// The request at `site`, for `parameter`, has a problem.
#[must_use]
pub fn diagnostic(site: &Site, parameter: &str, problem: Problem<'_>) -> Diagnostic {
    use Problem as P;
    let message = match problem {
        P::Nothing => format!("a dict of `{parameter}` names neither a tool nor a host"),
        P::Both => format!("a dict of `{parameter}` names both a tool and a host"),
        P::Key(key) => format!("a dict of `{parameter}` has no `{}`", key.escape_debug()),
        P::Value(key, expected) => format!("`{key}` in a dict of `{parameter}` must be {expected}"),
        P::NoJson(found) => format!("there is no such value in JSON as {found}"),
        P::TooDeep(most) => format!("the arguments of a call nest more than {most} levels deep"),
    };
    let diagnostic = Diagnostic::error(CODE, site, message, "not a request");
    match problem {
        P::Key(key) => diagnostic.did_you_mean(closest(key, ["tool", "arguments", "network"]), None),
        P::Nothing | P::Both | P::Value(..) => diagnostic
            .with_help("write `{\"tool\": \"server/tool\", \"arguments\": {…}}` or `{\"network\": [protocol, host]}`"),
        P::NoJson(_) | P::TooDeep(_) => diagnostic,
    }
}

/// The example of `parameter` at `site` is not a tool call.
#[must_use]
pub fn no_tool(site: &Site, parameter: &str) -> Diagnostic {
    let message = format!("an example of `{parameter}` must be a tool call");
    Diagnostic::error(CODE, site, message, "not a tool call")
        .with_help("write `{\"tool\": \"server/tool\", \"arguments\": {…}}`")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_is_wrong() {
        use super::{Problem, diagnostic};
        assert_eq!(message(&super::no_tool(&site(), "match")), "an example of `match` must be a tool call");
        let told = |problem| message(&diagnostic(&site(), "request", problem)).to_owned();
        assert_eq!(told(Problem::Nothing), "a dict of `request` names neither a tool nor a host");
        assert_eq!(told(Problem::Both), "a dict of `request` names both a tool and a host");
        assert_eq!(told(Problem::Key("args")), "a dict of `request` has no `args`");
        assert_eq!(told(Problem::Value("tool", "a string")), "`tool` in a dict of `request` must be a string");
        assert_eq!(told(Problem::NoJson("a tuple")), "there is no such value in JSON as a tuple");
        assert_eq!(told(Problem::TooDeep(64)), "the arguments of a call nest more than 64 levels deep");
    }
}
