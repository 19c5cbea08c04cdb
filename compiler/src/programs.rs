//! What is known of each program once all declarations of it are put together.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::rules::{Program, ProgramOption};

/// What is known of a program.
#[derive(Clone, Debug)]
pub struct Known<'a> {
    /// The declaration that says what its operands are, and all else but options and paths.
    pub declared: &'a Program,
    /// Its options, one a name.
    pub options: Vec<(&'a str, &'a ProgramOption)>,
    /// Absolute paths at which it is this program.
    pub paths: Vec<&'a str>,
}

impl<'a> Known<'a> {
    fn of(declared: &'a Program) -> Self {
        Self { declared, options: named(declared).collect(), paths: paths(declared).collect() }
    }

    /// The same with what `more` adds: its option of a name replaces the one there was.
    fn with(&self, more: &'a Program) -> Self {
        let names: HashSet<&str> = named(more).map(|(name, _)| name).collect();
        let kept = self.options.iter().copied().filter(|(name, _)| !names.contains(name));
        Self {
            declared: self.declared,
            options: kept.chain(named(more)).collect(),
            paths: self.paths.iter().copied().chain(paths(more)).collect(),
        }
    }
}

fn named(program: &Program) -> impl Iterator<Item = (&str, &ProgramOption)> {
    program.options.iter().flat_map(|option| option.names.iter().map(move |name| (name.as_str(), option)))
}

fn paths(program: &Program) -> impl Iterator<Item = &str> {
    program.paths.iter().map(String::as_str)
}

/// What each program is called, with the subcommands after it.
#[must_use]
pub fn names(program: &Program) -> Vec<Vec<&str>> {
    let mut names: Vec<Vec<&str>> = vec![Vec::new()];
    for element in &program.path {
        let longer = |name: &Vec<_>| {
            let name = name.clone();
            element.words.iter().map(move |word| name.iter().copied().chain([word.as_str()]).collect())
        };
        names = names.iter().flat_map(longer).collect();
    }
    names
}

/// Every program, by the words that it is called. The last declaration counts, with what it inherits; programs of which all
/// is the same share it. One that inherits what was never declared says nothing.
#[must_use]
pub fn known<'a>(programs: &[&'a Program]) -> BTreeMap<Vec<&'a str>, Rc<Known<'a>>> {
    let mut known: BTreeMap<Vec<&str>, Rc<Known<'a>>> = BTreeMap::new();
    for &program in programs {
        if !program.inherit {
            let this = Rc::new(Known::of(program));
            known.extend(names(program).into_iter().map(|name| (name, Rc::clone(&this))));
            continue;
        }
        let mut added: HashMap<*const Known<'a>, Rc<Known<'a>>> = HashMap::new();
        for name in names(program) {
            if let Some(before) = known.get_mut(&name) {
                let with = added.entry(Rc::as_ptr(before)).or_insert_with(|| Rc::new(before.with(program)));
                let with = Rc::clone(with);
                *before = with;
            }
        }
    }
    known
}
