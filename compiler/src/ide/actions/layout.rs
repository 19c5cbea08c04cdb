//! Lists on one line, or with a line for each item.

use super::statement::{around, has_comment};
use super::{ActionKind, CodeAction, Here};
use crate::source::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{NodeKind, SyntaxNode};

pub(super) fn actions(here: Here<'_>) -> Vec<CodeAction> {
    let bracketed = [NodeKind::List, NodeKind::Arguments, NodeKind::Dict, NodeKind::Tuple];
    let list = here.touched().find_map(|token| around(&token, &bracketed));
    list.and_then(|list| layout(here, &list)).into_iter().collect()
}

/// What the brackets hold, the other way: nothing if a comment has its place there.
fn layout(here: Here<'_>, list: &SyntaxNode) -> Option<CodeAction> {
    let text = here.text();
    let items: Vec<&str> = list.children().map(|item| Span::from(item.text_range()).of(text)).collect();
    let whole = Span::from(list.text_range());
    let (first, last) = (list.first_token()?, list.last_token()?);
    let closed =
        first.kind().token().is_some_and(TokenKind::opens) && last.kind().token().is_some_and(TokenKind::closes);
    let broken = list.children().any(|child| child.kind() == NodeKind::Error);
    if !closed || broken || items.is_empty() || has_comment(list) {
        return None;
    }
    let (open, close) = (first.text(), last.text());
    let one_tuple = list.kind() == NodeKind::Tuple && items.len() == 1;
    let edit = |text: String| vec![here.edit(whole, text)];
    if whole.of(text).contains('\n') {
        if items.iter().any(|item| item.contains('\n')) {
            return None;
        }
        let comma = if one_tuple { "," } else { "" };
        let joined = format!("{open}{}{comma}{close}", items.join(", "));
        return Some(CodeAction::new(ActionKind::Rewrite, "put it on one line", edit(joined)));
    }
    let before = text.get(..whole.start as usize)?;
    let line = before.rsplit('\n').next()?;
    let indentation: String = line.chars().take_while(|character| matches!(character, ' ' | '\t')).collect();
    let lines: String = items.iter().map(|item| format!("\n{indentation}    {item},")).collect();
    let exploded = format!("{open}{lines}\n{indentation}{close}");
    Some(CodeAction::new(ActionKind::Rewrite, "put each item on a line of its own", edit(exploded)))
}
