//! A policy set in memory: its text, what is wrong with it, its rules and its table.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use policyc::db::Database;
use policyc::diagnostics::{Diagnostic, Severity};
use policyc::rules::Declarations;
use policyc::source::{Layer, Module, PolicySet, SourceFile};
use policyc_runtime::Folders;
use salsa::Setter as _;

/// A file by its label and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// How diagnostics and loads name it.
    pub label: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// A file.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self { label: label.into(), text: text.into() }
    }
}

/// The folders that examples are judged in, and commands unless a test says otherwise.
pub const FOLDERS: Folders<'static> = Folders { working: "/project", home: Some("/home/dev") };

/// Whose files of a set are: a layer by its name, and whether it may allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The layer's name.
    pub name: String,
    /// Whether its files may allow.
    pub trusted: bool,
}

impl Owner {
    /// The layer that `text` names, as the command line does: `NAME` or `NAME:untrusted`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let (name, trusted) = text.strip_suffix(":untrusted").map_or((text, true), |name| (name, false));
        Self { name: name.to_owned(), trusted }
    }
}

/// A compiled policy set.
pub struct Policy {
    files: Vec<(SourceFile, File)>,
    declarations: Declarations,
    diagnostics: Vec<Diagnostic>,
    table: Vec<u8>,
}

/// A database that keeps what it knows of the prelude from one set to the next: evaluating it takes longer than most
/// tests do.
struct Shared {
    db: Database,
    shipped: Vec<(SourceFile, File)>,
    set: PolicySet,
}

/// One for the process: it is never dropped, for the engine's values may not be when a thread ends.
static SHARED: Mutex<Option<Shared>> = Mutex::new(None);

impl Shared {
    fn new() -> Self {
        let db = Database::default();
        let shipped = shipped(&db);
        let prelude = |label: &str| policyc::shipped::prelude().iter().any(|(known, _)| *known == label);
        let prelude = shipped.iter().filter(|(_, file)| prelude(&file.label)).map(|(source, _)| *source).collect();
        let set = PolicySet::builder(
            Vec::new(),
            loadable(&shipped, &[]),
            vec![String::new()],
            FOLDERS.working.to_owned(),
            FOLDERS.home.map(str::to_owned),
        );
        let set = set.prelude(prelude).new(&db);
        Self { db, shipped, set }
    }

    /// The input for `file`: that of the shipped policy if it is one.
    fn source(&self, file: &File) -> (SourceFile, File) {
        let shipped = self.shipped.iter().find(|(_, shipped)| shipped == file);
        let new = || (SourceFile::new(&self.db, file.label.clone(), file.text.clone()), file.clone());
        shipped.cloned().unwrap_or_else(new)
    }

    fn policy(&mut self, files: &[File], modules: &[File], owners: &[Owner]) -> Policy {
        let own: Vec<_> = files.iter().map(|file| self.source(file)).collect();
        let more = sources(&self.db, modules);
        let mut layers: Vec<Layer> = Vec::new();
        let mut layer_of_file = Vec::new();
        for owner in owners {
            let place = layers.iter().position(|layer| layer.name == owner.name).unwrap_or_else(|| {
                layers.push(Layer { name: owner.name.clone(), trusted: owner.trusted });
                layers.len() - 1
            });
            layer_of_file.push(place);
        }
        // What the prelude may load is left alone for as long as it can be: else all of it runs again.
        let more: Vec<_> =
            if own.len() > 1 || !more.is_empty() { own.iter().chain(&more).cloned().collect() } else { more };
        let modules = loadable(&self.shipped, &more);
        let (db, set) = (&mut self.db, self.set);
        if *set.modules(db) != modules {
            set.set_modules(db).to(modules);
        }
        set.set_layers(db).to(layers);
        set.set_layer_of_file(db).to(layer_of_file);
        set.set_files(db).to(own.iter().map(|(source, _)| *source).collect());
        Policy::read(db, set, own.into_iter().chain(more).chain(self.shipped.iter().cloned()).collect())
    }
}

/// Every shipped policy as an input of `db`.
fn shipped(db: &Database) -> Vec<(SourceFile, File)> {
    let files: Vec<File> = policyc::shipped::shipped().iter().map(|(label, text)| File::new(*label, *text)).collect();
    sources(db, &files)
}

