//! A tool, or names of tools, that contradict themselves.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A tool, or names of tools, that contradict themselves.
pub const CODE: Code = Code("invalid-tool");

/// What is wrong with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem<'a> {
    /// The first word of `argv` comes from the call.
    ProgramFromCall,
    /// Only a part of a word of `argv` comes from the call: this parameter.
    PartOfWord(&'a str),
    /// A parameter that may be left out is needed for `argv` or `target`.
    Optional(&'a str, &'a str),
    /// The values of a parameter in `argv` are not words.
    NoWord(&'a str, &'a str),
    /// The values of the `target` are not texts.
    NoText(&'a str, &'a str),
    /// A parameter is called `target` and another one is the target.
    OtherTarget,
    /// There are more parameters than this.
    TooManyParameters(usize),
    /// The time is not a number of seconds.
    Timeout,
}

/// The tool `name` has a problem at `site`.
#[must_use]
pub fn diagnostic(site: &Site, name: &str, problem: Problem<'_>) -> Diagnostic {
    use Problem as P;
    let name = name.escape_debug();
    let (message, label) = match problem {
        P::ProgramFromCall => (format!("the tool `{name}` runs a program of the caller's choice"), "not a fixed word"),
        P::PartOfWord(parameter) => {
            (format!("a word of `argv` has `{{{parameter}}}` in it, which must be the whole word"), "a part of a word")
        }
        P::Optional(parameter, keyword) => {
            (format!("`{keyword}` needs `{parameter}`, which a call may leave out"), "may be missing")
        }
        P::NoWord(parameter, role) => {
            (format!("`{parameter}` is of the role `{role}`, which is no word"), "not a word")
        }
        P::NoText(parameter, role) => {
            (format!("the target `{parameter}` is of the role `{role}`, which is no text"), "not a text")
        }
        P::OtherTarget => {
            ("the parameter `target` is not the target of the tool".to_owned(), "`{target}` could mean either")
        }
        P::TooManyParameters(most) => (format!("the tool `{name}` has more than {most} parameters"), "too many"),
        P::Timeout => ("`timeout` of `tool` is not a number of seconds".to_owned(), "not a number above 0"),
    };
    let diagnostic = Diagnostic::error(CODE, site, message, label);
    match problem {
        P::ProgramFromCall => diagnostic.with_help("write the program's name, and declare a tool for each program"),
        P::PartOfWord(_) => diagnostic
            .with_note("values are handed over as they are: nothing is put together from them")
            .with_help("let the option and its value be two words"),
        P::Optional(..) => diagnostic.with_help("drop the `?` of its role, or declare a tool for each way to call it"),
        P::NoWord(..) => diagnostic.with_help("a list or an object cannot be handed to a program"),
        P::NoText(..) => diagnostic.with_help("name a parameter that is a path, a host, a unit, a url or text"),
        P::OtherTarget => diagnostic.with_help("write `target = \"target\"`, or call the parameter otherwise"),
        P::TooManyParameters(_) => diagnostic.with_help("take an object, or declare several tools"),
        P::Timeout => diagnostic,
    }
}

/// The glob at `site` stands for the names of tools and could mean two things.
#[must_use]
pub fn every(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a `*` alone is not the name of every tool", "of no server's tool")
        .with_note("no wildcard stands for the `/` between a server and its tool")
        .with_help("write `any_word()` for every tool, or `glob(\"*/*\")` for those of every server")
}

/// The name `given` at `site` is not that of a tool.
#[must_use]
pub fn pattern(site: &Site, given: &str) -> Diagnostic {
    let message = format!("`{}` is not the name of a tool", given.escape_debug());
    Diagnostic::error(CODE, site, message, "never matches")
        .with_note("a name is a tool's own, or that of its server, `/`, and that of the tool")
}

/// The matcher at `site` is a path where tools are named.
#[must_use]
pub fn path(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "a tool is not named by a `path`", "not a name")
        .with_help("write the name, `glob(…)` or `any_word()`")
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_does_not_go_together() {
        use super::{Problem, diagnostic, every, path, pattern};
        let told = |problem| message(&diagnostic(&site(), "t", problem)).to_owned();
        assert_eq!(told(Problem::ProgramFromCall), "the tool `t` runs a program of the caller's choice");
        assert_eq!(
            told(Problem::PartOfWord("unit")),
            "a word of `argv` has `{unit}` in it, which must be the whole word"
        );
        assert_eq!(told(Problem::Optional("p", "argv")), "`argv` needs `p`, which a call may leave out");
        assert_eq!(told(Problem::NoWord("p", "list")), "`p` is of the role `list`, which is no word");
        assert_eq!(told(Problem::NoText("p", "any")), "the target `p` is of the role `any`, which is no text");
        assert_eq!(told(Problem::OtherTarget), "the parameter `target` is not the target of the tool");
        assert_eq!(told(Problem::TooManyParameters(64)), "the tool `t` has more than 64 parameters");
        assert_eq!(told(Problem::Timeout), "`timeout` of `tool` is not a number of seconds");
        assert_eq!(message(&every(&site())), "a `*` alone is not the name of every tool");
        assert_eq!(message(&pattern(&site(), "a/b/c")), "`a/b/c` is not the name of a tool");
        assert_eq!(message(&path(&site())), "a tool is not named by a `path`");
    }
}
