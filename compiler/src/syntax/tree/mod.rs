//! The tree of a file: every byte of any text, however broken, and what the parts are.
//!
//! The tree is for those who look at text: editors and the formatter. What a policy means is never read from it; that is what the
//! engine's run declares.

mod build;
mod expressions;
mod kinds;
mod nodes;
mod parser;
mod statements;

pub use kinds::{Kind, NodeKind, PolicyLanguage, SyntaxElement, SyntaxNode, SyntaxToken};
pub use nodes::*;
pub use parser::DEEPEST_TREE;

use crate::source::SourceFile;

/// The tree of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree(rowan::GreenNode);

impl Tree {
    /// The node of the whole text.
    #[must_use]
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.0.clone())
    }

    /// What stands in the text.
    #[must_use]
    pub fn file(&self) -> File {
        File(self.root())
    }
}

/// Reads any text, in time linear in its length, without deep recursion.
#[must_use]
pub fn parse(text: &str) -> Tree {
    let mut parser = parser::Parser::new(text);
    statements::file(&mut parser);
    let (tokens, significant, events) = parser.finish();
    Tree(build::build(text, &tokens, &significant, &events))
}

/// What [`syntax::tree`](crate::syntax::tree()) remembers.
#[salsa::tracked(no_eq)]
pub(super) fn of_file(db: &dyn salsa::Database, file: SourceFile) -> Tree {
    parse(file.text(db))
}

#[cfg(test)]
mod tests;
