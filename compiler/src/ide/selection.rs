//! Selection ranges: what to select next when a selection is to grow.

use crate::source::{SourceFile, Span};
use crate::syntax;
use crate::syntax::token::TokenKind;

/// The parts of a file around a place, from the smallest to all of it.
#[must_use]
pub fn selections(db: &dyn salsa::Database, file: SourceFile, offset: u32) -> Vec<Span> {
    let root = syntax::tree(db, file).root();
    if offset > u32::from(root.text_range().end()) {
        return Vec::new();
    }
    let mut spans = Vec::new();
    let tokens = root.token_at_offset(offset.into());
    // Between two tokens, the one that means something.
    let token = tokens.clone().find(|token| !token.kind().is_trivia()).or_else(|| tokens.left_biased());
    if let Some(token) = &token {
        let span: Span = token.text_range().into();
        if token.kind() == TokenKind::String {
            spans.extend(contents(token.text()).map(|inner| inner.shifted(span.start)));
        }
        if token.kind() != TokenKind::Blank && token.kind() != TokenKind::Newline {
            spans.push(span);
        }
    }
    let parent = token.and_then(|token| token.parent()).unwrap_or_else(|| root.clone());
    spans.extend(parent.ancestors().map(|node| Span::from(node.text_range())));
    spans.retain(|span| span.start <= offset && offset <= span.end);
    spans.dedup();
    spans
}

/// What stands between the quotes of a string literal.
fn contents(literal: &str) -> Option<Span> {
    let start = literal.find(['"', '\''])?;
    let quoted = literal.get(start..)?;
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    (quoted.len() > 2 * quotes).then(|| Span::from(start + quotes..literal.len() - quotes))
}

#[cfg(test)]
mod tests {
    use super::selections;
    use crate::ide::fixture::fixture;

    fn shown(text: &str) -> Vec<String> {
        let fixture = fixture(text);
        let text = fixture.file.text(&fixture.db);
        selections(&fixture.db, fixture.file, fixture.offset).into_iter().map(|span| span.of(text).to_owned()).collect()
    }

    #[test]
    fn a_selection_grows_by_what_stands_around_it() {
        assert_eq!(
            shown("# a\nrule(['git', r'pu<cursor>sh'], x = 1)\n"),
            [
                "push",
                "r'push'",
                "['git', r'push']",
                "(['git', r'push'], x = 1)",
                "rule(['git', r'push'], x = 1)",
                "# a\nrule(['git', r'push'], x = 1)\n",
            ]
        );
        assert_eq!(shown("x = <cursor>"), ["x =", "x = "][1..]);
        assert_eq!(shown("<cursor>"), [""]);
    }
}
