//! What is known of programs and variables, as edges of the trie and rows of the table's sections.

use std::borrow::Cow;
use std::collections::BTreeMap;

use policyc_runtime::format::{INERT_ROOT, KNOWLEDGE, MATCHER, NONE, PROGRAM_ROOT, option, program};

use super::RuleSet;
use super::conditions::one;
use super::intern::number;
use super::trie::Trie;
use crate::rules::{Harmless, Matcher, Operands, OptionValue, Program, ProgramOption, Runs, Text};

/// The rows; the edges are in the trie.
#[derive(Default)]
pub(super) struct Knowledge {
    pub(super) programs: Vec<[u32; 7]>,
    pub(super) options: Vec<[u32; 6]>,
}

impl Knowledge {
    pub(super) fn new<'a>(trie: &mut Trie<'a>, rules: &RuleSet<'a>) -> Self {
        let mut knowledge = Self::default();
        let mut rows: BTreeMap<*const Program, u32> = BTreeMap::new();
        for (path, declared) in by_path(&rules.programs) {
            let row = *rows.entry(declared).or_insert_with(|| knowledge.add(trie, declared));
            knowledge.place(trie, &path, declared, row);
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
    fn add<'a>(&mut self, trie: &mut Trie<'a>, declared: &'a Program) -> u32 {
        let first = number(self.options.len());
        for declared in &declared.options {
            for name in &declared.names {
                let row = option_row(trie, declared, name);
                self.options.push(row);
            }
        }
        let placeholder = declared.placeholder.as_ref().map(|word| trie.words.number(Cow::Borrowed(word)));
        let paths = declared.paths.iter().map(|path| trie.words.number(Cow::Borrowed(path))).collect();
        let [paths, number_of_paths] = one(paths, trie);
        self.programs.push([
            program_flags(declared),
            declared.skip,
            first,
            number(self.options.len()) - first,
            placeholder.unwrap_or(NONE),
            paths,
            number_of_paths,
        ]);
        number(self.programs.len() - 1)
    }

    /// Lets the edges of `path` and of the options after it lead to the rows.
    fn place<'a>(&self, trie: &mut Trie<'a>, path: &[&'a str], declared: &'a Program, row: u32) {
        let mut state = PROGRAM_ROOT;
        for word in path {
            let word = trie.words.number(Cow::Borrowed(word));
            state = trie.edge(state, word);
        }
        know(trie, state, 2 * row + KNOWLEDGE);
        let first = self.programs.get(row as usize).map_or(0, |[_, _, first, ..]| *first);
        for (option, name) in (first..).zip(declared.options.iter().flat_map(|option| &option.names)) {
            let name = trie.words.number(Cow::Borrowed(name));
            let state = trie.edge(state, name);
            know(trie, state, 2 * option + KNOWLEDGE + 1);
        }
    }
}

fn know(trie: &mut Trie<'_>, state: u32, knowledge: u32) {
    if let Some(edge) = trie.edges.get_mut(state as usize) {
        edge.knowledge = knowledge;
    }
}

/// The declarations by the words that they are about; the last one wins.
fn by_path<'a>(programs: &[&'a Program]) -> BTreeMap<Vec<&'a str>, &'a Program> {
    let mut by_path = BTreeMap::new();
    for declared in programs {
        let mut paths: Vec<Vec<&str>> = vec![Vec::new()];
        for element in &declared.path {
            let longer = |path: &Vec<&'a str>| {
                let path = path.clone();
                element.words.iter().map(move |word| path.iter().copied().chain([word.as_str()]).collect())
            };
            paths = paths.iter().flat_map(longer).collect();
        }
        by_path.extend(paths.into_iter().map(|path| (path, *declared)));
    }
    by_path
}

const fn text(text: Text) -> u32 {
    match text {
        Text::Shell => program::SHELL,
        Text::PowerShell => program::POWERSHELL,
        Text::Cmd => program::CMD,
    }
}

fn program_flags(declared: &Program) -> u32 {
    let operands = match declared.operands {
        Operands::Data => program::DATA,
        Operands::Command => program::COMMAND,
        Operands::Joined(kind) => program::JOINED | text(kind) << program::TEXT_SHIFT,
        Operands::First(kind) => program::FIRST | text(kind) << program::TEXT_SHIFT,
        Operands::Assignments => program::ASSIGNMENTS,
        Operands::Aliases => program::ALIASES,
        Operands::Code => program::CODE,
    };
    let long_behind_one_hyphen = |name: &String| name.starts_with('-') && !name.starts_with("--") && name.len() > 2;
    let bundles = !declared.options.iter().flat_map(|option| &option.names).any(long_behind_one_hyphen);
    let flags = [
        (declared.assignments, program::SETS),
        (declared.harmless, program::HARMLESS),
        (declared.extends, program::EXTENDS),
        (bundles, program::BUNDLES),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum::<u32>();
    operands | flags | declared.stdin.map_or(0, text) << program::STDIN_SHIFT
}

fn option_row<'a>(trie: &mut Trie<'a>, declared: &'a ProgramOption, name: &'a str) -> [u32; 6] {
    let value = match declared.value {
        OptionValue::None => option::NONE,
        OptionValue::Required => option::REQUIRED,
        OptionValue::Attached => option::ATTACHED,
        OptionValue::Rest => option::REST,
        OptionValue::Until(_) => option::UNTIL,
    };
    let runs = match declared.runs {
        None => 0,
        Some(Runs::Command) => option::COMMAND,
        Some(Runs::Text(kind)) => text(kind),
        Some(Runs::Code) => option::CODE,
    };
    let flags = [
        (declared.harmless != Harmless::No, option::HARMLESS),
        (declared.writes, option::WRITES),
        (declared.placeholder, option::PLACEHOLDER),
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
