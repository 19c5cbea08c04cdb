//! Temporary authority: what a host needs of wherever it is kept.

use std::fmt;

use crate::trace::event::GrantData;

/// Where grants are kept. Several hosts, on several threads and in several processes, may use one.
pub trait GrantStore: Send + Sync {
    /// The grants that a requester could use at this time, in seconds since 1970: neither over nor used up. At most 64, the
    /// ones that end first.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn applicable(&self, requester: &str, now: u64) -> Result<Vec<GrantData>, StoreProblem>;

    /// Takes one use from each of these grants, all or none, at once for every host. A grant without a count only has to be
    /// valid still.
    ///
    /// # Errors
    /// When one of them is over, revoked or used up by now, or the store cannot be written to: then none was taken.
    fn consume(&self, requester: &str, ids: &[String], now: u64) -> Result<(), StoreProblem>;
}

/// Why a store did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreProblem {
    /// A grant is over, revoked, used up or unknown.
    Lapsed(String),
    /// The store cannot be used.
    Unusable(String),
}

impl fmt::Display for StoreProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lapsed(id) => write!(f, "the grant {} does not hold any more", id.escape_debug()),
            Self::Unusable(reason) => write!(f, "the store of grants cannot be used: {reason}"),
        }
    }
}

impl std::error::Error for StoreProblem {}

/// No grants at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGrants;

impl GrantStore for NoGrants {
    fn applicable(&self, _: &str, _: u64) -> Result<Vec<GrantData>, StoreProblem> {
        Ok(Vec::new())
    }

    fn consume(&self, _: &str, ids: &[String], _: u64) -> Result<(), StoreProblem> {
        ids.first().map_or(Ok(()), |id| Err(StoreProblem::Lapsed(id.clone())))
    }
}
