//! What a table knows of programs and variables, for those who list it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::format::{ACCEPTING_LIMIT, INERT_ROOT, KNOWLEDGE, MATCHER, NONE, PROGRAM_ROOT, WIDE, option, program};
use crate::lookup::Knowledge;
use crate::matcher::Matcher;
use crate::record::Record;
use crate::table::Table;

impl<'t> Table<'t> {
    /// The names of variables that change nothing for any allowed command, in no particular order; `*` in them stands for
    /// any characters.
    pub fn inert_variables(&'t self) -> impl Iterator<Item = &'t str> {
        let edges = self.edges.iter().filter(|edge| edge.field(1) == INERT_ROOT && edge.field(2) != NONE);
        edges.filter_map(|edge| match edge.field(2) {
            matcher if matcher & MATCHER != 0 => match self.matcher(matcher & !MATCHER) {
                Matcher::Glob(pattern) => Some(pattern),
                _ => None,
            },
            word => Some(self.word(word)),
        })
    }

    /// Whether anything is known of the program of this name.
    #[must_use]
    pub fn knows_program(&self, name: &str) -> bool {
        self.knowledge(PROGRAM_ROOT, crate::word::Exact(name)).is_some()
    }

    /// The program and the subcommands of it that are known, among the words of a command: the name of the program first.
    #[must_use]
    pub fn known_program<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Vec<&'w str> {
        let (mut state, mut path, mut known) = (PROGRAM_ROOT, Vec::new(), 0);
        for word in words {
            match self.knowledge(state, crate::word::Exact(word)) {
                Some((next, knowledge)) => {
                    state = next;
                    path.push(word);
                    if let Knowledge::Program(_) = knowledge {
                        known = path.len();
                    }
                }
                None if path.is_empty() => break,
                None => {}
            }
        }
        path.truncate(known);
        path
    }

    /// What is known of programs, sorted by the first of the names that share it.
    #[must_use]
    pub fn programs(&'t self) -> Vec<Program<'t>> {
        // An edge leads to the state of its own place, so what leads there is found by it.
        let mut programs: BTreeMap<u32, Vec<Vec<&str>>> = BTreeMap::new();
        for edge in self.edges.iter() {
            let place = edge.field(3) & (ACCEPTING_LIMIT - 1);
            let program = place.checked_sub(KNOWLEDGE).filter(|place| place & 1 == 0);
            if let (Some(program), Some(path)) = (program, self.program_path(edge)) {
                programs.entry(program >> 1).or_default().push(path);
            }
        }
        let known = programs.into_iter().filter_map(|(place, mut names)| {
            names.sort_unstable();
            Some(Program { table: self, record: self.programs.get(place)?, names })
        });
        let mut known: Vec<_> = known.collect();
        known.sort_by(|one, other| one.names.cmp(&other.names));
        known
    }

    /// The words from the root of programs to the end of an edge, if it stands below that root.
    fn program_path(&'t self, mut edge: Record<'t, 16>) -> Option<Vec<&'t str>> {
        let mut path = Vec::new();
        // No path is longer than there are edges, whatever the bytes.
        for _ in 0..self.edges.len() {
            match edge.field(2) {
                NONE | WIDE => return None,
                word if word & MATCHER != 0 => return None,
                word => path.push(self.word(word)),
            }
            if edge.field(1) == PROGRAM_ROOT {
                path.reverse();
                return Some(path);
            }
            edge = self.edges.get(edge.field(1))?;
        }
        None
    }
}

/// What is known of a program, or of a subcommand of one.
pub struct Program<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 28>,
    /// The names that share it, each with the subcommands after it; sorted.
    pub names: Vec<Vec<&'t str>>,
}

/// The words that policies use for the languages of texts.
const LANGUAGES: [&str; 3] = ["shell", "powershell", "cmd"];

fn language(bits: u32) -> Option<&'static str> {
    LANGUAGES.get(bits.checked_sub(1)? as usize).copied()
}

impl<'t> Program<'t> {
    /// What its operands are, in the word that policies use.
    #[must_use]
    pub fn operands(&self) -> &'static str {
        let flags = self.record.field(0);
        match flags & program::OPERANDS {
            program::COMMAND => "command",
            program::JOINED | program::FIRST => language(flags >> program::TEXT_SHIFT & 3).unwrap_or("shell"),
            program::ASSIGNMENTS => "assignments",
            program::ALIASES => "aliases",
            program::DEFINITION => "definition",
            program::ARITHMETIC => "arithmetic",
            program::SHIFT => "drops",
            program::PARAMETERS => "parameters",
            program::CODE => "code",
            program::SCRIPT => "script",
            _ => "data",
        }
    }

    /// Whether running it does nothing by itself.
    #[must_use]
    pub fn harmless(&self) -> bool {
        self.record.field(0) & program::HARMLESS != 0
    }

    /// Whether its first operand is the folder of the commands that follow.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.record.field(0) & program::MOVES != 0
    }

    /// What it makes of its standard input, in the word that policies use.
    #[must_use]
    pub fn stdin(&self) -> Option<&'static str> {
        let flags = self.record.field(0);
        if flags & program::CODE_FROM_STDIN != 0 {
            Some("code")
        } else if flags & program::OPERANDS_FROM_STDIN != 0 {
            Some("operands")
        } else {
            language(flags >> program::STDIN_SHIFT & 3)
        }
    }

    /// Whether its name and a subcommand, with a hyphen between, are a program that does the same.
    #[must_use]
    pub fn hyphenated(&self) -> bool {
        self.record.field(0) & program::HYPHENATED != 0
    }

    /// The options that are declared for it, one a name.
    pub fn options(&self) -> impl Iterator<Item = ProgramOption<'t>> + use<'t> {
        let table = self.table;
        let options = table.options.range(self.record.field(2), self.record.field(3));
        let options = options.into_iter().flat_map(|options| options.iter());
        options.map(move |record| ProgramOption { table, record })
    }
}

/// An option of a program.
pub struct ProgramOption<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 24>,
}

impl<'t> ProgramOption<'t> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.word(self.record.field(1))
    }

    /// Whether it takes a value.
    #[must_use]
    pub fn takes_value(&self) -> bool {
        self.record.field(0) & option::VALUE != option::NONE
    }

    /// Whether the word after it is its value.
    #[must_use]
    pub fn takes_next_word(&self) -> bool {
        self.record.field(0) & option::VALUE == option::REQUIRED
    }

    /// Whether it changes nothing that a rule could care about, if only with some values.
    #[must_use]
    pub fn harmless(&self) -> bool {
        self.record.field(0) & option::HARMLESS != 0
    }

    /// What runs because of it, in the word that policies use.
    #[must_use]
    pub fn runs(&self) -> Option<&'static str> {
        match self.record.field(0) >> option::RUNS_SHIFT & 7 {
            option::COMMAND => Some("command"),
            option::CODE => Some("code"),
            option::STDIN => Some("stdin"),
            option::WORDS => Some("words"),
            text => language(text),
        }
    }

    /// Whether its value is the folder that the command works in, or what it runs may run in any.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.record.field(0) & option::MOVES != 0
    }

    /// Whether it makes the program write to a file.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.record.field(0) & option::WRITES != 0
    }
}
