//! Where a place in a text stands: in which call, as which argument, how deep in its lists. It reads tokens, so that it
//! holds of text that is being typed as well.

use crate::eval::{Signature, signatures};
use crate::source::{SourceFile, Span};
use crate::syntax::literal;
use crate::syntax::token::{Token, TokenKind, tokens};

/// How many brackets around a place count: it keeps the time linear.
const DEEPEST: usize = 32;

/// A place in a text and what it stands in.
pub(super) struct Cursor<'t> {
    text: &'t str,
    /// The place.
    pub(super) offset: u32,
    /// The tokens of the top-level statement around the place.
    tokens: Vec<Token>,
    /// The brackets around the place, outermost first.
    frames: Vec<Frame>,
    /// The token that the place is in or, for names, at the end of.
    pub(super) token: Option<Token>,
}

/// A bracket around a place.
#[derive(Debug)]
struct Frame {
    /// The place of its opening token.
    open: usize,
    /// What is called, if it holds arguments.
    callee: Option<Token>,
    /// What stands in it, between commas; the last is empty after a comma.
    items: Vec<Item>,
    /// Which of them the place is in.
    current: usize,
}

/// What stands between commas.
#[derive(Clone, Copy, Debug, Default)]
struct Item {
    first: usize,
    end: usize,
}

/// A call around a place.
pub(super) struct CallAt<'c> {
    cursor: &'c Cursor<'c>,
    frame: &'c Frame,
    /// The ways into its brackets: of each list around the place, which item the place is in.
    pub(super) path: Vec<usize>,
}

/// The top-level statement around a place, without reading the rest of the text: from the last line up to it that begins
/// like a statement, to the next one.
fn statement(text: &str, offset: u32) -> Span {
    let offset = text.floor_char_boundary(offset as usize);
    let (before, after) = (text.get(..offset).unwrap_or_default(), text.get(offset..).unwrap_or_default());
    let mut start = before.rfind('\n').map_or(0, |end| end + 1);
    while start > 0 && !begins(text, start) {
        let line_before = text.get(..start - 1).unwrap_or_default();
        start = line_before.rfind('\n').map_or(0, |end| end + 1);
    }
    let mut lines = after.match_indices('\n').map(|(end, _)| offset + end + 1);
    let end = lines.find(|line| begins(text, *line)).unwrap_or(text.len());
    Span::from(start..end)
}

/// Whether the line that starts at an offset begins like a top-level statement: with a call, `def` and the like, or with an
/// assignment, unless the line before it goes on.
fn begins(text: &str, start: usize) -> bool {
    let line = text.get(start..).unwrap_or_default();
    let name = line.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(name).unwrap_or_default();
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        return false;
    }
    let goes_on = || {
        let line_before = text.get(..start).unwrap_or_default().trim_end();
        line_before.ends_with([',', '(', '[', '{', '\\', '='])
    };
    match name {
        "def" | "for" | "if" | "load" => true,
        _ if rest.starts_with('(') => true,
        _ => rest.trim_start_matches([' ', '\t']).starts_with('=') && !goes_on(),
    }
}

impl<'t> Cursor<'t> {
    /// What the place at `offset` of a file stands in.
    pub(super) fn new(db: &'t dyn salsa::Database, file: SourceFile, offset: u32) -> Self {
        let text = file.text(db);
        Self::of(text, statement(text, offset), offset)
    }

    fn of(text: &'t str, statement: Span, offset: u32) -> Self {
        let all = tokens(statement.of(text)).map(|token| Token { span: token.span.shifted(statement.start), ..token });
        let (mut kept, mut at) = (Vec::new(), None);
        for token in all {
            let word = matches!(token.kind, TokenKind::Name | TokenKind::UnclosedString | TokenKind::Comment)
                || token.span.of(text).starts_with(|first: char| first.is_alphabetic());
            let inside = token.span.start < offset && offset < token.span.end;
            let ends = word && token.kind != TokenKind::String && token.span.end == offset;
            let begins = token.span.start == offset && token.span.end > offset && !token.kind.is_trivia();
            if inside || ends || begins && at.is_none() {
                at = Some(token);
            }
            if !token.kind.is_trivia() {
                kept.push(token);
            }
        }
        let mut cursor = Self { text, offset, tokens: kept, frames: Vec::new(), token: at };
        cursor.frames = cursor.frames();
        cursor
    }

