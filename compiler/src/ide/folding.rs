//! Folding ranges: the parts of a file that can be put away.

use crate::source::{SourceFile, Span};
use crate::syntax;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Kind, NodeKind, SyntaxElement, SyntaxNode};

/// A part that can be put away: from the end of its first line to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The part, which spans several lines.
    pub span: Span,
    /// What it is.
    pub kind: FoldKind,
}

/// What can be put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A call, a list, a function: what brackets or a block enclose.
    Code,
    /// Comments that follow each other in lines of their own.
    Comment,
    /// `load` statements that follow each other.
    Loads,
}

/// What can be put away in a file, in order of where it begins.
#[must_use]
pub fn folds(db: &dyn salsa::Database, file: SourceFile) -> Vec<Fold> {
    let (text, root) = (file.text(db), syntax::tree(db, file).root());
    let mut folds = Vec::new();
    for node in root.descendants() {
        if folds_as_code(&node) {
            folds.push(Fold { span: node.text_range().into(), kind: FoldKind::Code });
        }
        runs(&node, &mut folds);
    }
    folds.retain(|fold| fold.span.of(text).contains('\n'));
    folds.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    folds
}

fn folds_as_code(node: &SyntaxNode) -> bool {
    use NodeKind as N;
    matches!(
        node.kind().node(),
        Some(
            N::DefStatement
                | N::IfStatement
                | N::ForStatement
                | N::LoadStatement
                | N::Arguments
                | N::Parameters
                | N::List
                | N::Tuple
                | N::Paren
                | N::Dict
                | N::Comprehension
        )
    )
}

/// The runs of comments, and of loads, among the children of `node`.
fn runs(node: &SyntaxNode, folds: &mut Vec<Fold>) {
    let mut run: Option<Fold> = None;
    let mut ended = 1;
    for child in node.children_with_tokens() {
        let kind = match (&child, child.kind()) {
            (_, Kind::Token(TokenKind::Newline)) => {
                ended += 1;
                continue;
            }
            (_, Kind::Token(TokenKind::Blank)) => continue,
            (_, Kind::Token(TokenKind::Comment)) if ended > 0 => Some(FoldKind::Comment),
            (SyntaxElement::Node(_), Kind::Node(NodeKind::LoadStatement)) => Some(FoldKind::Loads),
            _ => None,
        };
        let span: Span = child.text_range().into();
        // A blank line ends comments, not loads.
        let goes_on = |run: &&mut Fold| Some(run.kind) == kind && (ended < 2 || run.kind == FoldKind::Loads);
        match run.as_mut().filter(goes_on) {
            Some(run) => run.span.end = span.end,
            None => folds.extend(std::mem::replace(&mut run, kind.map(|kind| Fold { span, kind }))),
        }
        ended = 0;
    }
    folds.extend(run);
}

#[cfg(test)]
mod tests {
    use super::{FoldKind, folds};
    use crate::ide::fixture::fixture;

    #[test]
    fn brackets_blocks_comments_and_loads_fold() {
        let text = "# a\n# b\n\n# c\nload(\"./x.rules\", \"X\")\nload(\"./y.rules\", \"Y\")\n\
                    prefix_rule(\n  [\n 'a'],\n  'prompt') # note\n# own\ndef f():\n  # in\n  # it\n  pass\n";
        let fixture = fixture(text);
        let found: Vec<_> =
            folds(&fixture.db, fixture.file).into_iter().map(|fold| (fold.kind, fold.span.of(text))).collect();
        assert_eq!(
            found,
            [
                (FoldKind::Comment, "# a\n# b"),
                (FoldKind::Loads, "load(\"./x.rules\", \"X\")\nload(\"./y.rules\", \"Y\")"),
                (FoldKind::Code, "(\n  [\n 'a'],\n  'prompt')"),
                (FoldKind::Code, "[\n 'a']"),
                (FoldKind::Code, "def f():\n  # in\n  # it\n  pass"),
                (FoldKind::Comment, "# in\n  # it"),
            ]
        );
    }
}
