//! Reading a file.

use std::io::Read;

use policyc_runtime::Sha256;
use serde_json::json;

use super::place;
use crate::facts::LARGEST_READ;
use crate::tools::{Call, Output, SideEffect, Tool, ToolFailure};

/// Reads a text. What is longer than the host lets be said is cut, and does not count as read.
pub(super) struct FileRead;

impl Tool for FileRead {
    fn names(&self) -> &[&'static str] {
        &["file_read", "qre_read_file"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let place = place(call, "path")?;
        let most = (call.limits.output as u64).min(LARGEST_READ);
        let mut bytes = Vec::new();
        place.reader()?.take(most + 1).read_to_end(&mut bytes)?;
        let whole = bytes.len() as u64 <= most;
        bytes.truncate(most as usize);
        let read = SideEffect::Read {
            path: place.path().to_owned(),
            digest: Sha256::of(&bytes),
            bytes: bytes.len() as u64,
            whole,
        };
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // A letter that was cut in two.
            Err(error) if !whole && error.error_len().is_none() => {
                bytes.get(..error.valid_up_to()).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
            }
            Err(_) => {
                let side_effects = vec![unread(read)];
                return Err(ToolFailure { message: "the file is no UTF-8 text".to_owned(), side_effects });
            }
        };
        let content = json!({ "path": place.path(), "content": text, "whole": whole });
        Ok(Output { content, low_trust: false, side_effects: vec![read] })
    }
}

/// The same of a file that nobody was shown.
fn unread(read: SideEffect) -> SideEffect {
    match read {
        SideEffect::Read { path, digest, bytes, .. } => SideEffect::Read { path, digest, bytes, whole: false },
        other => other,
    }
}
