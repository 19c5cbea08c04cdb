//! What a run leaves behind: declarations and mistakes.

use std::cell::{Cell, RefCell};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use starlark::codemap::FileSpan;

use super::Evaluated;
use super::bounds::{Breach, DECLARATION, MOST_DECLARED, MOST_MISTAKES, WORD};
use crate::diagnostics::{Code, Diagnostic};
use crate::rules::{Declarations, Frame, Origin};
use crate::source::{Module, SourceFile, Span};

/// How many different mistakes of one kind at one place are told: a loop can make any number.
const MOST_AT_ONE_PLACE: u32 = 8;

/// How many mistakes of one file are told.
const MOST_IN_ALL: usize = 1_000;

/// Collects what the builtins are told while a file runs.
#[derive(Debug)]
pub(super) struct Recorder<'a> {
    /// The file that runs.
    pub(super) file: SourceFile,
    /// Its label, which the engine knows it by.
    pub(super) label: &'a str,
    /// Whether no call can have been made by a function, so that there is no stack to look at.
    pub(super) flat: bool,
    modules: Option<&'a BTreeMap<String, Module>>,
    declarations: RefCell<Declarations>,
    mistakes: RefCell<Mistakes>,
    extended: RefCell<Vec<(Origin, &'static str)>>,
    /// Every program that was declared, and where.
    programs: RefCell<HashMap<Vec<String>, (SourceFile, Span)>>,
    declared: Cell<usize>,
    /// How many calls had mistakes.
    mistaken: Cell<usize>,
    breach: Cell<Option<Breach>>,
}

/// What a builtin declares.
pub(super) trait Declaration {
    /// Its words.
    fn words(&self) -> impl Iterator<Item = &String>;

    /// Adds it to the others of its kind.
    fn add_to(self, declarations: &mut Declarations);

    /// What it counts for.
    fn size(&self) -> usize {
        self.words().map(|word| word.len() + WORD).sum::<usize>() + DECLARATION
    }
}

#[derive(Debug, Default)]
struct Mistakes {
    diagnostics: Vec<Diagnostic>,
    /// How many of each kind stand at each place, and the last one that was kept.
    places: HashMap<(Code, SourceFile, Span), (u32, usize)>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        file: SourceFile,
        label: &'a str,
        flat: bool,
        modules: Option<&'a BTreeMap<String, Module>>,
    ) -> Self {
        Self {
            file,
            label,
            flat,
            modules,
            declarations: RefCell::default(),
            mistakes: RefCell::default(),
            extended: RefCell::default(),
            programs: RefCell::default(),
            declared: Cell::new(0),
            mistaken: Cell::new(0),
            breach: Cell::new(None),
        }
    }

    /// The file and bytes that the engine names.
    pub(super) fn place(&self, location: &FileSpan) -> (SourceFile, Span) {
        let label = location.file.filename();
        let file = if label == self.label {
            self.file
        } else {
            match self.modules.and_then(|modules| modules.get(label)) {
                Some(Module::File(file)) => *file,
                _ => self.file,
            }
        };
        (file, Span::new(location.span.begin().get(), location.span.end().get()))
    }

    /// The calls that the engine's frames tell of, outermost first, without the innermost `skip`.
    pub(super) fn frames(&self, frames: Vec<starlark::errors::Frame>, skip: usize) -> Vec<Frame> {
        let kept = frames.len().saturating_sub(skip);
        frames
            .into_iter()
            .take(kept)
            .filter_map(|frame| {
                let (file, span) = self.place(frame.location.as_ref()?);
                Some(Frame { function: frame.name, file, span })
            })
            .collect()
    }

    /// Keeps a declaration, unless there are too many.
    pub(super) fn declare(&self, declaration: impl Declaration) -> Result<(), Breach> {
        let declared = self.declared.get().saturating_add(declaration.size());
        self.declared.set(declared);
        if declared > MOST_DECLARED {
            self.breach.set(Some(Breach::Declarations));
            return Err(Breach::Declarations);
        }
        declaration.add_to(&mut self.declarations.borrow_mut());
        Ok(())
    }

    /// Keeps that the program `path` is declared at `place`; the earlier place, if it was declared before.
    pub(super) fn program(&self, path: &[&str], place: (SourceFile, Span)) -> Option<(SourceFile, Span)> {
        let path: Vec<String> = path.iter().map(|&word| word.to_owned()).collect();
        self.declared.update(|declared| declared + path.iter().map(|word| word.len() + WORD).sum::<usize>());
        match self.programs.borrow_mut().entry(path) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(free) => {
                free.insert(place);
                None
            }
        }
    }

    /// Counts a call with mistakes, unless there are too many.
    pub(super) fn count_mistake(&self) -> Result<(), Breach> {
        self.mistaken.set(self.mistaken.get() + 1);
        if self.mistaken.get() > MOST_MISTAKES {
            self.breach.set(Some(Breach::Mistakes));
            return Err(Breach::Mistakes);
        }
        Ok(())
    }

    /// Keeps that a call was given a keyword beyond the reference dialect.
    pub(super) fn extended(&self, origin: &Origin, keyword: &'static str) {
        self.extended.borrow_mut().push((origin.clone(), keyword));
    }

    /// What a builtin was stopped for.
    pub(super) fn breach(&self) -> Option<Breach> {
        self.breach.get()
    }

    /// Keeps a mistake, unless the same was made at the same place.
    pub(super) fn mistake(&self, diagnostic: Diagnostic) {
        let mistakes = &mut *self.mistakes.borrow_mut();
        let place = (diagnostic.code, diagnostic.primary.file, diagnostic.primary.span);
        let (count, last) = mistakes.places.entry(place).or_insert((0, 0));
        let known =
            *count > 0 && mistakes.diagnostics.get(*last).is_some_and(|other| other.message == diagnostic.message);
        *count += 1;
        if !known && *count <= MOST_AT_ONE_PLACE && mistakes.diagnostics.len() < MOST_IN_ALL {
            *last = mistakes.diagnostics.len();
            mistakes.diagnostics.push(diagnostic);
        }
    }

    /// What was declared, with the mistakes by position; of the loads nothing is known here.
    pub(super) fn finish(self) -> Evaluated {
        let Mistakes { mut diagnostics, places } = self.mistakes.into_inner();
        for (count, last) in places.into_values() {
            if let Some(diagnostic) = diagnostics.get_mut(last).filter(|_| count > 1) {
                diagnostic.notes.push(format!("this happens {count} times at this place"));
            }
        }
        let file = self.file;
        diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.file != file, diagnostic.primary.span));
        Evaluated {
            declarations: self.declarations.into_inner(),
            diagnostics,
            extended: self.extended.into_inner(),
            loads: Vec::new(),
        }
    }
}
