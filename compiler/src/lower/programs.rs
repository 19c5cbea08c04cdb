//! What is known of programs and variables, as edges of the trie and rows of the table's sections.

use std::borrow::Cow;
use std::rc::Rc;

use policyc_runtime::format::{INERT_ROOT, KNOWLEDGE, MATCHER, NONE, OPTIONS, PROGRAM_ROOT, option, program};

use super::RuleSet;
use super::conditions::one;
use super::intern::{Map, number};
use super::trie::Trie;
use crate::programs::{Known, known};
use crate::rules::{Harmless, Matcher, Operands, OptionValue, ProgramOption, Runs, Stdin, Text};

/// The rows; the edges are in the trie.
#[derive(Default)]
pub(super) struct Knowledge {
    pub(super) programs: Vec<[u32; 7]>,
    pub(super) options: Vec<[u32; 6]>,
    known_options: Map<Vec<[u32; 6]>, u32>,
}

impl Knowledge {
    pub(super) fn of(programs: Vec<[u32; 7]>, options: Vec<[u32; 6]>) -> Self {
        Self { programs, options, ..Self::default() }
    }

    pub(super) fn new<'a>(trie: &mut Trie<'a>, rules: &RuleSet<'a>) -> Self {
        let mut knowledge = Self::default();
        let programs = known(&rules.programs);
        trie.reserve(programs.values().map(|program| program.options.len() + 1).sum());
        let mut rows: Map<*const Known<'_>, u32> = Map::default();
        for (path, program) in &programs {
            let row = *rows.entry(Rc::as_ptr(program)).or_insert_with(|| knowledge.add(trie, program));
            place(trie, path, row);
        }
        for name in rules.inert_env.iter().flat_map(|inert| &inert.names) {
            let term = if name.contains('*') {
                trie.matchers.number(Cow::Owned(Matcher::Glob(name.clone()))) | MATCHER
            } else {
                trie.words.number(Cow::Borrowed(name))
            };
            trie.edge(INERT_ROOT, term);
        }
        knowledge
    }

    /// Adds the rows of a program and its options, and returns the program's place.
    fn add<'a>(&mut self, trie: &mut Trie<'a>, known: &Known<'a>) -> u32 {
        let [first, number_of_options] = self.add_options(trie, &known.options);
        let declared = known.declared;
        let placeholder = declared.placeholder.as_ref().map(|word| trie.words.number(Cow::Borrowed(word)));
        let paths = known.paths.iter().map(|path| trie.words.number(Cow::Borrowed(path))).collect();
        let [paths, number_of_paths] = one(paths, trie);
        let row = number(self.programs.len());
        self.programs.push([
            program_flags(known),
            declared.skip,
            first,
            number_of_options,
            placeholder.unwrap_or(NONE),
            paths,
            number_of_paths,
        ]);
        row
    }

    /// Adds options, unless there are the same already: their first, and their number.
    fn add_options<'a>(&mut self, trie: &mut Trie<'a>, declared: &[(&'a str, &'a ProgramOption)]) -> [u32; 2] {
        let first = number(self.options.len());
        let rows: Vec<_> = declared.iter().map(|(name, option)| option_row(trie, option, name)).collect();
        let number_of_rows = number(rows.len());
        if let Some(known) = self.known_options.get(&rows) {
            return [*known, number_of_rows];
        }
        for (option, row) in (first..).zip(&rows) {
            let [_, name, ..] = row;
            let state = trie.edge(OPTIONS + first, *name);
            know(trie, state, 2 * option + KNOWLEDGE + 1);
        }
        self.options.extend(&rows);
        self.known_options.insert(rows, first);
        [first, number_of_rows]
    }
}

/// Lets the edges of `path` lead to a row.
fn place<'a>(trie: &mut Trie<'a>, path: &[&'a str], row: u32) {
    let mut state = PROGRAM_ROOT;
    for word in path {
        let word = trie.words.number(Cow::Borrowed(word));
        state = trie.edge(state, word);
    }
    know(trie, state, 2 * row + KNOWLEDGE);
}

fn know(trie: &mut Trie<'_>, state: u32, knowledge: u32) {
    if let Some(edge) = trie.edges.get_mut(state as usize) {
        edge.knowledge = knowledge;
    }
}

