//! Folders: what is in them, and which files have a text.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use policyc_runtime::Jail;
use rustix::fs::{Dir, FileType, Mode, OFlags};
use serde_json::{Value, json};

use super::{place, text};
use crate::resolve::{Kind, Place};
use crate::tools::{Call, Output, SideEffect, Tool, ToolFailure};

/// How many entries are listed, how deep folders are entered, and through how many folders a chain is followed.
const MOST_ENTRIES: usize = 10_000;
const DEEPEST: usize = 64;
const LONGEST_CHAIN: usize = 16;

/// Of which files texts are looked for, and how much of a line is shown.
const LARGEST_SEARCHED: u64 = 8 << 20;
const LONGEST_LINE: usize = 400;
const MOST_FOUND: usize = 1_000;

/// Lists a folder. Where it holds nothing but another one, and that nothing but another, the first that holds something
/// else is listed, and the answer says so.
pub(super) struct ListDir;

impl Tool for ListDir {
    fn names(&self) -> &[&'static str] {
        &["list_dir", "qre_list_files"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let (root, path) = folder(call)?;
        let mut shown = Vec::new();
        let mut chain = String::new();
        let cut = if call.arguments.get("recursive").and_then(Value::as_bool) == Some(true) {
            let mut walk = Walk { call, left: MOST_ENTRIES, cut: false };
            walk.folder(root.as_fd(), &mut String::new(), 0, &mut |_, entry, below| shown.push(entry.shown(below)))?;
            walk.cut
        } else {
            let end = branch(root, &mut chain)?;
            let entries = entries(end.as_fd())?;
            shown.extend(entries.iter().take(MOST_ENTRIES).map(|entry| entry.shown("")));
            entries.len() > MOST_ENTRIES
        };
        let listed = if chain.is_empty() { path.clone() } else { format!("{path}/{chain}") };
        let mut content = json!({ "path": listed, "entries": shown, "cut": cut });
        if !chain.is_empty()
            && let Some(content) = content.as_object_mut()
        {
            let said = format!("`{path}` holds only `{chain}`, which is listed instead");
            content.insert("collapsed".to_owned(), json!(said));
        }
        Ok(Output { content, low_trust: false, side_effects: vec![SideEffect::Listed { path: listed }] })
    }
}

/// Finds the lines of files that have a text.
pub(super) struct Search;

impl Tool for Search {
    fn names(&self) -> &[&'static str] {
        &["qre_search"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let pattern = text(call, "pattern")?;
        if pattern.is_empty() {
            return Err(ToolFailure::new("`pattern` is empty, so that every line has it"));
        }
        let mut searched = Searched { pattern, found: Vec::new(), cut: false };
        let path = match call.places.get("path") {
            Some(place) if place.found().is_some_and(|found| found.kind() == Kind::File) => {
                searched.file(place.reader()?, place.path());
                place.path().to_owned()
            }
            _ => {
                let (root, path) = folder(call)?;
                let mut walk = Walk { call, left: MOST_ENTRIES, cut: false };
                walk.folder(root.as_fd(), &mut String::new(), 0, &mut |folder, entry, below| {
                    searched.entry(folder, entry, below);
                })?;
                searched.cut |= walk.cut;
                path
            }
        };
        let Searched { found, cut, .. } = searched;
        let content = json!({ "path": path, "found": found, "cut": cut });
        Ok(Output { content, low_trust: false, side_effects: vec![SideEffect::Listed { path }] })
    }
}

/// Something in a folder.
struct Entry {
    name: OsString,
    kind: FileType,
}

impl Entry {
    fn shown(&self, below: &str) -> Value {
        let kind = match self.kind {
            FileType::RegularFile => "file",
            FileType::Directory => "folder",
            FileType::Symlink => "link",
            _ => "other",
        };
        json!({ "name": format!("{below}{}", self.name.to_string_lossy()), "kind": kind })
    }
}

/// What sees each entry: with the folder that it is in, and the way to that.
type See<'s> = dyn FnMut(BorrowedFd<'_>, &Entry, &str) + 's;

/// A way through folders, as far as it may go.
struct Walk<'w, 'c> {
    call: &'w Call<'c>,
    left: usize,
    cut: bool,
}

impl Walk<'_, '_> {
    /// Sees what is in a folder, and in those below. No link is followed, and what is protected is not entered.
    fn folder(
        &mut self,
        folder: BorrowedFd<'_>,
        below: &mut String,
        depth: usize,
        see: &mut See<'_>,
    ) -> Result<(), ToolFailure> {
        for entry in entries(folder)? {
            if self.left == 0 || self.call.cancel.is_cancelled() {
                self.cut = true;
                return Ok(());
            }
            self.left -= 1;
            see(folder, &entry, below);
            let name = entry.name.to_str().filter(|name| !Jail::is_secret(name));
            let Some(name) = name.filter(|_| entry.kind == FileType::Directory) else { continue };
            if depth == DEEPEST {
                self.cut = true;
                continue;
            }
            // One that is gone by now, or may not be read, is only seen.
            if let Ok(inner) = open(folder, name, OFlags::DIRECTORY) {
                let length = below.len();
                below.push_str(name);
                below.push('/');
                self.folder(inner.as_fd(), below, depth + 1, see)?;
                below.truncate(length);
            }
        }
        Ok(())
    }
}

/// The folder that a call is about, the workspace if it names none.
fn folder(call: &Call<'_>) -> Result<(OwnedFd, String), ToolFailure> {
    let workspace;
    let place: &Place = if call.places.contains_key("path") {
        place(call, "path")?
    } else {
        workspace = call.workspace.place(".", true).map_err(|problem| ToolFailure::new(problem.to_string()))?;
        &workspace
    };
    let found = place.found().filter(|found| found.kind() == Kind::Folder);
    let found = found.ok_or_else(|| ToolFailure::new("there is no folder of that name"))?;
    let handle = open(found.handle(), ".", OFlags::DIRECTORY)?;
    Ok((handle, place.path().to_owned()))
}

fn open(folder: BorrowedFd<'_>, name: &str, flags: OFlags) -> std::io::Result<OwnedFd> {
    let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(folder, name, flags, Mode::empty())?)
}

