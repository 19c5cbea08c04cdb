//! What a file declared as it last ran, at places of its present text.

use crate::db;
use crate::eval::evaluate;
use crate::rules::{Declarations, Origin};
use crate::source::{PolicySet, SourceFile, Span};

/// A file as it last ran.
pub(super) struct Standing<'db> {
    /// What ran: the file itself, unless that is broken.
    pub(super) file: SourceFile,
    /// Its text.
    pub(super) text: &'db str,
    /// What it declared.
    pub(super) declarations: &'db Declarations,
    moves: Moves,
}

/// What `file` declared as it last ran.
pub(super) fn standing(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Standing<'_> {
    let ran = db::standing(db, set, file);
    let text = ran.text(db);
    let moves = if ran == file { Moves::default() } else { Moves::between(text, file.text(db)) };
    Standing { file: ran, text, declarations: &evaluate(db, set, ran).declarations, moves }
}

impl Standing<'_> {
    /// Where a span of the text that ran stands now; nothing if it was edited.
    pub(super) fn now(&self, span: Span) -> Option<Span> {
        self.moves.now(span)
    }

    /// The outermost call in this file that led to a declaration, as it ran and where it stands now.
    pub(super) fn outermost(&self, origin: &Origin) -> Option<(Span, Span)> {
        let frame = origin.stack.iter().find(|frame| frame.file == self.file);
        let own = (origin.file == self.file).then_some(origin.span);
        let outermost = frame.map(|frame| frame.span).or(own)?;
        Some((outermost, self.now(outermost)?))
    }
}

/// Where one text became another: between what they begin and end with alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Moves {
    /// The offset from which on they differ, and in the old text the offset up to which they do.
    changed: Option<Span>,
    /// By how much what follows moved.
    by: i64,
}

impl Moves {
    fn between(old: &str, new: &str) -> Self {
        if old == new {
            return Self::default();
        }
        let most = old.len().min(new.len());
        let before = old.bytes().zip(new.bytes()).take_while(|(one, other)| one == other).count();
        let alike = old.bytes().rev().zip(new.bytes().rev()).take_while(|(one, other)| one == other).count();
        let after = alike.min(most - before);
        let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
        Self { changed: Some(Span::from(before..old.len() - after)), by: length(new) - length(old) }
    }

    fn now(self, span: Span) -> Option<Span> {
        match self.changed {
            Some(changed) if span.start >= changed.end => {
                let moved = |offset: u32| u32::try_from(i64::from(offset) + self.by).ok();
                Some(Span::new(moved(span.start)?, moved(span.end)?))
            }
            Some(changed) if span.end > changed.start => None,
            _ => Some(span),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Moves;
    use crate::source::Span;

    #[test]
    fn spans_move_with_the_text_around_an_edit() {
        let (old, new) = ("ab cd ef", "ab xyz ef");
        let moves = Moves::between(old, new);
        let now = |start, end| moves.now(Span::new(start, end)).map(|span| span.of(new));
        assert_eq!(now(0, 2), Some("ab"));
        assert_eq!(now(6, 8), Some("ef"));
        assert_eq!(now(3, 5), None);
        assert_eq!(now(0, 8), None);
        let same = Moves::between("aa", "aaa");
        assert_eq!(
            (same.now(Span::new(0, 2)), same.now(Span::new(2, 2))),
            (Some(Span::new(0, 2)), Some(Span::new(3, 3)))
        );
        assert_eq!(Moves::between(old, old).now(Span::new(3, 5)), Some(Span::new(3, 5)));
    }
}