const fn text(text: Text) -> u32 {
    match text {
        Text::Shell => program::SHELL,
        Text::PowerShell => program::POWERSHELL,
        Text::Cmd => program::CMD,
    }
}

fn program_flags(known: &Known<'_>) -> u32 {
    let declared = known.declared;
    let operands = match declared.operands {
        Operands::Data => program::DATA,
        Operands::Command => program::COMMAND,
        Operands::Joined(kind) => program::JOINED | text(kind) << program::TEXT_SHIFT,
        Operands::First(kind) => program::FIRST | text(kind) << program::TEXT_SHIFT,
        Operands::Assignments => program::ASSIGNMENTS,
        Operands::Definition => program::DEFINITION,
        Operands::Arithmetic => program::ARITHMETIC,
        Operands::Shift => program::SHIFT,
        Operands::Parameters => program::PARAMETERS,
        Operands::Aliases => program::ALIASES,
        Operands::Code => program::CODE,
        Operands::Script => program::SCRIPT,
    };
    let names = || known.options.iter().map(|(name, _)| *name);
    let bundles = !names().any(|name| name.starts_with('-') && !name.starts_with("--") && name.len() > 2);
    let words = names().any(|name| !name.starts_with('-'));
    let flags = [
        (words, program::WORD_OPTIONS),
        (declared.assignments, program::SETS),
        (declared.harmless, program::HARMLESS),
        (declared.extends, program::EXTENDS),
        (declared.moves, program::MOVES),
        (!declared.posix, program::KIN),
        (declared.letters, program::LETTERS),
        (bundles, program::BUNDLES),
        (declared.hyphenated, program::HYPHENATED),
        (declared.stdin == Some(Stdin::Code), program::CODE_FROM_STDIN),
        (declared.stdin == Some(Stdin::Operands), program::OPERANDS_FROM_STDIN),
        (known.options.iter().any(|(name, option)| begins_words(name, option)), program::BEGINNINGS),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum::<u32>();
    let stdin = match declared.stdin {
        Some(Stdin::Text(kind)) => text(kind),
        Some(Stdin::Code | Stdin::Operands) | None => 0,
    };
    operands | flags | stdin << program::STDIN_SHIFT
}

/// Whether an option is what words begin with, without a mark that ends its name.
fn begins_words(name: &str, option: &ProgramOption) -> bool {
    option.value == OptionValue::Attached && !name.starts_with('-') && !name.ends_with('=')
}

fn option_row<'a>(trie: &mut Trie<'a>, declared: &'a ProgramOption, name: &'a str) -> [u32; 6] {
    let value = match declared.value {
        OptionValue::None => option::NONE,
        OptionValue::Required => option::REQUIRED,
        OptionValue::Next => option::NEXT,
        OptionValue::Attached => option::ATTACHED,
        OptionValue::Rest => option::REST,
        OptionValue::Until(_) => option::UNTIL,
    };
    let runs = match declared.runs {
        None => 0,
        Some(Runs::Command) => option::COMMAND,
        Some(Runs::Text(kind)) => text(kind),
        Some(Runs::Code) => option::CODE,
        Some(Runs::StandardInput) => option::STDIN,
        Some(Runs::Words) => option::WORDS,
    };
    let begins = |other: &String| other.len() > name.len() && other.starts_with(name);
    let flags = [
        (declared.names.iter().any(begins), option::BEGINNING),
        (declared.harmless != Harmless::No, option::HARMLESS),
        (declared.writes, option::WRITES),
        (declared.placeholder, option::PLACEHOLDER),
        (declared.moves, option::MOVES),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum::<u32>();
    let harmless = match &declared.harmless {
        Harmless::Values(values) => values
            .iter()
            .map(|value| trie.matchers.number(Cow::Owned(Matcher::Glob(value.clone()))) | MATCHER)
            .collect(),
        Harmless::No | Harmless::Yes => Vec::new(),
    };
    let [harmless, number_of_harmless] = one(harmless, trie);
    let ends = match &declared.value {
        OptionValue::Until(ends) => ends.iter().map(|end| trie.words.number(Cow::Borrowed(end))).collect(),
        _ => Vec::new(),
    };
    let [ends, number_of_ends] = one(ends, trie);
    let name = trie.words.number(Cow::Borrowed(name));
    [value | runs << option::RUNS_SHIFT | flags, name, harmless, number_of_harmless, ends, number_of_ends]
}
