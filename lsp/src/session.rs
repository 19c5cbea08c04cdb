//! What the server knows: the database, the open documents, and what was agreed on with the editor.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use policyc::db::Database;
use policyc::shipped::prelude;
use policyc::source::{Module, PolicySet, SourceFile};
use salsa::Setter;

use crate::place::Place;
use crate::positions::{Encoding, changed};
use crate::protocol::{TextDocumentContentChangeEvent, Uri};

/// Everything that edits change. It stands behind one lock, which is taken before anything else, so edits apply in the
/// order in which they came.
#[derive(Default)]
pub(crate) struct Session {
    db: Database,
    pub(crate) encoding: Encoding,
    documents: HashMap<Place, Document>,
    /// Whether documents changed since they were last checked.
    changed: bool,
}

/// An open document.
#[derive(Clone)]
pub(crate) struct Document {
    /// The address, as the editor spells it.
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) set: PolicySet,
    pub(crate) file: SourceFile,
}

/// The session at one moment. While one is alive no input can be set: who sets one waits until every snapshot noticed that
/// it is outdated, which unwinds the question it works on. So none is kept across an await, and who holds one never asks
/// for the session.
pub(crate) struct Snapshot {
    pub(crate) db: Database,
    pub(crate) encoding: Encoding,
    pub(crate) documents: Vec<Document>,
}

impl Session {
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let place = Place::of(&uri);
        let file = SourceFile::new(&self.db, place.name(), text);
        let prelude: Vec<SourceFile> = prelude()
            .iter()
            .map(|(label, text)| SourceFile::new(&self.db, (*label).to_owned(), (*text).to_owned()))
            .collect();
        let modules: BTreeMap<String, Module> =
            prelude.iter().map(|file| (file.label(&self.db).clone(), Module::File(*file))).collect();
        let folder = place.path().and_then(Path::parent).and_then(Path::to_str).unwrap_or("/").to_owned();
        let set =
            PolicySet::builder(vec![file], modules, vec![String::new()], folder, None).prelude(prelude).new(&self.db);
        self.documents.insert(place, Document { uri, version, set, file });
        self.changed = true;
    }

    pub(crate) fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.documents.get_mut(&Place::of(uri)) else { return };
        let text = changed(document.file.text(&self.db), changes, self.encoding);
        document.version = version;
        document.file.set_text(&mut self.db).to(text);
        self.changed = true;
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.documents.remove(&Place::of(uri))
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let documents = self.documents.values().cloned().collect();
        Snapshot { db: self.db.clone(), encoding: self.encoding, documents }
    }
}
