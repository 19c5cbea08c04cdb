//! Temporary authority, and requests for it.
//!
//! Hosts need a [`GrantStore`]: which grants there are, and to spend them. People need a [`GrantQueue`]: to ask, to decide
//! and to take back. [`Sqlite`] is both, in one file; a shared database can take its place.
//!
//! A grant only ever turns a prompt of a profile into an allow: that it never does more is the table's to say, whatever a
//! store holds.

mod events;
mod limits;
mod request;
mod sqlite;

use std::fmt;

pub use limits::GrantRules;
pub use request::{AskedGrant, Decider, Filed, GrantRequest, GrantState, Kept, RequestState, Verdict};
pub use sqlite::Sqlite;

use crate::trace::event::GrantData;

/// Where grants are kept. Several hosts, on several threads and in several processes, may use one.
///
/// Times are seconds since 1970. A store never goes back behind the latest that it was told: a clock that is set back
/// revives nothing.
pub trait GrantStore: Send + Sync {
    /// The grants that a requester could use at this time: neither over nor used up. At most 64, the ones that end first.
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

    /// Tells of each grant that has ended since this was asked last, by time or by count. They count as told once `tell`
    /// returns; if it fails, they are told again.
    ///
    /// # Errors
    /// When the store cannot be used, or what `tell` said.
    fn lapse(&self, now: u64, tell: &mut Tell<'_, Kept>) -> Result<(), StoreProblem>;
}

/// Where a store tells what it is about to keep, so that it is recorded first: if it cannot be, nothing is kept.
pub type Tell<'t, T> = dyn FnMut(&[T]) -> Result<(), StoreProblem> + 't;

/// Where people ask for grants, and decide over them. Each change is told before it is kept.
pub trait GrantQueue: GrantStore {
    /// Files a request. Those of one requester for one intention share a batch.
    ///
    /// # Errors
    /// When the requester has too many open ones or has to wait, or the store cannot be written to.
    fn file(
        &self,
        request: &GrantRequest,
        rules: &GrantRules,
        now: u64,
        tell: &mut Tell<'_, Filed>,
    ) -> Result<Filed, StoreProblem>;

    /// The requests, the oldest first; without `all`, those that nobody has decided over.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn requests(&self, all: bool) -> Result<Vec<Filed>, StoreProblem>;

    /// Decides over a request, or over all open ones of a batch, and gives the grants that came of it.
    ///
    /// # Errors
    /// When nothing open has this name, the decider may not decide, or the store cannot be written to: then nothing was
    /// decided.
    fn decide(
        &self,
        id: &str,
        verdict: &Verdict,
        decider: &Decider<'_>,
        now: u64,
        tell: &mut Tell<'_, Filed>,
    ) -> Result<Vec<Filed>, StoreProblem>;

    /// The grants, the oldest first; without `all`, those that hold at this time.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn grants(&self, all: bool, now: u64) -> Result<Vec<Kept>, StoreProblem>;

    /// Takes a grant back.
    ///
    /// # Errors
    /// When no grant that holds has this name, or the store cannot be written to.
    fn revoke(
        &self,
        id: &str,
        decider: &Decider<'_>,
        now: u64,
        tell: &mut Tell<'_, Kept>,
    ) -> Result<Kept, StoreProblem>;
}

/// Why a store did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreProblem {
    /// A grant is over, revoked, used up or unknown.
    Lapsed(String),
    /// What was asked for may not be, as the message says.
    Refused(String),
    /// It could not be recorded, and what is not recorded is not kept.
    Unrecorded(String),
    /// The store cannot be used.
    Unusable(String),
}

impl fmt::Display for StoreProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lapsed(id) => write!(f, "the grant {} does not hold any more", id.escape_debug()),
            Self::Refused(reason) | Self::Unrecorded(reason) => f.write_str(reason),
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

    fn lapse(&self, _: u64, _: &mut Tell<'_, Kept>) -> Result<(), StoreProblem> {
        Ok(())
    }
}
