//! Where to put a further argument of a call, or a further item of a list, so that it reads like those that are there.

use super::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// What to replace, and by what, so that a further named argument, or a further item, stands in the brackets that end at
/// `brackets.end`. Nothing if the brackets are not a pair at the end of that text, or hold a `*` or `**` that must stay
/// last.
#[must_use]
pub fn insertion(text: &str, brackets: Span, part: &str) -> Option<(Span, String)> {
    let inner = brackets.of(text);
    let tokens: Vec<Token> = tokens(inner).collect();
    let close = tokens.iter().rposition(|token| !token.kind.is_trivia())?;
    if !tokens.get(close)?.kind.closes() {
        return None;
    }
    let mut depth = 0_u32;
    let mut open = None;
    let mut spread = false;
    for (place, token) in tokens.get(..close)?.iter().enumerate().rev() {
        match token.kind {
            kind if kind.closes() => depth += 1,
            kind if kind.opens() && depth == 0 => {
                open = Some(place);
                break;
            }
            kind if kind.opens() => depth -= 1,
            TokenKind::Star | TokenKind::StarStar if depth == 0 => spread |= spreads(tokens.get(..place)?),
            TokenKind::For if depth == 0 => return None,
            _ => {}
        }
    }
    let open = open?;
    if spread {
        return None;
    }
    let last = tokens.get(..close)?.iter().rfind(|token| !token.kind.is_trivia())?;
    let end = last.span.end;
    let closing = tokens.get(close)?.span.start;
    let apart = Span::new(end, closing).of(inner);
    let comma = if last.kind == TokenKind::Comma { "" } else { "," };
    let (replaced, put) = if last.span == tokens.get(open)?.span {
        ("", part.to_owned())
    } else if let Some((comment, _)) = apart.split_once('\n') {
        // A comment at the end of the line belongs to what stands before it.
        (comment, format!("{comma}{comment}\n{}{part},", indentation(inner, end)))
    } else if comma.is_empty() {
        ("", format!(" {part},"))
    } else {
        ("", format!(", {part}"))
    };
    Some((Span::from(0..replaced.len()).shifted(brackets.start + end), put))
}

/// Whether a star after these tokens is no operator: it begins an argument.
fn spreads(before: &[Token]) -> bool {
    let before = before.iter().rfind(|token| !token.kind.is_trivia());
    before.is_none_or(|token| token.kind == TokenKind::Comma || token.kind.opens())
}

/// The blanks that begin the line of an offset.
fn indentation(text: &str, offset: u32) -> &str {
    let before = text.get(..offset as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::insertion;
    use crate::source::Span;

    #[test]
    fn a_part_is_put_like_the_others() {
        for (text, expected) in [
            ("f()", Some("f(x)")),
            ("f(a, [b])", Some("f(a, [b], x)")),
            ("f(a, )", Some("f(a, x, )")),
            ("f(\n    a,\n    b = [\n      c,\n    ],\n)", Some("f(\n    a,\n    b = [\n      c,\n    ],\n    x,\n)")),
            ("f(\n    a  # why\n)", Some("f(\n    a,  # why\n    x,\n)")),
            ("f(a * b)", Some("f(a * b, x)")),
            ("f(a, **b)", None),
            ("[a for a in b]", None),
            ("f", None),
        ] {
            let put = insertion(text, Span::from(0..text.len()), "x").map(|(span, put)| {
                let mut text = text.to_owned();
                text.replace_range(span.start as usize..span.end as usize, &put);
                text
            });
            assert_eq!(put.as_deref(), expected, "{text}");
        }
    }
}
