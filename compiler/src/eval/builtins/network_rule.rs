//! `network_rule`: whether a host may be reached.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::judgement;
use crate::check::invalid_host::{self, Problem};
use crate::check::unknown_protocol;
use crate::rules::{Decision, Declarations, NetworkRule, Protocol};
use crate::syntax::literal;

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "network_rule",
    parameters: &["host", "protocol", "decision", "justification"],
    positional: Positional::All,
    required: 3,
};

const HOST: usize = 0;
const PROTOCOL: usize = 1;
const DECISION: usize = 2;
const JUSTIFICATION: usize = 3;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says whether `host` may be reached through `protocol`.
    fn network_rule<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let host = host(&mut call).unwrap_or_default();
        let protocol = protocol(&mut call).unwrap_or(Protocol::Http);
        let decision = judgement::decision(&mut call, DECISION, true).unwrap_or(Decision::Forbidden);
        let justification = judgement::justification(&mut call, JUSTIFICATION);
        call.finish(HOST, |origin| NetworkRule { host, protocol, decision, justification, origin })
    }
}

impl Declaration for NetworkRule {
    fn words(&self) -> impl Iterator<Item = &String> {
        [&self.host].into_iter().chain(&self.justification)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.network_rules.push(self);
    }
}

fn host(call: &mut Call<'_, '_>) -> Option<String> {
    let given = call.string(HOST)?;
    match normalised(given) {
        Ok(host) => Some(host),
        Err(problem) => {
            let parameter = call.parameter(HOST);
            let part = call.part(&[parameter]);
            let quoted = part.literal.then_some(literal::written as fn(&str) -> String);
            call.mistake(invalid_host::diagnostic(&part.site, given, problem, quoted));
            None
        }
    }
}

fn protocol(call: &mut Call<'_, '_>) -> Option<Protocol> {
    let given = call.string(PROTOCOL)?;
    let name = match given {
        "https_connect" | "http-connect" => "https",
        name => name,
    };
    let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.name() == name);
    if protocol.is_none() {
        let parameter = call.parameter(PROTOCOL);
        let part = call.part(&[parameter]);
        let known = Protocol::ALL.map(Protocol::name);
        call.mistake(unknown_protocol::diagnostic(&part.site, given, &known, part.literal));
    }
    protocol
}

/// The host without blanks around it, port, brackets and trailing dots, in lower case. What is refused is what the reference engine
/// refuses: it looks neither at the port's number nor at the labels.
fn normalised(given: &str) -> Result<String, Problem> {
    let text = given.trim();
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if text.contains(['/', '?', '#']) {
        return Err(Problem::Address);
    }
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, "")) => host,
            Some((host, port)) if port.strip_prefix(':').is_some_and(is_port) => host,
            _ => return Err(Problem::Brackets),
        },
        None => match text.split_once(':') {
            Some((host, port)) if !host.is_empty() && is_port(port) => host,
            _ => text,
        },
    };
    let host = host.trim_end_matches('.').trim();
    if host.is_empty() {
        return Err(Problem::Empty);
    }
    if host.contains('*') {
        return Err(Problem::Wildcard);
    }
    if host.contains(char::is_whitespace) {
        return Err(Problem::Blank);
    }
    Ok(host.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{Problem, normalised};

    #[test]
    fn hosts_are_what_the_reference_takes_them_for() {
        let ok = |host: &str| Ok(host.to_owned());
        assert_eq!(normalised(" Example.COM.:443 "), ok("example.com"));
        assert_eq!(normalised("[::1]:99999"), ok("::1"));
        assert_eq!(normalised("[ ::1 ]"), ok("::1"));
        assert_eq!(normalised("::1"), ok("::1"));
        for kept in ["a:", ":80", "a:x", "u:p@h", "-a..b"] {
            assert_eq!(normalised(kept), ok(kept));
        }
        for (host, problem) in [
            ("", Problem::Empty),
            ("..", Problem::Empty),
            ("[]", Problem::Empty),
            ("https://a", Problem::Address),
            ("a/b", Problem::Address),
            ("*.a", Problem::Wildcard),
            ("a\u{a0}b", Problem::Blank),
            ("[::1", Problem::Brackets),
            ("[::1]:", Problem::Brackets),
            ("[::1].", Problem::Brackets),
        ] {
            assert_eq!(normalised(host), Err(problem), "{host}");
        }
    }
}
