//! The lines of a file: statements, blocks, and the comments and blank lines between them.

use super::expressions::{comment, layout, sequence};
use super::layout::INDENT;
use super::print::Printer;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{NodeKind, SyntaxElement, SyntaxNode};

/// How many blank lines may stand between statements of a file, and of a block.
const MOST_BLANK: [usize; 2] = [2, 1];

/// Prints statements.
#[derive(Default)]
pub(super) struct Lines {
    printer: Printer,
    /// The ends of lines since the last thing that was printed.
    ended: usize,
    /// Whether a block has begun and holds nothing yet.
    fresh: bool,
}

impl Lines {
    /// The text of a whole file.
    pub(super) fn of(file: &SyntaxNode) -> String {
        let mut lines = Self { fresh: true, ..Self::default() };
        lines.block(file, 0);
        let mut text = lines.printer.finish();
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Goes to where the next statement or comment begins.
    fn begin(&mut self, indent: usize) {
        let most = MOST_BLANK.get(usize::from(indent > 0)).copied().unwrap_or_default();
        let blank = if self.fresh { 0 } else { self.ended.saturating_sub(1).min(most) };
        if self.printer.is_empty() {
            self.printer.indent(indent);
        } else {
            self.printer.line(blank, indent);
        }
        (self.ended, self.fresh) = (0, false);
    }

    fn comment(&mut self, text: &str, indent: usize) {
        if self.ended == 0 && !self.printer.is_empty() {
            self.printer.note(Some(&comment(text)));
        } else {
            self.begin(indent);
            self.printer.push(&comment(text));
        }
        self.ended = 0;
    }

    fn block(&mut self, block: &SyntaxNode, indent: usize) {
        let mut joined = false;
        for element in block.children_with_tokens() {
            match element {
                SyntaxElement::Node(statement) => {
                    if joined {
                        self.printer.push(" ");
                    } else {
                        self.begin(indent);
                    }
                    joined = false;
                    self.statement(&statement, indent);
                }
                SyntaxElement::Token(token) => match token.kind().token() {
                    Some(TokenKind::Newline) => {
                        self.ended += 1;
                        joined = false;
                    }
                    Some(TokenKind::Comment) => self.comment(token.text(), indent),
                    Some(TokenKind::Semicolon) => {
                        self.printer.push(";");
                        joined = true;
                    }
                    _ => {}
                },
            }
        }
    }

    fn statement(&mut self, statement: &SyntaxNode, indent: usize) {
        let compound = matches!(
            statement.kind().node(),
            Some(NodeKind::DefStatement | NodeKind::IfStatement | NodeKind::ForStatement)
        );
        if !compound {
            self.printer.print(&layout(statement, false), indent, 0);
            self.ended = 0;
            return;
        }
        let mut head: Vec<SyntaxElement> = Vec::new();
        for element in statement.children_with_tokens() {
            match &element {
                SyntaxElement::Node(block) if block.kind() == NodeKind::Block => {
                    self.fresh = true;
                    self.block(block, indent + INDENT);
                }
                SyntaxElement::Token(token) if token.kind() == TokenKind::Colon => {
                    head.push(element);
                    let head = std::mem::take(&mut head);
                    self.printer.print(&sequence(head.into_iter(), statement.kind(), false), indent, 0);
                    (self.ended, self.fresh) = (0, true);
                }
                SyntaxElement::Token(token) if head.is_empty() && token.kind().is_trivia() => {
                    match token.kind().token() {
                        Some(TokenKind::Newline) => self.ended += 1,
                        Some(TokenKind::Comment) => {
                            // Before a block it is the block's, before `elif` and `else` the statement's.
                            let own = if self.fresh { indent + INDENT } else { indent };
                            let note = self.ended == 0;
                            let fresh = self.fresh;
                            self.comment(token.text(), own);
                            self.fresh = note && fresh;
                        }
                        _ => {}
                    }
                }
                _ => {
                    if head.is_empty() && self.ended + usize::from(!self.printer.is_empty()) > 0 && is_branch(&element)
                    {
                        self.begin(indent);
                    }
                    head.push(element);
                }
            }
        }
    }
}

/// Whether a further branch of an `if` begins.
fn is_branch(element: &SyntaxElement) -> bool {
    element.kind() == TokenKind::Elif || element.kind() == TokenKind::Else
}
