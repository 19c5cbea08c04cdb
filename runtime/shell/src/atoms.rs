//! A word as it is written: runs of unquoted text, quoted text and expansions.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::ProblemKind;
use crate::parser::{Parsed, Parser, owned};

/// A part of a word, before braces, `~` and patterns are looked at.
#[derive(Clone, Debug)]
pub(crate) enum Atom<'t> {
    /// Unquoted text.
    Bare(Cow<'t, str>),
    /// Text that means itself.
    Quoted(Cow<'t, str>),
    /// An expansion.
    Any(Expansion<'t>),
}

/// An expansion, whose text only the shell knows.
#[derive(Clone, Debug)]
pub(crate) struct Expansion<'t> {
    /// Whether it stands outside of quotes.
    pub(crate) bare: bool,
    /// Whether it may become nothing or several words.
    pub(crate) splits: bool,
    /// What the text says about it.
    pub(crate) meaning: Meaning<'t>,
}

/// What the text says about an expansion's value.
#[derive(Clone, Debug)]
pub(crate) enum Meaning<'t> {
    /// Nothing.
    Unknown,
    /// It is some number.
    Number,
    /// It is the name of an open file, by the number of its descriptor.
    Descriptor,
    /// It is the value of this variable.
    Variable(Cow<'t, str>),
    /// It is the value of this variable, or this text of which everything is known.
    Default(Cow<'t, str>, Box<[Atom<'t>]>),
    /// It is these words: the elements of an array, or the parameters; in quotes perhaps joined to one.
    List {
        /// The name, with its subscript; `@` for the parameters.
        name: Cow<'t, str>,
        /// Whether quotes join them.
        joins: bool,
        /// How many of them are left out in front.
        skip: usize,
        /// How many of the others there are at most.
        take: usize,
    },
    /// It is the separator of words.
    Separator,
}

impl<'t> Atom<'t> {
    /// An expansion in or out of quotes about which the text says nothing.
    pub(crate) fn unknown(bare: bool, splits: bool) -> Self {
        Self::Any(Expansion { bare, splits, meaning: Meaning::Unknown })
    }

    /// An expansion that becomes a number.
    pub(crate) fn number(bare: bool) -> Self {
        Self::Any(Expansion { bare, splits: bare, meaning: Meaning::Number })
    }

    /// The text, unless it is an expansion.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Bare(text) | Self::Quoted(text) => Some(text),
            Self::Any(_) => None,
        }
    }

    pub(crate) fn into_owned<'o>(self) -> Atom<'o> {
        match self {
            Self::Bare(text) => Atom::Bare(owned(text)),
            Self::Quoted(text) => Atom::Quoted(owned(text)),
            Self::Any(expansion) => Atom::Any(Expansion {
                bare: expansion.bare,
                splits: expansion.splits,
                meaning: match expansion.meaning {
                    Meaning::Unknown => Meaning::Unknown,
                    Meaning::Number => Meaning::Number,
                    Meaning::Descriptor => Meaning::Descriptor,
                    Meaning::Separator => Meaning::Separator,
                    Meaning::Variable(name) => Meaning::Variable(owned(name)),
                    Meaning::List { name, joins, skip, take } => Meaning::List { name: owned(name), joins, skip, take },
                    Meaning::Default(name, atoms) => {
                        Meaning::Default(owned(name), atoms.into_vec().into_iter().map(Atom::into_owned).collect())
                    }
                },
            }),
        }
    }
}

/// Whether a byte can end an unquoted run or start something special in it.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let special = b" \t\n;&|()<>\\'\"`$";
    let mut index = 0;
    while index < special.len() {
        #[expect(clippy::indexing_slicing, reason = "a constant, evaluated when it is compiled")]
        {
            table[special[index] as usize] = true;
        }
        index += 1;
    }
    table
};

/// Whether an unquoted run goes on with this byte.
#[inline]
pub(crate) fn is_bare(byte: u8) -> bool {
    !SPECIAL.get(usize::from(byte)).copied().unwrap_or(true)
}

/// Whether a token ends before this byte, or before the end of the text.
pub(crate) const fn ends_token(byte: Option<u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'))
}

/// Appends unquoted text, as one run with what is before it.
pub(crate) fn push_bare<'t>(atoms: &mut Vec<Atom<'t>>, text: &'t str) {
    match atoms.last_mut() {
        Some(Atom::Bare(before)) => before.to_mut().push_str(text),
        _ => atoms.push(Atom::Bare(Cow::Borrowed(text))),
    }
}

impl<'t> Parser<'t> {
    /// The atoms of the word that starts or goes on here, up to the byte that ends it. No atoms: there is no word.
    pub(crate) fn atoms(&mut self, atoms: &mut Vec<Atom<'t>>) -> Parsed {
        loop {
            let start = self.pos;
            while self.peek().is_some_and(is_bare) {
                self.pos += 1;
            }
            if self.pos > start {
                push_bare(atoms, self.slice(start..self.pos));
            }
            match self.peek() {
                Some(b'\\') if self.at(1) == Some(b'\n') => self.pos += 2,
                Some(b'\\') => self.escaped_character(atoms)?,
                Some(b'\'') => {
                    let text = self.single_quoted()?;
                    atoms.push(Atom::Quoted(Cow::Borrowed(text)));
                }
                Some(b'"') => self.double_quoted(atoms)?,
                Some(b'`') => {
                    self.backquoted(false)?;
                    atoms.push(Atom::unknown(true, true));
                }
                Some(b'$') => self.dollar(atoms)?,
                Some(b'<' | b'>') if self.at(1) == Some(b'(') => {
                    self.pos += 2;
                    self.substitution()?;
                    atoms.push(Atom::Any(Expansion { bare: true, splits: false, meaning: Meaning::Descriptor }));
                }
                _ => return Ok(()),
            }
        }
    }

    /// A backslash and the character that it makes literal.
    pub(crate) fn escaped_character(&mut self, atoms: &mut Vec<Atom<'t>>) -> Parsed {
        let Some(character) = self.text.get(self.pos + 1..).and_then(|rest| rest.chars().next()) else {
            return self.stop_here(ProblemKind::TrailingBackslash);
        };
        let start = self.pos + 1;
        if self.at(1).is_none() {
            return self.stop_here(ProblemKind::TrailingBackslash);
        }
        self.pos = start + character.len_utf8();
        atoms.push(Atom::Quoted(Cow::Borrowed(self.slice(start..self.pos))));
        Ok(())
    }
}
