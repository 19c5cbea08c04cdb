//! What to take out of a text so that a part of a call, or the call itself, is gone and the rest still reads well.

use super::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// The bytes to take out so that the argument, or the item of a list, that begins like `part` is gone from the call at
/// `call`, with its comma and its lines; nothing where brackets around it alone, or what stands before it, forbid that.
#[must_use]
pub fn removal(text: &str, call: Span, part: Span) -> Option<Span> {
    let call_text = call.of(text);
    let tokens: Vec<Token> = tokens(call_text).collect();
    let start = part.start.checked_sub(call.start)?;
    let at = tokens.iter().position(|token| token.span.start == start)?;
    let before = boundary(tokens.get(..at)?.iter().rev(), true)?;
    let before = at.checked_sub(before + 1)?;
    let after = at + boundary(tokens.get(at..)?.iter(), false)?;
    if tokens.get(before).is_some_and(|token| token.kind == TokenKind::OpenRound && !is_called(&tokens, before)) {
        return None;
    }
    let inside = tokens.get(before + 1..after)?;
    if inside.iter().any(|token| token.kind == TokenKind::Lambda) {
        return None;
    }
    let solid = |token: &&Token| !token.kind.is_trivia();
    let (first, last) = (inside.iter().find(solid)?.span, inside.iter().rfind(solid)?.span);
    let separator = tokens.get(after).filter(|token| token.kind == TokenKind::Comma);
    let item = Span::new(first.start, separator.map_or(last.end, |comma| comma.span.end));
    let removed = if let Some(lines) = lines(call_text, item) {
        lines
    } else if separator.is_some() {
        Span { end: item.end + blanks(call_text, item.end), ..item }
    } else {
        let comma = tokens.get(before).filter(|token| token.kind == TokenKind::Comma).map(|comma| comma.span);
        let beside = comma.filter(|comma| Span::new(comma.end, first.start).of(call_text).trim().is_empty());
        Span { start: beside.map_or(item.start, |comma| comma.start), ..item }
    };
    Some(removed.shifted(call.start))
}

/// The bytes to take out so that the statement at `statement`, which begins its line in the first column, is gone; nothing
/// if it shares a line or is indented, where a block may need it.
#[must_use]
pub fn statement_removal(text: &str, statement: Span) -> Option<Span> {
    let lines = lines(text, statement)?;
    (lines.start == statement.start).then_some(lines)
}

/// How many tokens stand before the comma or bracket that the walk over `tokens` comes to outside all brackets.
fn boundary<'t>(tokens: impl Iterator<Item = &'t Token>, backwards: bool) -> Option<usize> {
    let mut depth = 0_u32;
    for (passed, token) in tokens.enumerate() {
        let (enters, leaves) = match backwards {
            true => (token.kind.closes(), token.kind.opens()),
            false => (token.kind.opens(), token.kind.closes()),
        };
        if depth == 0 && (leaves || token.kind == TokenKind::Comma) {
            return Some(passed);
        }
        depth = depth + u32::from(enters) - u32::from(leaves);
    }
    None
}

/// Whether something that can be called stands before the bracket at `open`.
fn is_called(tokens: &[Token], open: usize) -> bool {
    let before = tokens.get(..open).and_then(|before| before.iter().rfind(|token| !token.kind.is_trivia()));
    before.is_some_and(|token| token.kind == TokenKind::Name || token.kind.closes())
}

/// The whole lines of `span`, if nothing but a comment stands beside it on them.
fn lines(text: &str, span: Span) -> Option<Span> {
    let before = text.get(..span.start as usize)?;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    if !before.get(start..)?.trim().is_empty() || start == 0 && before.is_empty() && span.end as usize == text.len() {
        return None;
    }
    let after = text.get(span.end as usize..)?;
    let end = after.find('\n').map_or(after.len(), |newline| newline + 1);
    let beside = after.get(..end)?.trim();
    let whole = Span::from(start..span.end as usize + end);
    (beside.is_empty() || beside.starts_with('#')).then_some(whole)
}

/// How many blanks there are at an offset.
fn blanks(text: &str, offset: u32) -> u32 {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let blanks = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    u32::try_from(blanks).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{removal, statement_removal};
    use crate::source::Span;

    /// What is left of a call once the part that begins where `part` is found first is gone.
    fn without(text: &str, part: &str) -> Option<String> {
        let start = text.find(part).unwrap();
        let call = Span::from(0..text.len());
        let removed = removal(text, call, Span::from(start..start + part.len()))?;
        let mut text = text.to_owned();
        text.replace_range(removed.start as usize..removed.end as usize, "");
        Some(text)
    }

    #[test]
    fn a_part_goes_with_its_comma_and_its_lines() {
        for (text, part, left) in [
            ("f(a, b = 1, c)", "b", Some("f(a, c)")),
            ("f(a, b = [1, 2])", "b", Some("f(a)")),
            ("f(b = (1))", "b", Some("f()")),
            ("f(\n    a,\n    b = 1,  # why\n    c,\n)", "b", Some("f(\n    a,\n    c,\n)")),
            ("f(\n    a,  # why\n    b = 1\n)", "b", Some("f(\n    a,  # why\n)")),
            ("f([x, (y), z], w)", "x", Some("f([(y), z], w)")),
            ("f([x, (y), z], w)", "y", None),
            ("f([x, g(y), z], w)", "y", Some("f([x, g(), z], w)")),
            ("f(('a', 'b'))", "'a'", None),
        ] {
            assert_eq!(without(text, part).as_deref(), left, "{part} of {text}");
        }
    }

    #[test]
    fn a_statement_goes_with_its_line() {
        let gone = |text: &str| {
            let start = text.find('f').unwrap();
            statement_removal(text, Span::from(start..text.find(')').unwrap() + 1)).map(|span| span.of(text).to_owned())
        };
        assert_eq!(gone("x = 1\nf(\n)  # why\ny"), Some("f(\n)  # why\n".to_owned()));
        assert_eq!(gone("if x:\n  f()\n"), None);
        assert_eq!(gone("f(); g"), None);
        assert_eq!(gone("x; f()"), None);
    }
}
