//! The shape of one call: which text each argument, and each element of a literal, stands in.

use super::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// A way from a call to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// What is called.
    Callee,
    /// The value of a parameter, given by name or, failing that, by position.
    Parameter {
        /// Its name.
        name: &'a str,
        /// Its place among the positional parameters, from 0; none if it is given by name only.
        position: Option<usize>,
    },
    /// The positional argument at a place, from 0.
    Positional(usize),
    /// The name of a keyword argument.
    Keyword(&'a str),
    /// The item of a list or tuple at a place, from 0.
    Item(usize),
    /// The key of a dict's entry at a place, from 0.
    Key(usize),
    /// The value of a dict's entry at a place, from 0.
    Entry(usize),
}

/// Where a way led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The smallest text that was found on the way.
    pub span: Span,
    /// Whether the way led to its end and the text there is a literal, so that it shows the value.
    pub literal: bool,
}

/// Follows `path` into the call that stands at `call` in `text`. Where it can't go on, because a value was computed elsewhere, the
/// answer is the last part that it reached: an argument, or the call.
#[must_use]
pub fn locate(text: &str, call: Span, path: &[Step<'_>]) -> Located {
    let call_text = call.of(text);
    let tokens = text_tokens(call_text);
    let (mut found, rest) = match path {
        [first, rest @ ..] => (parse(&tokens).and_then(|call| call.find(*first)), rest),
        [] => (None, path),
    };
    let mut located = Located { span: call, literal: false };
    for step in rest.iter().map(Some).chain([None]) {
        let Some(node) = found else { return located };
        located = Located { span: node.span.shifted(call.start), literal: step.is_none() && node.is_literal() };
        found = match (step, node.shape) {
            (Some(Step::Item(index)), Shape::Display) => node.items.into_iter().nth(*index),
            (Some(Step::Key(index)), Shape::Dict) => node.items.into_iter().nth(2 * *index),
            (Some(Step::Entry(index)), Shape::Dict) => node.items.into_iter().nth(2 * *index + 1),
            _ => None,
        };
        if step.is_some() && found.is_none() {
            located.literal = false;
        }
    }
    located
}

/// The items of the list that is given for a parameter of the call at `call`, each as [`locate`] finds it; none if no list is
/// written there.
#[must_use]
pub fn locate_items(text: &str, call: Span, parameter: Step<'_>) -> Vec<Located> {
    let call_text = call.of(text);
    let tokens = text_tokens(call_text);
    let list = parse(&tokens).and_then(|parsed| parsed.find(parameter));
    let located = |item: Node| Located { span: item.span.shifted(call.start), literal: item.is_literal() };
    list.map_or_else(Vec::new, |list| list.items.into_iter().map(located).collect())
}

fn text_tokens(text: &str) -> Vec<TextToken<'_>> {
    let tokens = tokens(text).filter(|token| !token.kind.is_trivia());
    tokens.map(|token| TextToken { token, text: token.span.of(text) }).collect()
}

/// A parsed call.
struct Call {
    callee: Span,
    arguments: Vec<Argument>,
}

struct Argument {
    /// The name of a keyword argument.
    name: Option<(String, Span)>,
    /// How many stars precede it.
    stars: u8,
    value: Node,
}

/// An expression, as far as its shape matters here.
#[derive(Clone)]
struct Node {
    span: Span,
    shape: Shape,
    /// Of a list, tuple or dict display; of a dict, keys and values in turn.
    items: Vec<Node>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Literal,
    Display,
    Dict,
    Other,
}

impl Node {
    fn is_literal(&self) -> bool {
        match self.shape {
            Shape::Literal => true,
            Shape::Display | Shape::Dict => self.items.iter().all(Self::is_literal),
            Shape::Other => false,
        }
    }

    /// A node that has a place but no shape.
    fn opaque(span: Span) -> Self {
        Self { span, shape: Shape::Other, items: Vec::new() }
    }
}

impl Call {
    fn find(self, step: Step<'_>) -> Option<Node> {
        match step {
            Step::Callee => Some(Node::opaque(self.callee)),
            Step::Parameter { name, position } => {
                let named = self.arguments.iter().position(|argument| argument.is_named(name));
                match named {
                    Some(index) => self.arguments.into_iter().nth(index).map(|argument| argument.value),
                    None => {
                        let given = position.and_then(|position| self.positional(position));
                        given.or_else(|| self.starred(2))
                    }
                }
            }
            Step::Positional(position) => self.positional(position),
            Step::Keyword(name) => self
                .arguments
                .iter()
                .rev()
                .find_map(|argument| argument.name.as_ref().filter(|(given, _)| given == name))
                .map(|&(_, span)| Node::opaque(span))
                .or_else(|| self.starred(2)),
            Step::Item(_) | Step::Key(_) | Step::Entry(_) => None,
        }
    }

