//! One run of one file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use starlark::codemap::FileSpanRef;
use starlark::environment::{FrozenModule, Module as StarlarkModule};
use starlark::eval::{BeforeStmtFunc, BeforeStmtFuncDyn, Evaluator, FileLoader};
use starlark::syntax::AstModule;

use super::bounds::{Breach, DEEPEST_CALLS, MOST_MEMORY, MOST_STEPS};
use super::builtins::GLOBALS;
use super::errors::diagnose;
use super::handle::Handle;
use super::modules::{Loaded, Target, targets};
use super::parse::parse;
use super::recorder::Recorder;
use super::salvage::salvaged;
use super::thread::on_own_thread;
use super::{Evaluated, refusal};
use crate::check::{failing_evaluation, failing_module, unknown_name};
use crate::diagnostics::{Diagnostic, Edit, Site};
use crate::source::{Module, PolicySet, SourceFile, Span};
use crate::syntax::outline;
use crate::syntax::token::{TokenKind, tokens};

/// What a run gave: data for every stage after, and the names that loaders may ask for.
pub(super) struct Run {
    pub(super) evaluated: Arc<Evaluated>,
    pub(super) module: Option<FrozenModule>,
}

impl Run {
    fn failed(diagnostics: Vec<Diagnostic>) -> Self {
        Self { evaluated: Arc::new(Evaluated { diagnostics, ..Evaluated::default() }), module: None }
    }
}

