//! What is mended while somebody types: the indentation of a new line, and of a closing bracket.

use crate::format::{Edit, INDENT};
use crate::source::{SourceFile, Span};
use crate::syntax::token::{Token, TokenKind, tokens};

/// The characters after which an editor asks.
pub const TRIGGERS: [char; 4] = ['\n', ')', ']', '}'];

/// What to mend after `typed` was typed, whose end is at `offset`.
#[must_use]
pub fn on_type(db: &dyn salsa::Database, file: SourceFile, offset: u32, typed: char) -> Vec<Edit> {
    let text = file.text(db);
    let Some(before) = text.get(..offset as usize) else { return Vec::new() };
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    // Only a line that begins with what was typed is moved.
    let typed_first = match typed {
        '\n' => offset as usize <= start + blanks,
        _ => line.get(blanks..offset as usize - start).is_some_and(|rest| rest.chars().eq([typed])),
    };
    let Some(indent) = typed_first.then(|| indentation(text, start, start + blanks)).flatten() else {
        return Vec::new();
    };
    let new = " ".repeat(indent);
    if line.get(..blanks) == Some(&new) {
        return Vec::new();
    }
    vec![Edit { span: Span::from(start..start + blanks), text: new }]
}

/// How far to the right the line should stand that begins at `start`, and whose text begins at `content`; nothing inside a string.
fn indentation(text: &str, start: usize, content: usize) -> Option<usize> {
    let mut open: Vec<Token> = Vec::new();
    let mut last = None;
    let mut next = None;
    for token in tokens(text) {
        if token.span.end as usize > start {
            let inside = (token.span.start as usize) < start && !token.kind.is_trivia();
            if inside {
                return None;
            }
            if token.span.start as usize >= content {
                next = Some(token.kind);
                break;
            }
            continue;
        }
        if token.kind.opens() {
            open.push(token);
        } else if token.kind.closes() {
            open.pop();
        }
        if !token.kind.is_trivia() {
            last = Some(token);
        }
    }
    if let Some(opener) = open.last() {
        let outer = column(text, opener.span.start);
        let closes = next.is_some_and(TokenKind::closes);
        return Some(if closes { outer } else { outer + INDENT });
    }
    let last = last?;
    // The line that the statement before begins in may be far up.
    let statement = statement_start(text, last.span.end);
    let outer = column(text, statement);
    let left = ["return", "pass", "break", "continue"];
    let first = text.get(statement as usize..).unwrap_or_default();
    let word = first.split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or_default();
    Some(match last.kind {
        TokenKind::Colon => outer + INDENT,
        _ if left.contains(&word) => outer.saturating_sub(INDENT),
        _ => outer,
    })
}

/// Where the statement begins that the last line before `end` belongs to: the first token of a line that no bracket is open in.
fn statement_start(text: &str, end: u32) -> u32 {
    let mut depth = 0_u32;
    let mut start = 0;
    let mut fresh = true;
    for token in tokens(text).take_while(|token| token.span.start < end) {
        if fresh && depth == 0 && !token.kind.is_trivia() {
            start = token.span.start;
            fresh = false;
        }
        if token.kind == TokenKind::Newline && depth == 0 {
            fresh = true;
        } else if token.kind.opens() {
            depth += 1;
        } else if token.kind.closes() {
            depth = depth.saturating_sub(1);
        }
    }
    start
}

/// The blanks that the line with this offset begins with.
fn column(text: &str, offset: u32) -> usize {
    let before = text.get(..offset as usize).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default();
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::on_type;
    use crate::ide::fixture::fixture;

    /// The text after what was typed before the cursor is mended.
    fn typed(text: &str) -> String {
        let fixture = fixture(text);
        let text = fixture.file.text(&fixture.db);
        let before = text.get(..fixture.offset as usize).unwrap();
        let last = before.trim_end_matches(' ').chars().last().unwrap();
        let mut text = text.clone();
        for edit in on_type(&fixture.db, fixture.file, fixture.offset, last).into_iter().rev() {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        text
    }

    #[test]
    fn a_new_line_stands_where_it_belongs() {
        assert_eq!(typed("rule(\n<cursor>"), "rule(\n    ");
        assert_eq!(typed("rule(\n<cursor>)"), "rule(\n)");
        assert_eq!(typed("rule(\n    ['a', [\n    <cursor>'b'"), "rule(\n    ['a', [\n        'b'");
        assert_eq!(typed("rule(\n    a,\n)\n    <cursor>x"), "rule(\n    a,\n)\nx");
        assert_eq!(typed("def f(a,\n      b):\n<cursor>"), "def f(a,\n      b):\n    ");
        assert_eq!(
            typed("def f():\n    if a:\n        return 1\n<cursor>"),
            "def f():\n    if a:\n        return 1\n    "
        );
        assert_eq!(typed("for a in b: # why\n<cursor>"), "for a in b: # why\n    ");
        assert_eq!(typed("\n<cursor>"), "\n");
    }

    #[test]
    fn a_closing_bracket_stands_below_what_it_closes() {
        assert_eq!(typed("    rule(\n        a,\n        )<cursor>"), "    rule(\n        a,\n    )");
        assert_eq!(typed("rule(a)<cursor>"), "rule(a)");
    }

    #[test]
    fn strings_are_left_alone() {
        assert_eq!(typed("x = \"\"\"\n<cursor>  a\"\"\""), "x = \"\"\"\n  a\"\"\"");
    }
}
