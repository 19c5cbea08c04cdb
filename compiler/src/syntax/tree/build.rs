//! From tokens and events to a tree.

use rowan::{GreenNode, GreenNodeBuilder, Language};

use super::kinds::{Kind, NodeKind, PolicyLanguage};
use super::parser::Event;
use crate::syntax::token::{Token, TokenKind};

/// Puts every token of `text` into a tree, what the parser passed over too: before the node that begins after it, so that nodes begin and
/// end with something significant.
pub(super) fn build(text: &str, tokens: &[Token], significant: &[usize], events: &[Event]) -> GreenNode {
    let mut builder = Builder { text, tokens, at: 0, green: GreenNodeBuilder::new() };
    let mut significant = significant.iter();
    let mut taken = vec![false; events.len()];
    let mut begun: Vec<bool> = Vec::new();
    let mut chain = Vec::new();
    let file = PolicyLanguage::kind_to_raw(Kind::Node(NodeKind::File));
    for (index, &event) in events.iter().enumerate() {
        match event {
            Event::Start { .. } if index == 0 => {
                builder.green.start_node(file);
                begun.push(true);
            }
            Event::Start { .. } => {
                let mut next = Some(index);
                // The node's parents, which the parser met after it, begin before it.
                while let Some(place) = next
                    && let Some(&Event::Start { kind, parent }) = events.get(place)
                {
                    if taken.get(place).copied().unwrap_or(true) {
                        break;
                    }
                    if let Some(slot) = taken.get_mut(place) {
                        *slot = true;
                    }
                    chain.push(kind);
                    next = parent;
                }
                if chain.iter().any(Option::is_some) {
                    builder.up_to(significant.as_slice().first().copied());
                }
                while let Some(kind) = chain.pop() {
                    if let Some(kind) = kind {
                        builder.green.start_node(PolicyLanguage::kind_to_raw(Kind::Node(kind)));
                    }
                    begun.push(kind.is_some());
                }
            }
            Event::Token => {
                let next = significant.next().copied();
                builder.up_to(next);
                builder.token();
            }
            Event::BlockEnd(column) => builder.comments(column, significant.as_slice().first().copied()),
            Event::Finish => {
                if begun.len() == 1 {
                    builder.up_to(None);
                }
                if begun.pop() == Some(true) {
                    builder.green.finish_node();
                }
            }
        }
    }
    builder.green.finish()
}

struct Builder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    green: GreenNodeBuilder<'static>,
}

impl Builder<'_> {
    /// Adds the tokens before the one at `end`, or all.
    fn up_to(&mut self, end: Option<usize>) {
        while self.at < end.unwrap_or(self.tokens.len()) {
            self.token();
        }
    }

    fn token(&mut self) {
        let Some(token) = self.tokens.get(self.at) else { return };
        self.at += 1;
        let text = token.span.of(self.text);
        if !text.is_empty() {
            self.green.token(PolicyLanguage::kind_to_raw(Kind::Token(token.kind)), text);
        }
    }

    /// Adds the comments before the token at `end` that end no earlier than a line which begins left of `column`.
    fn comments(&mut self, column: u32, end: Option<usize>) {
        let pending = self.tokens.get(self.at..end.unwrap_or(self.tokens.len())).unwrap_or_default();
        let mut taken = 0;
        let mut line = None;
        for (index, token) in pending.iter().enumerate() {
            match token.kind {
                TokenKind::Newline => line = Some(token.span.end),
                TokenKind::Comment if line.is_none_or(|line| token.span.start - line >= column) => taken = index + 1,
                TokenKind::Comment => break,
                _ => {}
            }
        }
        self.up_to(Some(self.at + taken));
    }
}
