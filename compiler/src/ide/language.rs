//! What `docs/language.md` says of the builtins, as data: the page is the one place where they are described.
//!
//! A table whose first cell is the name of a builtin describes it: its rows are its parameters. A call in a code block whose
//! first argument is a bare name is its synopsis, with the values that parameters have if they are not given.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::syntax::token::{TokenKind, tokens};

/// The page.
const PAGE: &str = include_str!("../../../docs/language.md");

/// What is left out in a synopsis.
const LEFT_OUT: &str = "…";

/// A builtin as the page describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Described {
    /// What it does.
    pub(super) summary: String,
    /// Its parameters, in order.
    pub(super) parameters: Vec<Parameter>,
}

/// A parameter as the page describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Its name.
    pub(super) name: String,
    /// What it is.
    pub(super) text: String,
    /// Its value if it is not given, as code; none if it must be given or only stands for itself.
    pub(super) default: Option<String>,
    /// Whether it may be left out.
    pub(super) optional: bool,
    /// Whether it stands for any number of arguments.
    pub(super) repeated: bool,
}

/// What the page says of the builtin, or of `load`.
pub(super) fn described(builtin: &str) -> Option<&'static Described> {
    static BUILTINS: LazyLock<HashMap<String, Described>> = LazyLock::new(|| read(PAGE));
    BUILTINS.get(builtin)
}

impl Described {
    /// The parameter of this name.
    pub(super) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// How it is called, as code, and where in that each parameter stands.
    pub(super) fn synopsis(&self, builtin: &str) -> (String, Vec<std::ops::Range<usize>>) {
        let mut code = format!("{builtin}(");
        let mut places = Vec::new();
        for (index, parameter) in self.parameters.iter().enumerate() {
            if index > 0 {
                code.push_str(", ");
            }
            let start = code.len();
            code.push_str(&parameter.shown());
            places.push(start..code.len());
        }
        code.push(')');
        (code, places)
    }

    /// All that there is to say, as Markdown.
    pub(super) fn markdown(&self, builtin: &str) -> String {
        let mut text = format!("```policy\n{}\n```\n{}\n", self.synopsis(builtin).0, sentence(&self.summary));
        for parameter in &self.parameters {
            text.push_str(&format!("\n- `{}`: {}", parameter.name, parameter.text));
        }
        text
    }
}

impl Parameter {
    /// The parameter as code: `decision = "allow"`.
    pub(super) fn shown(&self) -> String {
        match (&self.default, self.optional, self.repeated) {
            (_, _, true) => format!("{}{LEFT_OUT}", self.name),
            (Some(default), ..) => format!("{} = {default}", self.name),
            (None, true, _) => format!("{} = {LEFT_OUT}", self.name),
            (None, false, _) => self.name.clone(),
        }
    }

    /// All that there is to say, as Markdown.
    pub(super) fn markdown(&self) -> String {
        format!("```policy\n{}\n```\n{}", self.shown(), sentence(&self.text))
    }
}

/// The text with a capital letter at its start and a full stop at its end.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', ')']) || text.is_empty() { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}

/// Reads the page.
fn read(page: &str) -> HashMap<String, Described> {
    let mut builtins: HashMap<String, Described> = HashMap::new();
    let (mut code, mut in_code, mut table) = (String::new(), false, None);
    for line in page.lines() {
        match line {
            "```starlark" => in_code = true,
            "```" if in_code => {
                in_code = false;
                synopses(&std::mem::take(&mut code), &mut builtins);
            }
            _ if in_code => code.push_str(&format!("{line}\n")),
            _ => match (row(line), &table) {
                (None, _) => table = None,
                (Some((names, text)), None) => {
                    if let Some(builtin) = names.into_iter().next() {
                        let described = builtins.entry(builtin.clone()).or_default();
                        if described.summary.is_empty() {
                            described.summary = text;
                        }
                        table = Some(builtin);
                    }
                }
                (Some((names, text)), Some(builtin)) => {
                    let Some(described) = builtins.get_mut(builtin) else { continue };
                    for parameter in described.parameters.iter_mut().filter(|it| names.contains(&it.name)) {
                        parameter.text.clone_from(&text);
                    }
                }
            },
        }
    }
    builtins.retain(|_, described| !described.summary.is_empty());
    builtins
}

