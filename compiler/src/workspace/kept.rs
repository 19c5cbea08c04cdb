//! The files that a database knows already, so that finding them again changes only what changed.

use std::collections::HashMap;
use std::path::PathBuf;

use salsa::Setter;

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
        self.known(db, Some(place), label, text)
    }

    /// The file that is shipped under this label.
    pub(super) fn shipped(&mut self, db: &mut Database, label: &str, text: &str) -> SourceFile {
        match self.files.get(&(None, label.to_owned())) {
            Some(file) => *file,
            None => self.known(db, None, label, text.to_owned()),
        }
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

    fn known(&mut self, db: &mut Database, place: Option<PathBuf>, label: &str, text: String) -> SourceFile {
        let key = (place, label.to_owned());
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
}
