//! A command as its program reads it: which words are options, values, subcommands, operands, and what runs because of
//! them. All of it comes from the table.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use policyc_shell::ShellKind;

use super::line::{Judged, Line};
use crate::format::{NONE, OPTIONS, PROGRAM_ROOT, option, program};
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

    fn set(&mut self, place: usize, role: Role) {
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
    /// The operand that names a file with text, by its place, and the language of that.
    pub(super) file: Option<(usize, ShellKind)>,
    /// Whether it reads code in a language of its own from its standard input.
    pub(super) waits_for_code: bool,
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

/// The kind of a text in the language `text` that a program with these flags runs.
const fn kind(text: u32, flags: u32) -> ShellKind {
    match text {
        program::POWERSHELL => ShellKind::PowerShell,
        program::CMD => ShellKind::Cmd,
        _ if flags & program::KIN != 0 => ShellKind::Kin,
        _ => ShellKind::Bash,
    }
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

    /// Reads `line` as the program `name` does; `windows` has options begin with a slash, too.
    pub(super) fn new(table: &'l Table<'l>, name: &str, line: &Line<'l>, windows: bool) -> Self {
        let mut reader = Reader {
            table,
            line: *line,
            windows,
            state: 0,
            flags: program::BUNDLES,
            skip: 0,
            options: (0, 0),
            operands: 0,
            flagged: None,
            reads: false,
            rest: false,
            diverted: false,
            grammar: Self::default(),
        };
        match table.knowledge(PROGRAM_ROOT, Exact(name)) {
            Some((state, knowledge)) => {
                reader.grammar.known = true;
                reader.enter(state, knowledge);
            }
            None => reader.state = NONE,
        }
        reader.read();
        reader.grammar
    }
}

struct Reader<'l> {
    table: &'l Table<'l>,
    line: Line<'l>,
    windows: bool,
    /// The place in the trie after the program and its subcommands so far; [`NONE`] if nothing is known.
    state: u32,
    flags: u32,
    skip: u32,
    /// The first option of the program or subcommand, and their number.
    options: (u32, u32),
    /// Operands since the last subcommand.
    operands: u32,
    /// What the first operand is because of an option: what runs.
    flagged: Option<u32>,
    /// Whether an option makes operands parameters of what is read from standard input.
    reads: bool,
    /// Whether an option has taken all words that follow.
    rest: bool,
    /// Whether it has the program do something else than run a command.
    diverted: bool,
    grammar: Grammar<'l>,
}

/// What follows a word.
enum Next {
    /// The word at this place.
    Place(usize),
    End,
}

impl<'l> Reader<'l> {
    fn enter(&mut self, state: u32, knowledge: Knowledge) {
        self.state = state;
        self.operands = 0;
        self.flags = program::BUNDLES;
        self.skip = 0;
        self.options = (0, 0);
        self.flagged = None;
        if let Knowledge::Program(place) = knowledge
            && let Some(record) = self.table.programs.get(place)
        {
            self.flags = record.field(0);
            self.skip = record.field(1);
            self.options = (record.field(2), record.field(3));
            self.grammar.options = self.options;
            self.grammar.extends = self.flags & program::EXTENDS != 0;
            self.grammar.placeholder = (record.field(4) != NONE).then(|| self.table.word(record.field(4)));
        }
        self.grammar.harmless = self.flags & program::HARMLESS != 0;
        self.grammar.moves = self.flags & program::MOVES != 0;
    }

    fn read(&mut self) {
        let mut place = 1;
        let mut options = true;
        while let Some(word) = self.line.word(place) {
            let next = if word.is_dynamic() {
                if word.multiplies() {
                    self.grammar.harmless = false;
                    self.grammar.ambiguous |= self.grammar.known;
                }
                match if options { self.begun_option(place, word.beginning()) } else { None } {
                    Some(next) => next,
                    None => self.operand(place, word),
                }
            } else if options && word.text == "--" && self.declared(word.text).is_none() {
                options = self.hands_on();
                self.grammar.roles.set(place, Role::Terminator);
                Next::Place(place + 1)
            } else if options && let Some(next) = self.option(place, word.text) {
                next
            } else {
                self.operand(place, word)
            };
            options |= self.hands_on();
            match next {
                Next::Place(next) => place = next.max(place + 1),
                Next::End => return self.finish(),
            }
        }
        self.finish();
    }

