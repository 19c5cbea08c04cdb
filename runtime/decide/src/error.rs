//! Why bytes are not a usable table.

use core::fmt;

use crate::format::{Section, VERSION};

/// Why [`Table::from_bytes`](crate::Table::from_bytes) refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes are something else: they do not begin as a table does.
    Foreign,
    /// A table made by a later policyc.
    Newer {
        /// The version it says.
        version: u32,
    },
    /// A table made by an earlier policyc, of a version that is not read any more.
    Older {
        /// The version it says.
        version: u32,
    },
    /// A table of a version that never was.
    Unknown {
        /// The version it says.
        version: u32,
    },
    /// The bytes end before the table does.
    Truncated,
    /// There are bytes after the table.
    Trailing,
    /// The checksum does not fit: a bit was changed after the table was made.
    Damaged,
    /// The checksum fits, but a section breaks the format: no policyc made this table.
    Malformed(Section),
    /// The table has rules under canonical matching, and this program was built without it.
    Canonical,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("not a decision table"),
            Self::Newer { version } => write!(
                f,
                "the decision table has format version {version}, this program reads version {VERSION}; update it, or build the table again"
            ),
            Self::Older { version } => write!(
                f,
                "the decision table has format version {version}, this program reads version {VERSION}; build it again"
            ),
            Self::Unknown { version } => write!(
                f,
                "the decision table says format version {version}, which does not exist; build the table again"
            ),
            Self::Truncated => f.write_str("the decision table is cut off; build it again"),
            Self::Trailing => f.write_str("the decision table is followed by other bytes; build it again"),
            Self::Damaged => f.write_str("the decision table is damaged (its checksum does not fit); build it again"),
            Self::Malformed(section) => {
                write!(f, "the decision table's section `{}` is malformed; build it again", section.name())
            }
            Self::Canonical => f.write_str(
                "the decision table has rules with `canonical_matching`, which this program was built without",
            ),
        }
    }
}

impl core::error::Error for TableError {}
