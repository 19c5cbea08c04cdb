//! A tool call against its declaration and the rules for tool calls.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::account::{Destination, Refusal};
use crate::declarations::{Alternative, Element};
use crate::format::MOST_TOOL_PARAMETERS;
use crate::host::{address_host, request_host};
use crate::jail::Jail;
use crate::json::{Json, Kind, Value};
use crate::matcher::Matcher;
use crate::path::Folders;
use crate::table::Table;
use crate::tools::{ArgumentWord, Role, Tool, ToolParameter, ToolRule};
use crate::{Decision, Protocol};

/// The longest name of a unit, in bytes.
const LONGEST_UNIT: usize = 255;

/// A tool call as far as it could be read.
pub(crate) struct Call<'t, 'q> {
    pub(crate) name: &'q str,
    pub(crate) json: Option<Json<'q>>,
    pub(crate) tool: Option<Tool<'t>>,
    /// The values of the parameters that are given, as they are used: paths resolved, hosts normalised.
    pub(crate) values: Vec<(&'t str, Cow<'q, str>)>,
    pub(crate) target: Option<String>,
    /// The hosts that the call reaches.
    pub(crate) destinations: Vec<Destination>,
    /// The command that the tool runs.
    pub(crate) command: Vec<String>,
    pub(crate) refusals: Vec<Refusal<'t>>,
}

impl<'t, 'q> Call<'t, 'q> {
    /// Reads a call. `declared` says that only declared tools may be called.
    pub(crate) fn new(
        table: &'t Table<'t>,
        (name, arguments, target): (&'q str, &'q str, Option<&'q str>),
        jail: &Jail<'_>,
        declared: bool,
    ) -> Self {
        let mut call = Self {
            name,
            json: None,
            tool: table.tool(name),
            values: Vec::new(),
            target: None,
            destinations: Vec::new(),
            command: Vec::new(),
            refusals: Vec::new(),
        };
        if !is_name(name) {
            call.refusals.push(Refusal::ToolName(name.to_string()));
        } else if call.tool.is_none() && declared {
            call.refusals.push(Refusal::UnknownTool(name.to_string()));
        }
        match Json::object(arguments) {
            Ok(json) => {
                if let Some(tool) = call.tool {
                    call.parameters(&tool, &json, jail);
                    call.words(&tool);
                }
                call.json = Some(json);
            }
            Err(problem) => call.refusals.push(Refusal::Arguments(problem)),
        }
        if let Some(given) = target.filter(|given| call.tool.is_some() && Some(*given) != call.target.as_deref()) {
            // The same place may be written in two ways.
            let role = call.tool.and_then(|tool| tool.target()).map(|parameter| parameter.role());
            let resolved = match role {
                Some(Role::Path | Role::SourcePath) => jail.resolve(given, true).ok(),
                Some(Role::Host) => request_host(given).ok(),
                _ => None,
            };
            if resolved.is_none() || resolved != call.target {
                call.refusals.push(Refusal::Target(given.to_string()));
            }
        }
        call
    }

    fn parameters(&mut self, tool: &Tool<'t>, json: &Json<'q>, jail: &Jail<'_>) {
        let Some(root) = json.root() else { return };
        let mut known = 0;
        for parameter in tool.parameters().take(MOST_TOOL_PARAMETERS) {
            match root.get(parameter.name()) {
                Some(value) => {
                    known += 1;
                    if let Err(refusal) = self.parameter(parameter, value, jail) {
                        self.refusals.push(refusal);
                    }
                }
                None if parameter.optional() => {}
                None => self.refusals.push(Refusal::Missing(parameter.name())),
            }
        }
        if root.items().count() > known {
            let is_known = |key: &str| tool.parameters().any(|parameter| parameter.name() == key);
            let unknown = root.items().filter_map(|item| item.key()).find(|key| !is_known(key));
            self.refusals.extend(unknown.map(|key| Refusal::UnknownParameter(key.to_string())));
        }
        let Some(target) = tool.target() else { return };
        let value = self.values.iter().find(|(name, _)| *name == target.name()).map(|(_, value)| value);
        self.target = match target.role() {
            Role::Url => value.and_then(|value| Some(address_host(value).ok()?.1)),
            _ => value.map(|value| value.to_string()),
        };
    }

    fn parameter(
        &mut self,
        parameter: ToolParameter<'t>,
        value: Value<'_, 'q>,
        jail: &Jail<'_>,
    ) -> Result<(), Refusal<'t>> {
        let (name, role) = (parameter.name(), parameter.role());
        let mistyped = Refusal::Type { parameter: name, role };
        if !is_of(value.kind(), role) {
            return Err(mistyped);
        }
        let Some(word) = value.word() else { return Ok(()) };
        let used = match role {
            Role::Path | Role::SourcePath => {
                let resolved = jail.resolve(word, role == Role::SourcePath);
                Cow::Owned(resolved.map_err(|problem| Refusal::Path { parameter: name, problem })?)
            }
            Role::Host => {
                let host = request_host(word).map_err(|problem| Refusal::Host { parameter: name, problem })?;
                self.destinations.push((None, host.clone()));
                Cow::Owned(host)
            }
            Role::Url => {
                let address = address_host(word).map_err(|problem| Refusal::Host { parameter: name, problem })?;
                let protocol = if address.0 { Protocol::Https } else { Protocol::Http };
                self.destinations.push((Some(protocol), address.1));
                owned(value)
            }
            Role::Unit if !is_unit(word) => return Err(Refusal::Unit(name)),
            _ => owned(value),
        };
        self.values.push((name, used));
        Ok(())
    }

