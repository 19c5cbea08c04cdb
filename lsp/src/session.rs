//! What the server knows: the database, the open documents, the policy sets, and what was agreed on with the editor.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use policyc::db::Database;
use policyc::source::SourceFile;
use policyc::workspace::{Disk, FileSystem, Kept};
use salsa::Setter;

use crate::abilities::Abilities;
use crate::documents::{Documents, Overlay};
use crate::place::{Place, resolved};
use crate::positions::{Encoding, changed};
use crate::protocol::{TextDocumentContentChangeEvent, Uri};
use crate::sets::{Root, Set, root_of, roots};
use crate::snapshot::{Snapshot, View};

/// Everything that edits change. It stands behind one lock, which is taken before anything else, so edits apply in the
/// order in which they came.
#[derive(Default)]
pub(crate) struct Session {
    db: Database,
    pub(crate) encoding: Encoding,
    pub(crate) abilities: Abilities,
    documents: Documents,
    /// The folders of the workspace, links followed.
    folders: Vec<PathBuf>,
    kept: Kept,
    sets: Vec<Arc<Set>>,
    /// What to look at again before the next check.
    stale: Stale,
    /// Files whose last text ran without an error, if that is the text they have.
    good: HashSet<SourceFile>,
    /// How often anything changed.
    revision: u64,
    view: Option<Arc<View>>,
}

#[derive(Default)]
struct Stale {
    /// There may be other sets.
    roots: bool,
    /// There may be other files in every set.
    sets: bool,
    /// These files changed, and may load others.
    files: HashSet<SourceFile>,
}

impl Session {
    /// Takes the folders of the workspace for these.
    pub(crate) fn set_folders(&mut self, folders: Vec<PathBuf>) {
        self.folders = folders.iter().map(|folder| resolved(folder)).collect();
        self.stale.roots = true;
        self.changed();
    }

