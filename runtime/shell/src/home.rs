//! `$HOME` is the home folder, unless the text sets it.

use crate::atoms::{Atom, Meaning};
use crate::parser::Parser;
use crate::{Piece, Word};

/// The variable.
const HOME: &str = "HOME";

/// Whether a word begins with the variable, alone or before a slash.
pub(crate) fn begins_with_home(atoms: &[Atom<'_>]) -> bool {
    let (first, next) = match atoms {
        [first] => (first, None),
        [first, next, ..] => (first, Some(next)),
        [] => return false,
    };
    matches!(first, Atom::Any(expansion) if matches!(&expansion.meaning, Meaning::Variable(name) if name == HOME))
        && next.is_none_or(|next| next.text().is_some_and(|text| text.starts_with('/')))
}

impl Parser<'_> {
    /// Where the text may set the variable, home folders are anything.
    pub(crate) fn forget_home(&mut self) {
        let has_home = |word: &Word<'_>| word.pieces.contains(&Piece::Home);
        let any = self.commands.iter().any(|command| {
            command.words.iter().chain(command.guesses.iter().flatten()).any(has_home)
                || command.assignments.iter().any(|assignment| has_home(&assignment.value))
                || command.redirects.iter().any(|redirect| has_home(&redirect.target))
        });
        if !any || !self.may_set_home() {
            return;
        }
        for command in &mut self.commands {
            for word in command.words.iter_mut().chain(command.guesses.iter_mut().flatten()) {
                forget(word, true);
            }
            for assignment in &mut command.assignments {
                forget(&mut assignment.value, false);
            }
            for redirect in &mut command.redirects {
                forget(&mut redirect.target, true);
            }
        }
    }

    /// Whether anything in the text may set it: an assignment, or a program that is given the name.
    fn may_set_home(&self) -> bool {
        self.values.iter().any(|(name, _)| name == HOME)
            || self.commands.iter().any(|command| {
                command.assignments.iter().any(|assignment| {
                    assignment.name == HOME || assignment.name.contains('$') || names_home(&assignment.value)
                }) || command.words.iter().any(names_home)
                    || command.redirects.iter().any(|redirect| names_home(&redirect.target))
            })
    }
}

/// Whether known text in the word is the variable's name, or has it as a word of its own.
fn names_home(word: &Word<'_>) -> bool {
    match word.pieces.as_slice() {
        [] => text_names_home(&word.text),
        pieces => pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text_names_home(text))),
    }
}

fn text_names_home(text: &str) -> bool {
    let is_name = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    // The name may be joined to the option that it is the value of.
    (text.starts_with('-') && text.ends_with(HOME))
        || text.match_indices(HOME).any(|(place, _)| {
            let before = place.checked_sub(1).and_then(|place| text.as_bytes().get(place));
            let after = text.as_bytes().get(place + HOME.len());
            !before.is_some_and(|&byte| is_name(byte) || byte == b'$') && !after.is_some_and(|&byte| is_name(byte))
        })
}

/// Makes the home folders in a word anything. The value of the variable may split outside of quotes.
fn forget(word: &mut Word<'_>, splits: bool) {
    let splits = splits && !word.text.starts_with(['~', '"']);
    for piece in &mut word.pieces {
        if *piece == Piece::Home {
            *piece = Piece::Any { splits };
        }
    }
}
