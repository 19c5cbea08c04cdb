//! The `load` statements of a file, however broken the rest of it is.

use super::literal;
use super::token::{Token, TokenKind};
use crate::source::Span;

/// A `load` statement's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The path, as the string literal means it.
    pub path: String,
    /// The string literal, quotes included.
    pub span: Span,
}

/// Reads tokens one by one and keeps the loads: they stand at the start of a line, outside every bracket.
pub(super) struct LoadScan<'t> {
    text: &'t str,
    brackets: u32,
    state: State,
    loads: Vec<Load>,
}

#[derive(PartialEq, Eq)]
enum State {
    LineStart,
    Load,
    Path,
    Elsewhere,
}

impl<'t> LoadScan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, brackets: 0, state: State::LineStart, loads: Vec::new() }
    }

    pub(super) fn read(&mut self, token: Token) {
        if token.kind.opens() {
            self.brackets += 1;
        } else if token.kind.closes() {
            self.brackets = self.brackets.saturating_sub(1);
        }
        self.state = match (token.kind, &self.state) {
            (TokenKind::Newline | TokenKind::Semicolon, _) if self.brackets == 0 => State::LineStart,
            (TokenKind::Load, State::LineStart) => State::Load,
            (TokenKind::OpenRound, State::Load) => State::Path,
            (TokenKind::String, State::Path) => {
                if let Some(path) = literal::value(token.span.of(self.text)) {
                    self.loads.push(Load { path, span: token.span });
                }
                State::Elsewhere
            }
            (TokenKind::Newline | TokenKind::Comment | TokenKind::Blank, _) => return,
            _ => State::Elsewhere,
        };
    }

    pub(super) fn finish(self) -> Vec<Load> {
        self.loads
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::Outline;

    #[test]
    fn loads_are_found_in_broken_files() {
        let text = "x = (\n load('no.rules', 'a')\n)\nload(\n  # why\n  \"./a.rules\", \"A\")\ny = ]\nload('../b.rules')\nf(load('no'))\n";
        let paths: Vec<_> = Outline::of(text).loads.into_iter().map(|load| (load.path, load.span.of(text))).collect();
        assert_eq!(paths, [("./a.rules".to_owned(), "\"./a.rules\""), ("../b.rules".to_owned(), "'../b.rules'")]);
    }
}
