//! The file system of the machine: the one module of the library that touches it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::file_system::{Entry, FileSystem, Kind};

/// What the operating system has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl FileSystem for Disk {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let metadata = fs::metadata(path)?;
        Ok(if metadata.is_dir() {
            Kind::Folder
        } else if metadata.is_file() {
            Kind::File
        } else {
            Kind::Other
        })
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        let entry = |entry: fs::DirEntry| {
            let kind = entry.file_type().ok()?;
            Some(Entry { name: entry.file_name(), folder: kind.is_dir(), link: kind.is_symlink() })
        };
        Ok(entries.into_iter().filter_map(entry).collect())
    }

    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn read(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let size = usize::try_from(file.metadata()?.len()).unwrap_or(most).min(most);
        let mut bytes = Vec::with_capacity(size + 1);
        file.take(most as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn size(&self, path: &Path) -> Option<u64> {
        fs::metadata(path).ok().map(|metadata| metadata.len())
    }
}
