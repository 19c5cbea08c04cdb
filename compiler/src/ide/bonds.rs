//! What names of several files have to do with each other: a `load` makes one of two.

use std::collections::HashSet;

use super::Place;
use super::names::{GLOBAL, Loaded, Names, Occurrence, Role, names};
use crate::shipped::PREFIX;
use crate::source::{Module, PolicySet, SourceFile};
use crate::syntax::module_label;

/// Something that a file binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    /// The file.
    pub(super) file: SourceFile,
    /// Its place among the symbols of the file.
    pub(super) symbol: usize,
}

/// Files whose names are looked at together.
#[derive(Clone, Copy)]
pub(super) struct Bonds<'db> {
    pub(super) db: &'db dyn salsa::Database,
    pub(super) set: PolicySet,
}

impl<'db> Bonds<'db> {
    /// The names of a file.
    pub(super) fn names(self, file: SourceFile) -> &'db Names {
        names(self.db, file)
    }

    /// The file that a path in a `load` of `file` leads to.
    pub(super) fn loaded_file(self, file: SourceFile, path: &str) -> Option<SourceFile> {
        let label = module_label(file.label(self.db), path, self.set.roots(self.db)).ok()?;
        match self.set.modules(self.db).get(&label)? {
            Module::File(file) => Some(*file),
            Module::Unreadable(_) | Module::Outside => None,
        }
    }

    /// What is loaded, in its own file.
    pub(super) fn original(self, file: SourceFile, load: &Loaded) -> Option<Bound> {
        let file = self.loaded_file(file, &load.path)?;
        Some(Bound { file, symbol: self.names(file).global(&load.name)? })
    }

    /// What an occurrence of `file` stands for, in the file itself or the one that it is loaded from.
    pub(super) fn bound(self, file: SourceFile, occurrence: &Occurrence) -> Option<Bound> {
        let names = self.names(file);
        match occurrence.role {
            Role::Original(load) => self.original(file, names.loads.get(load)?),
            Role::Keyword(call) => {
                let callee = names.occurrences.get(names.calls.get(call)?.callee?)?;
                let function = self.source(Bound { file, symbol: callee.symbol? });
                let name = occurrence.span.of(file.text(self.db));
                let theirs = self.names(function.file);
                let symbol = theirs.bodies(function.symbol).find_map(|scope| {
                    let symbol = theirs.bound(scope, name)?;
                    theirs.parameter_of(symbol).map(|_| symbol)
                })?;
                Some(Bound { symbol, ..function })
            }
            _ => Some(Bound { file, symbol: occurrence.symbol? }),
        }
    }

    /// Where something comes from: through every `load`, whatever it is called on the way.
    pub(super) fn source(self, bound: Bound) -> Bound {
        self.follow(bound, |_| true)
    }

    /// Follows the loads that are `followed`, as far as there are files.
    fn follow(self, bound: Bound, followed: impl Fn(&Loaded) -> bool) -> Bound {
        let (mut bound, mut seen) = (bound, HashSet::new());
        while seen.insert(bound) {
            let load = self.names(bound.file).load_of(bound.symbol).filter(|load| followed(load));
            match load.and_then(|load| self.original(bound.file, load)) {
                Some(original) => bound = original,
                None => break,
            }
        }
        bound
    }

    /// All that something is in the files of the set; only what has the same name, unless `renamed`. Beside it, the loads
    /// that bring it under another name: their files and their places.
    pub(super) fn kin(self, bound: Bound, renamed: bool) -> (Vec<Bound>, Vec<(SourceFile, usize)>) {
        let mut kin = vec![self.follow(bound, |load| renamed || load.same)];
        let mut aliases = Vec::new();
        if self.names(bound.file).symbols.get(bound.symbol).is_none_or(|symbol| symbol.scope != GLOBAL) {
            return (kin, aliases);
        }
        let loads = self.loads();
        let mut next = 0;
        while let Some(one) = kin.get(next).copied() {
            next += 1;
            for (file, index, load, original) in &loads {
                if *original != one {
                    continue;
                }
                if !load.same {
                    aliases.push((*file, *index));
                }
                let bound = Bound { file: *file, symbol: load.symbol };
                if (load.same || renamed) && !kin.contains(&bound) {
                    kin.push(bound);
                }
            }
        }
        (kin, aliases)
    }

    /// Every load of the set that brings something.
    fn loads(self) -> Vec<(SourceFile, usize, &'db Loaded, Bound)> {
        let of_file = |file: SourceFile| {
            let loads = self.names(file).loads.iter().enumerate();
            loads.filter_map(move |(index, load)| Some((file, index, load, self.original(file, load)?)))
        };
        self.files().into_iter().flat_map(of_file).collect()
    }

    /// The files of the set, and those that can be loaded, but for shipped ones.
    pub(super) fn files(self) -> Vec<SourceFile> {
        let modules = self.set.modules(self.db).values().filter_map(|module| match module {
            Module::File(file) => Some(*file),
            Module::Unreadable(_) | Module::Outside => None,
        });
        let mut seen = HashSet::new();
        let files = self.set.files(self.db).iter().copied().chain(modules);
        files.filter(|file| !self.is_shipped(*file) && seen.insert(*file)).collect()
    }

    /// Whether a file comes with the compiler.
    pub(super) fn is_shipped(self, file: SourceFile) -> bool {
        file.label(self.db).starts_with(PREFIX)
    }

    /// The places of all that `bound` is, those by which a `load` or an argument of a call names it included, by file.
    pub(super) fn places(self, bound: Bound, renamed: bool) -> Vec<(Place, Role)> {
        let mut places = Vec::new();
        let (kin, aliases) = self.kin(bound, renamed);
        for one in &kin {
            let own = self.names(one.file).of_symbol(one.symbol);
            places.extend(own.map(|occurrence| (Place { file: one.file, span: occurrence.span }, occurrence.role)));
        }
        for (file, index) in aliases {
            if let Some(load) = self.names(file).loads.get(index) {
                places.push((Place { file, span: load.original }, Role::Original(index)));
            }
        }
        for one in kin {
            places.extend(self.keywords(one));
        }
        places
    }

    /// The arguments that name a parameter in the calls of its function.
    fn keywords(self, parameter: Bound) -> Vec<(Place, Role)> {
        let names = self.names(parameter.file);
        let Some(function) = names.parameter_of(parameter.symbol) else { return Vec::new() };
        let mut keywords = Vec::new();
        for one in self.kin(Bound { symbol: function, ..parameter }, true).0 {
            for occurrence in &self.names(one.file).occurrences {
                if matches!(occurrence.role, Role::Keyword(_)) && self.bound(one.file, occurrence) == Some(parameter) {
                    keywords.push((Place { file: one.file, span: occurrence.span }, occurrence.role));
                }
            }
        }
        keywords
    }
}
