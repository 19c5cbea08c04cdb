//! What a text must not hold, found in its tokens: reading or running it would break the evaluator before any of its own
//! bounds could answer.

use super::token::{Token, TokenKind};
use crate::source::Span;

/// How many bytes a policy file may have.
pub const LARGEST_FILE: usize = 16 << 20;

/// How deep expressions and statements may nest, counting every operator of a chain as a level, as the evaluator does.
pub const DEEPEST_NESTING: u32 = 1_000;

/// How many bytes a repeated string or list may take.
pub const LARGEST_SEQUENCE: u64 = 128 << 20;

/// How many numbers of a `range` may be copied at once.
pub const LONGEST_RANGE: u64 = 1 << 24;

/// What a repeated list takes for each item.
const ITEM_BYTES: u64 = 8;

/// Something that a text holds too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// What there is too much of.
    pub kind: ExcessKind,
    /// Where the bound is crossed.
    pub span: Span,
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExcessKind {
    /// The file has more than [`LARGEST_FILE`] bytes: this many.
    File(usize),
    /// Nested deeper than [`DEEPEST_NESTING`].
    Nesting,
    /// A repetition makes more than [`LARGEST_SEQUENCE`] bytes: this many.
    Sequence(u64),
    /// More than [`LONGEST_RANGE`] numbers are copied at once: this many.
    Range(u64),
}

/// Reads tokens one by one and remembers the first excess.
pub(super) struct Guard<'t> {
    text: &'t str,
    frames: Vec<Frame>,
    blocks: Vec<Block>,
    /// The levels of all frames and blocks together.
    depth: u32,
    line_start: u32,
    fresh_line: bool,
    /// The last two significant tokens.
    previous: [Option<Token>; 2],
    excess: Option<Excess>,
}

/// An open bracket; the first one is the statement itself.
#[derive(Default)]
struct Frame {
    callee: Callee,
    /// The operators since the last separator: each may be one level deeper than the one before.
    chain: u32,
    /// Commas up to the `:` of a lambda, and up to the `in` of a `for`, separate nothing.
    pending: u32,
    commas: u64,
    comprehension: bool,
    term: Term,
    range: Range,
    start: u32,
}

/// What stands before an opening bracket.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Callee {
    #[default]
    Nothing,
    Range,
    /// A function that copies all of its argument.
    Copying,
    Other,
}

/// A product that is being read.
#[derive(Clone, Copy, Default)]
struct Term {
    size: u64,
    sequence: bool,
    start: u32,
    multiplied: bool,
}

/// The arguments of a `range` that is being read, as long as they are plain numbers.
#[derive(Clone, Copy, Default)]
struct Range {
    numbers: [i128; 3],
    count: usize,
    negative: bool,
    unknown: bool,
}

impl Range {
    fn length(self) -> Option<u64> {
        let [first, second, step] = self.numbers;
        let (start, stop, step) = match self.count {
            1 => (0, first, 1),
            2 => (first, second, 1),
            3 => (first, second, step),
            _ => return None,
        };
        if self.unknown || step == 0 {
            return None;
        }
        let length = (stop - start).checked_div(step)?.max(0);
        Some(u64::try_from(length).unwrap_or(u64::MAX))
    }
}

/// An indented block.
struct Block {
    indent: u32,
    /// Each `elif` of a chain is one level deeper than the one before.
    elifs: u32,
}

