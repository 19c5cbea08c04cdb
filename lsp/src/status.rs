//! How each policy set is, for whoever shows it: sent after every check.

use policyc::db;
use policyc::diagnostics::{Diagnostic, Severity};
use policyc::rules::Decision;
use serde::{Deserialize, Serialize};

use crate::protocol::{Notification, Uri};
use crate::sets::{Root, Set};
use crate::snapshot::Snapshot;

/// `policyc/status`, from the server to the editor.
pub(crate) enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "policyc/status";
}

/// How a policy set is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    /// The address of its folder, or of the document that it is made for.
    set: String,
    /// What people call it.
    name: String,
    /// The open documents that are in it.
    documents: Vec<Uri>,
    files: usize,
    /// Rules about commands, and how many of them say what.
    rules: usize,
    allow: usize,
    prompt: usize,
    forbidden: usize,
    /// The labels of the files that are broken: as they last ran, they still answer.
    degraded: Vec<String>,
    errors: usize,
    warnings: usize,
}

/// How a set is, of which all that is wrong is known.
pub(crate) fn of(snapshot: &Snapshot, set: &Set, diagnostics: &[Diagnostic]) -> Status {
    let db = &snapshot.db;
    let standing = db::standing_order(db, set.set);
    let rules = db::rule_set(db, set.set, standing.iter().copied()).prefix_rules;
    let of = |decision| rules.iter().filter(|rule| rule.decision == decision).count();
    let number = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let broken = db::run_order(db, set.set).iter().filter(|file| db::standing(db, set.set, **file) != **file);
    let documents = snapshot.view.documents.iter().map(|(_, document)| document);
    let mut documents: Vec<Uri> =
        documents.filter(|document| set.files.contains_key(&document.path)).map(|it| it.uri.clone()).collect();
    documents.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    Status {
        set: address(snapshot, set),
        name: set.root.name(),
        documents,
        files: set.files.len(),
        rules: rules.len(),
        allow: of(Decision::Allow),
        prompt: of(Decision::Prompt),
        forbidden: of(Decision::Forbidden),
        degraded: broken.map(|file| file.label(db).clone()).collect(),
        errors: number(Severity::Error),
        warnings: number(Severity::Warning),
    }
}

/// The address that tells one set from another.
pub(crate) fn address(snapshot: &Snapshot, set: &Set) -> String {
    let uri = match &set.root {
        Root::Single(place) => snapshot.view.documents.get(place).map(|document| document.uri.clone()),
        Root::Configured(folder) | Root::Folder(folder) => Uri::from_file_path(folder),
    };
    uri.map_or_else(|| set.root.name(), |uri| uri.as_str().to_owned())
}
