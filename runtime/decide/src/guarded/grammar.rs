//! A command as its program reads it: which words are options, values, subcommands, operands, and what runs because of
//! them. All of it comes from the table.

use alloc::vec::Vec;

use policyc_shell::ShellKind;

use crate::format::{OPTIONS, option};
use crate::lookup::Knowledge;
use crate::table::Table;
use crate::word::Exact;

/// What a word is to its program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// An operand, a subcommand or the program itself.
    #[default]
    Word,
    /// A harmless option.
    Harmless,
    /// The value of one.
    HarmlessValue,
    /// Another declared option.
    Option,
    /// The value of one.
    Value,
    /// What looks like an option and is not declared: the next word may be its value.
    Unknown,
    /// `--`.
    Terminator,
    /// An assignment in front of what runs.
    Assignment,
}

/// The roles of the words; beyond the array, they are kept on the heap.
#[derive(Default)]
pub(super) struct Roles {
    near: [Role; 16],
    far: Vec<Role>,
}

impl Roles {
    #[inline]
    pub(super) fn get(&self, place: usize) -> Role {
        match self.near.get(place) {
            Some(role) => *role,
            None => self.far.get(place - self.near.len()).copied().unwrap_or_default(),
        }
    }

    pub(super) fn set(&mut self, place: usize, role: Role) {
        if let Some(near) = self.near.get_mut(place) {
            *near = role;
            return;
        }
        let place = place - self.near.len();
        if self.far.len() <= place {
            self.far.resize(place + 1, Role::default());
        }
        if let Some(far) = self.far.get_mut(place) {
            *far = role;
        }
    }
}

/// What a command runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inner {
    /// The words in these places are a command.
    Words { start: usize, end: usize },
    /// The words in these places, joined, are a text, without so many bytes of the first. Those behind are its
    /// parameters, if it is `given` any.
    Text { kind: ShellKind, start: usize, end: usize, offset: usize, given: bool },
    /// The words in these places, without so many bytes of the first, hold words that stand in their place, behind the
    /// program if it `stays`.
    Respelt { start: usize, end: usize, offset: usize, stays: bool },
    /// What is read from a descriptor, as a rule standard input, is a text.
    StandardInput { kind: ShellKind, descriptor: u32 },
    /// What runs is missing, and whoever runs the command may add it.
    Supplied,
}

impl Inner {
    /// The first word that belongs to it.
    pub(super) const fn start(&self) -> usize {
        match self {
            Self::Words { start, .. } | Self::Text { start, .. } | Self::Respelt { start, .. } => *start,
            Self::StandardInput { .. } | Self::Supplied => usize::MAX,
        }
    }
}

/// An option that a rule must name for an allow to hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    /// The place of the option's word.
    pub(super) word: usize,
    /// Its place in the table.
    pub(super) option: u32,
    /// Its value: the place of a word and the bytes before it there.
    pub(super) value: Option<(usize, usize)>,
}

/// What few words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The folder that an option names: the place of a word and the bytes before it there.
    Folder(usize, usize),
    /// An option that runs something in folders that only the run can know.
    Elsewhere,
    /// The folder of the commands that follow.
    Target(usize),
    /// A parameter of the commands that follow.
    Parameter(usize),
    /// How many parameters go: the place of the number, or no word.
    Shift(usize),
    /// The name of an alias, or what it stands for.
    Definition(usize),
    /// The name of a variable, perhaps with a subscript that is evaluated.
    Name(usize),
    /// Arithmetic.
    Arithmetic(usize),
    /// Letters of options without a hyphen: the place of the word.
    Letters(usize),
}