/// The names and the text of a row of a table.
fn row(line: &str) -> Option<(Vec<String>, String)> {
    let (names, text) = line.strip_prefix("| ")?.strip_suffix('|')?.split_once(" | ")?;
    let names = names.split(',').filter_map(|name| name.trim().strip_prefix('`')?.strip_suffix('`'));
    Some((names.map(str::to_owned).collect(), text.trim().to_owned()))
}

/// Adds the parameters that the synopses among the statements of a code block name.
fn synopses(code: &str, builtins: &mut HashMap<String, Described>) {
    let tokens: Vec<_> = tokens(code).filter(|token| !token.kind.is_trivia()).collect();
    let mut depth = 0_u32;
    for (place, token) in tokens.iter().enumerate() {
        let next = tokens.get(place + 1);
        let called = matches!(token.kind, TokenKind::Name | TokenKind::Load)
            && next.is_some_and(|next| next.kind == TokenKind::OpenRound);
        if depth == 0 && called {
            let rest = code.get(token.span.end as usize + 1..).unwrap_or_default();
            let arguments = rest.split_once(")\n").map_or(rest, |(arguments, _)| arguments);
            if let Some(parameters) = parameters(arguments) {
                let described = builtins.entry(token.span.of(code).to_owned()).or_default();
                described.parameters.extend(parameters);
            }
        }
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.closes() {
            depth = depth.saturating_sub(1);
        }
    }
}

/// The parameters of a synopsis; nothing if it is a call with values.
fn parameters(arguments: &str) -> Option<Vec<Parameter>> {
    let mut parameters = Vec::new();
    for (index, argument) in arguments.split(',').map(str::trim).filter(|it| !it.is_empty()).enumerate() {
        let (name, default) = match argument.split_once('=') {
            Some((name, default)) => (name.trim(), Some(default.trim())),
            None => (argument, None),
        };
        let is_name = name.chars().all(|one| one.is_alphanumeric() || one == '_' || one == '…');
        if index == 0 && (default.is_some() || !is_name) {
            return None;
        }
        let repeated = name.ends_with(LEFT_OUT);
        let name = name.trim_end_matches(LEFT_OUT);
        if !name.is_empty() {
            parameters.push(Parameter {
                name: name.to_owned(),
                text: String::new(),
                default: default.filter(|default| *default != LEFT_OUT).map(str::to_owned),
                optional: default.is_some(),
                repeated,
            });
        }
    }
    Some(parameters)
}

#[cfg(test)]
mod tests {
    use super::described;
    use crate::eval::{Positional, signatures};

    #[test]
    fn the_page_describes_every_builtin_and_every_parameter() {
        for signature in signatures() {
            let described = described(signature.builtin).unwrap_or_else(|| panic!("{}", signature.builtin));
            let repeated = matches!(signature.positional, Positional::Any(_));
            let names: Vec<&str> = described.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let known: Vec<&str> =
                repeated.then_some("names").into_iter().chain(signature.parameters.iter().copied()).collect();
            assert_eq!(names, known, "{}", signature.builtin);
            for (index, parameter) in described.parameters.iter().enumerate() {
                assert!(!parameter.text.is_empty(), "{} {}", signature.builtin, parameter.name);
                let required = index < signature.required || repeated && index == 0;
                assert_eq!(parameter.optional, !required, "{} {}", signature.builtin, parameter.name);
            }
        }
        assert_eq!(described("load").unwrap().parameters.len(), 2);
    }

    #[test]
    fn a_builtin_is_shown_as_its_call_and_its_parameters() {
        let text = described("network_rule").unwrap().markdown("network_rule");
        assert_eq!(
            text.lines().take(6).collect::<Vec<_>>(),
            [
                "```policy",
                "network_rule(host, protocol, decision, justification = …)",
                "```",
                "What is to be done with requests to a host.",
                "",
                "- `host`: its name or address, without scheme and path"
            ]
        );
    }
}
