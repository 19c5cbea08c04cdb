//! What the grammar reads from and writes to: significant tokens in, events out.

use std::ops::Range;

use super::kinds::NodeKind;
use crate::syntax::statements::statements;
use crate::syntax::token::{Token, TokenKind, tokens};

/// How deep what the parser reads may nest. What is deeper becomes [`NodeKind::Error`], so that neither reading a tree nor letting
/// it go can exhaust a thread's stack.
pub const DEEPEST_TREE: u32 = 256;

/// A step of building a tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A node begins; nothing if it was given up. Its parent may begin later, so many events after it.
    Start { kind: Option<NodeKind>, parent: Option<usize> },
    /// The next significant token.
    Token,
    /// A block ends: comments up to the next statement are its own if they stand as far to the right as this column.
    BlockEnd(u32),
    /// A node ends.
    Finish,
}

/// A node that is being read.
pub(super) struct Open(usize);

/// A node that was read.
#[derive(Clone, Copy)]
pub(super) struct Closed(usize);

/// A token of the text, and what the grammar must know of its place.
#[derive(Clone, Copy)]
struct Significant {
    /// Nothing where a top-level statement ends.
    kind: Option<TokenKind>,
    /// Its place among all tokens.
    index: usize,
    /// The bytes of its line before it.
    column: u32,
}

/// Reads significant tokens one after the other.
pub(super) struct Parser<'t> {
    text: &'t str,
    pub(super) tokens: Vec<Token>,
    significant: Vec<Significant>,
    at: usize,
    events: Vec<Event>,
    /// Brackets that are open; ends of lines mean nothing in them.
    brackets: u32,
    /// How many of each closing bracket are awaited.
    awaited: [u32; 4],
    depth: u32,
}

impl<'t> Parser<'t> {
    /// A parser of `text`, whose top-level statements end where [`statements`] says: a bracket that is never closed hides no other.
    pub(super) fn new(text: &'t str) -> Self {
        let mut all: Vec<Token> = Vec::new();
        let mut significant: Vec<Significant> = Vec::new();
        for statement in statements(text) {
            let mut line = 0;
            // Where a line that begins with a backslash stands, the next one's text does.
            let mut joined = None;
            for token in tokens(statement.span.of(text)) {
                let index = all.len();
                let column = joined.unwrap_or(token.span.start - line);
                if token.kind == TokenKind::Blank && token.span.start == line {
                    let blank = token.span.shifted(statement.span.start).of(text);
                    joined = blank.find('\\').and_then(|place| u32::try_from(place).ok());
                } else {
                    joined = None;
                }
                if token.kind == TokenKind::Newline || !token.kind.is_trivia() {
                    significant.push(Significant { kind: Some(token.kind), index, column });
                }
                if token.kind == TokenKind::Newline {
                    line = token.span.end;
                }
                all.push(Token { kind: token.kind, span: token.span.shifted(statement.span.start) });
            }
            significant.push(Significant { kind: None, index: all.len(), column: 0 });
        }
        // A run of ends of lines says no more than one, and would be passed over again and again.
        significant
            .dedup_by_key(|token| (token.kind, if token.kind == Some(TokenKind::Newline) { 0 } else { token.index }));
        Self { text, tokens: all, significant, at: 0, events: Vec::new(), brackets: 0, awaited: [0; 4], depth: 0 }
    }

    pub(super) fn finish(self) -> (Vec<Token>, Vec<usize>, Vec<Event>) {
        let real = |token: &Significant| !matches!(token.kind, None | Some(TokenKind::Newline));
        let places = self.significant.iter().filter(|token| real(token)).map(|token| token.index).collect();
        (self.tokens, places, self.events)
    }

    /// The place of the next token, or of the end of the statement, in the list of significant ones.
    fn place(&self, ahead: usize) -> usize {
        let mut place = self.at;
        let mut ahead = ahead;
        loop {
            match self.significant.get(place).map(|token| token.kind) {
                Some(Some(TokenKind::Newline)) if self.brackets > 0 => place += 1,
                Some(Some(_)) if ahead > 0 => {
                    place += 1;
                    ahead -= 1;
                }
                _ => return place,
            }
        }
    }

    /// The kind of the next token; nothing at the end of a top-level statement.
    pub(super) fn peek(&self) -> Option<TokenKind> {
        self.nth(0)
    }

    /// The kind of the token after `ahead` others.
    pub(super) fn nth(&self, ahead: usize) -> Option<TokenKind> {
        self.significant.get(self.place(ahead)).and_then(|token| token.kind)
    }