    /// The text of a token.
    pub(super) fn text(&self, token: Token) -> &'t str {
        token.span.of(self.text)
    }

    /// The tokens of the top-level statement around the place.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The token before the one that the place is in.
    pub(super) fn previous(&self) -> Option<Token> {
        let start = self.token.map_or(self.offset, |token| token.span.start);
        self.tokens.iter().rfind(|token| token.span.end <= start).copied()
    }

    /// The token after the one that the place is in.
    pub(super) fn following(&self) -> Option<Token> {
        let end = self.token.map_or(self.offset, |token| token.span.end);
        self.tokens.iter().find(|token| token.span.start >= end).copied()
    }

    /// The brackets around the place.
    fn frames(&self) -> Vec<Frame> {
        let mut open: Vec<usize> = Vec::new();
        for (place, token) in self.tokens.iter().enumerate() {
            if token.span.end > self.offset {
                break;
            }
            if token.kind.opens() {
                open.push(place);
            } else if token.kind.closes() {
                open.pop();
            }
        }
        let outer = open.len().saturating_sub(DEEPEST);
        open.into_iter().skip(outer).map(|open| self.frame(open)).collect()
    }

    fn frame(&self, open: usize) -> Frame {
        let round = self.tokens.get(open).is_some_and(|token| token.kind == TokenKind::OpenRound);
        let callee = open.checked_sub(1).and_then(|before| self.tokens.get(before)).copied();
        let defined = open.checked_sub(2).and_then(|before| self.tokens.get(before));
        let called = |token: &Token| {
            let name = matches!(token.kind, TokenKind::Name | TokenKind::Load);
            round && name && defined.is_none_or(|before| !matches!(before.kind, TokenKind::Def | TokenKind::Dot))
        };
        let mut frame = Frame { open, callee: callee.filter(called), items: Vec::new(), current: 0 };
        let mut item = Item { first: open + 1, end: open + 1 };
        let mut depth = 0_u32;
        for (place, token) in self.tokens.iter().enumerate().skip(open + 1) {
            if depth == 0 && (token.kind.closes() || token.kind == TokenKind::Comma) {
                frame.items.push(item);
                item = Item { first: place + 1, end: place + 1 };
                if token.kind.closes() {
                    return frame.with_current(self);
                }
                continue;
            }
            if token.kind.opens() {
                depth += 1;
            } else if token.kind.closes() {
                depth -= 1;
            }
            item.end = place + 1;
        }
        frame.items.push(item);
        frame.with_current(self)
    }

    /// Whether the place is at the start of a line, but for blanks and the word that is being typed.
    pub(super) fn begins_line(&self) -> bool {
        let start = self.token.map_or(self.offset, |token| token.span.start.min(self.offset));
        let before = self.text.get(..start as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
    }

    /// The innermost call around the place.
    pub(super) fn call(&self) -> Option<CallAt<'_>> {
        let place = self.frames.iter().rposition(|frame| frame.callee.is_some())?;
        let (frame, inner) = (self.frames.get(place)?, self.frames.get(place + 1..)?);
        Some(CallAt { cursor: self, frame, path: inner.iter().map(|frame| frame.current).collect() })
    }

    /// All calls around the place, innermost first, without the ways into them.
    pub(super) fn calls(&self) -> impl Iterator<Item = CallAt<'_>> {
        let calls = self.frames.iter().rev().filter(|frame| frame.callee.is_some());
        calls.map(|frame| CallAt { cursor: self, frame, path: Vec::new() })
    }

    /// The strings that stand in the tokens from `item.first` to `item.end`, if that is all there is.
    fn words(&self, item: Item) -> Option<Vec<String>> {
        let tokens = self.tokens.get(item.first..item.end)?;
        let string = |token: &Token| {
            let text = self.text(*token);
            literal::value(text)
        };
        match tokens {
            [only] => Some(vec![string(only)?]),
            [open, inner @ .., close] if open.kind == TokenKind::OpenSquare && close.kind == TokenKind::CloseSquare => {
                inner.iter().filter(|token| token.kind != TokenKind::Comma).map(string).collect()
            }
            _ => None,
        }
    }

    /// The elements of the list that opens with the token at `open`, up to the item at `count`: of each the words that may
    /// stand there, or nothing if that cannot be read.
    fn elements(&self, open: usize, count: usize) -> Vec<Option<Vec<String>>> {
        self.frame(open)
            .items
            .into_iter()
            .take(count)
            .filter(|item| item.end > item.first)
            .map(|item| self.words(item))
            .collect()
    }

    /// The content of the string that the place is in: what stands before the place, decoded, and its span.
    pub(super) fn string(&self) -> Option<(String, Span)> {
        let token = self.token.filter(|token| matches!(token.kind, TokenKind::String | TokenKind::UnclosedString))?;
        let text = self.text(token);
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        let start = text.find(['"', '\''])?;
        let quote = quotes.into_iter().find(|quotes| text.get(start..).is_some_and(|rest| rest.starts_with(quotes)))?;
        let content = token.span.start + u32::try_from(start + quote.len()).ok()?;
        let closed = token.kind == TokenKind::String;
        let end = if closed { token.span.end - u32::try_from(quote.len()).ok()? } else { self.offset };
        if self.offset < content || self.offset > end {
            return None;
        }
        let before = Span::new(token.span.start, self.offset).of(self.text);
        let before = literal::value(&format!("{before}{quote}"))?;
        Some((before, Span::new(content, end)))
    }
}

