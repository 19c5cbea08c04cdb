//! Files in the workspace, and in folders outside that may be read. Every path is a [`Place`] by now: no name is opened again.

mod list;
mod read;
mod write;

use std::io::Read;

use policyc_runtime::Sha256;

use super::{Call, Registry, RegistryProblem, SideEffect, ToolFailure};
use crate::facts::LARGEST_READ;
use crate::resolve::Place;

/// Adds the tools.
///
/// # Errors
/// When one of their names is taken, or the host has started.
pub fn register(registry: &mut Registry) -> Result<(), RegistryProblem> {
    registry.add(read::FileRead)?;
    registry.add(list::ListDir)?;
    registry.add(list::Search)?;
    registry.add(write::FileWrite)?;
    registry.add(write::FileEdit)?;
    registry.add(write::FileDelete)?;
    registry.add(write::FileCopy)?;
    registry.add(write::ApplyPatch)
}

/// The place that a parameter names.
fn place<'c>(call: &Call<'c>, parameter: &str) -> Result<&'c Place, ToolFailure> {
    let missing = || ToolFailure::new(format!("the parameter `{parameter}` names no path"));
    call.places.get(parameter).ok_or_else(missing)
}

fn text<'c>(call: &Call<'c>, parameter: &str) -> Result<&'c str, ToolFailure> {
    let missing = || ToolFailure::new(format!("the parameter `{parameter}` is no text"));
    call.arguments.get(parameter).and_then(|value| value.as_str()).ok_or_else(missing)
}

/// The whole of a file, which must be text.
fn whole_text(place: &Place) -> Result<(String, SideEffect), ToolFailure> {
    let mut bytes = Vec::new();
    place.reader()?.take(LARGEST_READ + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_READ {
        return Err(ToolFailure::new(format!("the file has more than {LARGEST_READ} bytes")));
    }
    let read = SideEffect::Read {
        path: place.path().to_owned(),
        digest: Sha256::of(&bytes),
        bytes: bytes.len() as u64,
        whole: false,
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, read)),
        Err(_) => Err(ToolFailure { message: "the file is no UTF-8 text".to_owned(), side_effects: vec![read] }),
    }
}
