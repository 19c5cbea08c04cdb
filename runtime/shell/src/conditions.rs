//! `[[ … ]]`: it runs nothing itself, but its words may.

use alloc::string::String;
use alloc::vec::Vec;

use crate::ProblemKind;
use crate::atoms::{Atom, ends_token};
use crate::commands::Reserved;
use crate::parser::{Parsed, Parser};
use crate::words::Role;

/// What follows in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Close,
    And,
    Or,
    OpenParen,
    CloseParen,
    Less,
    Word,
}

impl<'t> Parser<'t> {
    /// A condition behind `[[`, and what closes it.
    pub(crate) fn condition(&mut self) -> Parsed {
        self.condition_list()?;
        if self.token()? != Token::Close {
            return self.stop_here(ProblemKind::Unexpected);
        }
        self.pos += 2;
        Ok(())
    }

    fn condition_list(&mut self) -> Parsed {
        loop {
            self.condition_term()?;
            self.newlines()?;
            match self.token()? {
                Token::And | Token::Or => self.pos += 2,
                _ => return Ok(()),
            }
        }
    }

    fn condition_term(&mut self) -> Parsed {
        self.newlines()?;
        while matches!(self.reserved(), Some((Reserved::Bang, _))) {
            self.pos += 1;
            self.newlines()?;
        }
        match self.token()? {
            Token::OpenParen => {
                self.pos += 1;
                self.deeper(Self::condition_list)?;
                self.newlines()?;
                if self.token()? != Token::CloseParen {
                    return self.stop_here(ProblemKind::Unexpected);
                }
                self.pos += 1;
                return Ok(());
            }
            Token::Word => {}
            _ => return self.stop_here(ProblemKind::Unexpected),
        }
        let start = self.pos;
        let first = self.condition_word()?;
        self.blanks();
        if is_unary(first) {
            if self.token()? != Token::Word {
                return self.stop_here(ProblemKind::Unexpected);
            }
            let operand = self.condition_word()?;
            return if matches!(first, "-v" | "-R") { self.evaluates_name(start, operand) } else { Ok(()) };
        }
        let mut calculates = false;
        match self.token()? {
            Token::Less => {
                self.pos += 1;
                self.no_continuation(self.pos)?;
            }
            Token::Word => {
                let operator = self.condition_word()?;
                match operator {
                    "=" | "==" | "!=" => {
                        self.blanks();
                        return self.pattern(false);
                    }
                    "=~" => {
                        self.blanks();
                        return self.pattern(true);
                    }
                    "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => calculates = true,
                    "-nt" | "-ot" | "-ef" => {}
                    _ => return self.stop_here(ProblemKind::Unexpected),
                }
            }
            _ => return Ok(()),
        }
        self.blanks();
        if self.token()? != Token::Word {
            return self.stop_here(ProblemKind::Unexpected);
        }
        let second = self.condition_word()?;
        if calculates {
            self.calculates_word(start, first)?;
            self.calculates_word(start, second)?;
        }
        Ok(())
    }

    /// A word that is evaluated as arithmetic. What stands for a number is one.
    fn calculates_word(&mut self, start: usize, word: &str) -> Parsed {
        let word = word.trim_matches('"');
        if word.starts_with("${#") || matches!(word, "$#" | "$?" | "$$" | "$!") {
            return Ok(());
        }
        if word.contains('`')
            || word.as_bytes().windows(2).any(|pair| matches!(pair, [b'$', b'0'..=b'9' | b'@' | b'*' | b'(']))
        {
            self.evaluates_unknown(start);
        }
        self.calculates(start, &unquoted(word))
    }

    /// A word that is the name of a variable, perhaps with a subscript that is arithmetic.
    fn evaluates_name(&mut self, start: usize, word: &str) -> Parsed {
        self.calculates = true;
        match unquoted(word).split_once('[') {
            Some((name, subscript)) => {
                if name.contains(['$', '`']) || subscript.contains('`') {
                    self.evaluates_unknown(start);
                }
                self.calculates(start, subscript.trim_end_matches(']'))
            }
            None if word.contains(['$', '`']) => self.calculates_word(start, word),
            None => Ok(()),
        }
    }

    /// One word, as written. Digits before a redirect operator are no word.
    fn condition_word(&mut self) -> Parsed<&'t str> {
        let start = self.pos;
        self.word(Role::Single)?;
        let word = self.slice(start..self.pos);
        if matches!(self.peek(), Some(b'<' | b'>' | b'(')) || word.contains("\\\n") {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        Ok(word)
    }

    /// A pattern or regular expression, in which parentheses belong to the word.
    fn pattern(&mut self, regular: bool) -> Parsed {
        if matches!(self.token()?, Token::Close | Token::And | Token::Or | Token::CloseParen | Token::Less) {
            return self.stop_here(ProblemKind::Unexpected);
        }
        let start = self.pos;
        let mut atoms: Vec<Atom<'t>> = Vec::new();
        let mut open = 0_usize;
        loop {
            self.atoms(&mut atoms)?;
            let extends = || {
                let before = self.pos.checked_sub(1).and_then(|before| self.bytes.get(before));
                regular || open > 0 || matches!(before, Some(b'?' | b'*' | b'+' | b'@' | b'!'))
            };
            match self.peek() {
                Some(b'(') if extends() => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b'|') if open > 0 || (regular && self.at(1) != Some(b'|')) => {}
                Some(b' ' | b'\t') if open > 0 => {}
                _ => break,
            }
            self.pos += 1;
        }
        let closed = matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b')' | b'&' | b'|'));
        if open > 0 || self.pos == start || !closed {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        Ok(())
    }

    fn token(&mut self) -> Parsed<Token> {
        self.blanks();
        Ok(match (self.peek(), self.at(1)) {
            (Some(b']'), Some(b']')) if ends_token(self.at(2)) => Token::Close,
            (Some(b'&'), Some(b'&')) => Token::And,
            (Some(b'|'), Some(b'|')) => Token::Or,
            (Some(b'('), _) => Token::OpenParen,
            (Some(b')'), _) => Token::CloseParen,
            (Some(b'<' | b'>'), Some(b' ' | b'\t')) => Token::Less,
            (Some(b'<' | b'>'), Some(b'(')) => Token::Word,
            (None, _) => return self.stop_here(ProblemKind::UnclosedCommand),
            (Some(b'#' | b'<' | b'>' | b'&' | b'|' | b';' | b'\n'), _) => {
                return self.stop_here(ProblemKind::Unexpected);
            }
            _ => Token::Word,
        })
    }
}

/// A word as arithmetic, roughly: names next to expansions stay what they are.
fn unquoted(word: &str) -> String {
    word.chars().filter(|character| !matches!(character, '"' | '\'' | '\\' | '{' | '}')).collect()
}

/// Whether it takes one operand, which follows.
fn is_unary(word: &str) -> bool {
    match word.as_bytes() {
        [b'-', letter] => b"abcdefghknoprstuvwxzGLNORS".contains(letter),
        _ => false,
    }
}
