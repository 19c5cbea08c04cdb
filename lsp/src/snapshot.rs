//! The session at one moment.

use std::sync::Arc;

use policyc::db::Database;
use policyc::source::{PolicySet, SourceFile};

use crate::documents::Documents;
use crate::place::Place;
use crate::positions::{Encoding, Lines};
use crate::protocol::{Location, TextDocumentPositionParams, Uri};
use crate::requests::shipped;
use crate::sets::{Root, Set};

/// What a session had when it was looked at.
pub(crate) struct View {
    pub(crate) sets: Vec<Arc<Set>>,
    pub(crate) documents: Documents,
    pub(crate) encoding: Encoding,
    /// Whether shipped policies have addresses.
    pub(crate) shipped: bool,
    pub(crate) revision: u64,
}

/// The session at one moment. While one is alive no input can be set: who sets one waits until every snapshot noticed that
/// it is outdated, which unwinds the question it works on. So none is kept across an await, and who holds one never asks
/// for the session.
pub(crate) struct Snapshot {
    pub(crate) db: Database,
    pub(crate) view: Arc<View>,
}

/// A file that a request is about.
#[derive(Clone)]
pub(crate) struct Here {
    pub(crate) set: PolicySet,
    pub(crate) file: SourceFile,
    pub(crate) of: Arc<Set>,
}

/// A place in a file that a request is about.
pub(crate) struct At<'s> {
    pub(crate) here: Here,
    pub(crate) lines: Lines<'s>,
    pub(crate) offset: u32,
}

impl Snapshot {
    /// The place that a request is about.
    pub(crate) fn at(&self, position: &TextDocumentPositionParams) -> Option<At<'_>> {
        let here = self.here(&position.text_document.uri)?;
        let lines = self.lines(here.file);
        let offset = lines.offset(position.position);
        Some(At { here, lines, offset })
    }

    /// The file at an address. One that is in several sets is looked at in the first that is no set of one document.
    pub(crate) fn here(&self, uri: &Uri) -> Option<Here> {
        let place = Place::of(uri);
        let path = match self.view.documents.get(&place) {
            Some(document) => document.path.clone(),
            None => place.resolved(),
        };
        let mut sets = self.view.sets.iter().filter_map(|set| Some((set, *set.files.get(&path)?)));
        let found = sets.clone().find(|(set, _)| !matches!(set.root, Root::Single(_))).or_else(|| sets.next());
        found.map(|(set, file)| Here { set: set.set, file, of: Arc::clone(set) })
    }

    /// Lines and columns of a file.
    pub(crate) fn lines(&self, file: SourceFile) -> Lines<'_> {
        Lines::of(&self.db, file, self.view.encoding)
    }

    /// The address of a file of a set: as the editor spells it, if it is open.
    pub(crate) fn uri(&self, set: &Set, file: SourceFile) -> Option<Uri> {
        let open = set.places.get(&file).and_then(|path| self.view.documents.speaking(path));
        if let Some(document) = open {
            return Some(document.uri.clone());
        }
        let label = file.label(&self.db);
        if shipped::is(label) {
            return self.view.shipped.then(|| shipped::address(label)).flatten();
        }
        Uri::from_file_path(set.folder.join(label))
    }

    /// A piece of text of a file.
    pub(crate) fn location(&self, set: &Set, file: SourceFile, span: policyc::source::Span) -> Option<Location> {
        Some(Location { uri: self.uri(set, file)?, range: self.lines(file).range(span) })
    }
}