    /// The text of the next token.
    pub(super) fn text(&self) -> &'t str {
        let token = self.significant.get(self.place(0)).filter(|token| token.kind.is_some());
        token.and_then(|token| self.tokens.get(token.index)).map_or("", |token| token.span.of(self.text))
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.peek() == Some(kind)
    }

    /// Whether the next token is the operator or word `text`.
    pub(super) fn at_text(&self, text: &str) -> bool {
        self.text() == text
    }

    /// The column of the next token.
    pub(super) fn column(&self) -> u32 {
        self.significant.get(self.place(0)).map_or(0, |token| token.column)
    }

    /// The column of the first token in the next line, where this one ends.
    pub(super) fn next_column(&self) -> u32 {
        self.significant.get(self.place(1)).map_or(0, |token| token.column)
    }

    /// Takes the next token into the tree.
    pub(super) fn bump(&mut self) {
        let place = self.place(0);
        let Some(kind) = self.significant.get(place).and_then(|token| token.kind) else { return };
        self.at = place + 1;
        if kind != TokenKind::Newline {
            self.events.push(Event::Token);
        }
    }

    /// Takes the next token if it is of this kind.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Goes on to the next top-level statement; says whether there is one.
    pub(super) fn next_statement(&mut self) -> bool {
        self.at += 1;
        self.at < self.significant.len()
    }

    /// Takes an opening bracket, after which ends of lines mean nothing.
    pub(super) fn open(&mut self, closer: TokenKind) {
        self.bump();
        self.brackets += 1;
        if let Some(count) = bracket(closer).and_then(|index| self.awaited.get_mut(index)) {
            *count += 1;
        }
    }

    /// Takes the closing bracket if it is there.
    pub(super) fn close(&mut self, closer: TokenKind) {
        let found = self.at(closer);
        if let Some(count) = bracket(closer).and_then(|index| self.awaited.get_mut(index)) {
            *count = count.saturating_sub(1);
        }
        if found {
            let place = self.place(0);
            self.at = place + 1;
            self.events.push(Event::Token);
        }
        self.brackets = self.brackets.saturating_sub(1);
    }

    /// Whether a bracket that is open waits for the next token.
    pub(super) fn is_awaited(&self) -> bool {
        let index = self.peek().and_then(bracket);
        index.and_then(|index| self.awaited.get(index)).is_some_and(|&count| count > 0)
    }

    pub(super) fn start(&mut self) -> Open {
        self.events.push(Event::Start { kind: None, parent: None });
        Open(self.events.len() - 1)
    }

    pub(super) fn complete(&mut self, open: Open, kind: NodeKind) -> Closed {
        self.set_kind(open.0, kind);
        self.events.push(Event::Finish);
        Closed(open.0)
    }

    /// Lets a node go that turned out to be none; what was read since stays.
    pub(super) fn abandon(&mut self, open: Open) {
        if open.0 + 1 == self.events.len() {
            self.events.pop();
        } else {
            self.events.push(Event::Finish);
        }
    }

    /// Ends a block that stands at `column`.
    pub(super) fn block_end(&mut self, column: u32) {
        self.events.push(Event::BlockEnd(column));
    }

    /// Begins a node whose first child is `child`.
    pub(super) fn precede(&mut self, child: Closed) -> Open {
        let open = self.start();
        if let Some(Event::Start { parent, .. }) = self.events.get_mut(child.0) {
            *parent = Some(open.0);
        }
        open
    }

    fn set_kind(&mut self, index: usize, kind: NodeKind) {
        if let Some(Event::Start { kind: slot, .. }) = self.events.get_mut(index) {
            *slot = Some(kind);
        }
    }

    fn kind(&self, index: usize) -> Option<NodeKind> {
        match self.events.get(index) {
            Some(&Event::Start { kind, .. }) => kind,
            _ => None,
        }
    }

    /// Where the next node would begin.
    pub(super) fn mark(&self) -> usize {
        self.events.len()
    }

    /// Makes the names that the expression in `read`, between two marks, assigns to defining ones.
    pub(super) fn bind(&mut self, read: Range<usize>) {
        use NodeKind::{List, Name, NameRef, Paren, Tuple};
        let mut others = 0_u32;
        for index in read {
            match self.events.get(index) {
                Some(&Event::Start { kind: Some(kind), parent }) => {
                    let parent = parent.and_then(|parent| self.kind(parent));
                    let target = others == 0 && matches!(parent, None | Some(Tuple));
                    if target && kind == NameRef {
                        self.set_kind(index, Name);
                    }
                    others += u32::from(!target || !matches!(kind, Tuple | List | Paren));
                }
                Some(Event::Finish) => others = others.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Goes one level deeper; says no where that is too deep.
    pub(super) fn descend(&mut self) -> bool {
        self.depth += 1;
        self.depth <= DEEPEST_TREE
    }

    pub(super) fn ascend(&mut self, levels: u32) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// Takes the next token, and what it brackets, as an error.
    pub(super) fn error(&mut self) -> Closed {
        let error = self.start();
        self.balanced();
        self.complete(error, NodeKind::Error)
    }

    /// Takes what is left of the line as an error.
    pub(super) fn error_line(&mut self) {
        let error = self.start();
        while !matches!(self.peek(), None | Some(TokenKind::Newline)) {
            self.balanced();
        }
        self.complete(error, NodeKind::Error);
    }

    /// Takes the next token, and if it opens a bracket, all up to where that closes.
    fn balanced(&mut self) {
        let outer = self.brackets;
        while let Some(kind) = self.peek() {
            self.bump();
            if kind.opens() {
                self.brackets += 1;
            } else if kind.closes() && self.brackets > outer {
                self.brackets -= 1;
            }
            if self.brackets <= outer {
                break;
            }
        }
        self.brackets = outer;
    }
}

fn bracket(closer: TokenKind) -> Option<usize> {
    match closer {
        TokenKind::CloseRound => Some(0),
        TokenKind::CloseSquare => Some(1),
        TokenKind::CloseCurly => Some(2),
        TokenKind::FStringClose => Some(3),
        _ => None,
    }
}