    /// Whether the operands of its own are behind and the rest are words of the shell that it starts, options and all.
    fn hands_on(&self) -> bool {
        let starts_shell =
            self.flags & program::OPERANDS == program::CODE && self.flags >> program::STDIN_SHIFT & 3 != 0;
        starts_shell && self.skip > 0 && self.operands >= self.skip
    }

    fn finish(&mut self) {
        // Rules may be about a wrapper together with what it runs: there, too, options may stand between words.
        let words = self.grammar.inner.iter().filter(|inner| matches!(inner, Inner::Words { .. })).map(Inner::start);
        if let Some(start) = words.min() {
            for place in start..self.line.len() {
                let is_option =
                    |word: Judged<'_>| !word.is_dynamic() && word.text.len() > 1 && word.text.starts_with('-');
                if self.grammar.roles.get(place) == Role::Word && self.line.word(place).is_some_and(is_option) {
                    self.grammar.roles.set(place, Role::Unknown);
                }
            }
        }
        if self.grammar.extends && self.flags & program::WORD_OPTIONS != 0 {
            self.grammar.inputs = (1..self.line.len()).find(|place| self.begins_inputs(*place));
        }
        let runs = matches!(self.flags & program::OPERANDS, program::COMMAND | program::JOINED | program::FIRST);
        self.grammar.harmless &= !runs || self.rest || !self.grammar.inner.is_empty();
        self.what_is_missing(runs);
    }

    /// What runs though no word says it: what is read from standard input, or what is added to the words.
    fn what_is_missing(&mut self, runs: bool) {
        self.grammar.waits_for_code = self.flags & program::OPERANDS == program::CODE
            && self
                .grammar
                .code
                .iter()
                .all(|place| self.line.word(*place).is_some_and(|word| descriptor(&word).is_some()));
        if self.diverted || !self.grammar.inner.is_empty() {
            return;
        }
        let stdin = self.flags >> program::STDIN_SHIFT & 3;
        // Data says nothing of what runs.
        let waits = self.flags & program::OPERANDS == program::DATA || self.operands <= self.skip;
        if self.reads || stdin != 0 && waits && self.flagged.is_none() {
            self.grammar.inner.push(Inner::StandardInput { kind: kind(stdin, self.flags), descriptor: 0 });
        } else if self.flagged.is_some() || runs && self.line.extended {
            self.grammar.inner.push(Inner::Supplied);
        }
    }

    /// Reads an option, if the word at `place` is one.
    fn option(&mut self, place: usize, word: &'l str) -> Option<Next> {
        let hyphen = word.len() > 1 && word.starts_with('-');
        if word == "-"
            && let Some(option) = self.declared(word)
        {
            return Some(self.known_option(place, option, None));
        }
        if !hyphen && self.flags & program::WORD_OPTIONS == 0 && !self.windows {
            return None;
        }
        if let Some(option) = self.declared(word) {
            return Some(self.known_option(place, option, None));
        }
        let equals = word.bytes().position(|byte| byte == b'=');
        if !hyphen {
            if let Some(end) = equals
                && let Some(option) = self.declared(word.get(..=end)?)
            {
                return Some(self.known_option(place, option, Some(end + 1)));
            }
            if let Some(name) = word.get(..2).filter(|_| word.starts_with('/') && word.len() > 2)
                && let Some(option) = self.declared(name)
                && self.takes_the_rest(option)
            {
                return Some(self.known_option(place, option, Some(2)));
            }
            if self.windows && word.starts_with('/') && word.len() == 2 {
                self.grammar.roles.set(place, Role::Option);
                return Some(Next::Place(place + 1));
            }
            return self.has_mark_of_options(word).then(|| self.unknown_option(place));
        }
        if let Some(end) = equals
            && let Some(option) = self.declared(word.get(..end)?)
        {
            return Some(self.known_option(place, option, Some(end + 1)));
        }
        if !word.starts_with("--") && self.flags & program::BUNDLES != 0 && self.state != NONE {
            return Some(self.bundle(place, word, true));
        }
        self.abbreviation(place, word.get(..equals.unwrap_or(word.len()))?, equals);
        Some(self.unknown_option(place))
    }