    /// Some folders of the workspace came, and some went.
    pub(crate) fn change_folders(&mut self, added: &[PathBuf], removed: &[PathBuf]) {
        let removed: Vec<PathBuf> = removed.iter().map(|folder| resolved(folder)).collect();
        let mut folders = self.folders.clone();
        folders.retain(|folder| !removed.contains(folder));
        folders.extend(added.iter().cloned());
        self.set_folders(folders);
    }

    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let place = Place::of(&uri);
        let path = self.documents.open(place, uri, version, text);
        self.reread(&path);
        // A new file may belong to any set, and one of its own it gets at the next check.
        self.stale.sets |= !self.sets.iter().any(|set| set.files.contains_key(&path));
        self.changed();
    }

    pub(crate) fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let place = Place::of(uri);
        let Some(document) = self.documents.get(&place) else { return };
        let text = changed(&document.text, changes, self.encoding);
        if let Some(path) = self.documents.change(&place, version, text) {
            self.reread(&path);
        }
        self.stale.roots |= place.is_configuration();
        self.changed();
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        let place = Place::of(uri);
        let Some(document) = self.documents.close(&place) else { return };
        self.reread(&document.path);
        let saved = Disk.kind(&document.path).is_ok();
        self.stale.sets |= !saved;
        self.stale.roots |= place.is_configuration();
        self.changed();
    }

    /// Files changed that are not open, or came, or went.
    pub(crate) fn disk_changed(&mut self, places: &[(Place, bool)]) {
        for (place, only_text) in places {
            let path = place.resolved();
            let known = self.sets.iter().any(|set| set.files.contains_key(&path));
            if known && *only_text {
                self.reread(&path);
            } else {
                self.stale.roots = true;
            }
            self.stale.roots |= place.is_configuration();
        }
        self.changed();
    }

    /// Documents that are known by a name that they no longer have are no longer open: the editor opens them by the new one.
    pub(crate) fn gone(&mut self, places: &[Place]) {
        let gone = |place: &Place| match (place, place.resolved()) {
            (Place::File(path), _) => {
                places.iter().any(|gone| matches!(gone, Place::File(old) if path.starts_with(old)))
            }
            _ => false,
        };
        let closed: Vec<Place> = self.documents.iter().map(|(place, _)| place).filter(|it| gone(it)).cloned().collect();
        for place in closed {
            self.documents.close(&place);
        }
        self.stale.roots = true;
        self.changed();
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.view = None;
    }

    /// Gives the file at `path` the text that it has now, in every set.
    fn reread(&mut self, path: &Path) {
        let files: Vec<SourceFile> = self.sets.iter().filter_map(|set| set.files.get(path).copied()).collect();
        if files.is_empty() {
            return;
        }
        let read = Overlay::new(&self.documents).read(path, policyc::syntax::guard::LARGEST_FILE);
        let text = match read.map(String::from_utf8) {
            Ok(Ok(text)) => text,
            // It is gone or cannot be read: the search says so.
            _ => {
                self.stale.sets = true;
                return;
            }
        };
        for file in files {
            self.set_text(file, text.clone());
        }
    }

    /// Sets the text of a file, and keeps the one before if that ran without an error.
    fn set_text(&mut self, file: SourceFile, text: String) {
        if *file.text(&self.db) == text {
            return;
        }
        self.stale.files.insert(file);
        let old = file.set_text(&mut self.db).to(text);
        if self.good.remove(&file) {
            match file.last_good(&self.db) {
                Some(last_good) => drop(last_good.set_text(&mut self.db).to(old)),
                None => {
                    let label = file.label(&self.db).clone();
                    let last_good = SourceFile::new(&self.db, label, old);
                    file.set_last_good(&mut self.db).to(Some(last_good));
                }
            }
        }
    }

    /// Notes that these files run without an error, if nothing changed since `revision`.
    pub(crate) fn note_good(&mut self, revision: u64, good: impl IntoIterator<Item = SourceFile>) {
        if revision == self.revision {
            self.good.extend(good);
        }
    }

    /// Finds the sets and their files again, as far as something may have changed.
    fn settle(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        if stale.roots {
            self.find_roots();
        }
        let files = Overlay::new(&self.documents);
        for set in &mut self.sets {
            let loads = || stale.files.iter().any(|file| set.loads_differently(&self.db, *file));
            if stale.roots || stale.sets || loads() {
                *set = Arc::new(Set::find(&mut self.db, &files, &mut self.kept, set.root.clone(), Some(set.set)));
                self.view = None;
            }
        }
        if stale.roots || stale.sets {
            self.find_single();
        }
    }

    /// Makes a set for each root that has none, and forgets those without a root.
    fn find_roots(&mut self) {
        let files = Overlay::new(&self.documents);
        let mut roots = roots(&files, &self.folders);
        let of_documents = self.documents.iter().filter_map(|(place, _)| root_of(&files, &self.folders, place));
        roots.extend(of_documents);
        roots.sort();
        roots.dedup();
        self.sets.retain(|set| matches!(set.root, Root::Single(_)) || roots.contains(&set.root));
        for root in roots {
            if !self.sets.iter().any(|set| set.root == root) {
                let set = Set::find(&mut self.db, &Overlay::new(&self.documents), &mut self.kept, root, None);
                self.sets.push(Arc::new(set));
            }
        }
        self.view = None;
    }

    /// Makes a set for each document that is in no other, and forgets those that are no longer needed.
    fn find_single(&mut self) {
        let documents = &self.documents;
        let files = Overlay::new(documents);
        // A document outside of the workspace may be below a `policyc.toml` that nobody met yet.
        let places: Vec<(Place, PathBuf)> =
            documents.iter().map(|(place, document)| (place.clone(), document.path.clone())).collect();
        for (place, _) in &places {
            let root =
                root_of(&files, &self.folders, place).filter(|root| !self.sets.iter().any(|set| set.root == *root));
            if let Some(root) = root {
                self.sets.push(Arc::new(Set::find(&mut self.db, &files, &mut self.kept, root, None)));
            }
        }
        let held = |sets: &[Arc<Set>], path: &Path| {
            sets.iter().any(|set| !matches!(set.root, Root::Single(_)) && set.files.contains_key(path))
        };
        let needed: Vec<bool> = self
            .sets
            .iter()
            .map(|set| match &set.root {
                Root::Single(place) => places.iter().any(|(open, path)| open == place && !held(&self.sets, path)),
                _ => true,
            })
            .collect();
        let mut needed = needed.into_iter();
        self.sets.retain(|_| needed.next().unwrap_or(true));
        for (place, path) in places {
            let root = Root::Single(place.clone());
            let single = self.sets.iter().any(|set| set.root == root);
            if !place.is_configuration() && !single && !held(&self.sets, &path) {
                self.sets.push(Arc::new(Set::find(&mut self.db, &files, &mut self.kept, root, None)));
            }
        }
        self.view = None;
    }

    /// The session as it is now, once its sets and files are found.
    pub(crate) fn settled(&mut self) -> Snapshot {
        self.settle();
        let (sets, documents, encoding, revision) = (&self.sets, &self.documents, self.encoding, self.revision);
        let shipped = self.abilities.shipped;
        let make = || Arc::new(View { sets: sets.clone(), documents: documents.clone(), encoding, shipped, revision });
        let view = Arc::clone(self.view.get_or_insert_with(make));
        Snapshot { db: self.db.clone(), view }
    }

    /// Files that were not yet seen to run without an error.
    pub(crate) fn unproven(&self) -> HashSet<SourceFile> {
        let files = self.sets.iter().flat_map(|set| set.files.values().copied());
        files.filter(|file| !self.good.contains(file)).collect()
    }
}