    /// The positional argument at `position`, or the `*` argument that it came from.
    fn positional(&self, position: usize) -> Option<Node> {
        let plain = self.arguments.iter().take_while(|argument| argument.name.is_none() && argument.stars == 0);
        match plain.clone().nth(position) {
            Some(argument) => Some(argument.value.clone()),
            None => self.starred(1),
        }
    }

    fn starred(&self, stars: u8) -> Option<Node> {
        let argument = self.arguments.iter().find(|argument| argument.stars == stars)?;
        Some(Node::opaque(argument.value.span))
    }
}

impl Argument {
    fn is_named(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|(given, _)| given == name)
    }
}

/// Parses the tokens of a call: the arguments are in the bracket that closes last.
fn parse(tokens: &[TextToken<'_>]) -> Option<Call> {
    let (last, before) = tokens.split_last()?;
    if last.kind() != TokenKind::CloseRound {
        return None;
    }
    let mut depth = 0_u32;
    let open = before.iter().rposition(|token| {
        if token.kind().closes() {
            depth += 1;
        } else if token.kind().opens() {
            if depth == 0 {
                return true;
            }
            depth -= 1;
        }
        false
    })?;
    let callee = covering(before.get(..open)?)?;
    let arguments = split(before.get(open + 1..)?, TokenKind::Comma).into_iter().filter_map(argument).collect();
    Some(Call { callee, arguments })
}

fn argument(tokens: &[TextToken<'_>]) -> Option<Argument> {
    let (name, stars, value) = match tokens {
        [name, equal, value @ ..] if name.kind() == TokenKind::Name && equal.kind() == TokenKind::Equal => {
            (Some((name.text.to_owned(), name.token.span)), 0, value)
        }
        [star, value @ ..] if star.kind() == TokenKind::Star => (None, 1, value),
        [star, value @ ..] if star.kind() == TokenKind::StarStar => (None, 2, value),
        value => (None, 0, value),
    };
    Some(Argument { name, stars, value: node(value)? })
}

fn node(tokens: &[TextToken<'_>]) -> Option<Node> {
    let span = covering(tokens)?;
    let (shape, items) = match tokens {
        [literal] => (if literal.is_literal() { Shape::Literal } else { Shape::Other }, Vec::new()),
        [minus, number]
            if minus.kind() == TokenKind::Minus && matches!(number.kind(), TokenKind::Int | TokenKind::Float) =>
        {
            (Shape::Literal, Vec::new())
        }
        [open, inner @ .., close] if encloses(open.kind(), inner, close.kind()) => {
            let parts = split(inner, TokenKind::Comma);
            match (open.kind(), parts.as_slice()) {
                (TokenKind::OpenRound, [only]) if !is_comma(inner.last()) => return node(only),
                _ if is_comprehension(inner) => (Shape::Other, Vec::new()),
                (TokenKind::OpenCurly, parts) => match parts.iter().map(|part| entry(part)).collect::<Option<Vec<_>>>()
                {
                    Some(entries) => (Shape::Dict, entries.into_iter().flatten().collect()),
                    None => (Shape::Other, Vec::new()),
                },
                (_, parts) => (Shape::Display, parts.iter().filter_map(|part| node(part)).collect()),
            }
        }
        _ => (Shape::Other, Vec::new()),
    };
    Some(Node { span, shape, items })
}

/// The key and the value of one entry of a dict.
fn entry(tokens: &[TextToken<'_>]) -> Option<[Node; 2]> {
    let key = *split(tokens, TokenKind::Colon).first()?;
    Some([node(key)?, node(tokens.get(key.len() + 1..)?)?])
}

/// Whether the first and last token are one pair of brackets around all of `inner`.
fn encloses(open: TokenKind, inner: &[TextToken<'_>], close: TokenKind) -> bool {
    let pair = matches!(
        (open, close),
        (TokenKind::OpenSquare, TokenKind::CloseSquare)
            | (TokenKind::OpenRound, TokenKind::CloseRound)
            | (TokenKind::OpenCurly, TokenKind::CloseCurly)
    );
    let mut depth = 0_i64;
    pair && inner.iter().all(|token| {
        depth += i64::from(token.kind().opens()) - i64::from(token.kind().closes());
        depth >= 0
    })
}

fn is_comma(token: Option<&TextToken<'_>>) -> bool {
    token.is_some_and(|token| token.kind() == TokenKind::Comma)
}

fn is_comprehension(inner: &[TextToken<'_>]) -> bool {
    let mut depth = 0_i64;
    inner.iter().any(|token| {
        depth += i64::from(token.kind().opens()) - i64::from(token.kind().closes());
        depth == 0 && token.kind() == TokenKind::For
    })
}

/// The parts of `tokens` between the separators that stand outside every bracket and every lambda's parameters. A part after the
/// last separator counts only if it holds something.
fn split<'a, 't>(tokens: &'a [TextToken<'t>], separator: TokenKind) -> Vec<&'a [TextToken<'t>]> {
    let (mut depth, mut lambdas) = (0_i64, 0_u32);
    let mut parts: Vec<_> = tokens
        .split(|token| {
            depth += i64::from(token.kind().opens()) - i64::from(token.kind().closes());
            match token.kind() {
                TokenKind::Lambda if depth == 0 => lambdas += 1,
                TokenKind::Colon if depth == 0 => lambdas = lambdas.saturating_sub(1),
                _ => {}
            }
            depth == 0 && lambdas == 0 && token.kind() == separator
        })
        .collect();
    parts.pop_if(|part| part.is_empty());
    parts
}

fn covering(tokens: &[TextToken<'_>]) -> Option<Span> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(Span::new(first.token.span.start, last.token.span.end))
}

/// A token together with its text.
struct TextToken<'t> {
    token: Token,
    text: &'t str,
}

impl TextToken<'_> {
    fn kind(&self) -> TokenKind {
        self.token.kind
    }

    fn is_literal(&self) -> bool {
        match self.kind() {
            TokenKind::String | TokenKind::Int | TokenKind::Float => true,
            TokenKind::Name => matches!(self.text, "None" | "True" | "False"),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, locate};
    use crate::source::Span;

    const PATTERN: Step<'_> = Step::Parameter { name: "pattern", position: Some(0) };

    fn at<'t>(text: &'t str, path: &[Step<'_>]) -> (&'t str, bool) {
        let call = Span::from(1..text.len());
        let located = locate(text, call, path);
        (located.span.of(text), located.literal)
    }

    #[test]
    fn elements_of_literals_are_found() {
        let text = " rule(  # why\n decision='x', pattern=['git', ('a'), ['b', 1], x, lambda a, b: a, -1])";
        assert_eq!(at(text, &[PATTERN, Step::Item(0)]), ("'git'", true));
        assert_eq!(at(text, &[PATTERN, Step::Item(1)]), ("'a'", true));
        assert_eq!(at(text, &[PATTERN, Step::Item(2)]), ("['b', 1]", true));
        assert_eq!(at(text, &[PATTERN, Step::Item(2), Step::Item(1)]), ("1", true));
        assert_eq!(at(text, &[PATTERN, Step::Item(3)]), ("x", false));
        assert_eq!(at(text, &[PATTERN, Step::Item(3), Step::Item(1)]), ("x", false));
        assert_eq!(at(text, &[PATTERN, Step::Item(4)]), ("lambda a, b: a", false));
        assert_eq!(at(text, &[PATTERN, Step::Item(5)]), ("-1", true));
        assert_eq!(at(text, &[Step::Keyword("decision")]), ("decision", false));
        assert_eq!(at(text, &[Step::Callee]), ("rule", false));
    }

    #[test]
    fn entries_of_dicts_are_found() {
        let text = " rule({'a': 'x', b: ['y', {'c': 1}], 'l': lambda d: d}, [k for k in {}], {k: 1 for k in x})";
        assert_eq!(at(text, &[PATTERN, Step::Key(0)]), ("'a'", true));
        assert_eq!(at(text, &[PATTERN, Step::Entry(0)]), ("'x'", true));
        assert_eq!(at(text, &[PATTERN, Step::Key(1)]), ("b", false));
        assert_eq!(at(text, &[PATTERN, Step::Entry(1), Step::Item(1), Step::Entry(0)]), ("1", true));
        assert_eq!(at(text, &[PATTERN, Step::Entry(2)]), ("lambda d: d", false));
        assert_eq!(at(text, &[PATTERN, Step::Item(0)]), ("{'a': 'x', b: ['y', {'c': 1}], 'l': lambda d: d}", false));
        assert_eq!(at(text, &[Step::Positional(2), Step::Entry(0)]), ("{k: 1 for k in x}", false));
    }

    #[test]
    fn a_parameter_without_a_place_is_found_by_its_name_only() {
        let exact = Step::Parameter { name: "exact", position: None };
        assert_eq!(at(" f(['a'], *more, exact = 1)", &[exact]), ("1", true));
        assert_eq!(at(" f(['a'], *more, **all)", &[exact]), ("all", false));
        assert_eq!(at(" f(['a'], *more)", &[exact]), ("f(['a'], *more)", false));
    }

    #[test]
    fn what_was_computed_elsewhere_is_its_argument_or_the_call() {
        assert_eq!(at(" f([x for x in y], *more)", &[PATTERN, Step::Item(0)]), ("[x for x in y]", false));
        assert_eq!(at(" f(A + [1], *more)", &[Step::Positional(1)]), ("more", false));
        assert_eq!(at(" f(**all)", &[PATTERN, Step::Item(0)]), ("all", false));
        assert_eq!(at(" f(decision='x')", &[PATTERN]), ("f(decision='x')", false));
        assert_eq!(at(" g(1)('a', [])", &[PATTERN]), ("'a'", true));
        assert_eq!(at(" broken(", &[PATTERN]), ("broken(", false));
    }
}
