//! A file cut into its top-level statements, however broken some of them are.

use super::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// A top-level statement, from its first token to the start of the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its text.
    pub span: Span,
    /// What is wrong with its tokens, if they can't be a statement.
    pub fault: Option<Fault>,
}

/// Something that is wrong with tokens alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The token that is wrong.
    pub span: Span,
}

/// What is wrong with a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A bracket that nothing closes.
    Unclosed,
    /// A bracket that closes nothing.
    Unopened,
    /// A bracket that closes one of another kind, which stands here.
    Mismatched(Span),
    /// A string that nothing closes.
    UnclosedString,
}

/// How often the rest of a text is read to see whether a bracket closes somewhere; it keeps the time linear.
const MOST_LOOKAHEADS: u32 = 20;

/// The top-level statements of `text`. Where a bracket is never closed, the next line that looks like a new statement is taken for
/// one, so that one mistake hides no other.
#[must_use]
pub fn statements(text: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut start = 0;
    let mut recoveries = 0;
    while start < text.len() {
        let rest = text.get(start..).unwrap_or_default();
        let (mut statement, balanced) = first(rest, recoveries > MOST_LOOKAHEADS);
        if !balanced && recoveries <= MOST_LOOKAHEADS {
            recoveries += 1;
            statement = first(rest, true).0;
        }
        let base = u32::try_from(start).unwrap_or(u32::MAX);
        start += (statement.span.end as usize).max(1);
        statements.push(Statement {
            span: statement.span.shifted(base),
            fault: statement.fault.map(|fault| fault.shifted(base)),
        });
    }
    statements
}

impl Fault {
    fn shifted(self, base: u32) -> Self {
        Self {
            span: self.span.shifted(base),
            kind: match self.kind {
                FaultKind::Mismatched(open) => FaultKind::Mismatched(open.shifted(base)),
                kind => kind,
            },
        }
    }
}

/// The first statement of `text`, and whether its brackets are pairs; in a `recovering` pass a bracket ends where a line begins like a
/// statement.
fn first(text: &str, recovering: bool) -> (Statement, bool) {
    let mut open: Vec<Token> = Vec::new();
    let mut fault = None;
    let mut balanced = true;
    let mut fresh_line = true;
    let mut content = false;
    let mut end = text.len();
    let mut stream = tokens(text).peekable();
    while let Some(token) = stream.next() {
        let first_of_line = std::mem::replace(&mut fresh_line, token.kind == TokenKind::Newline);
        let continues = token.kind.is_trivia() || matches!(token.kind, TokenKind::Elif | TokenKind::Else);
        if first_of_line && content && !continues {
            let follower = stream.peek().map(|token| token.kind);
            if open.is_empty() || recovering && begins(token.kind, follower) {
                end = token.span.start as usize;
                break;
            }
        }
        content |= !token.kind.is_trivia();
        if token.kind.opens() {
            open.push(token);
        } else if token.kind.closes() {
            balanced &= close(&mut open, token, &mut fault);
        } else if token.kind == TokenKind::UnclosedString {
            fault = fault.or(Some((FaultKind::UnclosedString, token.span)));
        }
    }
    if let Some(opener) = open.pop() {
        balanced = false;
        fault = fault.or(Some((FaultKind::Unclosed, opener.span)));
    }
    let fault = fault.map(|(kind, span)| Fault { kind, span });
    (Statement { span: Span::from(0..end), fault }, balanced)
}

/// Closes a bracket, and those inside it that were forgotten. Says whether none was.
fn close(open: &mut Vec<Token>, token: Token, fault: &mut Option<(FaultKind, Span)>) -> bool {
    match (open.last().copied(), open.iter().rposition(|opener| pair(opener.kind, token.kind))) {
        (Some(opener), Some(partner)) if partner + 1 < open.len() => {
            open.truncate(partner);
            fault.get_or_insert((FaultKind::Mismatched(opener.span), token.span));
            false
        }
        (_, Some(partner)) => {
            open.truncate(partner);
            true
        }
        (Some(opener), None) => {
            open.pop();
            fault.get_or_insert((FaultKind::Mismatched(opener.span), token.span));
            false
        }
        (None, None) => {
            fault.get_or_insert((FaultKind::Unopened, token.span));
            true
        }
    }
}

fn pair(open: TokenKind, close: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        (open, close),
        (T::OpenRound, T::CloseRound)
            | (T::OpenSquare, T::CloseSquare)
            | (T::OpenCurly, T::CloseCurly)
            | (T::FStringOpen, T::FStringClose)
    )
}

/// Whether a line that starts with these tokens, in its first column, looks like a statement of its own.
fn begins(token: TokenKind, follower: Option<TokenKind>) -> bool {
    match token {
        TokenKind::Def | TokenKind::For | TokenKind::If | TokenKind::Load => true,
        TokenKind::Name => matches!(follower, Some(TokenKind::OpenRound)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultKind, statements};

    #[test]
    fn an_unclosed_bracket_ends_before_the_next_statement() {
        let text = "# a\nx = [\n\"a\",\n]\nrule(a,\n\nrule(b)\nif c:\n  d\nelse:\n  e\nf(]\n";
        let found: Vec<_> = statements(text)
            .into_iter()
            .map(|statement| (statement.span.of(text), statement.fault.map(|fault| (fault.kind, fault.span.of(text)))))
            .collect();
        let mismatched = found.last().unwrap().1.unwrap();
        assert!(matches!(mismatched, (FaultKind::Mismatched(_), "]")));
        assert_eq!(
            found[..4],
            [
                ("# a\nx = [\n\"a\",\n]\n", None),
                ("rule(a,\n\n", Some((FaultKind::Unclosed, "("))),
                ("rule(b)\n", None),
                ("if c:\n  d\nelse:\n  e\n", None),
            ]
        );
    }

    #[test]
    fn strings_must_close() {
        let text = "x = 'a\ny = \"\"\"b\n";
        let faults: Vec<_> = statements(text).into_iter().map(|statement| statement.fault.unwrap()).collect();
        assert!(faults.iter().all(|fault| fault.kind == FaultKind::UnclosedString));
        assert_eq!(faults[1].span.of(text), "\"\"\"b\n");
    }
}
