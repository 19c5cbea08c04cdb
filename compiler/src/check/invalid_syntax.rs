//! Text that is not Starlark.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::source::Span;
use crate::syntax::statements::{Fault, FaultKind};

/// Text that is not Starlark.
pub const CODE: Code = Code("invalid-syntax");

/// The text at `site` cannot stand there; `reason` is the parser's own sentence.
#[must_use]
pub fn unparsed(site: &Site, reason: &str) -> Diagnostic {
    let message = plain(reason);
    let help = match message.as_str() {
        "tabs are not allowed" => Some("use spaces"),
        "incorrect indentation" => Some("indent the line like the block that it belongs to"),
        "cannot use reserved keyword `while`" => Some("loop with `for … in range(…)`: a policy always comes to an end"),
        text if text.starts_with("unexpected string `") => Some("join strings with `+`"),
        text if text.starts_with("integer cannot have leading 0") => Some("write `0o17` for an octal number"),
        _ => None,
    };
    let diagnostic = Diagnostic::error(CODE, site, message, "");
    match help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

/// The same where `source`, the text up to the end of what is wrong, shows a way out.
#[must_use]
pub fn mended(diagnostic: Diagnostic, source: &str) -> Diagnostic {
    let wrong = diagnostic.primary.span.of(source);
    if diagnostic.message == "tabs are not allowed" && !wrong.is_empty() {
        let edit = diagnostic.replacing(wrong.replace('\t', "    "));
        return diagnostic.with_fix(Fix::sure("write four spaces for a tab", [edit]));
    }
    let start = diagnostic.primary.span.start;
    let before = source.get(..start as usize).unwrap_or_default().trim_end();
    if diagnostic.message.starts_with("unexpected string `") && before.ends_with(['"', '\'']) {
        let end = u32::try_from(before.len()).unwrap_or(start);
        let put = |text: &str| Edit { file: diagnostic.primary.file, span: Span::new(end, end), text: text.to_owned() };
        let (comma, plus) = (put(","), put(" +"));
        return diagnostic
            .with_fix(Fix::choice("put a comma between the strings", [comma]))
            .with_fix(Fix::choice("join the strings", [plus]));
    }
    diagnostic
}

/// The parser's sentence in the words of these messages: tokens in backticks, without their grammatical kind.
fn plain(reason: &str) -> String {
    let reason = reason.strip_prefix("Parse error: ").unwrap_or(reason);
    let line = reason.lines().next().unwrap_or_default().trim_end_matches('.');
    let mut message = line.to_owned();
    for kind in ["symbol", "keyword", "identifier", "f-string expression end"] {
        message = quoted(&message, &format!("{kind} '"), "`", '\'');
    }
    message =
        quoted(&message, "string literal \"", "string `\"", '"').replace("new indentation block", "an indented block");
    for (given, meant) in [
        ("unexpected an indented block", "unexpected indentation"),
        ("string literal", "a string"),
        ("new line", "end of the line"),
        ("end of file", "end of the statement"),
        ("expected expression", "expected an expression"),
        (" (comparisons are not associative in Starlark)", ": comparisons cannot be chained"),
        ("/ positional-only-arguments is not allowed in this dialect", "positional-only parameters are not allowed"),
        ("Args array after another args or kwargs", "only one `*` argument can be given, before `**`"),
        ("Multiple kwargs dictionary in arguments", "only one `**` argument can be given"),
        ("named argument after *args or **kwargs", "named arguments come before `*` and `**`"),
        ("positional argument after non positional", "positional arguments come first"),
        ("positional parameter after non positional", "parameters without a default come first"),
    ] {
        message = message.replace(given, meant);
    }
    super::words::uncapitalised(&message)
}

/// `text` with the token after each `prefix`, which ends at `quote`, in backticks.
fn quoted(text: &str, prefix: &str, opening: &str, quote: char) -> String {
    let mut parts = text.split(prefix);
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A token may hold its own quotes: it ends at the last one before the next part of the sentence.
        let end = part.find(&format!("{quote}, ")).or_else(|| part.rfind(quote));
        let (token, rest) = end.and_then(|end| part.split_at_checked(end)).unwrap_or((part, ""));
        let closing = if quote == '"' { "\"`" } else { "`" };
        result.push_str(&format!("{opening}{token}{closing}"));
        result.push_str(rest.strip_prefix(quote).unwrap_or(rest));
    }
    result
}

/// The `load` of the path at `site` brings no name; its file defines `exports`, if it is known.
#[must_use]
pub fn nameless_load(site: &Site, exports: &[&str]) -> Diagnostic {
    let diagnostic = Diagnostic::error(CODE, site, "`load` brings names, and none is given", "no name after it");
    match exports.first() {
        Some(first) => diagnostic
            .with_note(format!("the file defines {}", list(exports, "and")))
            .with_help(format!("name one, as in `load(…, \"{first}\")`: the rules of the file count whichever it is")),
        None => diagnostic.with_help("name one that the file defines: its rules count whichever it is"),
    }
}

/// The token of `fault`, which stands at `site`, has no partner; `token` is its text.
#[must_use]
pub fn unbalanced(site: &Site, fault: Fault, token: &str) -> Diagnostic {
    match fault.kind {
        FaultKind::Unclosed => Diagnostic::error(CODE, site, format!("`{token}` is never closed"), "opened here"),
        FaultKind::Unopened => {
            Diagnostic::error(CODE, site, format!("`{token}` closes nothing"), "nothing is open here")
        }
        FaultKind::Mismatched(open) => {
            let message = format!("`{token}` closes a bracket of another kind");
            Diagnostic::error(CODE, site, message, "closed here").with_label(site.file, open, "opened here")
        }
        FaultKind::UnclosedString => {
            Diagnostic::error(CODE, site, "a string is never closed", "the string begins here")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{unbalanced, unparsed};
    use crate::check::testing::{message, site};
    use crate::syntax::statements::{Fault, FaultKind};

    #[test]
    fn the_parser_s_sentence_becomes_a_message() {
        let tabs = unparsed(&site(), "Parse error: tabs are not allowed");
        assert_eq!(message(&tabs), "tabs are not allowed");
        assert_eq!(tabs.help.unwrap().text, "use spaces");
    }

    #[test]
    fn tokens_stand_in_backticks() {
        let cases = [
            ("unexpected symbol ':', expected symbol ')'", "unexpected `:`, expected `)`"),
            ("unexpected new line, expected expression", "unexpected end of the line, expected an expression"),
            (
                "unexpected string literal \"a\", expected new line",
                "unexpected string `\"a\"`, expected end of the line",
            ),
            ("unexpected f-string expression end '}', expected expression", "unexpected `}`, expected an expression"),
            (
                "unexpected end of file, expected new indentation block",
                "unexpected end of the statement, expected an indented block",
            ),
        ];
        for (reason, expected) in cases {
            assert_eq!(message(&unparsed(&site(), &format!("Parse error: {reason}"))), expected);
        }
    }

    #[test]
    fn an_unclosed_bracket_is_named() {
        let site = site();
        let fault = Fault { kind: FaultKind::Unclosed, span: site.span };
        assert_eq!(message(&unbalanced(&site, fault, "(")), "`(` is never closed");
    }
}
