//! Requests that are written as dicts: tool calls and network destinations.

use starlark::values::Value;
use starlark::values::dict::DictRef;
use starlark::values::list::ListRef;

use super::super::call::Call;
use super::super::value::kind;
use super::network_rule::{host_of, protocol_of};
use crate::check::invalid_request::{self, Problem};
use crate::check::{invalid_host, unknown_protocol};
use crate::rules::effects::ToolCall;
use crate::rules::{Protocol, Request};
use crate::syntax::{Step, literal};

/// How deep the arguments of a call may nest.
const DEEPEST: usize = 64;

/// The request that `value` writes, for `parameter`, to which `way` leads; nothing after a mistake.
pub(super) fn request(
    call: &mut Call<'_, '_>,
    way: &[Step<'static>],
    parameter: &str,
    value: DictRef<'_>,
) -> Option<Request> {
    let mistake = |call: &mut Call<'_, '_>, steps: &[Step<'static>], problem: Problem<'_>| {
        let way: Vec<_> = way.iter().chain(steps).copied().collect();
        let site = call.part(&way).site;
        call.mistake(invalid_request::diagnostic(&site, parameter, problem));
    };
    let (mut tool, mut arguments, mut network) = (None, None, None);
    let mut sound = true;
    for (place, (key, value)) in value.iter().enumerate() {
        let entry = match key.unpack_str() {
            Some("tool") => &mut tool,
            Some("arguments") => &mut arguments,
            Some("network") => &mut network,
            _ => {
                let shown = key.unpack_str().map_or_else(|| key.to_repr(), str::to_owned);
                mistake(call, &[Step::Key(place)], Problem::Key(&shown));
                sound = false;
                continue;
            }
        };
        *entry = Some((place, value));
    }
    match (tool, arguments, network) {
        (Some((place, tool)), arguments, None) => {
            let name = tool.unpack_str().filter(|name| !name.is_empty());
            if name.is_none() {
                mistake(call, &[Step::Entry(place)], Problem::Value("tool", "the name of a tool"));
            }
            let text = match arguments {
                None => Some("{}".to_owned()),
                Some((place, arguments)) if DictRef::from_value(arguments).is_none() => {
                    mistake(call, &[Step::Entry(place)], Problem::Value("arguments", "a dict"));
                    None
                }
                Some((place, arguments)) => {
                    let mut text = String::new();
                    match json(arguments, DEEPEST, &mut text) {
                        Ok(()) => Some(text),
                        Err(Fault::TooDeep) => {
                            mistake(call, &[Step::Entry(place)], Problem::TooDeep(DEEPEST));
                            None
                        }
                        Err(Fault::Value(found)) => {
                            mistake(call, &[Step::Entry(place)], Problem::NoJson(&found));
                            None
                        }
                    }
                }
            };
            Some(Request::Tool(ToolCall { tool: name?.to_owned(), arguments: text? })).filter(|_| sound)
        }
        (None, None, Some((place, network))) => {
            let pair = ListRef::from_value(network).map(|list| list.content());
            let Some([protocol, host]) = pair else {
                mistake(call, &[Step::Entry(place)], Problem::Value("network", "a list of a protocol and a host"));
                return None;
            };
            let (Some(protocol), Some(host)) = (protocol.unpack_str(), host.unpack_str()) else {
                mistake(call, &[Step::Entry(place)], Problem::Value("network", "a list of a protocol and a host"));
                return None;
            };
            let at = |item| -> Vec<Step<'static>> {
                way.iter().copied().chain([Step::Entry(place), Step::Item(item)]).collect()
            };
            let known = protocol_of(protocol);
            if known.is_none() {
                let part = call.part(&at(0));
                let names = Protocol::ALL.map(Protocol::name);
                call.mistake(unknown_protocol::diagnostic(&part.site, protocol, &names, part.literal));
            }
            let host = match host_of(host) {
                Ok(host) => Some(host),
                Err(problem) => {
                    let part = call.part(&at(1));
                    let quoted = part.literal.then_some(literal::written as fn(&str) -> String);
                    call.mistake(invalid_host::diagnostic(&part.site, host, problem, quoted));
                    None
                }
            };
            Some(Request::Network(known?, host?)).filter(|_| sound)
        }
        (None, _, None) => {
            if sound {
                mistake(call, &[], Problem::Nothing);
            }
            None
        }
        (_, _, Some(_)) => {
            mistake(call, &[], Problem::Both);
            None
        }
    }
}

/// Why a value is not written as JSON.
enum Fault {
    TooDeep,
    /// What JSON has no value for.
    Value(String),
}

/// Writes a value as JSON: without blanks, the keys of objects sorted.
fn json(value: Value<'_>, depth: usize, text: &mut String) -> Result<(), Fault> {
    let Some(left) = depth.checked_sub(1) else { return Err(Fault::TooDeep) };
    if let Some(dict) = DictRef::from_value(value) {
        let mut entries = Vec::with_capacity(dict.iter().len());
        for (key, value) in dict.iter() {
            entries.push((key.unpack_str().ok_or_else(|| Fault::Value(format!("{} for a key", kind(key))))?, value));
        }
        entries.sort_unstable_by_key(|(key, _)| *key);
        text.push('{');
        for (place, (key, value)) in entries.into_iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            text.push_str(&quoted(key));
            text.push(':');
            json(value, left, text)?;
        }
        text.push('}');
    } else if let Some(list) = ListRef::from_value(value) {
        text.push('[');
        for (place, item) in list.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            json(item, left, text)?;
        }
        text.push(']');
    } else if let Some(string) = value.unpack_str() {
        text.push_str(&quoted(string));
    } else {
        match (value.get_type(), value.to_json()) {
            // A number that JSON does not have is written as `null`.
            ("float", Ok(json)) if json == "null" => return Err(Fault::Value(value.to_repr())),
            ("int" | "float" | "bool" | "NoneType", Ok(json)) => text.push_str(&json),
            _ => return Err(Fault::Value(kind(value))),
        }
    }
    Ok(())
}

/// A string as JSON writes it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("every string can be written as JSON")
}
