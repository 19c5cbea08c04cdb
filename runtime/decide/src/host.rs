//! Names of hosts: the one normaliser of rules, requests and arguments.

use alloc::string::{String, ToString};
use core::net::{Ipv4Addr, Ipv6Addr};

/// Why a text names no host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostProblem {
    /// Nothing is left of it.
    Empty,
    /// It is an address with a path, a query or a fragment.
    Address,
    /// Its brackets are not closed, or something other than a port follows them.
    Brackets,
    /// It has a `*`.
    Wildcard,
    /// It has a blank.
    Blank,
    /// It ends with a dot, which some take for another name.
    Dot,
    /// It has letters of another script, which may look like those of another name.
    Script,
    /// It has a character that no name of a host has.
    Character,
    /// It is a number that some take for an address.
    Number,
}

impl core::fmt::Display for HostProblem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Empty => "no host is named",
            Self::Address => "it is an address, not a host",
            Self::Brackets => "its brackets are not closed",
            Self::Wildcard => "it has a `*`",
            Self::Blank => "it has a blank",
            Self::Dot => "it ends with a dot",
            Self::Script => "it has letters that are not ASCII",
            Self::Character => "it has a character that no host's name has",
            Self::Number => "it is a number that some take for an address",
        })
    }
}

/// The host of a rule, without blanks around it, port, brackets and trailing dots, in lower case. What is refused is what
/// the reference engine refuses: it looks neither at the port's number nor at the labels.
///
/// # Errors
/// When the text names no host.
pub fn rule_host(given: &str) -> Result<String, HostProblem> {
    let text = given.trim();
    if text.is_empty() {
        return Err(HostProblem::Empty);
    }
    if text.contains(['/', '?', '#']) {
        return Err(HostProblem::Address);
    }
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match text.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, "")) => host,
            Some((host, port)) if port.strip_prefix(':').is_some_and(is_port) => host,
            _ => return Err(HostProblem::Brackets),
        },
        None => match text.split_once(':') {
            Some((host, port)) if !host.is_empty() && is_port(port) => host,
            _ => text,
        },
    };
    let host = host.trim_end_matches('.').trim();
    if host.is_empty() {
        return Err(HostProblem::Empty);
    }
    if host.contains('*') {
        return Err(HostProblem::Wildcard);
    }
    if host.contains(char::is_whitespace) {
        return Err(HostProblem::Blank);
    }
    Ok(host.to_lowercase())
}

/// The host that a request names: as of a rule, and only if nobody can take it for another. Addresses are written in one way.
///
/// # Errors
/// When the text names no host, or more than one reader may take it for different ones.
pub fn request_host(given: &str) -> Result<String, HostProblem> {
    if !given.is_ascii() {
        return Err(HostProblem::Script);
    }
    if given.contains(|one: char| one.is_ascii_whitespace() || one.is_ascii_control()) {
        return Err(HostProblem::Blank);
    }
    let host = rule_host(given)?;
    if let Ok(address) = host.parse::<Ipv6Addr>() {
        return Ok(address.to_string());
    }
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let written = given.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(given, |(host, _)| host);
    if written.ends_with('.') {
        return Err(HostProblem::Dot);
    }
    if !host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
        return Err(HostProblem::Character);
    }
    if host.split('.').any(|label| label.is_empty() || label.starts_with('-') || label.ends_with('-')) {
        return Err(HostProblem::Character);
    }
    let last = host.rsplit('.').next().unwrap_or_default();
    let number = last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x");
    if number && host.parse::<Ipv4Addr>().is_err() {
        return Err(HostProblem::Number);
    }
    Ok(host)
}

/// The host of an address of the web, and whether it is reached encrypted.
pub(crate) fn address_host(address: &str) -> Result<(bool, String), HostProblem> {
    // Browsers take blanks out, and backslashes for slashes.
    if address.contains(|one: char| one.is_whitespace() || one.is_control() || one == '\\') {
        return Err(HostProblem::Blank);
    }
    let (scheme, rest) = address.split_once("://").ok_or(HostProblem::Address)?;
    let encrypted = match &*scheme.to_ascii_lowercase() {
        "https" => true,
        "http" => false,
        _ => return Err(HostProblem::Address),
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.contains('@') {
        return Err(HostProblem::Character);
    }
    Ok((encrypted, request_host(host)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_rules_are_what_the_reference_takes_them_for() {
        let ok = |host: &str| Ok(host.to_string());
        assert_eq!(rule_host(" Example.COM.:443 "), ok("example.com"));
        assert_eq!(rule_host("[::1]:99999"), ok("::1"));
        assert_eq!(rule_host("[ ::1 ]"), ok("::1"));
        assert_eq!(rule_host("::1"), ok("::1"));
        for kept in ["a:", ":80", "a:x", "u:p@h", "-a..b"] {
            assert_eq!(rule_host(kept), ok(kept));
        }
        for (host, problem) in [
            ("", HostProblem::Empty),
            ("..", HostProblem::Empty),
            ("[]", HostProblem::Empty),
            ("https://a", HostProblem::Address),
            ("a/b", HostProblem::Address),
            ("*.a", HostProblem::Wildcard),
            ("a\u{a0}b", HostProblem::Blank),
            ("[::1", HostProblem::Brackets),
            ("[::1]:", HostProblem::Brackets),
            ("[::1].", HostProblem::Brackets),
        ] {
            assert_eq!(rule_host(host), Err(problem), "{host}");
        }
    }

    #[test]
    fn requests_name_hosts_in_one_way() {
        let ok = |host: &str| Ok(host.to_string());
        assert_eq!(request_host("Example.COM:443"), ok("example.com"));
        assert_eq!(request_host("[0:0:0:0:0:0:0:1]:80"), ok("::1"));
        assert_eq!(request_host("127.0.0.1"), ok("127.0.0.1"));
        assert_eq!(request_host("xn--bcher-kva.example"), ok("xn--bcher-kva.example"));
        for (host, problem) in [
            ("example.com.", HostProblem::Dot),
            ("example.com.:443", HostProblem::Dot),
            ("exаmple.com", HostProblem::Script),
            ("bücher.example", HostProblem::Script),
            ("ex ample", HostProblem::Blank),
            ("u:p@h", HostProblem::Character),
            ("a..b", HostProblem::Character),
            ("-a.b", HostProblem::Character),
            ("a\0", HostProblem::Blank),
            ("0x7f.1", HostProblem::Number),
            ("2130706433", HostProblem::Number),
            ("127.1", HostProblem::Number),
            ("0177.0.0.1", HostProblem::Number),
            ("a.0x7f", HostProblem::Number),
        ] {
            assert_eq!(request_host(host), Err(problem), "{host}");
        }
    }

    #[test]
    fn addresses_name_their_host() {
        assert_eq!(address_host("https://Example.com:8443/a?b#c"), Ok((true, "example.com".to_string())));
        assert_eq!(address_host("HTTP://[::1]/"), Ok((false, "::1".to_string())));
        for address in [
            "",
            "example.com",
            "ftp://a/",
            "https:///a",
            "https://a@b/",
            "https://a\\@b/",
            "file:///etc",
            "https://a. b",
        ] {
            assert!(address_host(address).is_err(), "{address}");
        }
    }
}