/// A command as its program reads it.
#[derive(Default)]
pub(super) struct Grammar<'l> {
    pub(super) roles: Roles,
    /// Whether anything is known of the program.
    pub(super) known: bool,
    /// Whether it needs no rule of its own.
    pub(super) harmless: bool,
    /// Whether an option that is not declared stands where a subcommand or what runs could be its value.
    pub(super) ambiguous: bool,
    pub(super) inner: Vec<Inner>,
    pub(super) effects: Vec<Effect>,
    /// The assignments in front of what runs, or among the operands, by their places.
    pub(super) assignments: Vec<usize>,
    /// Whether those stay for the commands that follow.
    pub(super) assigns: bool,
    /// The definitions of aliases, by their places.
    pub(super) aliases: Vec<usize>,
    /// The operands with code that cannot be looked into, by their places.
    pub(super) code: Vec<usize>,
    /// The operand that may name a program, whose arguments the others are.
    pub(super) script: Option<usize>,
    /// The operand that names a file with text, by its place, and the language of that.
    pub(super) file: Option<(usize, ShellKind)>,
    /// Whether it reads code in a language of its own from its standard input.
    pub(super) waits_for_code: bool,
    /// Whether it reads further operands from its standard input.
    pub(super) reads_operands: bool,
    /// What is seldom there.
    pub(super) marks: Vec<Mark>,
    /// Whether it leads the commands that follow to another folder.
    pub(super) moves: bool,
    /// The options of the program or its last subcommand: the first, and their number.
    pub(super) options: (u32, u32),
    pub(super) extends: bool,
    /// The word behind which further words stand that what runs is given.
    pub(super) inputs: Option<usize>,
    pub(super) placeholder: Option<&'l str>,
}

impl Role {
    /// Whether the word is the value of the word before it, and nothing without it.
    pub(super) const fn is_value(self) -> bool {
        matches!(self, Self::HarmlessValue | Self::Value)
    }
}

impl<'l> Grammar<'l> {
    /// What is known of the option of this name.
    pub(super) fn option(&self, table: &Table<'_>, name: &str) -> Option<u32> {
        let known = if self.options.1 == 0 { None } else { table.knowledge(OPTIONS + self.options.0, Exact(name)) };
        match known? {
            (_, Knowledge::Option(option)) => table.options.get(option).map(|record| record.field(0)),
            _ => None,
        }
    }

    /// Whether a letter is declared as an option without a value.
    pub(super) fn is_flag(&self, table: &Table<'_>, letter: char) -> bool {
        let mut buffer = [b'-'; 5];
        let length = letter.encode_utf8(buffer.get_mut(1..).unwrap_or_default()).len();
        let name = buffer.get(..=length).and_then(|name| core::str::from_utf8(name).ok()).unwrap_or_default();
        self.option(table, name).is_some_and(|flags| flags & option::VALUE == option::NONE)
    }

    /// Whether a word is letters of options without a hyphen.
    pub(super) fn has_letters(&self, place: usize) -> bool {
        !self.marks.is_empty() && self.marks.contains(&Mark::Letters(place))
    }

    /// Whether this is the whole name of an option, not the beginning of another of its names.
    pub(super) fn has_option(&self, table: &Table<'_>, name: &str) -> bool {
        self.option(table, name).is_some_and(|flags| flags & option::BEGINNING == 0)
    }

    /// Whether options have it, or what it runs, work in another folder.
    pub(super) fn works_elsewhere(&self) -> bool {
        self.marks.iter().any(|mark| matches!(mark, Mark::Folder(..) | Mark::Elsewhere))
    }

    /// The places of the words that `choose` takes.
    pub(super) fn marked(&self, choose: impl Fn(Mark) -> Option<usize>) -> Vec<usize> {
        self.marks.iter().filter_map(|mark| choose(*mark)).collect()
    }
}

pub(super) const fn has_effect(flags: u32) -> bool {
    flags & option::WRITES != 0 || flags >> option::RUNS_SHIFT & 7 != 0
}

/// The variable that a word sets, if it has the form of an assignment.
pub(super) fn assigned(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let mut characters = name.chars();
    let begins = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    (begins && characters.all(|one| one.is_ascii_alphanumeric() || one == '_')).then_some(name)
}
