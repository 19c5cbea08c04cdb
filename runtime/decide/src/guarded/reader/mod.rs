//! Reads the words of a command as its program does.

mod options;
mod bundles;
mod operands;

use policyc_shell::ShellKind;

use self::operands::descriptor;
use super::grammar::{Grammar, Inner, Mark, Role};
use super::line::{Judged, Line};
use crate::format::{NONE, program};
use crate::lookup::Knowledge;
use crate::table::Table;

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
    /// Whether an option surely puts words in its place.
    respelt: bool,
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

impl<'l> Grammar<'l> {
    /// Reads `line` as a program does of which this is known; `windows` has options begin with a slash, too.
    pub(super) fn new(table: &'l Table<'l>, known: Option<(u32, Knowledge)>, line: &Line<'l>, windows: bool) -> Self {
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
            respelt: false,
            rest: false,
            diverted: false,
            grammar: Self::default(),
        };
        match known {
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
            } else if !options && let Some((option, length)) = self.beginning(word.text) {
                self.known_option(place, option, Some(length))
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
        if self.flags & program::OPERANDS == program::SHIFT {
            self.grammar.marks.push(Mark::Shift(if self.operands > 0 { self.line.len() - 1 } else { usize::MAX }));
        }
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
        self.grammar.reads_operands = self.flags & program::OPERANDS_FROM_STDIN != 0;
        let reads_code = self.flags & program::CODE_FROM_STDIN != 0;
        self.grammar.waits_for_code = reads_code
            || self.flags & program::OPERANDS == program::CODE
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
