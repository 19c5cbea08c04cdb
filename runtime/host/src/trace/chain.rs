//! How the trace lasts: appended under a lock, chained by digests, and on the disk before anybody goes on.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use policyc_runtime::Sha256;
use rustix::fs::FlockOperation;
use serde_json::{Value, json};

use super::event::{Event, kind};
use super::verify::{LONGEST_LINE, parse};
use crate::hex::hex;

/// The digest before the first event.
pub(super) const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// How much of what was asked for a trace shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceMode {
    /// All: to be kept where nobody else reads it.
    #[default]
    Private,
    /// Digests, effects, claims and decisions, but no words, arguments, paths or reasons.
    Redacted,
}

/// A trace that is written to. Several hosts may write to one file.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    mode: TraceMode,
    writer: Mutex<Writer>,
}

#[derive(Debug)]
struct Writer {
    file: File,
    /// The last event that is known, and where its line ends.
    tail: Tail,
}

#[derive(Clone, Debug)]
struct Tail {
    length: u64,
    sequence: u64,
    time: u64,
    hash: String,
}

const EMPTY: fn() -> Tail = || Tail { length: 0, sequence: 0, time: 0, hash: NOTHING.to_owned() };

/// An event to be written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is.
    pub event: &'static str,
    /// What it says.
    pub data: Value,
}

impl Entry {
    /// An event to be written.
    #[must_use]
    pub const fn new(event: &'static str, data: Value) -> Self {
        Self { event, data }
    }
}

/// An event that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its place in the trace.
    pub sequence: u64,
    /// The digest of its line.
    pub hash: String,
}

/// Why a trace cannot be written to. Then nothing runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum TraceProblem {
    /// The system refuses.
    Io(io::Error),
    /// The last line is whole but not what this trace would have written.
    Broken,
    /// The file was removed, or another took its name.
    Gone,
    /// An event would be longer than any reader takes.
    TooLong,
}

impl fmt::Display for TraceProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the trace cannot be written: {error}"),
            Self::Broken => f.write_str("the trace's last line was changed; `policyc trace verify` says more"),
            Self::Gone => f.write_str("the trace was removed while it was written to"),
            Self::TooLong => f.write_str("the event is too long for the trace"),
        }
    }
}

impl std::error::Error for TraceProblem {}

impl From<io::Error> for TraceProblem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<rustix::io::Errno> for TraceProblem {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Io(error.into())
    }
}

impl Trace {
    /// Opens a trace, which is made if it is not there, for its owner alone. A torn last line is cut off, and an event
    /// says so.
    ///
    /// # Errors
    /// When it cannot be written to, or its last line was changed.
    pub fn open(path: &Path, mode: TraceMode) -> Result<Self, TraceProblem> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).mode(0o600);
        let nofollow = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(nofollow.bits() as i32);
        let file = options.open(path)?;
        if !file.metadata()?.is_file() {
            return Err(TraceProblem::Io(io::Error::other("it is no regular file")));
        }
        if file.metadata()?.mode() & 0o022 != 0 {
            return Err(TraceProblem::Io(io::Error::other("others than its owner may write to it")));
        }
        // A new file lasts only when its folder does.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
        let writer = Writer { file, tail: EMPTY() };
        let trace = Self { path: path.to_owned(), mode, writer: Mutex::new(writer) };
        trace.append("", &[])?;
        Ok(trace)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How much it shows.
    #[must_use]
    pub const fn mode(&self) -> TraceMode {
        self.mode
    }

    /// The time in milliseconds since 1970, never before that of the last event: a clock that is put back revives nothing.
    #[must_use]
    pub fn now(&self) -> u64 {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        clock().max(writer.tail.time)
    }

    /// Writes events, one after the other and no other between them. When it returns, they are on the disk.
    ///
    /// # Errors
    /// When they are not. Then none of them is in the trace.
    pub fn append(&self, session: &str, entries: &[Entry]) -> Result<Vec<Written>, TraceProblem> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        rustix::fs::flock(&writer.file, FlockOperation::LockExclusive)?;
        let written = writer.append(&self.path, session, entries);
        let unlocked = rustix::fs::flock(&writer.file, FlockOperation::Unlock);
        let written = written?;
        unlocked?;
        Ok(written)
    }
}

/// The time in milliseconds since 1970.
fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

