//! Reading decision tables. Asking one must cost next to nothing, so nothing here compiles, starts threads or prints.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{anyhow, bail};
use policyc_runtime::{Table, TableError, format::MAGIC};

use super::escape;
use super::output::reason;

/// A table counts its bytes in 32 bits.
const LARGEST: u64 = 1 << 32;

/// The bytes of a table, once it is sure that they are one: a device without end, or a large file given by mistake, is
/// not read to the end.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = || escape::line(&path.to_string_lossy()).into_owned();
    let unreadable = |error: std::io::Error| anyhow!("cannot read `{}`: {}", name(), reason(&error));
    let mut file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        bail!("`{}` is a folder, not a decision table; `policyc build` makes a table of a policy", name());
    }
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(MAGIC.len() as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes == MAGIC {
        // A regular file is read at one go, as long as it is; a pipe could go on for ever.
        let read =
            if metadata.is_file() { file.read_to_end(&mut bytes) } else { file.take(LARGEST).read_to_end(&mut bytes) };
        read.map_err(unreadable)?;
    }
    Ok(bytes)
}

/// The table that `bytes`, read from `path`, are.
pub(super) fn open<'b>(bytes: &'b [u8], path: &Path) -> anyhow::Result<Table<'b>> {
    Table::from_bytes(bytes).map_err(|error| {
        let help = match error {
            TableError::Foreign if path.extension().is_some_and(|extension| extension == "rules") => {
                "; it is a policy file: ask it with `--rules`, or make a table of it with `policyc build`"
            }
            TableError::Foreign => "; `policyc build` makes one of a policy",
            _ => "",
        };
        anyhow!("cannot use `{}`: {error}{help}", escape::line(&path.to_string_lossy()))
    })
}