impl Frame {
    fn with_current(mut self, cursor: &Cursor<'_>) -> Self {
        let commas = |item: &Item| {
            let comma = cursor.tokens.get(item.end.max(item.first));
            comma.is_some_and(|comma| comma.kind == TokenKind::Comma && comma.span.start < cursor.offset)
        };
        self.current = self.items.iter().take_while(|item| commas(item)).count();
        self
    }
}

impl<'c> CallAt<'c> {
    /// The name of what is called.
    pub(super) fn name(&self) -> &'c str {
        self.frame.callee.map_or("", |callee| self.cursor.text(callee))
    }

    /// What the builtin takes that is called, if it is one.
    pub(super) fn signature(&self) -> Option<&'static Signature> {
        signatures().into_iter().find(|signature| signature.builtin == self.name())
    }

    /// The name of the keyword argument that an item gives.
    fn keyword(&self, item: Item) -> Option<Token> {
        let name = self.cursor.tokens.get(item.first).filter(|_| item.first < item.end)?;
        let equal = self.cursor.tokens.get(item.first + 1).filter(|_| item.first + 1 < item.end)?;
        (name.kind == TokenKind::Name && equal.kind == TokenKind::Equal).then_some(*name)
    }

    /// The place of the argument around the place among the arguments, and the keyword if it is given by one.
    pub(super) fn argument(&self) -> (usize, Option<&'c str>) {
        let item = self.frame.items.get(self.frame.current).copied().unwrap_or_default();
        let keyword = self.keyword(item);
        (self.frame.current, keyword.map(|name| self.cursor.text(name)))
    }

    /// How many arguments there are, one that is being typed included.
    pub(super) fn count(&self) -> usize {
        self.frame.items.len()
    }

    /// The string that is given as the argument at a place.
    pub(super) fn string(&self, place: usize) -> Option<String> {
        match self.cursor.tokens.get(self.frame.items.get(place)?.first..self.frame.items.get(place)?.end)? {
            [only] => literal::value(self.cursor.text(*only)),
            _ => None,
        }
    }

    /// The keyword arguments that are given.
    pub(super) fn keywords(&self) -> impl Iterator<Item = &'c str> {
        self.frame.items.iter().filter_map(|item| self.keyword(*item)).map(|name| self.cursor.text(name))
    }

    /// How many arguments are given by position, the one around the place not counted.
    pub(super) fn positional(&self) -> usize {
        let items = self.frame.items.iter().enumerate();
        let given = items.filter(|(place, item)| *place != self.frame.current && item.end > item.first);
        given.filter(|(_, item)| self.keyword(**item).is_none()).count()
    }

    /// Whether the place is where an argument begins, but for the word that is being typed.
    pub(super) fn begins_argument(&self) -> bool {
        let Some(item) = self.frame.items.get(self.frame.current).filter(|_| self.path.is_empty()) else {
            return false;
        };
        let first = self.cursor.tokens.get(item.first).filter(|_| item.first < item.end);
        first.is_none_or(|first| first.span.end >= self.cursor.offset)
    }

    /// The parameter of the builtin that the argument around the place is for.
    pub(super) fn parameter(&self) -> Option<&'static str> {
        let signature = self.signature()?;
        let named = |name: &str| signature.parameters.iter().copied().find(|parameter| *parameter == name);
        match self.argument() {
            (_, Some(keyword)) => named(keyword),
            (place, None) => {
                let parameters = signature.parameters.iter().enumerate();
                let mut by_place = parameters.filter(|(index, _)| signature.position(*index) == Some(place));
                by_place.next().map(|(_, parameter)| *parameter)
            }
        }
    }

    /// The elements of the list that is given for a parameter: of each the words that may stand there, or nothing if that
    /// cannot be read.
    pub(super) fn elements_of(&self, parameter: &str, position: usize) -> Vec<Option<Vec<String>>> {
        let named = self
            .frame
            .items
            .iter()
            .find(|item| self.keyword(**item).is_some_and(|name| self.cursor.text(name) == parameter));
        let placed = || self.frame.items.get(position).filter(|item| self.keyword(**item).is_none());
        let first = match named {
            Some(item) => Some(item.first + 2),
            None => placed().map(|item| item.first),
        };
        let opens = |place: &usize| self.cursor.tokens.get(*place).is_some_and(|it| it.kind == TokenKind::OpenSquare);
        first.filter(opens).map_or_else(Vec::new, |open| self.cursor.elements(open, usize::MAX))
    }

    /// The elements before the place, of the list that is `depth` lists deep in the argument; and the other words of the
    /// innermost list if the place is one deeper.
    pub(super) fn before(&self, depth: usize) -> (Vec<Option<Vec<String>>>, Vec<String>) {
        let position = self.cursor.frames.iter().position(|frame| std::ptr::eq(frame, self.frame)).unwrap_or_default();
        let Some(list) = self.cursor.frames.get(position + 1 + depth) else { return (Vec::new(), Vec::new()) };
        let inner = self.cursor.frames.get(position + 2 + depth);
        let others = inner.map_or_else(Vec::new, |inner| {
            let items = inner.items.iter().enumerate().filter(|(place, _)| *place != inner.current);
            items.filter_map(|(_, item)| self.cursor.words(*item)).flatten().collect()
        });
        (self.cursor.elements(list.open, list.current), others)
    }
}

