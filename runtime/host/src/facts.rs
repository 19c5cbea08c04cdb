//! What a session has read: by resolved path and digest of the content.

use std::collections::BTreeMap;
use std::io::{self, Read};

use policyc_runtime::Sha256;

use crate::resolve::{Kind, Place};
use crate::tools::SideEffect;

/// The largest file that counts as read, in bytes.
pub(crate) const LARGEST_READ: u64 = 64 << 20;

/// The kind of fact that a whole, successful read is, and what stands between it and the path.
const READ: &str = "read:";

/// What a session knows of files. Nothing in it outlives the session.
#[derive(Debug, Default)]
pub struct Facts {
    known: BTreeMap<String, [u8; 32]>,
}

impl Facts {
    /// Takes note of what a tool did: whole reads and own writes count, all else makes a file unknown.
    pub fn note(&mut self, effect: &SideEffect) {
        match effect {
            SideEffect::Read { path, digest, whole: true, .. } | SideEffect::Wrote { path, digest, .. } => {
                self.known.insert(path.clone(), *digest);
            }
            SideEffect::Deleted { path } => {
                self.known.remove(path);
            }
            _ => {}
        }
    }

    /// The fact that the file at a place was read, if it holds: nothing is there yet, or what is there is what was read.
    ///
    /// # Errors
    /// When what is there cannot be read.
    pub fn of(&self, place: &Place) -> io::Result<Option<String>> {
        let holds = match place.found() {
            None => true,
            Some(found) if found.kind() == Kind::Folder => false,
            Some(_) => match self.known.get(place.path()) {
                Some(known) => digest(place)? == Some(*known),
                None => false,
            },
        };
        Ok(holds.then(|| format!("{READ}{}", place.path())))
    }
}

/// The digest of the file at a place; none if it is too large to count.
fn digest(place: &Place) -> io::Result<Option<[u8; 32]>> {
    let (mut sha, mut block, mut length) = (Sha256::new(), vec![0; 64 << 10], 0);
    let mut file = place.reader()?.take(LARGEST_READ + 1);
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            return Ok((length <= LARGEST_READ).then(|| sha.finish()));
        }
        length += read as u64;
        sha.update(block.get(..read).unwrap_or_default());
    }
}
