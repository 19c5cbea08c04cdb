//! A policy set in memory: its text, what is wrong with it, its rules and its table.

use std::collections::BTreeMap;

use policyc::db::Database;
use policyc::diagnostics::{Diagnostic, Severity};
use policyc::rules::Declarations;
use policyc::source::{Module, PolicySet, SourceFile};
use policyc_runtime::Folders;

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

/// A compiled policy set.
pub struct Policy {
    db: Database,
    set: PolicySet,
    declarations: Declarations,
}

impl Policy {
    /// The set of `files`, which may load one another, the `modules` and every shipped policy.
    #[must_use]
    pub fn new(files: &[File], modules: &[File]) -> Self {
        let db = Database::default();
        let sources: Vec<SourceFile> =
            files.iter().map(|file| SourceFile::new(&db, file.label.clone(), file.text.clone())).collect();
        let mut loadable: BTreeMap<String, Module> = policyc::shipped::shipped()
            .iter()
            .map(|(label, text)| {
                ((*label).to_owned(), Module::File(SourceFile::new(&db, (*label).to_owned(), (*text).to_owned())))
            })
            .collect();
        for module in modules {
            let source = SourceFile::new(&db, module.label.clone(), module.text.clone());
            loadable.insert(module.label.clone(), Module::File(source));
        }
        for (file, source) in files.iter().zip(&sources) {
            loadable.insert(file.label.clone(), Module::File(*source));
        }
        let set = PolicySet::new(
            &db,
            sources,
            loadable,
            vec![String::new()],
            FOLDERS.working.to_owned(),
            FOLDERS.home.map(str::to_owned),
        );
        let files = policyc::db::run_order(&db, set).clone();
        let rules = policyc::db::rule_set(&db, set, files);
        let declarations = Declarations {
            prefix_rules: rules.prefix_rules.into_iter().cloned().collect(),
            host_executables: rules.host_executables.into_iter().cloned().collect(),
            network_rules: rules.network_rules.into_iter().cloned().collect(),
            ..Declarations::default()
        };
        Self { db, set, declarations }
    }

    /// A set of one file, `policy.rules`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::new(&[File::new("policy.rules", text)], &[])
    }

    /// Everything wrong with the set.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        policyc::db::diagnostics(&self.db, self.set)
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

    /// The rules of the set, in order of definition.
    #[must_use]
    pub const fn declarations(&self) -> &Declarations {
        &self.declarations
    }

    /// The table of the set.
    #[must_use]
    pub fn table(&self) -> &[u8] {
        policyc::db::table(&self.db, self.set)
    }

    /// The text of one of the set's files.
    #[must_use]
    pub fn text(&self, file: SourceFile) -> &str {
        file.text(&self.db)
    }

    /// The label of one of the set's files.
    #[must_use]
    pub fn label(&self, file: SourceFile) -> &str {
        file.label(&self.db)
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