fn sources(db: &Database, files: &[File]) -> Vec<(SourceFile, File)> {
    let source = |file: &File| (SourceFile::new(db, file.label.clone(), file.text.clone()), file.clone());
    files.iter().map(source).collect()
}

fn loadable(shipped: &[(SourceFile, File)], more: &[(SourceFile, File)]) -> BTreeMap<String, Module> {
    shipped.iter().chain(more).map(|(source, file)| (file.label.clone(), Module::File(*source))).collect()
}

impl Policy {
    /// The set of `files` without the prelude, for reference matching; they may load one another, the `modules` and every
    /// shipped policy.
    #[must_use]
    pub fn new(files: &[File], modules: &[File]) -> Self {
        let db = Database::default();
        let (own, more, shipped) = (sources(&db, files), sources(&db, modules), shipped(&db));
        let others: Vec<_> = more.into_iter().chain(own.iter().cloned()).collect();
        let set = PolicySet::new(
            &db,
            own.iter().map(|(source, _)| *source).collect(),
            loadable(&shipped, &others),
            vec![String::new()],
            FOLDERS.working.to_owned(),
            FOLDERS.home.map(str::to_owned),
        );
        Self::read(&db, set, others.into_iter().chain(shipped).collect())
    }

    /// The set of `files` after the prelude, for guarded matching. The layer of each file stands in `owners`, by its
    /// place; without any there is one layer.
    #[must_use]
    pub fn guarded(files: &[File], modules: &[File], owners: &[Owner]) -> Self {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.get_or_insert_with(Shared::new).policy(files, modules, owners)
    }

    fn read(db: &Database, set: PolicySet, files: Vec<(SourceFile, File)>) -> Self {
        let order = policyc::db::run_order(db, set).clone();
        let rules = policyc::db::rule_set(db, set, order);
        let declarations = Declarations {
            prefix_rules: rules.prefix_rules.into_iter().cloned().collect(),
            host_executables: rules.host_executables.into_iter().cloned().collect(),
            network_rules: rules.network_rules.into_iter().cloned().collect(),
            programs: rules.programs.into_iter().cloned().collect(),
            inert_env: rules.inert_env.into_iter().cloned().collect(),
            default_decisions: rules.default_decisions.into_iter().cloned().collect(),
            capabilities: rules.capabilities.into_iter().cloned().collect(),
            commands: rules.commands.into_iter().cloned().collect(),
            tools: rules.tools.into_iter().cloned().collect(),
            requirements: rules.requirements.into_iter().cloned().collect(),
            profiles: rules.profiles.into_iter().cloned().collect(),
            ..Declarations::default()
        };
        let diagnostics = policyc::db::diagnostics(db, set).clone();
        let table = policyc::db::table(db, set).clone();
        Self { files, declarations, diagnostics, table }
    }

    /// A set of one file, `policy.rules`, without the prelude.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::new(&[File::new("policy.rules", text)], &[])
    }

    /// A set of one file, `policy.rules`, after the prelude.
    #[must_use]
    pub fn guarded_of(text: &str) -> Self {
        Self::guarded(&[File::new("policy.rules", text)], &[], &[])
    }

    /// Everything wrong with the set.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What makes the set unusable.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether the set may be used.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.errors().next().is_none()
    }

    /// What the set itself declares, in order of definition.
    #[must_use]
    pub const fn declarations(&self) -> &Declarations {
        &self.declarations
    }

    /// The table of the set.
    #[must_use]
    pub fn table(&self) -> &[u8] {
        &self.table
    }

    /// The text of one of the set's files.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> &str {
        self.file(file).map_or("", |file| &file.text)
    }

    /// The label of one of the set's files.
    #[must_use]
    pub fn label(&self, file: SourceFile) -> &str {
        self.file(file).map_or("", |file| &file.label)
    }

    fn file(&self, source: SourceFile) -> Option<&File> {
        self.files.iter().find(|(known, _)| *known == source).map(|(_, file)| file)
    }
}

/// The line and column, both from 1 and the column in characters, of byte `offset`; offsets past the end count as the end.
#[must_use]
pub fn position(text: &str, offset: u32) -> (usize, usize) {
    let before = text.get(..offset as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let column = before.get(line_start..).map_or(0, |line| line.chars().count()) + 1;
    (line, column)
}
