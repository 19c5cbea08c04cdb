//! Changing files: each at once for everybody who looks, or not at all.

use std::io::Read;

use serde_json::json;

use super::{place, text, whole_text};
use crate::facts::LARGEST_READ;
use crate::resolve::{Kind, Place};
use crate::tools::{Call, Output, SideEffect, Tool, ToolFailure};

/// The permissions of new files.
const NEW: u32 = 0o644;

/// Puts a text in the place of a file.
pub(super) struct FileWrite;

impl Tool for FileWrite {
    fn names(&self) -> &[&'static str] {
        &["file_write", "qre_write_file"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        written(place(call, "path")?, text(call, "content")?, Vec::new())
    }
}

/// Puts a text in the place of another within a file, which must have that one once.
pub(super) struct FileEdit;

impl Tool for FileEdit {
    fn names(&self) -> &[&'static str] {
        &["file_edit"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let (place, old, new) = (place(call, "path")?, text(call, "old")?, text(call, "new")?);
        let (before, read) = whole_text(place)?;
        let failed = |message: String| Err(ToolFailure { message, side_effects: vec![read.clone()] });
        if old.is_empty() {
            return failed("`old` is empty, so that it is everywhere; write the file instead".to_owned());
        }
        let after = match overlapping(&before, old) {
            1 => before.replacen(old, new, 1),
            0 => return failed("`old` is not in the file; read it again".to_owned()),
            several => return failed(format!("`old` is in the file {several} times; give more of what is around it")),
        };
        written(place, &after, vec![read])
    }
}

/// Applies a unified diff of one file to it.
pub(super) struct ApplyPatch;

impl Tool for ApplyPatch {
    fn names(&self) -> &[&'static str] {
        &["apply_patch", "qre_apply_patch"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let (place, patch) = (place(call, "path")?, text(call, "patch")?);
        let patch = diffy::Patch::from_str(patch)
            .map_err(|error| ToolFailure::new(format!("`patch` is no unified diff of one file: {error}")))?;
        if patch.hunks().is_empty() {
            return Err(ToolFailure::new("`patch` changes nothing"));
        }
        if patch.modified() == Some("/dev/null") {
            return Err(ToolFailure::new("`patch` removes the file, which only a tool for that does"));
        }
        let (before, side_effects) = match place.found() {
            None => (String::new(), Vec::new()),
            Some(_) => whole_text(place).map(|(text, read)| (text, vec![read]))?,
        };
        match diffy::apply(&before, &patch) {
            Ok(after) => written(place, &after, side_effects),
            Err(error) => Err(ToolFailure { message: format!("`patch` does not fit the file: {error}"), side_effects }),
        }
    }
}

/// Removes a file.
pub(super) struct FileDelete;

impl Tool for FileDelete {
    fn names(&self) -> &[&'static str] {
        &["file_delete"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let place = place(call, "path")?;
        place.remove()?;
        let deleted = SideEffect::Deleted { path: place.path().to_owned() };
        Ok(Output { content: json!({ "path": place.path() }), low_trust: false, side_effects: vec![deleted] })
    }
}

/// Copies a file without anybody seeing what is in it.
pub(super) struct FileCopy;

impl Tool for FileCopy {
    fn names(&self) -> &[&'static str] {
        &["file_copy"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let (source, dest) = (place(call, "source")?, place(call, "dest")?);
        refuse_folder(dest)?;
        let mut content = source.reader()?.take(LARGEST_READ + 1);
        let prepared = dest.prepare(&mut content, mode(dest))?;
        let (digest, bytes) = (prepared.digest(), prepared.bytes());
        if bytes > LARGEST_READ {
            return Err(ToolFailure::new(format!("the file has more than {LARGEST_READ} bytes")));
        }
        let read = SideEffect::Read { path: source.path().to_owned(), digest, bytes, whole: false };
        dest.put(prepared)
            .map_err(|error| ToolFailure { message: error.to_string(), side_effects: vec![read.clone()] })?;
        let wrote = SideEffect::Wrote { path: dest.path().to_owned(), digest, bytes };
        let content = json!({ "source": source.path(), "dest": dest.path(), "bytes": bytes });
        Ok(Output { content, low_trust: false, side_effects: vec![read, wrote] })
    }
}

fn written(place: &Place, content: &str, mut side_effects: Vec<SideEffect>) -> Result<Output, ToolFailure> {
    refuse_folder(place)?;
    let put = || {
        let prepared = place.prepare(&mut content.as_bytes(), mode(place))?;
        let digest = prepared.digest();
        place.put(prepared).map(|()| digest)
    };
    let digest = match put() {
        Ok(digest) => digest,
        Err(error) => return Err(ToolFailure { message: error.to_string(), side_effects }),
    };
    let bytes = content.len() as u64;
    side_effects.push(SideEffect::Wrote { path: place.path().to_owned(), digest, bytes });
    Ok(Output { content: json!({ "path": place.path(), "bytes": bytes }), low_trust: false, side_effects })
}

/// The permissions of what a place will hold: those that it has.
fn mode(place: &Place) -> u32 {
    place.found().map_or(NEW, |found| found.mode() & 0o777)
}

fn refuse_folder(place: &Place) -> Result<(), ToolFailure> {
    match place.found() {
        Some(found) if found.kind() == Kind::Folder => Err(ToolFailure::new("there is a folder of that name")),
        _ => Ok(()),
    }
}

/// How often a text is in another, also where one begins within the last.
fn overlapping(text: &str, wanted: &str) -> usize {
    let mut from = 0;
    let mut number = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(wanted)) {
        number += 1;
        from += at + text.get(from + at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    }
    number
}