    /// Whether a word begins with a mark that options without a hyphen have here, as a plus sign.
    #[cold]
    fn has_mark_of_options(&self, word: &str) -> bool {
        let mark =
            |word: &str| word.chars().next().filter(|mark| mark.is_ascii_punctuation() && !"/.-_".contains(*mark));
        let Some(known) = mark(word).filter(|_| self.flags & program::WORD_OPTIONS != 0) else { return false };
        let (first, number) = self.options;
        (first..first + number).any(|option| {
            let name = self.table.options.get(option).map_or("", |record| self.table.word(record.field(1)));
            mark(name) == Some(known) && !name.ends_with('=')
        })
    }

    /// Reads an option of which only the beginning is known: the run may add letters, a value, or nothing, and then the
    /// next word may be the value.
    #[cold]
    fn begun_option(&mut self, place: usize, start: &'l str) -> Option<Next> {
        let hyphen = start.starts_with('-');
        if !hyphen && self.flags & program::WORD_OPTIONS == 0 {
            return None;
        }
        let equals = start.bytes().position(|byte| byte == b'=');
        if let Some(end) = equals
            && let Some(option) = self.declared(start.get(..end + usize::from(!hyphen))?)
        {
            return Some(self.known_option(place, option, Some(end + 1)));
        }
        if !hyphen {
            return self.has_mark_of_options(start).then(|| self.unknown_option(place));
        }
        if !start.starts_with("--") && self.flags & program::BUNDLES != 0 && self.state != NONE {
            return Some(self.bundle(place, start, false));
        }
        self.abbreviation(place, start.get(..equals.unwrap_or(start.len()))?, equals);
        Some(self.unknown_option(place))
    }

    fn takes_the_rest(&self, option: u32) -> bool {
        self.table.options.get(option).is_some_and(|record| record.field(0) & option::VALUE == option::REST)
    }

    fn declared(&self, name: &str) -> Option<u32> {
        if self.options.1 == 0 {
            return None;
        }
        match self.table.knowledge(OPTIONS + self.options.0, Exact(name))? {
            (_, Knowledge::Option(option)) => Some(option),
            _ => None,
        }
    }

    fn unknown_option(&mut self, place: usize) -> Next {
        self.grammar.roles.set(place, Role::Unknown);
        self.grammar.harmless = false;
        self.grammar.ambiguous |= self.grammar.known;
        Next::Place(place + 1)
    }

    /// Programs take the beginning of a long option's name for the whole: what may be an option with an effect is one.
    #[cold]
    fn abbreviation(&mut self, place: usize, name: &str, equals: Option<usize>) {
        if !name.starts_with("--") || name.len() < 3 {
            return;
        }
        let (first, number) = self.options;
        let mut known = None;
        for option in first..first + number {
            let Some(record) = self.table.options.get(option) else { continue };
            let flags = record.field(0);
            if !(has_effect(flags) || flags & option::MOVES != 0)
                || known == Some(flags)
                || !self.table.word(record.field(1)).starts_with(name)
            {
                continue;
            }
            // Spellings of one option stand side by side.
            known = Some(flags);
            self.doubted_option(place, option, equals.map(|equals| equals + 1));
        }
    }

    /// Letters behind one hyphen, the last of which may have a value. Unless they are `whole`, the run adds to them.
    fn bundle(&mut self, place: usize, word: &'l str, whole: bool) -> Next {
        let mut harmless = true;
        // How many words behind belong to letters before the last one.
        let mut values = 0;
        // A long name behind one hyphen that is not declared begins with any letter.
        let first = word.chars().nth(1).map_or(0, char::len_utf8);
        for (offset, letter) in word.char_indices().skip(1) {
            let Some(option) = self.declared_letter(letter) else {
                if offset > first || !whole {
                    self.effects_in_bundle(place, word, offset, whole);
                } else {
                    self.last_letter(place, word);
                }
                return self.unknown_option(place);
            };
            let after = offset + letter.len_utf8();
            let value = self.table.options.get(option).map_or(0, |record| record.field(0) & option::VALUE);
            if !whole && after >= word.len() && !matches!(value, option::NONE | option::NEXT) {
                self.known_option(place, option, Some(after));
                return self.unknown_option(place);
            }
            if matches!(value, option::NONE | option::NEXT) || after >= word.len() {
                let next = self.known_option(place, option, None);
                harmless &= self.grammar.roles.get(place) == Role::Harmless;
                if after >= word.len() && !whole {
                    self.effects_in_bundle(place, word, after, false);
                    return self.unknown_option(place);
                }
                if after >= word.len() {
                    self.grammar.roles.set(place, if harmless { Role::Harmless } else { Role::Option });
                    return if values == 0 { next } else { self.values_of_letters(place, values, next) };
                }
                values += usize::from(value == option::NEXT);
                continue;
            }
            let after = after + usize::from(word.get(after..).is_some_and(|rest| rest.starts_with('=')));
            let next = self.known_option(place, option, Some(after));
            harmless &= self.grammar.roles.get(place) == Role::Harmless;
            self.grammar.roles.set(place, if harmless { Role::Harmless } else { Role::Option });
            return next;
        }
        self.effects_in_bundle(place, word, word.len(), whole);
        self.unknown_option(place)
    }

