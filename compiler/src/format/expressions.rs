//! The layouts of expressions, and of all else that stands within a line.

use super::layout::{Brackets, Item, Layout, Lead, Link};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Kind, NodeKind, SyntaxElement, SyntaxNode};

/// How a comment is written: scratch lines as they are, others without blanks at the end.
pub(super) fn comment(text: &str) -> String {
    let text = if text.starts_with("#?") { text.trim_end_matches('\r') } else { text.trim_end() };
    text.to_owned()
}

/// The layout of a node; `inside` brackets, lines may end anywhere.
pub(super) fn layout(node: &SyntaxNode, inside: bool) -> Layout {
    match node.kind().node() {
        Some(NodeKind::FString) => Layout::text(node.text().to_string()),
        Some(NodeKind::Binary) if inside => chain(node),
        Some(kind) if is_bracketed(kind) && opening(node).is_some() => bracketed(node, kind),
        _ => sequence(node.children_with_tokens(), node.kind(), inside),
    }
}

/// Whether nodes of a kind hold items between brackets.
fn is_bracketed(kind: NodeKind) -> bool {
    use NodeKind as N;
    matches!(
        kind,
        N::Arguments | N::Parameters | N::List | N::Dict | N::Tuple | N::Paren | N::Comprehension | N::LoadStatement
    )
}

/// The place of the opening bracket among the children.
fn opening(node: &SyntaxNode) -> Option<usize> {
    node.children_with_tokens().position(|child| child.kind().token().is_some_and(TokenKind::opens))
}

/// Elements one after the other.
pub(super) fn sequence(elements: impl Iterator<Item = SyntaxElement>, parent: Kind, inside: bool) -> Layout {
    let mut parts = Vec::new();
    let mut before: Option<SyntaxElement> = None;
    // Whether a line has ended since the last part, and whether that must show.
    let (mut ended, mut broken) = (false, false);
    let brackets = matches!(parent, Kind::Node(NodeKind::Index | NodeKind::Slice));
    for element in elements {
        match &element {
            SyntaxElement::Token(token) if token.kind() == TokenKind::Newline => ended = true,
            SyntaxElement::Token(token) if token.kind() == TokenKind::Blank => {
                if !inside && token.text().contains('\n') && before.is_some() {
                    parts.push(Layout::join());
                    broken = true;
                }
            }
            SyntaxElement::Token(token) if token.kind() == TokenKind::Comment => {
                parts.push(Layout::comment(comment(token.text()), ended));
                (ended, broken) = (false, true);
            }
            _ => {
                let spaced = before.as_ref().is_some_and(|before| spaced(parent, before, &element));
                if spaced && !broken {
                    parts.push(Layout::text(" "));
                }
                parts.push(match &element {
                    SyntaxElement::Node(node) => layout(node, inside || brackets && before.is_some()),
                    SyntaxElement::Token(token) => Layout::text(token.text()),
                });
                before = Some(element);
                (ended, broken) = (false, false);
            }
        }
    }
    Layout::sequence(parts)
}

/// Whether a blank stands between two parts of a node.
fn spaced(parent: Kind, before: &SyntaxElement, after: &SyntaxElement) -> bool {
    use TokenKind as T;
    let (first, second) = (before.kind().token(), after.kind().token());
    if matches!(second, Some(T::Comma | T::Colon)) || second.is_some_and(T::closes) || first.is_some_and(T::opens) {
        return false;
    }
    match parent.node() {
        // The point after a whole number would become part of it.
        Some(NodeKind::Dot) => {
            let last = before.as_node().and_then(SyntaxNode::last_token);
            second == Some(T::Dot) && last.is_some_and(|token| token.kind() == T::Int)
        }
        Some(NodeKind::Call | NodeKind::Literal) => false,
        Some(NodeKind::Index | NodeKind::Slice) => first == Some(T::Comma),
        Some(NodeKind::Unary) => first == Some(T::Not),
        Some(NodeKind::Argument | NodeKind::Parameter) => !matches!(first, Some(T::Star | T::StarStar)),
        Some(NodeKind::DefStatement) => after.kind() != NodeKind::Parameters,
        _ => true,
    }
}