    /// Builds the command that the tool runs. A value is one word, and never one that a program takes for an option.
    fn words(&mut self, tool: &Tool<'t>) {
        let mut options = true;
        for word in tool.command() {
            match word {
                ArgumentWord::Literal(word) => {
                    options &= word != "--";
                    self.command.push(word.to_string());
                }
                ArgumentWord::Parameter(name) => {
                    let Some(value) = self.value(name) else { continue };
                    if value.contains('\0') || options && value.starts_with('-') {
                        self.refusals.push(Refusal::Word(name));
                    } else {
                        let value = value.to_string();
                        self.command.push(value);
                    }
                }
            }
        }
    }

    /// The value of a parameter that is given.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    /// The rules that match the call, in order of definition.
    pub(crate) fn rules(
        &self,
        table: &'t Table<'t>,
        folders: Option<&Folders<'_>>,
    ) -> impl Iterator<Item = ToolRule<'t>> {
        table.tool_rules().filter(move |rule| self.matches(rule, folders))
    }

    fn matches(&self, rule: &ToolRule<'t>, folders: Option<&Folders<'_>>) -> bool {
        let Some(json) = &self.json else { return false };
        let restrictive = rule.decision() > Decision::Allow;
        let given = |(pointer, element): (&str, Element<'_>), generous: bool| {
            json.pointed(pointer).is_some_and(|value| describes(element, value, folders, generous))
        };
        if !rule.tool().is_some_and(|tool| tool.describes(self.name)) {
            return false;
        }
        if !rule.arguments().all(|argument| given(argument, restrictive)) {
            return false;
        }
        // An exception from a restriction must be certain, one from an allow only possible.
        !rule.unless().any(|exception| {
            exception.tool().is_none_or(|tool| tool.describes(self.name))
                && exception.arguments().all(|argument| given(argument, !restrictive))
        })
    }
}

/// The text of a value.
fn owned<'q>(value: Value<'_, 'q>) -> Cow<'q, str> {
    match value.kind() {
        Kind::Text(text) => text.clone(),
        Kind::Number(text) => Cow::Borrowed(text),
        _ => Cow::Owned(value.word().unwrap_or_default().to_string()),
    }
}

/// Whether it is a word, or those of a server and its tool.
fn is_name(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && !word.contains(|one: char| one == '/' || one.is_whitespace() || one.is_control())
    };
    match name.split_once('/') {
        None => word(name),
        Some((server, tool)) => word(server) && word(tool),
    }
}

fn is_of(kind: &Kind<'_>, role: Role) -> bool {
    match kind {
        _ if role == Role::Any => true,
        Kind::Null => false,
        Kind::Boolean(_) => role == Role::Boolean,
        Kind::Number(text) => role == Role::Number || role == Role::Integer && !text.contains(['.', 'e', 'E']),
        Kind::Text(_) => role.is_text(),
        Kind::List => role == Role::List,
        Kind::Object => role == Role::Object,
    }
}

/// Whether it is the name of a unit: no option, no path, nothing that stands for other units.
fn is_unit(word: &str) -> bool {
    let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"@._:-\\".contains(&byte);
    word.len() <= LONGEST_UNIT
        && word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.bytes().all(permitted)
        && !word.contains("..")
}

/// Whether an element describes a value; with `generous`, whether it may be meant: in a list that stands where one word
/// should, each counts, and paths do whatever their letter case.
fn describes(element: Element<'_>, value: Value<'_, '_>, folders: Option<&Folders<'_>>, generous: bool) -> bool {
    match value.word() {
        Some(word) => element.alternatives().any(|alternative| match alternative {
            Alternative::Word(known) => known == word,
            Alternative::Matcher(matcher) => matcher.describes(word, folders, generous),
        }),
        None => {
            element.alternatives().any(|alternative| alternative == Alternative::Matcher(Matcher::AnyWord))
                || generous && value.items().any(|item| describes(element, item, folders, generous))
        }
    }
}