    /// Skips the values of letters that stand before the last one of a bundle.
    fn values_of_letters(&mut self, place: usize, values: usize, next: Next) -> Next {
        let last = match next {
            Next::Place(next) => next.max(place + 1 + values),
            Next::End => return Next::End,
        };
        (place + 1..last.min(self.line.len())).for_each(|place| self.grammar.roles.set(place, Role::Value));
        Next::Place(last)
    }

    /// Behind a letter that is not declared, any other may be an option, too: those from `offset` on, or any that the run
    /// may add.
    #[cold]
    fn effects_in_bundle(&mut self, place: usize, word: &str, offset: usize, whole: bool) {
        let letters = word.get(offset..).unwrap_or_default();
        let (first, number) = self.options;
        for option in first..first + number {
            let Some(record) = self.table.options.get(option) else { continue };
            let flags = record.field(0);
            let mut name = self.table.word(record.field(1)).chars();
            let (Some('-'), Some(letter), None) = (name.next(), name.next(), name.next()) else { continue };
            if !has_effect(flags) && flags & option::MOVES == 0 {
                continue;
            }
            let attached = letters.find(letter).map(|found| offset + found + letter.len_utf8());
            if attached.is_some() || !whole {
                self.doubted_option(place, option, attached.filter(|after| *after < word.len()));
            }
        }
    }

    /// Behind a letter that is not declared, the last one may say that the next word runs.
    #[cold]
    fn last_letter(&mut self, place: usize, word: &str) {
        let Some(option) = word.chars().last().and_then(|letter| self.declared_letter(letter)) else { return };
        let flags = self.table.options.get(option).map_or(0, |record| record.field(0));
        if !matches!(flags >> option::RUNS_SHIFT & 7, 0 | option::CODE) {
            self.doubted_option(place, option, None);
        }
    }

    /// Does what an option does that may be meant, its value attached or not.
    #[cold]
    fn doubted_option(&mut self, place: usize, option: u32, attached: Option<usize>) {
        let Some(record) = self.table.options.get(option) else { return };
        let flags = record.field(0);
        let end = self.line.len();
        let value = match (attached, flags & option::VALUE) {
            (_, option::NONE) | (None, option::ATTACHED) => None,
            (Some(offset), option::REST) => Some((place, offset, end)),
            (Some(offset), kind) if kind != option::NEXT => Some((place, offset, place + 1)),
            (_, option::REST) => Some((place + 1, 0, end)),
            (_, option::UNTIL) => Some((place + 1, 0, self.until(place + 1, record.field(4), record.field(5)))),
            _ => Some((place + 1, 0, (place + 2).min(end))),
        };
        self.effect(place, option, flags, value);
        self.moves(flags, value);
    }

