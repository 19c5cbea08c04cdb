//! The grammar of expressions.

use super::kinds::NodeKind;
use super::parser::{Closed, Parser};
use crate::syntax::token::TokenKind;

/// How tightly comparisons hold, and `not`.
const COMPARISON: u8 = 5;
/// How tightly targets of a `for` hold: an `in` ends them.
const TARGETS: u8 = 7;

/// Whether the next token can begin an expression.
pub(super) fn begins_expression(parser: &Parser<'_>) -> bool {
    use TokenKind as T;
    match parser.peek() {
        Some(
            T::Name
            | T::Int
            | T::Float
            | T::String
            | T::UnclosedString
            | T::FStringStart
            | T::OpenRound
            | T::OpenSquare
            | T::OpenCurly
            | T::Minus
            | T::Not
            | T::Lambda,
        ) => true,
        Some(T::Operator) => matches!(parser.text(), "+" | "~"),
        Some(T::Dot) => parser.nth(1) == Some(T::Dot) && parser.nth(2) == Some(T::Dot),
        _ => false,
    }
}

/// Whether what a bracket encloses ends here: at its own closing bracket, one that an outer bracket waits for, or the end.
pub(super) fn ends(parser: &Parser<'_>) -> bool {
    parser.peek().is_none() || parser.is_awaited()
}

/// Takes the next token as a node.
pub(super) fn token(parser: &mut Parser<'_>, kind: NodeKind) -> Closed {
    let node = parser.start();
    parser.bump();
    parser.complete(node, kind)
}

/// A name that is bound here.
pub(super) fn name(parser: &mut Parser<'_>) {
    if parser.at(TokenKind::Name) {
        token(parser, NodeKind::Name);
    }
}

/// One expression, or several between commas as a tuple.
pub(super) fn list(parser: &mut Parser<'_>) {
    tuple(parser, expression);
}

/// What a `for` binds.
pub(super) fn targets(parser: &mut Parser<'_>) {
    let start = parser.mark();
    tuple(parser, |parser| begins_expression(parser).then(|| operation(parser, TARGETS)));
    let end = parser.mark();
    parser.bind(start..end);
}

fn tuple(parser: &mut Parser<'_>, item: impl Fn(&mut Parser<'_>) -> Option<Closed>) {
    let Some(first) = item(parser) else { return };
    if parser.at(TokenKind::Comma) {
        let tuple = parser.precede(first);
        while parser.eat(TokenKind::Comma) && item(parser).is_some() {}
        parser.complete(tuple, NodeKind::Tuple);
    }
}

/// One expression, if one begins here.
pub(super) fn expression(parser: &mut Parser<'_>) -> Option<Closed> {
    if !begins_expression(parser) {
        return None;
    }
    let value = operation(parser, 0);
    if !parser.at(TokenKind::If) {
        return Some(value);
    }
    let conditional = parser.precede(value);
    parser.bump();
    if begins_expression(parser) {
        operation(parser, 0);
    }
    if parser.eat(TokenKind::Else) {
        expression_below(parser);
    }
    Some(parser.complete(conditional, NodeKind::Conditional))
}

/// An expression one level deeper.
fn expression_below(parser: &mut Parser<'_>) {
    if parser.descend() {
        expression(parser);
    } else if begins_expression(parser) {
        parser.error();
    }
    parser.ascend(1);
}

/// Operands and the operators that hold at least as tightly as `least`. A chain of one precedence is one node, so that long sums nest
/// no deeper than short ones.
fn operation(parser: &mut Parser<'_>, least: u8) -> Closed {
    if !parser.descend() {
        parser.ascend(1);
        return parser.error();
    }
    let mut value = prefixed(parser, least);
    while let Some(power) = power(parser).filter(|&power| power >= least) {
        let binary = parser.precede(value);
        while self::power(parser) == Some(power) {
            if parser.at(TokenKind::Not) {
                parser.bump();
            }
            parser.bump();
            if !begins_expression(parser) {
                break;
            }
            operation(parser, power + 1);
        }
        value = parser.complete(binary, NodeKind::Binary);
    }
    parser.ascend(1);
    value
}

/// How tightly the operator that comes next holds.
fn power(parser: &Parser<'_>) -> Option<u8> {
    Some(match parser.peek()? {
        TokenKind::Or => 1,
        TokenKind::And => 3,
        TokenKind::In => COMPARISON,
        TokenKind::Not if parser.nth(1) == Some(TokenKind::In) => COMPARISON,
        TokenKind::Minus => 15,
        TokenKind::Star => 17,
        TokenKind::Operator => match parser.text() {
            "==" | "!=" | "<" | ">" | "<=" | ">=" => COMPARISON,
            "|" => 7,
            "^" => 9,
            "&" => 11,
            "<<" | ">>" => 13,
            "+" => 15,
            "%" | "/" | "//" => 17,
            _ => return None,
        },
        _ => return None,
    })
}

