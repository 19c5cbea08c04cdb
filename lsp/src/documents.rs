//! The documents that are open in the editor, and the file system as it is with them.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use policyc::workspace::{Disk, Entry, FileSystem, Kind};

use crate::place::{Place, is_unsaved, resolved};
use crate::protocol::Uri;

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The address, as the editor spells it.
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Arc<str>,
    /// The one path of the file.
    pub(crate) path: PathBuf,
    /// Among documents of one file, the one that was changed last speaks for it.
    changed: u64,
}

/// The open documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    by_place: HashMap<Place, Document>,
    changes: u64,
}

impl Documents {
    pub(crate) fn open(&mut self, place: Place, uri: Uri, version: i32, text: String) -> PathBuf {
        self.changes += 1;
        let path = place.resolved();
        let document = Document { uri, version, text: text.into(), path: path.clone(), changed: self.changes };
        self.by_place.insert(place, document);
        path
    }

    pub(crate) fn change(&mut self, place: &Place, version: i32, text: String) -> Option<PathBuf> {
        self.changes += 1;
        let document = self.by_place.get_mut(place)?;
        document.version = version;
        document.text = text.into();
        document.changed = self.changes;
        Some(document.path.clone())
    }

    pub(crate) fn close(&mut self, place: &Place) -> Option<Document> {
        self.by_place.remove(place)
    }

    pub(crate) fn get(&self, place: &Place) -> Option<&Document> {
        self.by_place.get(place)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Place, &Document)> {
        self.by_place.iter()
    }

    /// Every open document of a file.
    pub(crate) fn of(&self, path: &Path) -> impl Iterator<Item = &Document> {
        self.by_place.values().filter(move |document| document.path == path)
    }

    /// The open document that speaks for a file.
    pub(crate) fn speaking(&self, path: &Path) -> Option<&Document> {
        self.of(path).max_by_key(|document| document.changed)
    }
}

/// How many names of folders a search may look at: a folder that holds more is not one of policies.
const MOST_ENTRIES: usize = 100_000;

/// The disk, with the open documents in place of what is saved.
pub(crate) struct Overlay<'d> {
    documents: &'d Documents,
    left: Cell<usize>,
}

impl<'d> Overlay<'d> {
    pub(crate) fn new(documents: &'d Documents) -> Self {
        Self { documents, left: Cell::new(MOST_ENTRIES) }
    }

    fn open(&self, path: &Path) -> Option<&'d Document> {
        self.documents.speaking(&if is_unsaved(path) { path.components().collect() } else { resolved(path) })
    }
}

fn nothing() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl FileSystem for Overlay<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        match Disk.kind(path) {
            // What is open counts as a file that will be saved there.
            Err(error) => {
                if self.open(path).is_some() {
                    Ok(Kind::File)
                } else {
                    Err(error)
                }
            }
            known => known,
        }
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        if is_unsaved(folder) {
            return Err(nothing());
        }
        let mut entries = Disk.entries(folder)?;
        match self.left.get().checked_sub(entries.len()) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("there are too many files to search")),
        }
        let place = resolved(folder);
        for (_, document) in self.documents.iter() {
            let name = document.path.file_name().unwrap_or(OsStr::new(""));
            if document.path.parent() == Some(&place) && entries.iter().all(|entry| entry.name != name) {
                entries.push(Entry { name: name.to_owned(), folder: false, link: false });
            }
        }
        Ok(entries)
    }

    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        if is_unsaved(path) {
            let path: PathBuf = path.components().filter(|part| part.as_os_str() != ".").collect();
            let known = self.documents.iter().any(|(_, document)| document.path.starts_with(&path));
            return if known { Ok(path) } else { Err(nothing()) };
        }
        match Disk.place(path) {
            Err(error) => self.open(path).map(|document| document.path.clone()).ok_or(error),
            known => known,
        }
    }

    fn read(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        match self.open(path) {
            Some(document) => Ok(document.text.as_bytes().iter().take(most.saturating_add(1)).copied().collect()),
            None => Disk.read(path, most),
        }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        match self.open(path) {
            Some(document) => u64::try_from(document.text.len()).ok(),
            None => Disk.size(path),
        }
    }
}