    /// Reads the value of an option, which begins at byte `attached` of the same word if it does, and what that does.
    fn known_option(&mut self, place: usize, option: u32, attached: Option<usize>) -> Next {
        let Some(record) = self.table.options.get(option) else { return self.unknown_option(place) };
        let flags = record.field(0);
        let end = self.line.len();
        let value = match (flags & option::VALUE, attached) {
            (option::NONE | option::ATTACHED, None) => None,
            (option::NEXT, _) => Some((place + 1, 0, (place + 2).min(end))),
            (option::REST, None) => Some((place + 1, 0, end)),
            (option::UNTIL, None) => Some((place + 1, 0, self.until(place + 1, record.field(4), record.field(5)))),
            (option::REST, Some(offset)) => Some((place, offset, end)),
            (_, Some(offset)) => Some((place, offset, place + 1)),
            (_, None) => Some((place + 1, 0, (place + 2).min(end))),
        };
        let last = match (flags & option::VALUE, value) {
            (_, None) => place + 1,
            (option::UNTIL, Some((_, _, last))) if attached.is_none() => last + 1,
            (_, Some((_, _, last))) => last.max(place + 1),
        };
        let harmless = flags & option::HARMLESS != 0 && self.harmless_value(record.field(2), record.field(3), value);
        let (role, role_of_value) =
            if harmless { (Role::Harmless, Role::HarmlessValue) } else { (Role::Option, Role::Value) };
        self.grammar.roles.set(place, role);
        (place + 1..last.min(end)).for_each(|place| self.grammar.roles.set(place, role_of_value));
        let runs = flags >> option::RUNS_SHIFT & 7;
        let seen_through = runs != 0 && runs != option::CODE && flags & option::WRITES == 0;
        self.grammar.harmless &= harmless || seen_through;
        if !harmless || seen_through {
            self.effect(place, option, flags, value);
        }
        self.moves(flags, value);
        if flags & option::PLACEHOLDER != 0
            && let Some((place, offset, _)) = value
        {
            self.grammar.placeholder = self.line.word(place).and_then(|word| word.text.get(offset..));
        }
        self.rest |= flags & option::VALUE == option::REST;
        self.diverted |= flags & (option::VALUE | option::HARMLESS) == option::REST && runs == 0;
        if last >= end && self.rest { Next::End } else { Next::Place(last) }
    }

    fn moves(&mut self, flags: u32, value: Option<(usize, usize, usize)>) {
        if flags & option::MOVES != 0 {
            self.grammar.marks.push(match value {
                Some((place, offset, _)) if flags >> option::RUNS_SHIFT & 7 == 0 => Mark::Folder(place, offset),
                _ => Mark::Elsewhere,
            });
        }
    }

    fn until(&self, start: usize, ends: u32, number: u32) -> usize {
        let ends = || self.table.elements(ends, number).flat_map(|element| element.words());
        let mut place = start;
        while let Some(word) = self.line.word(place) {
            if !word.is_dynamic() && ends().any(|end| end == word.text) {
                break;
            }
            place += 1;
        }
        place
    }

    fn harmless_value(&self, values: u32, number: u32, value: Option<(usize, usize, usize)>) -> bool {
        if number == 0 {
            return value.is_none_or(|(place, ..)| self.line.word(place).is_some_and(|word| !word.is_dynamic()));
        }
        let Some(word) = value.and_then(|(place, offset, _)| {
            let word = self.line.word(place).filter(|word| !word.is_dynamic())?;
            word.text.get(offset..)
        }) else {
            return false;
        };
        self.table.elements(values, number).any(|element| element.describes(word, None, false))
    }

    fn effect(&mut self, place: usize, option: u32, flags: u32, value: Option<(usize, usize, usize)>) {
        let runs = flags >> option::RUNS_SHIFT & 7;
        match (runs, value) {
            (0, _) => {}
            (option::CODE, _) => {
                let value = value.map(|(place, offset, _)| (place, offset));
                self.grammar.effects.push(Effect { word: place, option, value });
            }
            (option::STDIN, _) => self.reads = true,
            (_, None) => self.flagged = Some(runs),
            (option::COMMAND, Some((start, 0, end))) => self.grammar.inner.push(Inner::Words { start, end }),
            (option::COMMAND, Some((start, offset, end))) if end == start + 1 => {
                self.grammar.inner.push(Inner::Text { kind: ShellKind::Bash, start, end, offset, given: false });
            }
            (option::COMMAND, Some((start, offset, _))) => {
                self.grammar.inner.push(Inner::Respelt { start, end: start + 1, offset, stays: false });
            }
            (option::WORDS, Some((start, offset, end))) => {
                self.grammar.inner.push(Inner::Respelt { start, end, offset, stays: true });
            }
            (text, Some((start, offset, end))) => {
                self.grammar.inner.push(Inner::Text { kind: kind(text, self.flags), start, end, offset, given: false });
            }
        }
        if flags & option::WRITES != 0 {
            let value = value.map(|(place, offset, _)| (place, offset));
            self.grammar.effects.push(Effect { word: place, option, value });
        }
    }