impl<'t> Guard<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            frames: vec![Frame::default()],
            blocks: vec![Block { indent: 0, elifs: 0 }],
            depth: 0,
            line_start: 0,
            fresh_line: true,
            previous: [None, None],
            excess: None,
        }
    }

    pub(super) fn excess(&self) -> Option<Excess> {
        self.excess
    }

    /// Takes the next token; the tokens after an excess no longer matter.
    pub(super) fn read(&mut self, token: Token) {
        if self.excess.is_some() {
            return;
        }
        if token.kind == TokenKind::Newline && self.frames.len() == 1 {
            self.separate();
            self.fresh_line = true;
            self.line_start = token.span.end;
        }
        if token.kind.is_trivia() {
            return;
        }
        if self.fresh_line {
            self.fresh_line = false;
            self.indent(token);
        }
        self.significant(token);
        self.previous = [Some(token), self.previous[0]];
        if self.excess.is_none() && self.depth > DEEPEST_NESTING {
            self.exceed(ExcessKind::Nesting, token.span);
        }
    }

    fn significant(&mut self, token: Token) {
        use TokenKind as T;
        self.count_range(token);
        match token.kind {
            T::Lambda | T::For => {
                self.deepen();
                let frame = self.frame();
                frame.pending += 1;
                frame.comprehension |= token.kind == T::For;
                frame.term = Term::default();
            }
            T::In => {
                self.deepen();
                let frame = self.frame();
                frame.pending = frame.pending.saturating_sub(1);
                frame.term = Term::default();
            }
            T::Colon => {
                let frame = self.frame();
                frame.pending = frame.pending.saturating_sub(1);
                frame.term = Term::default();
            }
            T::And | T::Or | T::Not | T::If | T::Else | T::Dot | T::StarStar | T::Minus | T::Operator => {
                self.deepen();
                self.frame().term = Term::default();
            }
            T::Star => {
                self.deepen();
                self.frame().term.multiplied = true;
            }
            T::Comma => {
                let frame = self.frame();
                frame.commas += 1;
                if frame.pending == 0 {
                    self.separate();
                }
            }
            T::Semicolon => self.separate(),
            T::Int => self.operand(number(token.span.of(self.text)), false, token.span),
            T::String => self.operand(u64::from(token.span.end - token.span.start), true, token.span),
            kind if kind.opens() => self.open(token),
            kind if kind.closes() => self.close(token),
            T::Name | T::Float | T::FStringStart => self.operand(1, false, token.span),
            _ => {}
        }
    }

    fn open(&mut self, token: Token) {
        let [last, before] = self.previous;
        let callee = match last {
            Some(Token { kind: TokenKind::Name, span }) => match span.of(self.text) {
                "range" => Callee::Range,
                "list" | "tuple" | "sorted" | "reversed" | "enumerate" | "zip" | "dict" | "any" | "all" | "max"
                | "min" | "extend" | "join" => Callee::Copying,
                _ => Callee::Other,
            },
            Some(Token {
                kind:
                    TokenKind::String
                    | TokenKind::FStringEnd
                    | TokenKind::CloseRound
                    | TokenKind::CloseSquare
                    | TokenKind::CloseCurly,
                ..
            }) => Callee::Other,
            _ => Callee::Nothing,
        };
        if callee != Callee::Nothing {
            self.deepen();
        }
        let argument = before.is_none_or(|token| {
            token.kind.opens() || matches!(token.kind, TokenKind::Comma | TokenKind::Star | TokenKind::Equal)
        });
        let copied = argument && self.frame().callee == Callee::Copying;
        self.depth += 1;
        self.frames.push(Frame {
            callee,
            start: match last {
                Some(name) if callee == Callee::Range && copied => name.span.start,
                _ => token.span.start,
            },
            range: Range { unknown: !copied, ..Range::default() },
            ..Frame::default()
        });
    }

    fn close(&mut self, token: Token) {
        if self.frames.len() == 1 {
            return;
        }
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.depth -= 1 + frame.chain;
        let span = Span::new(frame.start, token.span.end);
        if frame.callee == Callee::Range
            && let Some(length) = frame.range.length()
            && length > LONGEST_RANGE
        {
            self.exceed(ExcessKind::Range(length), span);
        }
        let display = frame.callee == Callee::Nothing && !frame.comprehension;
        match token.kind {
            TokenKind::CloseSquare if display => {
                let empty = self.previous[0].is_some_and(|token| token.kind == TokenKind::OpenSquare);
                let items = if empty { 0 } else { frame.commas + 1 };
                self.operand(items * ITEM_BYTES, true, span);
            }
            TokenKind::CloseRound if display && frame.commas == 0 => {
                self.operand(frame.term.size, frame.term.sequence, span);
            }
            _ => self.frame().term.multiplied = false,
        }
    }

    /// One level more, until the next separator.
    fn deepen(&mut self) {
        self.depth += 1;
        self.frame().chain += 1;
    }

    fn separate(&mut self) {
        let frame = self.frame();
        let chain = std::mem::take(&mut frame.chain);
        frame.term = Term::default();
        frame.pending = 0;
        self.depth -= chain;
    }

    /// The innermost bracket.
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the frame of the statement itself is never popped")
    }

    fn operand(&mut self, size: u64, sequence: bool, span: Span) {
        let term = &mut self.frame().term;
        *term = if std::mem::take(&mut term.multiplied) {
            Term { size: term.size.saturating_mul(size), sequence: term.sequence || sequence, ..*term }
        } else {
            Term { size, sequence, start: span.start, multiplied: false }
        };
        let term = *term;
        if term.sequence && term.size > LARGEST_SEQUENCE {
            self.exceed(ExcessKind::Sequence(term.size), Span::new(term.start, span.end));
        }
    }

    fn count_range(&mut self, token: Token) {
        let text = self.text;
        let frame = self.frame();
        if frame.callee != Callee::Range || frame.range.unknown {
            return;
        }
        let range = &mut frame.range;
        match token.kind {
            TokenKind::Minus => range.negative = !range.negative,
            TokenKind::Comma | TokenKind::CloseRound => range.negative = false,
            TokenKind::Int => {
                let number = i128::from(number(token.span.of(text)));
                let number = if range.negative { -number } else { number };
                match range.numbers.get_mut(range.count) {
                    Some(slot) => *slot = number,
                    None => range.unknown = true,
                }
                range.count += 1;
            }
            _ => range.unknown = true,
        }
    }

    fn indent(&mut self, token: Token) {
        let indent = token.span.start - self.line_start;
        while let Some(block) = self.blocks.pop_if(|block| block.indent > indent) {
            self.depth -= 1 + block.elifs;
        }
        match self.blocks.last_mut() {
            Some(block) if block.indent == indent => match token.kind {
                TokenKind::Elif => {
                    block.elifs += 1;
                    self.depth += 1;
                }
                TokenKind::Else => {}
                _ => self.depth -= std::mem::take(&mut block.elifs),
            },
            _ => {
                self.blocks.push(Block { indent, elifs: 0 });
                self.depth += 1;
            }
        }
    }

    fn exceed(&mut self, kind: ExcessKind, span: Span) {
        self.excess.get_or_insert(Excess { kind, span });
    }
}

