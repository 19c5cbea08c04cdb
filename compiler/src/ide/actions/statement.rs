//! Statements and calls around a place.

use super::Here;
use crate::source::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Call, Expression, ExpressionStatement, NodeKind, Statement, SyntaxNode, SyntaxToken, span};

impl Here<'_> {
    /// The node of the whole file.
    pub(super) fn root(self) -> SyntaxNode {
        tree(self.db, self.file).root()
    }

    /// The tokens that touch the start of what is asked about: one, or two between which it is.
    pub(super) fn touched(self) -> impl Iterator<Item = SyntaxToken> {
        let offset = self.span.start;
        let end = u32::try_from(self.text().len()).unwrap_or(u32::MAX);
        (offset <= end).then(|| self.root().token_at_offset(offset.into())).into_iter().flatten()
    }

    /// The top-level statements that what is asked about has a part of.
    pub(super) fn statements(self) -> Vec<Statement> {
        let all = tree(self.db, self.file).file().statements();
        all.filter(|statement| super::meets(span(statement), self.span)).collect()
    }

    /// The start of the line on which the top-level statement around what is asked about begins, if no other shares it.
    pub(super) fn line_of_statement(self) -> Option<u32> {
        let statement = span(self.statements().first()?);
        let before = self.text().get(..statement.start as usize)?;
        (before.is_empty() || before.ends_with('\n')).then_some(statement.start)
    }
}

/// The call that is all of a statement, if it calls `builtin`.
pub(super) fn call_of(statement: &Statement, builtin: &str) -> Option<Call> {
    let Statement::ExpressionStatement(statement) = statement else { return None };
    match ExpressionStatement::expression(statement)? {
        Expression::Call(call) => (call.callee_name()?.text() == builtin).then_some(call),
        _ => None,
    }
}

/// What a string literal stands for.
pub(super) fn string(value: &Expression) -> Option<String> {
    match value {
        Expression::Literal(literal) => literal.string(),
        _ => None,
    }
}

/// The string literals that a value is, alone or as a list.
pub(super) fn strings(value: &Expression) -> Option<Vec<String>> {
    match value {
        Expression::List(list) => list.items().map(|item| string(&item)).collect(),
        value => string(value).map(|word| vec![word]),
    }
}

/// The words of an example: text, or a list.
pub(super) fn example(value: &Expression) -> Option<Vec<String>> {
    match value {
        Expression::List(list) => list.items().map(|item| string(&item)).collect(),
        value => shlex::split(&string(value)?),
    }
}

/// Whether a comment stands somewhere in a node.
pub(super) fn has_comment(node: &SyntaxNode) -> bool {
    let mut tokens = node.descendants_with_tokens().filter_map(|element| element.into_token());
    tokens.any(|token| token.kind() == crate::syntax::token::TokenKind::Comment)
}

/// The innermost node of a kind around a token.
pub(super) fn around(token: &SyntaxToken, kinds: &[NodeKind]) -> Option<SyntaxNode> {
    token.parent_ancestors().find(|node| node.kind().node().is_some_and(|kind| kinds.contains(&kind)))
}

/// The end of the line that an offset is on, without its newline.
pub(super) fn end_of_line(text: &str, offset: u32) -> Option<u32> {
    let rest = text.get(offset as usize..)?;
    let length = rest.find('\n').unwrap_or(rest.len());
    u32::try_from(length).ok().map(|length| offset + length)
}

/// `inner` moved to a text that begins at `outer`.
pub(super) fn within(inner: Span, outer: Span) -> std::ops::Range<usize> {
    (inner.start - outer.start) as usize..(inner.end - outer.start) as usize
}