impl Writer {
    fn append(&mut self, path: &Path, session: &str, entries: &[Entry]) -> Result<Vec<Written>, TraceProblem> {
        let cut = self.catch_up(path)?;
        let repaired = (cut > 0).then(|| Entry::new(kind::REPAIRED, json!({ "cutBytes": cut })));
        let mut tail = self.tail.clone();
        let (mut lines, mut written) = (Vec::new(), Vec::new());
        for entry in repaired.iter().chain(entries) {
            let line = line(&mut tail, session, entry)?;
            written.push(Written { sequence: tail.sequence, hash: tail.hash.clone() });
            lines.extend_from_slice(&line);
        }
        if lines.is_empty() {
            return Ok(written);
        }
        if let Err(error) = self.write(&lines) {
            // A part of a line is worse than none: what does not fit is taken back. If even that fails, the next writer
            // finds a torn line.
            let _ = self.file.set_len(self.tail.length);
            return Err(error.into());
        }
        tail.length = self.tail.length + lines.len() as u64;
        self.tail = tail;
        Ok(written.split_off(usize::from(repaired.is_some())))
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.tail.length))?;
        self.file.write_all(lines)?;
        self.file.sync_data()
    }

    /// Finds the last event, where another host may have written since, and cuts off a line that a crash left unfinished:
    /// how many bytes.
    fn catch_up(&mut self, path: &Path) -> Result<u64, TraceProblem> {
        let here = self.file.metadata()?;
        let named = std::fs::symlink_metadata(path).map_err(|_| TraceProblem::Gone)?;
        if here.nlink() == 0 || (here.dev(), here.ino()) != (named.dev(), named.ino()) {
            return Err(TraceProblem::Gone);
        }
        let length = here.len();
        if length == self.tail.length {
            return Ok(0);
        }
        if length < self.tail.length {
            return Err(TraceProblem::Broken);
        }
        let end = self.line_end_before(length)?;
        if end < self.tail.length {
            return Err(TraceProblem::Broken);
        }
        if end > self.tail.length || end == 0 {
            self.tail = if end == 0 { EMPTY() } else { self.last(end)? };
        }
        let cut = length - end;
        if cut > 0 {
            self.file.set_len(end)?;
            self.file.sync_data()?;
        }
        Ok(cut)
    }

    /// Where the last whole line before `before` ends.
    fn line_end_before(&mut self, before: u64) -> io::Result<u64> {
        let mut end = before;
        let mut block = vec![0; 64 << 10];
        while end > 0 {
            let start = end.saturating_sub(block.len() as u64);
            let block = block.get_mut(..(end - start) as usize).unwrap_or_default();
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(block)?;
            if let Some(place) = block.iter().rposition(|byte| *byte == b'\n') {
                return Ok(start + place as u64 + 1);
            }
            end = start;
        }
        Ok(0)
    }

    /// The event whose line ends at `end`.
    fn last(&mut self, end: u64) -> Result<Tail, TraceProblem> {
        let start = self.line_end_before(end - 1)?;
        if end - start > LONGEST_LINE as u64 {
            return Err(TraceProblem::Broken);
        }
        let mut line = vec![0; (end - start) as usize];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut line)?;
        let (event, hash) = parse(line.strip_suffix(b"\n").unwrap_or(&line)).map_err(|_| TraceProblem::Broken)?;
        Ok(Tail { length: end, sequence: event.sequence, time: event.time, hash })
    }
}

/// The line of an event behind `tail`, which becomes its end.
fn line(tail: &mut Tail, session: &str, entry: &Entry) -> Result<Vec<u8>, TraceProblem> {
    let event = Event {
        sequence: tail.sequence + 1,
        time: clock().max(tail.time),
        previous: std::mem::take(&mut tail.hash),
        session: session.to_owned(),
        event: entry.event.to_owned(),
        data: entry.data.clone(),
    };
    let mut line = serde_json::to_vec(&event).map_err(io::Error::from)?;
    line.pop();
    tail.hash = hex(&Sha256::of(&line));
    tail.sequence = event.sequence;
    tail.time = event.time;
    line.extend_from_slice(format!(",\"hash\":\"{}\"}}\n", tail.hash).as_bytes());
    if line.len() > LONGEST_LINE { Err(TraceProblem::TooLong) } else { Ok(line) }
}
