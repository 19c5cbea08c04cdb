//! A protocol that is not one.

use super::closest::{closest, quoted};
use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Site};

/// A protocol that is not one.
pub const CODE: Code = Code("unknown-protocol");

/// The protocol `given` at `site` is none of the `known` ones. `replaceable` says that a string literal stands there.
#[must_use]
pub fn diagnostic(site: &Site, given: &str, known: &[&str], replaceable: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        CODE,
        site,
        format!("`{}` is not a protocol of network rules", given.escape_debug()),
        "unknown protocol",
    )
    .with_note(format!("a protocol is {}", list(known, "or")));
    let name = given.trim().to_lowercase().replace('-', "_");
    let meant = match name.as_str() {
        "https_connect" | "connect" | "tls" | "ssl" => Some("https"),
        "tcp" | "socks" | "socks5" => Some("socks5_tcp"),
        "udp" => Some("socks5_udp"),
        _ => known.iter().copied().find(|known| *known == name),
    };
    let meant = meant.or_else(|| closest(&name, known.iter().copied()));
    diagnostic.did_you_mean(meant, replaceable.then_some(quoted))
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn suggests_a_protocol() {
        let known = ["http", "https", "socks5_tcp", "socks5_udp"];
        for (given, meant) in
            [("HTTPS", "https"), ("socks5-tcp", "socks5_tcp"), ("udp", "socks5_udp"), ("htps", "https")]
        {
            let diagnostic = super::diagnostic(&site(), given, &known, true);
            assert_eq!(message(&diagnostic), format!("`{given}` is not a protocol of network rules"));
            assert_eq!(diagnostic.fixes[0].edits[0].text, format!("\"{meant}\""));
        }
    }
}
