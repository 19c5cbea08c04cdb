//! The files that a database knows already, so that finding them again changes only what changed.

use std::collections::HashMap;
use std::path::PathBuf;

use salsa::{Durability, Setter};

use crate::db::Database;
use crate::source::SourceFile;

/// Files by where they are and how they are called, and those that are shipped by their label alone.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    files: HashMap<(Option<PathBuf>, String), SourceFile>,
    /// What stands for those that cannot be read.
    unread: HashMap<String, SourceFile>,
}

impl Kept {
    /// The file that is there, with this text.
    pub fn file(&mut self, db: &mut Database, place: PathBuf, label: &str, text: String) -> SourceFile {
        let key = (Some(place), label.to_owned());
        match self.files.get(&key).copied() {
            Some(file) => {
                if *file.text(db) != text {
                    file.set_text(db).to(text);
                }
                file
            }
            None => {
                let file = SourceFile::new(db, label.to_owned(), text);
                self.files.insert(key, file);
                file
            }
        }
    }

    /// The file that is shipped under this label.
    pub(super) fn shipped(&mut self, db: &Database, label: &str, text: &str) -> SourceFile {
        // It never changes: what follows from it alone need not be looked at again after an edit.
        let new = || SourceFile::builder(label.to_owned(), text.to_owned()).durability(Durability::HIGH).new(db);
        *self.files.entry((None, label.to_owned())).or_insert_with(new)
    }

    /// What stands for a file that cannot be read, with as much of its text as there is to show.
    pub(super) fn unread(&mut self, db: &mut Database, label: &str, text: &str) -> SourceFile {
        let file = *self
            .unread
            .entry(label.to_owned())
            .or_insert_with(|| SourceFile::new(db, label.to_owned(), text.to_owned()));
        if file.text(db) != text {
            file.set_text(db).to(text.to_owned());
        }
        file
    }
}