    /// Reads letters of options without a hyphen, whose values are the next words in their order.
    #[cold]
    fn letters(&mut self, place: usize, word: Judged<'l>) -> Option<Next> {
        if word.is_dynamic() || !word.text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let mut next = place + 1;
        for letter in word.text.chars() {
            let Some(option) = self.declared_letter(letter) else { continue };
            let flags = self.table.options.get(option).map_or(0, |record| record.field(0));
            let mut value = None;
            if !matches!(flags & option::VALUE, option::NONE | option::ATTACHED) && next < self.line.len() {
                self.grammar.roles.set(next, Role::Value);
                value = Some((next, 0, next + 1));
                next += 1;
            }
            self.effect(place, option, flags, value);
            self.moves(flags, value);
        }
        self.grammar.harmless = false;
        self.grammar.roles.set(place, Role::Option);
        self.grammar.marks.push(Mark::Letters(place));
        Some(Next::Place(next))
    }

    fn declared_letter(&self, letter: char) -> Option<u32> {
        let mut buffer = [b'-'; 5];
        let length = letter.encode_utf8(buffer.get_mut(1..)?).len();
        self.declared(core::str::from_utf8(buffer.get(..=length)?).ok()?)
    }

    /// Whether a word in front of the operands sets a variable. It may have any name, unless it could be a text.
    fn sets(&self, word: &str) -> bool {
        if matches!(self.flags & program::OPERANDS, program::JOINED | program::FIRST) {
            return assigned(word).is_some() && !word.contains(char::is_whitespace);
        }
        word.contains('=')
    }

    /// Whether the word at `place` is a subcommand.
    #[cold]
    fn is_subcommand(&self, place: usize) -> bool {
        let word = self.line.word(place).filter(|word| self.state != NONE && !word.is_dynamic());
        let known = word.and_then(|word| self.table.knowledge(self.state, Exact(word.text)));
        known.is_some_and(|(_, knowledge)| !matches!(knowledge, Knowledge::Option(_)))
    }