/// What is in a folder, by name.
fn entries(folder: BorrowedFd<'_>) -> std::io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let stat = rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)?;
                FileType::from_raw_mode(stat.st_mode)
            }
            kind => kind,
        };
        let name = std::os::unix::ffi::OsStringExt::from_vec(name.to_bytes().to_vec());
        entries.push(Entry { name, kind });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// The first folder at or below this one that holds anything but one folder; `chain` is the way to it.
fn branch(mut folder: OwnedFd, chain: &mut String) -> Result<OwnedFd, ToolFailure> {
    for _ in 0..LONGEST_CHAIN {
        let entries = entries(folder.as_fd())?;
        let [Entry { name, kind: FileType::Directory }] = entries.as_slice() else { break };
        let Some(name) = name.to_str().filter(|name| !Jail::is_secret(name)) else { break };
        let Ok(inner) = open(folder.as_fd(), name, OFlags::DIRECTORY) else { break };
        if !chain.is_empty() {
            chain.push('/');
        }
        chain.push_str(name);
        folder = inner;
    }
    Ok(folder)
}

/// A search for a text, and what it found.
struct Searched<'p> {
    pattern: &'p str,
    found: Vec<Value>,
    cut: bool,
}

impl Searched<'_> {
    /// Looks into an entry of a folder, if it is a file that may be read.
    fn entry(&mut self, folder: BorrowedFd<'_>, entry: &Entry, below: &str) {
        let name = entry.name.to_str().filter(|name| !Jail::is_secret(name));
        if entry.kind == FileType::RegularFile
            && let Some(name) = name
            && let Ok(file) = open(folder, name, OFlags::NONBLOCK)
        {
            self.file(File::from(file), &format!("{below}{name}"));
        }
    }

    /// Adds the lines of a file that have the pattern. What is no text has no lines.
    fn file(&mut self, file: File, name: &str) {
        // Another may have taken its name since it was listed.
        let Some(metadata) = file.metadata().ok().filter(std::fs::Metadata::is_file) else { return };
        self.cut |= metadata.len() > LARGEST_SEARCHED;
        let mut lines = BufReader::new(file.take(LARGEST_SEARCHED));
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            if lines.read_until(b'\n', &mut line).unwrap_or(0) == 0 || line.contains(&0) {
                return;
            }
            let text = String::from_utf8_lossy(&line);
            if !text.contains(self.pattern) {
                continue;
            }
            if self.found.len() == MOST_FOUND {
                self.cut = true;
                return;
            }
            let shown: String = text.trim_end().chars().take(LONGEST_LINE).collect();
            self.found.push(json!({ "file": name, "line": number, "text": shown }));
        }
    }
}
