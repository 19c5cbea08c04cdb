//! What logs should not tell: e-mail addresses, addresses of hosts, and what looks like a credential.
//!
//! A best effort: names of people, and what they wrote in their own words, pass.

use std::net::Ipv6Addr;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What stands for what was masked.
const MASK: &str = "(masked)";

/// What is masked whole. Keys in blocks come first: their lines look like other things. What may go on without an end
/// would be looked for to the end of the text wherever it may begin.
static WHOLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns = [
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        r"(?i)\b[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}",
        r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b",
        r"\beyJ[A-Za-z0-9_-]{1,4096}\.[A-Za-z0-9_-]{1,4096}\.[A-Za-z0-9_-]*",
        r"\b(?:g[hl][a-z]_|github_pat_|glpat-|xox[a-z]-|sk-|sk_live_|rk_live_|npm_|pypi-|hf_)[A-Za-z0-9_-]{10,}",
        r"\b(?:AKIA|ASIA|AIza)[A-Za-z0-9_-]{12,}",
        r"\b[0-9a-fA-F]{32,}\b",
        r"\b[A-Za-z0-9+/_-]{40,}={0,2}",
    ];
    Regex::new(&patterns.join("|")).ok()
});

/// A name of something secret, and its value.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r"p(?:ass(?:word|wd|phrase)?|wd)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth|authorization|credentials?|cookie|session[_-]?id|signature";
    let value = r#"(?:(?:bearer|basic|digest|token)\s+)?(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"',;&]+)"#;
    Regex::new(&format!(
        r#"(?i)([a-z0-9_.-]{{0,40}}(?:{name})["']?\s*(?:[:=]|\s(?:is|to)\s)\s*|\b(?:bearer|basic)\s+)({value})"#
    ))
    .ok()
});

/// The user and the password in an address.
static USERINFO: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(://)[^/\s@]+@").ok());

/// What may be an address of version 6.
static COLONS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)[0-9a-f]*:[0-9a-f]*:[0-9a-f:]*(?:\.[0-9]+){0,3}").ok());

/// A text without what it should not tell; nothing if it cannot be told.
pub(crate) fn masked(text: &str) -> Option<String> {
    let text = USERINFO.as_ref()?.replace_all(text, format!("${{1}}{MASK}@"));
    let text = NAMED.as_ref()?.replace_all(&text, |found: &Captures<'_>| format!("{}{MASK}", &found[1]));
    let text = WHOLE.as_ref()?.replace_all(&text, MASK);
    let text = COLONS.as_ref()?.replace_all(&text, |found: &Captures<'_>| {
        let is_address = found[0].parse::<Ipv6Addr>().is_ok();
        if is_address { MASK.to_owned() } else { found[0].to_owned() }
    });
    Some(text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::masked;

    /// R001.7, R001.56.
    #[test]
    fn logs_tell_no_addresses_and_no_credentials() {
        for (text, expected) in [
            ("from ana.b+c@mail.example.org ok", "from (masked) ok"),
            ("to 10.0.0.7:443", "to (masked):443"),
            ("peer fe80::1%eth0", "peer (masked)%eth0"),
            ("peer 2001:db8::8a2e:370:7334.", "peer (masked)."),
            ("at 12:34:56 it was ab:cd", "at 12:34:56 it was ab:cd"),
            ("password=hunter2 next", "password=(masked) next"),
            ("DB_PASSWORD: 'a b c' x", "DB_PASSWORD: (masked) x"),
            (r#"{"apiKey": "x\"y", "n": 1}"#, r#"{"apiKey": (masked), "n": 1}"#),
            ("Authorization: Bearer abc.def", "Authorization: (masked)"),
            ("sent bearer abc", "sent bearer (masked)"),
            ("https://u:p@host/x", "https://(masked)@host/x"),
            ("token ghp_0123456789abcdefghij", "token (masked)"),
            ("AKIAIOSFODNN7EXAMPLE", "(masked)"),
            ("digest 9f86d081884c7d659a2feaa0c55ad015", "digest (masked)"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nx", "(masked)\nx"),
            ("-----BEGIN PRIVATE KEY-----\nabc\ncut", "(masked)"),
            ("Started the daily job of Ana.", "Started the daily job of Ana."),
            ("version 1.2.3, 4 of 5 done", "version 1.2.3, 4 of 5 done"),
        ] {
            assert_eq!(masked(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn long_texts_take_no_longer_than_they_are_long() {
        for part in ["a@", "1.", "::", "token=", "-----BEGIN PRIVATE KEY-----", "\"", "ab", "eyJa.", "ghp_a-"] {
            assert!(masked(&part.repeat(100_000)).is_some());
        }
    }
}
