//! The table: watched by digest, swapped whole between requests. A broken one leaves the last good one, and everybody is
//! told.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use policyc_runtime::{KeptTable, Table};

/// The largest table, in bytes: it counts them in 32 bits.
const LARGEST: u64 = u32::MAX as u64;

/// Where the table comes from.
#[derive(Clone, Debug)]
pub enum PolicySource {
    /// A file, which may be replaced while the host runs.
    File(PathBuf),
    /// Bytes, which stay as they are.
    Bytes(Vec<u8>),
}

/// A table that is in force, for as long as a request takes.
#[derive(Debug)]
pub struct Policy {
    table: KeptTable,
    degraded: Option<String>,
}

impl Policy {
    /// The table.
    #[must_use]
    pub fn table(&self) -> Table<'_> {
        self.table.table()
    }

    /// The table's digest.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.table.digest()
    }

    /// Why a newer one could not be taken, if so.
    #[must_use]
    pub fn degraded(&self) -> Option<&str> {
        self.degraded.as_deref()
    }
}

/// The table of a host over time.
#[derive(Debug)]
pub(crate) struct Watched {
    source: PolicySource,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    policy: Arc<Policy>,
    seen: Option<Stamp>,
}

/// What tells whether a file was touched, without reading it.
type Stamp = (u64, u64, u64, (i64, i64), (i64, i64));

impl Watched {
    /// Loads the table for the first time: a broken one is refused.
    pub(crate) fn start(source: PolicySource) -> Result<Self, String> {
        let (seen, bytes) = match &source {
            PolicySource::Bytes(bytes) => (None, bytes.clone()),
            PolicySource::File(path) => {
                let (stamp, bytes) = read(path).map_err(|error| format!("the table cannot be read: {error}"))?;
                (Some(stamp), bytes)
            }
        };
        let table = KeptTable::new(bytes).map_err(|error| format!("the table cannot be used: {error}"))?;
        let policy = Arc::new(Policy { table, degraded: None });
        Ok(Self { source, state: Mutex::new(State { policy, seen }) })
    }

    /// The table in force, and whether that is news.
    pub(crate) fn current(&self) -> (Arc<Policy>, bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = self.refresh(&mut state);
        (Arc::clone(&state.policy), changed)
    }

    fn refresh(&self, state: &mut State) -> bool {
        let PolicySource::File(path) = &self.source else { return false };
        let stamp = std::fs::metadata(path).map(|metadata| stamp(&metadata));
        if stamp.as_ref().is_ok_and(|stamp| Some(stamp) == state.seen.as_ref()) {
            return false;
        }
        let taken =
            read(path).map_err(|error| format!("the table cannot be read: {error}")).and_then(|(stamp, bytes)| {
                state.seen = Some(stamp);
                KeptTable::new(bytes).map_err(|error| format!("the table cannot be used: {error}"))
            });
        let (table, degraded) = match taken {
            Ok(table) => (table, None),
            Err(reason) => (state.policy.table.clone(), Some(reason)),
        };
        let changed = table.digest() != state.policy.digest() || degraded != state.policy.degraded;
        if changed {
            state.policy = Arc::new(Policy { table, degraded });
        }
        changed
    }
}

fn stamp(metadata: &std::fs::Metadata) -> Stamp {
    let (modified, changed) = ((metadata.mtime(), metadata.mtime_nsec()), (metadata.ctime(), metadata.ctime_nsec()));
    (metadata.dev(), metadata.ino(), metadata.size(), modified, changed)
}

fn read(path: &PathBuf) -> io::Result<(Stamp, Vec<u8>)> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(LARGEST).read_to_end(&mut bytes)?;
    Ok((stamp(&metadata), bytes))
}
