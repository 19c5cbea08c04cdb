//! One style for policy files: how a text would be written by somebody who cares.
//!
//! Only blanks, ends of lines and the commas after last items change: every comment, every literal and every other token stays as it
//! is, in the same order. A text that the engine can't read is left alone, for nobody knows what its author meant.

mod edits;
mod expressions;
mod layout;
mod lines;
mod print;

pub use edits::{Edit, edits};
pub use layout::{INDENT, WIDTH};

use crate::diagnostics::Diagnostic;
use crate::eval;
use crate::source::SourceFile;
use crate::syntax;
use crate::syntax::token::{TokenKind, tokens};
use crate::syntax::tree::{NodeKind, SyntaxNode, Tree};

/// The text of a file in the one style.
///
/// # Errors
///
/// The syntax errors of a file that has some.
pub fn format(db: &dyn salsa::Database, file: SourceFile) -> Result<String, Vec<Diagnostic>> {
    let mistakes = eval::syntax_errors(db, file);
    if !mistakes.is_empty() {
        return Err(mistakes.clone());
    }
    Ok(formatted(file.text(db), &syntax::tree(db, file)))
}

/// `text`, which the engine can read and whose tree is `tree`, in the one style. A text that nests too deep for a tree stays as it is.
fn formatted(text: &str, tree: &Tree) -> String {
    let root: SyntaxNode = tree.root();
    if root.descendants().any(|node| node.kind() == NodeKind::Error) {
        return text.to_owned();
    }
    let new = lines::Lines::of(&root);
    // What is never to happen must not cost anybody a rule.
    if significant(text).eq(significant(&new)) { new } else { text.to_owned() }
}

/// The tokens that mean something, commas before closing brackets left out.
fn significant(text: &str) -> impl Iterator<Item = &str> {
    let mut tokens = tokens(text).filter(|token| !token.kind.is_trivia()).peekable();
    std::iter::from_fn(move || {
        loop {
            let token = tokens.next()?;
            let closes = tokens.peek().is_some_and(|next| next.kind.closes());
            if token.kind != TokenKind::Comma || !closes {
                return Some(token.span.of(text));
            }
        }
    })
}
