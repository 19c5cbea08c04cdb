//! A table together with its bytes, for whoever asks it for as long as the process lives.

use alloc::sync::Arc;

use crate::error::TableError;
use crate::header::Sections;
use crate::table::Table;

/// The bytes of a table that was validated. Its table is had at any time, without validating it again.
#[derive(Clone, Debug)]
pub struct KeptTable {
    bytes: Arc<[u8]>,
    digest: [u8; 32],
}

impl KeptTable {
    /// Validates a table, as [`Table::from_bytes`] does.
    ///
    /// # Errors
    /// When the bytes are not a table of this version, complete and undamaged.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Result<Self, TableError> {
        let bytes = bytes.into();
        let digest = Table::from_bytes(&bytes)?.digest();
        Ok(Self { bytes, digest })
    }

    /// The table.
    ///
    /// # Panics
    /// Never: the bytes were validated, and nobody can change them.
    #[must_use]
    pub fn table(&self) -> Table<'_> {
        Table::laid_out(Sections::of_checked(&self.bytes)).expect("the bytes were validated")
    }

    /// The [digest](Table::digest) of the table.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }
}