#[cfg(test)]
mod tests {
    use super::Cursor;
    use crate::ide::fixture::fixture;

    /// The call, parameter and path at the cursor.
    fn at(text: &str) -> String {
        let fixture = fixture(text);
        let cursor = Cursor::new(&fixture.db, fixture.file, fixture.offset);
        let Some(call) = cursor.call() else { return "nothing".to_owned() };
        format!("{} {} {:?}", call.name(), call.parameter().unwrap_or("?"), call.path)
    }

    #[test]
    fn the_call_the_parameter_and_the_way_into_it_are_known_while_it_is_typed() {
        let cases = [
            ("prefix_rule(<cursor>", "prefix_rule pattern []"),
            ("prefix_rule([<cursor>", "prefix_rule pattern [0]"),
            ("prefix_rule([\"git\", [\"a\", \"<cursor>\nprefix_rule([])\n", "prefix_rule pattern [1, 1]"),
            ("prefix_rule([\"git\"], <cursor>)", "prefix_rule decision []"),
            ("x = 1\nprefix_rule(['git'],\n  match = ['a b', <cursor>],\n)", "prefix_rule match [1]"),
            ("prefix_rule(['a'], <cursor>, match = [])", "prefix_rule decision []"),
            ("prefix_rule(['a'], justification = 'x'<cursor>)", "prefix_rule justification []"),
            ("program('a', options = [option('-x', runs = '<cursor>')])", "option runs []"),
            ("def f(a, <cursor>", "nothing"),
            ("a.b(<cursor>", "nothing"),
            ("f()<cursor>", "nothing"),
            ("f(<cursor>)", "f ? []"),
            ("<cursor>", "nothing"),
        ];
        for (text, expected) in cases {
            assert_eq!(at(text), expected, "{text}");
        }
    }

    #[test]
    fn the_string_at_the_cursor_is_decoded_up_to_it() {
        for (text, expected) in [
            ("f('a b<cursor> c')", Some(("a b", "a b c"))),
            ("f(\"a<cursor>, 'b')\n", Some(("a", "a"))),
            ("f(r'\\n<cursor>')", Some(("\\n", "\\n"))),
            ("f('<cursor>')", Some(("", ""))),
            ("f(<cursor>'')", None),
            ("f(''<cursor>)", None),
        ] {
            let fixture = fixture(text);
            let cursor = Cursor::new(&fixture.db, fixture.file, fixture.offset);
            let string = cursor.string();
            let text = fixture.file.text(&fixture.db);
            let found = string.as_ref().map(|(before, span)| (before.as_str(), span.of(text)));
            assert_eq!(found, expected, "{text}");
        }
    }
}
