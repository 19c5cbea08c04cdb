//! A word that looks like a secret.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A word that looks like a secret.
pub const CODE: Code = Code("broad-secret");

/// How the tokens of well-known services begin, and how long they are at least.
const TOKENS: [(&str, usize); 12] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 20),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("AKIA", 20),
    ("AIza", 30),
    ("eyJ", 40),
    ("-----BEGIN ", 20),
];

/// What a name ends in whose value is nobody else's business.
const NAMES: [&str; 9] =
    ["token", "secret", "password", "passwd", "apikey", "api-key", "api_key", "secret-key", "access_key"];

/// Whether `word` looks like a secret: a token, `NAME=value` or a header with one, or an address with a password.
#[must_use]
pub fn is_secret(word: &str) -> bool {
    // The shortest is `token=x`; most words of policies are shorter.
    if word.len() < 7 {
        return false;
    }
    let token = |(start, length): &(&str, usize)| word.len() >= *length && word.starts_with(start);
    if TOKENS.iter().any(token) {
        return true;
    }
    let told = |value: &str| {
        let value = value.trim();
        !value.is_empty() && !value.starts_with(['$', '<', '{', '%', '*', '@', '/'])
    };
    if let Some((name, value)) = word.split_once('=')
        && NAMES.iter().any(|secret| name.to_ascii_lowercase().ends_with(secret))
    {
        return told(value);
    }
    if let Some((name, value)) = word.split_once(": ") {
        let name = name.to_ascii_lowercase();
        return (name == "authorization" || name.ends_with("-key") || name.ends_with("-token")) && told(value);
    }
    let authority = word.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default());
    let user = authority.and_then(|authority| authority.rsplit_once('@')).map(|(user, _)| user);
    user.and_then(|user| user.split_once(':')).is_some_and(|(_, password)| told(password))
}

/// The word at `site` looks like a secret.
#[must_use]
pub fn diagnostic(site: &Site) -> Diagnostic {
    Diagnostic::warning(CODE, site, "a word of a pattern looks like a secret", "readable by all who see the policy")
        .with_note("policies, tables and answers are read by people, models and logs")
        .with_help("match around it with `glob(…)` or `any_word()`, and change the secret if the policy was shared")
}

#[cfg(test)]
mod tests {
    use super::{diagnostic, is_secret};
    use crate::check::testing::{message, site};

    #[test]
    fn secrets_are_known_by_their_shape() {
        for secret in [
            "X-Key: abc",
            "Authorization: Bearer abc",
            "--password=hunter2",
            "GITHUB_TOKEN=abc",
            "https://me:hunter2@example.com/x",
            "ghp_0123456789abcdefghij",
        ] {
            assert!(is_secret(secret), "{secret}");
        }
        for plain in
            ["--token", "--password=", "--password=$P", "key=1", "a: b", "https://a@b/c", "sk-1", "git@b:c", ""]
        {
            assert!(!is_secret(plain), "{plain}");
        }
        assert_eq!(message(&diagnostic(&site())), "a word of a pattern looks like a secret");
    }
}
