//! What can be said of a file that cannot be read as a whole: the calls in it that stand for themselves are run, so that their
//! mistakes are told beside the syntax errors. What they declare counts for nothing.

use super::{builtins, parse};
use crate::syntax::statements::statements;
use crate::syntax::token::{TokenKind, tokens};

/// The statements of `text` that call a builtin, and name nothing but builtins, in their places; all else is blank.
pub(super) fn salvaged(text: &str) -> Option<String> {
    let mut rest = String::with_capacity(text.len());
    for statement in statements(text) {
        let source = statement.span.of(text);
        if statement.fault.is_none() && stands_alone(source) && parse::is_read(source) {
            blank(&mut rest, text, statement.span.start as usize);
            rest.push_str(source);
        }
    }
    (!rest.is_empty()).then(|| {
        blank(&mut rest, text, text.len());
        rest
    })
}

/// Adds blanks, and the ends of lines, up to an offset of `text`.
fn blank(rest: &mut String, text: &str, end: usize) {
    let skipped = text.as_bytes().get(rest.len()..end).unwrap_or_default();
    rest.extend(skipped.iter().map(|byte| if *byte == b'\n' { '\n' } else { ' ' }));
}

/// Whether a statement is a call of a builtin that means the same wherever it stands.
fn stands_alone(source: &str) -> bool {
    let mut stream = tokens(source).filter(|token| !token.kind.is_trivia()).peekable();
    let (mut depth, mut last) = (0_u32, None);
    while let Some(token) = stream.next() {
        let next = stream.peek().map(|token| token.kind);
        if last.is_none() && (token.kind, next) != (TokenKind::Name, Some(TokenKind::OpenRound)) {
            return false;
        }
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.closes() {
            depth = depth.saturating_sub(1);
        }
        let alone = match token.kind {
            TokenKind::Name if next == Some(TokenKind::Equal) => depth > 0,
            TokenKind::Name => builtins::GLOBALS.names().any(|name| name.as_str() == token.span.of(source)),
            TokenKind::String | TokenKind::Int | TokenKind::Float => true,
            TokenKind::Comma | TokenKind::Colon | TokenKind::Equal => true,
            kind => kind.opens() || kind.closes(),
        };
        if !alone {
            return false;
        }
        last = Some(token.kind);
    }
    last == Some(TokenKind::CloseRound) && depth == 0
}

#[cfg(test)]
mod tests {
    use super::salvaged;

    #[test]
    fn only_calls_that_stand_for_themselves_are_kept_in_their_places() {
        let text = "x = (\nprefix_rule(['é'], decision = 'alow')\nprefix_rule([x])\nexpect(\n    'a',\n    None,\n)  # why\n\
                    [prefix_rule([y]) for y in '']\n";
        let kept = salvaged(text).unwrap();
        assert_eq!(kept.len(), text.len());
        let kept: Vec<&str> = kept.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        assert_eq!(kept, ["prefix_rule(['é'], decision = 'alow')", "expect(", "    'a',", "    None,", ")  # why"]);
        assert_eq!(salvaged("def f(\nx = 1\n"), None);
        assert_eq!(salvaged("x = '''\nprefix_rule(['a'], 'alow')\n"), None);
    }
}
