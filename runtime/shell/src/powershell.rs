//! Plain PowerShell commands.

use crate::{Problem, ProblemKind, Script, Span};

/// Not understood yet.
pub(crate) fn parse(text: &str) -> Script<'_> {
    let problem = Problem { span: Span::new(0, text.len()), kind: ProblemKind::NotUnderstood };
    Script { problem: Some(problem), ..Script::default() }
}