/// Operands and operators inside brackets.
fn chain(node: &SyntaxNode) -> Layout {
    let mut links: Vec<Link> = Vec::new();
    let mut leads = Vec::new();
    let mut ended = false;
    for element in node.children_with_tokens() {
        match &element {
            SyntaxElement::Node(operand) => {
                let leads = std::mem::take(&mut leads);
                links.push(Link { leads, operand: layout(operand, true), operator: None, note: None });
                ended = false;
            }
            SyntaxElement::Token(token) => match token.kind().token() {
                Some(TokenKind::Newline) => ended = true,
                Some(TokenKind::Blank) => {}
                Some(TokenKind::Comment) => {
                    let text = comment(token.text());
                    match links.last_mut() {
                        Some(link) if !ended && leads.is_empty() && link.note.is_none() => link.note = Some(text),
                        _ => leads.push(text),
                    }
                }
                _ => {
                    if let Some(link) = links.last_mut() {
                        let operator = link.operator.get_or_insert_default();
                        if !operator.is_empty() {
                            operator.push(' ');
                        }
                        operator.push_str(token.text());
                    }
                    ended = false;
                }
            },
        }
    }
    Layout::chain(links)
}

/// Items between brackets, after what precedes the opening one.
fn bracketed(node: &SyntaxNode, kind: NodeKind) -> Layout {
    let place = opening(node).unwrap_or_default();
    let prefix = node.children_with_tokens().take(place);
    let mut reader = Reader::default();
    node.children_with_tokens().skip(place).for_each(|element| reader.read(element));
    let brackets = Layout::brackets(reader.finish(kind));
    if place == 0 {
        return brackets;
    }
    Layout::sequence(vec![sequence(prefix, node.kind(), false), brackets])
}

/// Reads what brackets enclose.
#[derive(Default)]
struct Reader {
    brackets: Brackets,
    /// Comments before the next item.
    leads: Vec<Lead>,
    /// The ends of lines since the last thing that was read.
    ended: usize,
    /// Whether a comma was the last thing.
    comma: bool,
    /// Whether some line holds two items, whether there are several lines, and whether all items are literals.
    shared: bool,
    several: bool,
    varied: bool,
    /// Whether the last item brackets something itself.
    display: bool,
}

impl Reader {
    fn read(&mut self, element: SyntaxElement) {
        match element {
            SyntaxElement::Node(node) => self.item(&node),
            SyntaxElement::Token(token) => match token.kind().token() {
                Some(TokenKind::Newline) => {
                    self.ended += 1;
                    self.several = true;
                }
                Some(TokenKind::Comment) => self.comment(comment(token.text())),
                Some(TokenKind::Comma) => {
                    self.comma = true;
                    self.ended = 0;
                }
                Some(kind) if kind.opens() => self.brackets.open = token.text().to_owned(),
                Some(kind) if kind.closes() => self.brackets.close = token.text().to_owned(),
                _ => {}
            },
        }
    }

    fn item(&mut self, node: &SyntaxNode) {
        use NodeKind as N;
        let kind = node.kind().node();
        let value = if kind == Some(N::Argument) { node.first_child_or_token() } else { None };
        let kind = value.map_or(kind, |value| value.kind().node());
        self.display = matches!(kind, Some(N::List | N::Dict | N::Comprehension));
        self.varied |= kind != Some(N::Literal);
        self.shared |= self.ended == 0 && self.leads.is_empty() && !self.brackets.items.is_empty();
        let (leads, spaced) = (std::mem::take(&mut self.leads), self.ended > 1);
        self.brackets.items.push(Item { leads, spaced, layout: layout(node, true), note: None });
        (self.ended, self.comma) = (0, false);
    }

    fn comment(&mut self, text: String) {
        let note = match self.brackets.items.last_mut() {
            Some(item) => &mut item.note,
            None => &mut self.brackets.note,
        };
        if self.ended == 0 && self.leads.is_empty() && note.is_none() {
            *note = Some(text);
        } else {
            self.leads.push(Lead { spaced: self.ended > 1, text });
        }
        self.ended = 0;
    }

    fn finish(self, kind: NodeKind) -> Brackets {
        let Self { mut brackets, leads, comma, shared, several, varied, display, .. } = self;
        let alone = brackets.items.len() == 1;
        let flat = brackets.items.iter().all(|item| item.layout.width.is_some());
        let noted =
            brackets.note.is_some() || brackets.items.iter().any(|item| item.note.is_some() || !item.leads.is_empty());
        brackets.commas = !matches!(kind, NodeKind::Comprehension | NodeKind::Paren);
        brackets.needs_comma = kind == NodeKind::Tuple && alone;
        brackets.exploded = comma && !brackets.needs_comma;
        brackets.filled = matches!(kind, NodeKind::List | NodeKind::Tuple) && flat && shared && (several || !varied);
        // A literal that is too long is too long in a line of its own as well.
        let literal = alone && !varied && kind == NodeKind::Arguments;
        brackets.hugging = (display || literal) && brackets.commas && !comma && !noted && leads.is_empty();
        brackets.last = leads;
        brackets
    }
}
