//! Expansions of which the text knows every value: of a variable that is set in one place, before, and surely.

use alloc::string::String;
use alloc::vec::Vec;

use crate::atoms::{Atom, Expansion, Meaning};
use crate::parser::Parser;
use crate::words::{Pieces, is_identifier};
use crate::{Nesting, Piece, Word};

/// How many variables of a text are looked at.
const MOST_CONSTANTS: usize = 16;

/// What makes it unsure that a statement behind it runs, once, and in this shell.
const BRANCHES: [&str; 14] =
    ["if", "then", "else", "elif", "while", "until", "for", "select", "case", "in", "function", "do", "coproc", "time"];

/// A variable that may have these values alone, in a part of the text.
#[derive(Debug)]
pub(crate) struct Constant<'t> {
    pub(crate) name: &'t str,
    /// Where its name stands that sets it.
    pub(crate) place: usize,
    pub(crate) values: Vec<Word<'t>>,
    pub(crate) kind: Kind,
    /// The part of the text.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// How a variable is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// To the one value.
    Value,
    /// To all values, as an array.
    Array,
    /// To each value in turn, by a loop.
    Loop,
}

impl<'t> Parser<'t> {
    /// Keeps what a variable is set to.
    pub(crate) fn keep_constant(&mut self, constant: Constant<'t>) {
        if self.constants.len() < MOST_CONSTANTS {
            self.constants.push(constant);
        }
    }

    /// Says of words what the variables in them surely are.
    pub(crate) fn put_constants(&mut self) {
        let mut constants = core::mem::take(&mut self.constants);
        if self.problem.is_some() || self.explained.is_empty() || constants.is_empty() {
            return;
        }
        let bare = without_quotes(self.text);
        let places: Vec<_> = constants.iter().map(|constant| (constant.name, constant.place)).collect();
        constants.retain(|constant| {
            let own = || places.iter().filter(|(name, _)| *name == constant.name);
            let sets = |place: usize| own().any(|(_, other)| *other == place);
            let only_loops = constant.kind == Kind::Loop;
            (only_loops || own().count() == 1 && self.surely_runs(constant))
                && mentions(self.text, constant.name)
                    .all(|place| sets(place) || expands(self.text, place, constant.name))
                && mentions(&bare, constant.name).filter(|place| !is_expanded(&bare, *place)).count() == own().count()
        });
        let explained = core::mem::take(&mut self.explained);
        for word in &explained {
            let Some(known) = self.commands.get(word.command).and_then(|command| command.words.get(word.word)) else {
                continue;
            };
            let at = known.span.start as usize;
            let pieces = self.known_pieces(&word.atoms, at, &constants);
            if let Some(pieces) = pieces
                && let Some(known) =
                    self.commands.get_mut(word.command).and_then(|command| command.words.get_mut(word.word))
            {
                known.pieces = pieces;
            }
        }
        self.explained = explained;
    }