/// Runs a file. The engine's half of the answer can't be compared, so this is run again whenever the file, or what it loads, changes.
#[salsa::tracked(no_eq)]
pub(super) fn run(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Run {
    if let Some(refusal) = refusal(db, file) {
        return Run::failed(vec![refusal]);
    }
    let outline = outline(db, file);
    let targets = targets(db, set, file);
    let job = Job {
        file,
        label: file.label(db).clone(),
        text: file.text(db).clone(),
        flat: !outline.functions && targets.is_empty(),
        modules: (!targets.is_empty()).then(|| set.modules(db).clone()),
        targets,
    };
    let statement = Statement::default();
    let entered = statement.clone();
    on_own_thread(db, move |stop| job.run(stop, &entered))
        .unwrap_or_else(|| Run::failed(vec![failing_evaluation::broke_down(&Site::new(file, statement.span()))]))
}

/// All that a run needs, off the database's thread.
struct Job {
    file: SourceFile,
    label: String,
    text: String,
    flat: bool,
    modules: Option<BTreeMap<String, Module>>,
    targets: Vec<Target>,
}

impl Job {
    fn run(&self, stop: &AtomicBool, statement: &Statement) -> Run {
        match parse(self.file, &self.label, &self.text) {
            Ok(ast) => self.run_parsed(ast, stop, statement),
            Err(mistakes) => Run::failed(self.with_others(mistakes, stop, statement)),
        }
    }

    /// Syntax errors, and the mistakes in what can be run in spite of them.
    fn with_others(&self, mut mistakes: Vec<Diagnostic>, stop: &AtomicBool, statement: &Statement) -> Vec<Diagnostic> {
        let rest = salvaged(&self.text).and_then(|rest| parse(self.file, &self.label, &rest).ok());
        if let Some(rest) = rest {
            let run = self.run_parsed(rest, stop, statement);
            mistakes.extend(run.evaluated.diagnostics.iter().cloned());
            mistakes.sort_by_key(|mistake| mistake.primary.span);
        }
        mistakes
    }

    fn run_parsed(&self, ast: AstModule, stop: &AtomicBool, statement: &Statement) -> Run {
        let recorder = Recorder::new(self.file, &self.label, self.flat, self.modules.as_ref());
        let handle = Handle(&recorder);
        let loader = Loader::new(self);
        let module = StarlarkModule::with_temp_heap(|module| {
            let outcome = {
                let mut eval = Evaluator::new(&module);
                eval.extra = Some(&handle);
                eval.set_loader(&loader);
                // Collecting would walk everything that is alive again and again; the bound on memory is bound enough.
                eval.disable_gc();
                eval.set_check_cancelled(Box::new(|| stop.load(Ordering::Relaxed)));
                eval.set_max_callstack_size(DEEPEST_CALLS).expect("a bound above zero is set once");
                eval.set_max_tick_count(MOST_STEPS).expect("a bound above zero is set once");
                eval.set_max_heap_size(MOST_MEMORY).expect("a bound above zero is set once");
                let watch = Watch { label: self.label.clone(), statement: statement.clone() };
                eval.before_stmt_for_dap(BeforeStmtFunc::from_dyn(Box::new(watch)));
                eval.eval_module(ast, &GLOBALS).map(drop).map_err(|error| {
                    let breach = recorder.breach().or_else(|| breach(&eval));
                    (error, breach)
                })
            };
            match outcome {
                Ok(()) => module.freeze().ok().map(exported),
                Err((error, breach)) => {
                    let mistakes = match loader.failure(&error, &recorder) {
                        Some(failure) => vec![failure.with_note(failing_evaluation::REST)],
                        None => diagnose(&error, &recorder, &self.text, breach, statement.span()),
                    };
                    // The run ends at the first load that fails; the others are as wrong.
                    let loads =
                        self.targets.iter().filter_map(|target| target.loaded.as_ref().err().map(|mistake| &**mistake));
                    let told = |load: &Diagnostic| mistakes.iter().any(|mistake| mistake.primary == load.primary);
                    let loads: Vec<_> = loads.filter(|load| !told(load)).cloned().collect();
                    mistakes.into_iter().chain(loads).for_each(|mistake| recorder.mistake(mistake));
                    None
                }
            }
        });
        let loads = loader.finish(&recorder);
        Run { evaluated: Arc::new(Evaluated { loads, ..recorder.finish() }), module }
    }
}

/// The module for loaders. One that gives no names away is kept without what its statements were made of, which is a multiple
/// of its text.
fn exported(module: FrozenModule) -> FrozenModule {
    if module.names().next().is_some() {
        return module;
    }
    StarlarkModule::with_temp_heap(|empty| empty.freeze()).unwrap_or(module)
}

/// What the run used too much of, if it did.
fn breach(eval: &Evaluator<'_, '_, '_>) -> Option<Breach> {
    if eval.get_total_tick_count() > MOST_STEPS {
        Some(Breach::Steps)
    } else if memory(eval) > MOST_MEMORY {
        Some(Breach::Memory)
    } else {
        None
    }
}

fn memory(eval: &Evaluator<'_, '_, '_>) -> usize {
    eval.heap().peak_allocated_bytes() + eval.frozen_heap().allocated_bytes()
}

/// The statement that is running: the engine does not say where it was when a bound is crossed.
#[derive(Clone, Default)]
struct Statement(Arc<AtomicU64>);

impl Statement {
    fn enter(&self, start: u32, end: u32) {
        self.0.store(u64::from(start) << 32 | u64::from(end), Ordering::Relaxed);
    }

    fn span(&self) -> Span {
        let [a, b, c, d, e, f, g, h] = self.0.load(Ordering::Relaxed).to_be_bytes();
        Span::new(u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]))
    }
}

/// Follows the run, statement by statement.
struct Watch {
    label: String,
    statement: Statement,
}

impl<'e> BeforeStmtFuncDyn<'e> for Watch {
    fn call<'v>(
        &mut self,
        span: FileSpanRef<'_>,
        _continued: bool,
        eval: &mut Evaluator<'v, '_, 'e>,
    ) -> starlark::Result<()> {
        // What a loaded function does happens, for this file, where the function is called.
        if span.file.filename() == self.label {
            self.statement.enter(span.span.begin().get(), span.span.end().get());
        }
        if memory(eval) > MOST_MEMORY {
            return Err(starlark::Error::new_other(Breach::Memory));
        }
        Ok(())
    }
}

/// Answers `load` statements with the files that were run before.
struct Loader<'a> {
    job: &'a Job,
    /// The files that were asked for, in order.
    loads: RefCell<Vec<&'a Loaded>>,
    /// Those of them that ran to their end but have mistakes.
    mistakes: RefCell<Vec<Diagnostic>>,
    /// Why the last one has no answer.
    failure: RefCell<Option<Diagnostic>>,
}

