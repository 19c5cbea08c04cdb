//! The header of a table, and its sections as bytes.

use crate::error::TableError;
use crate::format::{CHECKSUM, HEADER, MAGIC, Section, VERSION};
use crate::hash::checksum;
use crate::record::Records;

/// The bytes of a complete and undamaged table.
#[derive(Clone, Copy)]
pub(crate) struct Sections<'t>(&'t [u8]);

impl<'t> Sections<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Result<Self, TableError> {
        if bytes.len() < MAGIC.len() && MAGIC.starts_with(bytes) && !bytes.is_empty() {
            return Err(TableError::Truncated);
        }
        if !bytes.starts_with(&MAGIC) {
            return Err(TableError::Foreign);
        }
        let number = |offset| number_at(bytes, offset).ok_or(TableError::Truncated);
        match number(8)? {
            VERSION => {}
            version if version > VERSION => return Err(TableError::Newer { version }),
            0 => return Err(TableError::Unknown { version: 0 }),
            version => return Err(TableError::Older { version }),
        }
        if bytes.len() < HEADER {
            return Err(TableError::Truncated);
        }
        let sections = Self(bytes);
        let length =
            HEADER as u64 + Section::ALL.into_iter().map(|section| sections.length(section) as u64).sum::<u64>();
        let actual = bytes.len() as u64;
        // A changed length looks like a table that is too short or too long: only the checksum can tell.
        if number(12)? as usize != Section::ALL.len()
            || (actual >= length && sections.checksum() != computed_checksum(bytes))
        {
            return Err(TableError::Damaged);
        }
        match actual {
            _ if actual < length => Err(TableError::Truncated),
            _ if actual > length => Err(TableError::Trailing),
            _ => Ok(sections),
        }
    }

    /// The sections of bytes that were found complete and undamaged before.
    pub(crate) const fn of_checked(bytes: &'t [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn bytes_of_all(self) -> &'t [u8] {
        self.0
    }

    pub(crate) const fn size(self) -> usize {
        self.0.len()
    }

    pub(crate) fn length(self, section: Section) -> usize {
        number_at(self.0, HEADER - 4 * (Section::ALL.len() - section as usize)).unwrap_or(0) as usize
    }

    pub(crate) fn bytes(self, section: Section) -> &'t [u8] {
        let before = Section::ALL.into_iter().take(section as usize);
        let start = HEADER + before.map(|section| self.length(section)).sum::<usize>();
        self.0.get(start..start + self.length(section)).unwrap_or_default()
    }

    pub(crate) fn records<const BYTES: usize>(self, section: Section) -> Result<Records<'t, BYTES>, TableError> {
        Records::new(self.bytes(section)).ok_or(TableError::Malformed(section))
    }

    pub(crate) fn checksum(self) -> u64 {
        self.0.get(CHECKSUM).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

fn number_at(bytes: &[u8], offset: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(offset..)?.first_chunk()?))
}

/// The checksum that a table with these bytes must carry: of everything before and after it.
#[must_use]
pub fn computed_checksum(bytes: &[u8]) -> u64 {
    let part = |range| checksum(bytes.get(range).unwrap_or_default());
    part(0..CHECKSUM.start).rotate_left(1) ^ part(CHECKSUM.end..bytes.len())
}