/// An operand with the operators before it.
fn prefixed(parser: &mut Parser<'_>, least: u8) -> Closed {
    let tight = match parser.peek() {
        Some(TokenKind::Not) => COMPARISON.max(least),
        Some(TokenKind::Minus) => u8::MAX,
        Some(TokenKind::Operator) if matches!(parser.text(), "+" | "~") => u8::MAX,
        Some(TokenKind::Lambda) => return lambda(parser),
        _ => return primary(parser),
    };
    let unary = parser.start();
    parser.bump();
    if begins_expression(parser) {
        operation(parser, tight);
    }
    parser.complete(unary, NodeKind::Unary)
}

fn lambda(parser: &mut Parser<'_>) -> Closed {
    let lambda = parser.start();
    parser.bump();
    if !parser.at(TokenKind::Colon) {
        let list = parser.start();
        parameters(parser, TokenKind::Colon, false);
        parser.complete(list, NodeKind::Parameters);
    }
    if parser.eat(TokenKind::Colon) {
        expression_below(parser);
    }
    parser.complete(lambda, NodeKind::Lambda)
}

/// Parameters up to `end`, between commas.
pub(super) fn parameters(parser: &mut Parser<'_>, end: TokenKind, typed: bool) {
    while !parser.at(end) && !ends(parser) {
        match parser.peek() {
            Some(TokenKind::Newline) => return,
            Some(TokenKind::Comma) => {}
            Some(TokenKind::Name | TokenKind::Star | TokenKind::StarStar) => parameter(parser, typed),
            Some(TokenKind::Operator) if parser.at_text("/") => parameter(parser, typed),
            _ => drop(parser.error()),
        }
        parser.eat(TokenKind::Comma);
    }
}

fn parameter(parser: &mut Parser<'_>, typed: bool) {
    let parameter = parser.start();
    if !parser.at(TokenKind::Name) {
        parser.bump();
    }
    name(parser);
    if typed && parser.eat(TokenKind::Colon) {
        expression(parser);
    }
    if parser.eat(TokenKind::Equal) {
        expression_below(parser);
    }
    parser.complete(parameter, NodeKind::Parameter);
}

/// An atom with what is called, indexed and read on it.
fn primary(parser: &mut Parser<'_>) -> Closed {
    let mut value = atom(parser);
    let mut levels = 0;
    loop {
        if !matches!(parser.peek(), Some(TokenKind::Dot | TokenKind::OpenRound | TokenKind::OpenSquare)) {
            break;
        }
        levels += 1;
        if !parser.descend() {
            break;
        }
        let outer = parser.precede(value);
        let kind = match parser.peek() {
            Some(TokenKind::Dot) => {
                parser.bump();
                parser.eat(TokenKind::Name);
                NodeKind::Dot
            }
            Some(TokenKind::OpenRound) => {
                arguments(parser);
                NodeKind::Call
            }
            _ => subscript(parser),
        };
        value = parser.complete(outer, kind);
    }
    parser.ascend(levels);
    value
}

fn arguments(parser: &mut Parser<'_>) {
    let arguments = parser.start();
    parser.open(TokenKind::CloseRound);
    while !ends(parser) {
        argument(parser);
        parser.eat(TokenKind::Comma);
    }
    parser.close(TokenKind::CloseRound);
    parser.complete(arguments, NodeKind::Arguments);
}

fn argument(parser: &mut Parser<'_>) {
    if parser.at(TokenKind::Comma) {
        return;
    }
    let starred = matches!(parser.peek(), Some(TokenKind::Star | TokenKind::StarStar));
    if !starred && !begins_expression(parser) {
        parser.error();
        return;
    }
    let argument = parser.start();
    if starred {
        parser.bump();
    } else if parser.at(TokenKind::Name) && parser.nth(1) == Some(TokenKind::Equal) {
        parser.bump();
        parser.bump();
    }
    expression(parser);
    parser.complete(argument, NodeKind::Argument);
}

/// `[index]`, `[index, index]`, `[start:stop:step]`
fn subscript(parser: &mut Parser<'_>) -> NodeKind {
    parser.open(TokenKind::CloseSquare);
    let mut kind = NodeKind::Index;
    while !ends(parser) {
        if parser.at(TokenKind::Colon) {
            kind = NodeKind::Slice;
            parser.bump();
        } else if expression(parser).is_none() && !parser.at(TokenKind::Comma) {
            parser.error();
        }
        parser.eat(TokenKind::Comma);
    }
    parser.close(TokenKind::CloseSquare);
    kind
}