/// The value of a whole number's text; what does not fit is as large as can be.
fn number(text: &str) -> u64 {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (text.get(2..), 16),
        [b'0', b'o' | b'O', ..] => (text.get(2..), 8),
        [b'0', b'b' | b'B', ..] => (text.get(2..), 2),
        _ => (Some(text), 10),
    };
    u64::from_str_radix(digits.unwrap_or_default(), radix).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST_NESTING, ExcessKind, Guard};
    use crate::syntax::token::tokens;

    fn excess(text: &str) -> Option<(ExcessKind, &str)> {
        let mut guard = Guard::new(text);
        tokens(text).for_each(|token| guard.read(token));
        guard.excess().map(|excess| (excess.kind, excess.span.of(text)))
    }

    #[test]
    fn every_kind_of_nesting_counts() {
        let n = DEEPEST_NESTING as usize + 1;
        for text in [
            format!("x = {}", "[".repeat(n)),
            format!("x = 1{}", " + 1".repeat(n)),
            format!("x = {}1", "not ".repeat(n)),
            format!("x = f{}", "()".repeat(n)),
            format!("x = {}1", "lambda a, b: ".repeat(n)),
            format!("x = [1 {}]", "for a, b in c ".repeat(n)),
            format!("x = a{}", ".b".repeat(n)),
            format!("if a:\n  b\n{}", "elif a:\n  b\n".repeat(n)),
            (0..=n).map(|i| format!("{}if a:\n", " ".repeat(i))).collect(),
            "f\"{".repeat(n),
        ] {
            assert!(matches!(excess(&text), Some((ExcessKind::Nesting, _))), "{text:.40}");
        }
    }

    #[test]
    fn length_is_not_depth() {
        let n = 3 * DEEPEST_NESTING as usize;
        for text in [
            format!("x = [{}]", "f(a + 1), ".repeat(n)),
            format!("x = [{}]", "lambda a, b: [1 for a, b in c], ".repeat(n)),
            "if a:\n  b\nelif c:\n  d\nelse:\n  e\n".repeat(n),
            "x = a + b\n".repeat(n),
            "a; ".repeat(n),
        ] {
            assert_eq!(excess(&text), None, "{text:.40}");
        }
    }

    #[test]
    fn values_that_fill_the_memory_are_seen() {
        let seen = |text, part| assert_eq!(excess(text).map(|(_, part)| part), Some(part));
        seen("x = 'a' * 2000000000", "'a' * 2000000000");
        seen("x = 1000 * [0] * 1000 * 1000", "1000 * [0] * 1000 * 1000");
        seen("x = ('ab' * 100000) * 100000", "('ab' * 100000) * 100000");
        seen("x = list(range(200000000))", "range(200000000)");
        seen("f(','.join(range(0, 0x7fffffff)))", "range(0, 0x7fffffff)");
        for text in [
            "for i in range(2000000000): pass",
            "x = 2000000000 * 2",
            "x = ['a' * 100, 'b' * 1000000]",
            "x = list(range(1000))",
            "x = list(range(5, -5, -1))",
            "x = '%s' % 2000000000",
        ] {
            assert_eq!(excess(text), None, "{text}");
        }
    }
}