impl<'a> Loader<'a> {
    fn new(job: &'a Job) -> Self {
        Self { job, loads: RefCell::default(), mistakes: RefCell::default(), failure: RefCell::default() }
    }

    /// What to say of `error` if a `load` made it.
    fn failure(&self, error: &starlark::Error, recorder: &Recorder<'_>) -> Option<Diagnostic> {
        let failure = self.failure.take();
        if failure.is_some() {
            return failure;
        }
        let loads = self.loads.borrow();
        let loaded = loads.last()?;
        let name = missing_name(&error.without_diagnostic().to_string())?;
        let (file, span) = recorder.place(error.span()?);
        // The engine shows `alias = "name"`; the name is the string.
        let text = span.of(&self.job.text);
        let start = text.rfind(&name).and_then(|start| u32::try_from(start).ok());
        let end = u32::try_from(name.len()).unwrap_or_default();
        let span = start.map_or(span, |start| Span::new(start, start + end).shifted(span.start));
        let names: Vec<_> = loaded.module.iter().flat_map(FrozenModule::names).collect();
        let names = names.iter().map(|name| name.as_str());
        let renamed = |meant: &str| renamed(&self.job.text, span, &name, meant, file);
        Some(unknown_name::not_exported(&Site::new(file, span), &name, &loaded.label, names, renamed))
    }

    fn finish(self, recorder: &Recorder<'_>) -> Vec<SourceFile> {
        self.mistakes.into_inner().into_iter().for_each(|mistake| recorder.mistake(mistake));
        self.loads.into_inner().into_iter().map(|loaded| loaded.file).collect()
    }
}

/// Writes `meant` for the name `given`, which is loaded at `span`: there, and wherever the text names it, unless it was given
/// another name or the text may mean something else by it.
fn renamed(text: &str, span: Span, given: &str, meant: &str, file: SourceFile) -> Vec<Edit> {
    let edit = |span| Edit { file, span, text: meant.to_owned() };
    let before = text.get(..span.start as usize).unwrap_or_default().trim_end_matches(['"', '\'', 'r']);
    if before.trim_end().ends_with('=') {
        return vec![edit(span)];
    }
    let (mut edits, mut before) = (vec![edit(span)], TokenKind::Newline);
    let mut stream = tokens(text).filter(|token| token.kind != TokenKind::Blank).peekable();
    while let Some(token) = stream.next() {
        if token.kind == TokenKind::Name && token.span.of(text) == given {
            let binds = stream.peek().is_some_and(|next| next.kind == TokenKind::Equal);
            if binds || matches!(before, TokenKind::Dot | TokenKind::For | TokenKind::Def | TokenKind::Lambda) {
                return Vec::new();
            }
            edits.push(edit(token.span));
        }
        before = token.kind;
    }
    edits
}

/// The name that the engine says a module does not give away.
fn missing_name(reason: &str) -> Option<String> {
    let rest = ["Module has no symbol `", "Cannot import private symbol `", "Module symbol `"]
        .into_iter()
        .find_map(|prefix| reason.strip_prefix(prefix))?;
    rest.split_once('`').map(|(name, _)| name.to_owned())
}

impl FileLoader for Loader<'_> {
    fn load(&self, path: &str) -> starlark::Result<FrozenModule> {
        let target = self.job.targets.iter().find(|target| target.path == path);
        let failure = match target.map(|target| (target, &target.loaded)) {
            Some((target, Ok(loaded))) => {
                self.loads.borrow_mut().push(loaded);
                let site = Site::new(self.job.file, target.span);
                let mistake = loaded.mistake.map(|mistake| failing_module::diagnostic(&site, path, mistake));
                match &loaded.module {
                    Some(module) => {
                        self.mistakes.borrow_mut().extend(mistake);
                        return Ok(module.clone());
                    }
                    None => mistake,
                }
            }
            Some((_, Err(mistake))) => Some(mistake.as_ref().clone()),
            None => None,
        };
        *self.failure.borrow_mut() = failure;
        Err(starlark::Error::new_other(LoadFailed))
    }
}

/// Ends a run whose `load` failed; the loader knows why.
#[derive(Debug)]
struct LoadFailed;

impl std::fmt::Display for LoadFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the file cannot be loaded")
    }
}

impl std::error::Error for LoadFailed {}