fn atom(parser: &mut Parser<'_>) -> Closed {
    match parser.peek() {
        Some(TokenKind::Name) => {
            let constant = matches!(parser.text(), "None" | "True" | "False");
            token(parser, if constant { NodeKind::Literal } else { NodeKind::NameRef })
        }
        Some(TokenKind::FStringStart) => f_string(parser),
        Some(TokenKind::OpenRound) => round(parser),
        Some(TokenKind::OpenSquare) => {
            display(parser, TokenKind::CloseSquare, NodeKind::List, |parser| expression(parser).is_some())
        }
        Some(TokenKind::OpenCurly) => display(parser, TokenKind::CloseCurly, NodeKind::Dict, entry),
        Some(TokenKind::Dot) => {
            let ellipsis = parser.start();
            (0..3).for_each(|_| parser.bump());
            parser.complete(ellipsis, NodeKind::Literal)
        }
        _ => token(parser, NodeKind::Literal),
    }
}

/// `(a)`, `(a, b)` or `()`
fn round(parser: &mut Parser<'_>) -> Closed {
    let node = parser.start();
    parser.open(TokenKind::CloseRound);
    let mut items = 0;
    let mut commas = 0;
    let mut comprehension = false;
    while !ends(parser) {
        if expression(parser).is_some() {
            items += 1;
        } else if parser.at(TokenKind::For) && items == 1 {
            clauses(parser);
            comprehension = true;
        } else if !parser.at(TokenKind::Comma) {
            parser.error();
        }
        commas += u32::from(parser.eat(TokenKind::Comma));
    }
    parser.close(TokenKind::CloseRound);
    let kind = match (items, commas) {
        _ if comprehension => NodeKind::Comprehension,
        (1, 0) => NodeKind::Paren,
        _ => NodeKind::Tuple,
    };
    parser.complete(node, kind)
}

/// Items between brackets, or a comprehension.
fn display(
    parser: &mut Parser<'_>,
    closer: TokenKind,
    kind: NodeKind,
    item: impl Fn(&mut Parser<'_>) -> bool,
) -> Closed {
    let node = parser.start();
    parser.open(closer);
    let mut kind = kind;
    while !ends(parser) {
        if parser.at(TokenKind::For) {
            clauses(parser);
            kind = NodeKind::Comprehension;
        } else if !item(parser) && !parser.at(TokenKind::Comma) {
            parser.error();
        }
        parser.eat(TokenKind::Comma);
    }
    parser.close(closer);
    parser.complete(node, kind)
}

fn entry(parser: &mut Parser<'_>) -> bool {
    if !begins_expression(parser) {
        return false;
    }
    let entry = parser.start();
    expression(parser);
    if parser.eat(TokenKind::Colon) {
        expression(parser);
    }
    parser.complete(entry, NodeKind::DictEntry);
    true
}

/// The `for` and `if` clauses of a comprehension.
fn clauses(parser: &mut Parser<'_>) {
    loop {
        let clause = parser.start();
        let kind = match parser.peek() {
            Some(TokenKind::For) => {
                parser.bump();
                targets(parser);
                if parser.eat(TokenKind::In) && begins_expression(parser) {
                    operation(parser, 0);
                }
                NodeKind::CompFor
            }
            Some(TokenKind::If) => {
                parser.bump();
                if begins_expression(parser) {
                    operation(parser, 0);
                }
                NodeKind::CompIf
            }
            _ => {
                parser.abandon(clause);
                return;
            }
        };
        parser.complete(clause, kind);
    }
}

/// An f-string: text, and expressions in curly brackets.
fn f_string(parser: &mut Parser<'_>) -> Closed {
    let node = parser.start();
    parser.bump();
    loop {
        match parser.peek() {
            Some(TokenKind::FStringText) => parser.bump(),
            Some(TokenKind::FStringOpen) => {
                parser.open(TokenKind::FStringClose);
                while !ends(parser) {
                    // `!r` and `!s` say how the value is shown.
                    if parser.at_text("!") && parser.nth(1) == Some(TokenKind::Name) {
                        parser.bump();
                        parser.bump();
                    } else if expression(parser).is_none() {
                        parser.error();
                    }
                }
                parser.close(TokenKind::FStringClose);
            }
            Some(TokenKind::FStringEnd) => {
                parser.bump();
                break;
            }
            _ => break,
        }
    }
    parser.complete(node, NodeKind::FString)
}
