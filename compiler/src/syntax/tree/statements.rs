//! The grammar of statements.

use super::expressions::{self, begins_expression};
use super::kinds::NodeKind;
use super::parser::Parser;
use crate::syntax::token::TokenKind;

/// Reads the whole text.
pub(super) fn file(parser: &mut Parser<'_>) {
    let file = parser.start();
    loop {
        while parser.peek().is_some() {
            line(parser);
        }
        if !parser.next_statement() {
            break;
        }
    }
    parser.complete(file, NodeKind::File);
}

/// Reads the statements of one line, with the lines that belong to them.
fn line(parser: &mut Parser<'_>) {
    if parser.eat(TokenKind::Newline) {
        return;
    }
    match parser.peek() {
        Some(TokenKind::Def | TokenKind::If | TokenKind::For) => {
            if parser.descend() {
                compound(parser);
            } else {
                parser.error_line();
            }
            parser.ascend(1);
        }
        _ => simple_line(parser),
    }
}

/// Reads simple statements up to the end of their line.
fn simple_line(parser: &mut Parser<'_>) {
    loop {
        simple(parser);
        if !parser.eat(TokenKind::Semicolon) {
            break;
        }
        if matches!(parser.peek(), None | Some(TokenKind::Newline)) {
            break;
        }
    }
    if !matches!(parser.peek(), None | Some(TokenKind::Newline)) {
        parser.error_line();
    }
}

fn compound(parser: &mut Parser<'_>) {
    let column = parser.column();
    let statement = parser.start();
    let kind = match parser.peek() {
        Some(TokenKind::Def) => {
            definition(parser);
            block(parser, column);
            NodeKind::DefStatement
        }
        Some(TokenKind::For) => {
            parser.bump();
            expressions::targets(parser);
            if parser.eat(TokenKind::In) {
                expressions::list(parser);
            }
            block(parser, column);
            NodeKind::ForStatement
        }
        _ => {
            conditions(parser, column);
            NodeKind::IfStatement
        }
    };
    parser.complete(statement, kind);
}

/// `def name(parameters) -> type`
fn definition(parser: &mut Parser<'_>) {
    parser.bump();
    expressions::name(parser);
    if parser.at(TokenKind::OpenRound) {
        let parameters = parser.start();
        parser.open(TokenKind::CloseRound);
        expressions::parameters(parser, TokenKind::CloseRound, true);
        parser.close(TokenKind::CloseRound);
        parser.complete(parameters, NodeKind::Parameters);
    }
    if parser.at_text("->") {
        parser.bump();
        expressions::expression(parser);
    }
}

/// `if condition: block elif condition: block else: block`
fn conditions(parser: &mut Parser<'_>, column: u32) {
    loop {
        let last = parser.at(TokenKind::Else);
        parser.bump();
        if !last && begins_expression(parser) {
            expressions::expression(parser);
        }
        block(parser, column);
        // What an `elif` belongs to begins in the same column.
        let follows =
            matches!(parser.nth(1), Some(TokenKind::Elif | TokenKind::Else)) && parser.next_column() == column;
        if last || !parser.at(TokenKind::Newline) || !follows {
            return;
        }
        parser.bump();
    }
}

/// Reads `:` and what stands after it, for a statement that begins at `outer`.
fn block(parser: &mut Parser<'_>, outer: u32) {
    if !matches!(parser.peek(), None | Some(TokenKind::Newline | TokenKind::Colon)) {
        let error = parser.start();
        while !matches!(parser.peek(), None | Some(TokenKind::Newline | TokenKind::Colon)) {
            parser.error();
        }
        parser.complete(error, NodeKind::Error);
    }
    if !parser.eat(TokenKind::Colon) {
        return;
    }
    if !parser.at(TokenKind::Newline) {
        if parser.peek().is_some() {
            let block = parser.start();
            simple_line(parser);
            parser.complete(block, NodeKind::Block);
        }
        return;
    }
    let column = parser.next_column();
    if parser.nth(1).is_none() || column <= outer {
        return;
    }
    parser.bump();
    let block = parser.start();
    loop {
        line(parser);
        if !parser.at(TokenKind::Newline) || parser.nth(1).is_none() || parser.next_column() < column {
            break;
        }
        parser.bump();
    }
    parser.block_end(column);
    parser.complete(block, NodeKind::Block);
}

fn simple(parser: &mut Parser<'_>) {
    let statement = parser.start();
    let kind = match parser.peek() {
        Some(TokenKind::Load) if parser.nth(1) == Some(TokenKind::OpenRound) => {
            load(parser);
            NodeKind::LoadStatement
        }
        Some(TokenKind::Name) => match parser.text() {
            "return" => {
                parser.bump();
                if begins_expression(parser) {
                    expressions::list(parser);
                }
                NodeKind::ReturnStatement
            }
            "pass" | "break" | "continue" => {
                parser.bump();
                NodeKind::SimpleStatement
            }
            _ => assignment(parser),
        },
        Some(_) if begins_expression(parser) => assignment(parser),
        _ => {
            parser.abandon(statement);
            if !matches!(parser.peek(), None | Some(TokenKind::Newline | TokenKind::Semicolon)) {
                parser.error_line();
            }
            return;
        }
    };
    parser.complete(statement, kind);
}

/// An expression, or what it is assigned to.
fn assignment(parser: &mut Parser<'_>) -> NodeKind {
    let start = parser.mark();
    expressions::list(parser);
    let end = parser.mark();
    let typed = parser.eat(TokenKind::Colon);
    if typed {
        expressions::expression(parser);
    }
    let plain = parser.at(TokenKind::Equal);
    let changes = parser.at(TokenKind::Assignment) && !parser.at_text("->");
    if !plain && !changes {
        return if typed { NodeKind::AssignStatement } else { NodeKind::ExpressionStatement };
    }
    if plain {
        parser.bind(start..end);
    }
    parser.bump();
    if begins_expression(parser) {
        expressions::list(parser);
    }
    NodeKind::AssignStatement
}

/// `load("path", "name", other = "name")`
fn load(parser: &mut Parser<'_>) {
    parser.bump();
    parser.open(TokenKind::CloseRound);
    let mut path = true;
    while !expressions::ends(parser) {
        if path && matches!(parser.peek(), Some(TokenKind::String | TokenKind::UnclosedString)) {
            expressions::token(parser, NodeKind::Literal);
        } else if matches!(parser.peek(), Some(TokenKind::Name | TokenKind::String | TokenKind::UnclosedString)) {
            load_item(parser);
        } else if !parser.at(TokenKind::Comma) {
            parser.error();
        }
        path = false;
        parser.eat(TokenKind::Comma);
    }
    parser.close(TokenKind::CloseRound);
}

fn load_item(parser: &mut Parser<'_>) {
    let item = parser.start();
    if parser.at(TokenKind::Name) {
        expressions::token(parser, NodeKind::Name);
        parser.eat(TokenKind::Equal);
    }
    if matches!(parser.peek(), Some(TokenKind::String | TokenKind::UnclosedString)) {
        expressions::token(parser, NodeKind::Literal);
    }
    parser.complete(item, NodeKind::LoadItem);
}
