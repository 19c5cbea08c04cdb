//! What is asked of a file system.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What a path leads to, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Something else, such as a pipe.
    Other,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: OsString,
    /// Whether it is a folder itself, not a link to one.
    pub folder: bool,
    /// Whether it is a symbolic link.
    pub link: bool,
}

/// Where policy files are.
pub trait FileSystem {
    /// What is there.
    ///
    /// # Errors
    /// As the system says.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// The names in a folder, in any order.
    ///
    /// # Errors
    /// As the system says.
    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>>;

    /// The one absolute path, without links, of what is there.
    ///
    /// # Errors
    /// As the system says.
    fn place(&self, path: &Path) -> io::Result<PathBuf>;

    /// The bytes of a file; of one that has more than `most`, or never ends, one more than that.
    ///
    /// # Errors
    /// As the system says.
    fn read(&self, path: &Path, most: usize) -> io::Result<Vec<u8>>;

    /// How many bytes a file has, as far as that is known before it is read.
    fn size(&self, path: &Path) -> Option<u64>;
}