    fn operand(&mut self, place: usize, word: Judged<'l>) -> Next {
        if word.is_dynamic() && self.operands == 0 && word.may_be_option() && self.is_subcommand(place + 1) {
            self.grammar.harmless = false;
            self.grammar.ambiguous |= self.grammar.known;
            return Next::Place(place + 1);
        }
        if self.operands == 0
            && self.state != NONE
            && !word.is_dynamic()
            && let Some((state, knowledge)) = self.table.knowledge(self.state, Exact(word.text))
            && !matches!(knowledge, Knowledge::Option(_))
        {
            self.enter(state, knowledge);
            return Next::Place(place + 1);
        }
        if place == 1
            && self.flags & program::LETTERS != 0
            && let Some(next) = self.letters(place, word)
        {
            return next;
        }
        let end = self.line.len();
        if let Some(runs) = self.flagged.take() {
            self.operands += 1;
            self.grammar.inner.push(match runs {
                option::COMMAND => Inner::Words { start: place, end },
                text => {
                    Inner::Text { kind: kind(text, self.flags), start: place, end: place + 1, offset: 0, given: true }
                }
            });
            return Next::End;
        }
        let text = kind(self.flags >> program::TEXT_SHIFT & 3, self.flags);
        let kind_of_operand = self.flags & program::OPERANDS;
        let runs = matches!(kind_of_operand, program::COMMAND | program::JOINED | program::FIRST);
        if self.flags & program::SETS != 0 && self.operands == 0 && self.sets(word.beginning()) {
            // Some take no path for a variable.
            if runs && word.text.starts_with('/') {
                self.grammar.inner.push(Inner::Words { start: place, end });
            }
            self.grammar.roles.set(place, Role::Assignment);
            self.grammar.assignments.push(place);
            return Next::Place(place + 1);
        }
        let stdin = self.flags >> program::STDIN_SHIFT & 3;
        if self.reads && !runs {
            self.operands += 1;
            return Next::Place(place + 1);
        }
        if stdin != 0
            && self.operands == 0
            && let Some((descriptor, surely)) = descriptor(&word)
        {
            self.grammar.ambiguous |= !surely;
            self.grammar.inner.push(Inner::StandardInput { kind: kind(stdin, self.flags), descriptor });
            return Next::End;
        }
        self.operands += 1;
        let skips = runs || kind_of_operand == program::CODE;
        if skips && self.operands <= self.skip {
            return Next::Place(place + 1);
        }
        let end = if runs { self.end_of_operands(place) } else { end };
        match kind_of_operand {
            program::COMMAND => {
                self.grammar.inner.push(Inner::Words { start: place, end });
                // What only the run can know may be an option, with a value or without.
                if word.is_dynamic() && word.may_be_option() {
                    let behind = place + 1..(place + 3).min(end);
                    self.grammar.inner.extend(behind.map(|start| Inner::Words { start, end }));
                }
            }
            program::JOINED => {
                self.grammar.inner.push(Inner::Text { kind: text, start: place, end, offset: 0, given: false });
            }
            program::FIRST => {
                self.grammar.inner.push(Inner::Text {
                    kind: text,
                    start: place,
                    end: place + 1,
                    offset: 0,
                    given: true,
                });
            }
            program::ASSIGNMENTS => {
                self.grammar.assigns = true;
                self.grammar.assignments.push(place);
                if !word.names_a_variable() {
                    self.grammar.marks.push(Mark::Name(place));
                }
                // A subscript may be arithmetic, and that may run commands.
                if word.text.contains(['[', '$', '`']) {
                    self.grammar.code.push(place);
                }
                return Next::Place(place + 1);
            }
            program::ARITHMETIC => {
                self.grammar.harmless = false;
                self.grammar.assigns = true;
                self.grammar.assignments.push(place);
                self.grammar.marks.push(Mark::Arithmetic(place));
                return Next::Place(place + 1);
            }
            program::PARAMETERS => {
                self.grammar.marks.push(Mark::Parameter(place));
                return Next::Place(place + 1);
            }
            program::DEFINITION => {
                self.grammar.marks.push(Mark::Definition(place));
                return Next::Place(place + 1);
            }
            program::ALIASES => {
                self.grammar.aliases.push(place);
                return Next::Place(place + 1);
            }
            program::CODE => {
                self.grammar.harmless = false;
                if stdin != 0 && self.grammar.code.is_empty() {
                    self.grammar.file = Some((place, kind(stdin, self.flags)));
                }
                self.grammar.code.push(place);
                return Next::Place(place + 1);
            }
            _ => {
                if self.grammar.moves {
                    self.grammar.marks.push(Mark::Target(place));
                }
                return Next::Place(place + 1);
            }
        }
        Next::End
    }
}

impl Reader<'_> {
    /// Where what runs ends: before an option that is no such word by its form and takes all that follows.
    fn end_of_operands(&self, start: usize) -> usize {
        let end = self.line.len();
        if self.flags & program::WORD_OPTIONS == 0 {
            return end;
        }
        (start + 1..end).find(|place| self.begins_inputs(*place)).unwrap_or(end)
    }

    fn begins_inputs(&self, place: usize) -> bool {
        let word = self.line.word(place).filter(|word| !word.is_dynamic() && !word.text.starts_with('-'));
        let option = word.and_then(|word| self.declared(word.text));
        option.is_some_and(|option| self.takes_the_rest(option))
    }
}

/// The descriptor that a word stands for as a file, if it stands for one, and whether it is surely one of this process.
fn descriptor(word: &Judged<'_>) -> Option<(u32, bool)> {
    if !word.is_dynamic() && word.text == "-" {
        return Some((0, true));
    }
    if !word.text.starts_with('/') {
        // It depends on the folder.
        return match word.text.rsplit_once('/').map_or(word.text, |(_, name)| name) {
            "stdin" => Some((0, false)),
            number => Some((number.parse().ok()?, false)),
        };
    }
    let path = if word.is_dynamic() { Cow::Owned(word.glob(None)) } else { Cow::Borrowed(word.text) };
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            component => components.push(component),
        }
    }
    match components.as_slice() {
        ["dev", "stdin"] => Some((0, !word.is_dynamic())),
        ["dev", "fd", number] | ["proc", "self" | "thread-self", "fd", number] => {
            Some((number.parse().ok()?, !word.is_dynamic()))
        }
        ["proc", .., "fd", number] => Some((number.parse().ok()?, false)),
        _ => None,
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