    /// Whether the statement that sets a variable runs whatever happens before, in this shell.
    fn surely_runs(&self, constant: &Constant<'_>) -> bool {
        let before = self.text.get(..constant.place).unwrap_or_default();
        let own = |command: &&crate::SimpleCommand<'_>| {
            (command.span.start as usize..command.span.end as usize).contains(&constant.place)
        };
        let Some(command) = self.commands.iter().find(own) else { return false };
        let after = self.text.get(command.span.end as usize..).unwrap_or_default().trim_start_matches([' ', '\t']);
        command.words.is_empty()
            && command.nesting == Nesting::Plain
            && (after.is_empty() || after.starts_with([';', '\n']) || after.starts_with("&&"))
            && !before.contains(['&', '|', '(', ')', '{', '}', '!'])
            && !before.split(|one: char| !one.is_ascii_alphanumeric()).any(|word| BRANCHES.contains(&word))
    }

    /// The pieces of a word in which one expansion is known.
    fn known_pieces(&self, atoms: &[Atom<'t>], at: usize, constants: &[Constant<'t>]) -> Option<Vec<Piece<'t>>> {
        let mut pieces = Pieces { list: Vec::new() };
        let mut found = false;
        for atom in atoms {
            match atom {
                Atom::Quoted(text) => pieces.text(text.clone()),
                Atom::Bare(text) if !text.contains(['*', '?', '[', '~', '{']) => pieces.text(text.clone()),
                Atom::Bare(_) => return None,
                Atom::Any(expansion) => match self.known_values(expansion, at, constants) {
                    Some((values, several)) if !found => {
                        found = true;
                        pieces.list.push(Piece::Known { values, several });
                    }
                    _ => return None,
                },
            }
        }
        found.then_some(pieces.list)
    }

    /// The values that an expansion at that place may have, and whether it has all of them.
    fn known_values(
        &self,
        expansion: &Expansion<'t>,
        at: usize,
        constants: &[Constant<'t>],
    ) -> Option<(Vec<Word<'t>>, bool)> {
        let (name, part) = match &expansion.meaning {
            Meaning::Variable(name) => (&**name, None),
            Meaning::List { name, joins: false, skip, take } => (&**name, Some((*skip, *take))),
            _ => return None,
        };
        let (name, number) = match name.split_once('[') {
            Some((name, number)) => (name, Some(number.strip_suffix(']')?.parse::<usize>().ok()?)),
            None => (name, None),
        };
        let mut here = constants.iter().filter(|one| one.name == name && one.from <= at && at < one.to);
        let constant = here.next_back().filter(|_| is_identifier(name))?;
        let values: Vec<Word<'t>> = match (constant.kind, part, number) {
            (Kind::Array, Some((skip, take)), None) => constant.values.iter().skip(skip).take(take).cloned().collect(),
            (Kind::Array, None, number) => constant.values.iter().skip(number.unwrap_or(0)).take(1).cloned().collect(),
            (Kind::Value | Kind::Loop, None, None) => constant.values.clone(),
            _ => return None,
        };
        // Outside of quotes, what has blanks or stars in it becomes more.
        let plain = |word: &Word<'t>| {
            word.known().is_some_and(|text| !text.is_empty() && !text.contains([' ', '\t', '\n', '*', '?', '[', '\\']))
        };
        let stays = !expansion.bare || values.iter().all(plain) && !self.text.contains("IFS");
        let several = part.is_some();
        (stays && (several || !values.is_empty())).then_some((values, several))
    }
}

/// Where a name stands in a text, as a whole word.
fn mentions<'x>(text: &'x str, name: &'x str) -> impl Iterator<Item = usize> + 'x {
    let is_name = |byte: Option<&u8>| byte.is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphanumeric());
    text.match_indices(name).map(|(place, _)| place).filter(move |place| {
        let bytes = text.as_bytes();
        !is_name(place.checked_sub(1).and_then(|before| bytes.get(before))) && !is_name(bytes.get(place + name.len()))
    })
}

/// Whether a dollar sign stands before a name.
fn is_expanded(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default();
    before.ends_with(['$']) || before.ends_with("${") || before.ends_with("${#")
}

/// Whether a name stands where it is expanded, and nothing else happens to it.
fn expands(text: &str, place: usize, name: &str) -> bool {
    let before = text.get(..place).unwrap_or_default();
    let behind = text.get(place + name.len()..).unwrap_or_default();
    if before.ends_with('$') {
        return !before.ends_with("$$");
    }
    if !is_expanded(text, place) {
        return false;
    }
    let subscript = behind.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match subscript {
        Some((inside, rest)) => {
            (matches!(inside, "@" | "*") || inside.bytes().all(|byte| byte.is_ascii_digit())) && rest.starts_with('}')
        }
        None => behind.starts_with('}'),
    }
}

/// A text without what may part a name.
fn without_quotes(text: &str) -> String {
    text.chars().filter(|one| !matches!(one, '\'' | '"' | '\\')).collect()
}
