//! What one pass over a file's tokens tells, before anything is parsed or run.

use super::guard::{Excess, ExcessKind, Guard, LARGEST_FILE};
use super::loads::{Load, LoadScan};
use super::token::{TokenKind, tokens};
use crate::source::{SourceFile, Span};

/// What one pass over a file's tokens tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The paths of its `load` statements, in order.
    pub loads: Vec<Load>,
    /// What it holds too much of to be run.
    pub excess: Option<Excess>,
    /// Whether it defines functions, so that a call may have been made by another.
    pub functions: bool,
    /// The first NUL outside strings and comments.
    pub nul: Option<Span>,
}

impl Outline {
    /// The outline of `text`, in time linear in its length.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.len() > LARGEST_FILE {
            return Self {
                excess: Some(Excess { kind: ExcessKind::File(text.len()), span: Span::default() }),
                ..Self::default()
            };
        }
        let mut guard = Guard::new(text);
        let mut scan = LoadScan::new(text);
        let mut functions = false;
        let mut nul = None;
        for token in tokens(text) {
            guard.read(token);
            scan.read(token);
            functions |= matches!(token.kind, TokenKind::Def | TokenKind::Lambda);
            if token.kind == TokenKind::Unknown && token.span.of(text) == "\0" {
                nul.get_or_insert(token.span);
            }
        }
        Self { loads: scan.finish(), excess: guard.excess(), functions, nul }
    }
}

/// The outline of a file.
#[salsa::tracked]
pub fn outline(db: &dyn salsa::Database, file: SourceFile) -> Outline {
    Outline::of(file.text(db))
}

/// The `load` statements of a file, however broken the rest of it is: what the edge must read before evaluating.
#[must_use]
pub fn loads(db: &dyn salsa::Database, file: SourceFile) -> Vec<Load> {
    outline(db, file).loads.clone()
}
