//! Whether a trace is what was written: every line by its digest, and each by that of the line before.

use std::fmt;
use std::io::{self, BufRead, Read};

use policyc_runtime::Sha256;

use super::chain::NOTHING;
use super::event::{Event, kind};
use crate::hex::hex;

/// The longest line, in bytes.
pub(super) const LONGEST_LINE: usize = 16 << 20;

/// What is behind the event in a line, before and after its digest.
const BEFORE: &[u8] = b",\"hash\":\"";
const AFTER: &[u8] = b"\"}";

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Report {
    /// A line is no event.
    NoEvent,
    /// A line was changed: its digest is another.
    Changed,
    /// The line before is not the one that this line was written behind: lines were changed, taken out or put in.
    Chain,
    /// The number of an event is not the next.
    Sequence,
    /// Something has run that no decision before it allowed.
    Unallowed,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEvent => "this is no event",
            Self::Changed => "the line was changed after it was written",
            Self::Chain => "the line before is not the one that this was written behind",
            Self::Sequence => "an event is missing before this one",
            Self::Unallowed => "something was started that no decision allowed",
        })
    }
}

/// What is known of a trace.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// How many events it has.
    pub events: u64,
    /// The digest of the last.
    pub head: String,
    /// How many bytes of a line there are that was never finished.
    pub torn: u64,
    /// How often a crash had left such a line, which was cut off.
    pub repaired: u64,
    /// What was started and has no end: a crash, or it runs still.
    pub unfinished: Vec<u64>,
    /// The first mistake, and the number of its line.
    pub broken: Option<(u64, Report)>,
}

/// The event in a line, and the line's digest.
pub(super) fn parse(line: &[u8]) -> Result<(Event, String), Report> {
    let digits = line.strip_suffix(AFTER).ok_or(Report::NoEvent)?;
    let (rest, hash) = digits.split_at_checked(digits.len().saturating_sub(64)).ok_or(Report::NoEvent)?;
    let body = rest.strip_suffix(BEFORE).ok_or(Report::NoEvent)?;
    let hash = std::str::from_utf8(hash).map_err(|_| Report::NoEvent)?;
    if hex(&Sha256::of(body)) != hash {
        return Err(Report::Changed);
    }
    let mut whole = body.to_vec();
    whole.push(b'}');
    let event = serde_json::from_slice(&whole).map_err(|_| Report::NoEvent)?;
    Ok((event, hash.to_owned()))
}

/// The lines of a trace, without their ends; of one that has none, how many bytes it is.
fn lines(mut trace: impl BufRead) -> impl Iterator<Item = io::Result<Result<Vec<u8>, u64>>> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match Read::by_ref(&mut trace).take(LONGEST_LINE as u64).read_until(b'\n', &mut line) {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) if line.last() == Some(&b'\n') => {
                line.pop();
                Some(Ok(Ok(line)))
            }
            // No event is so long: nothing that was written is lost.
            Ok(LONGEST_LINE) => Some(Ok(Ok(Vec::new()))),
            Ok(read) => Some(Ok(Err(read as u64))),
        }
    })
}

/// The events of a trace as far as it is whole.
///
/// # Errors
/// When it cannot be read.
pub fn events(trace: impl BufRead) -> io::Result<(Vec<Event>, Verified)> {
    let mut events = Vec::new();
    let verified = read(trace, |event| events.push(event))?;
    Ok((events, verified))
}

/// Reads a trace to its end or to the first mistake.
///
/// # Errors
/// When it cannot be read.
pub fn verify(trace: impl BufRead) -> io::Result<Verified> {
    read(trace, |_| {})
}

fn read(trace: impl BufRead, mut each: impl FnMut(Event)) -> io::Result<Verified> {
    let mut verified = Verified { head: NOTHING.to_owned(), ..Verified::default() };
    let mut allowed = Allowed::default();
    for (number, line) in (1..).zip(lines(trace)) {
        let line = match line? {
            Ok(line) => line,
            Err(torn) => {
                verified.torn = torn;
                break;
            }
        };
        let checked = parse(&line).and_then(|(event, hash)| {
            if event.previous != verified.head {
                Err(Report::Chain)
            } else if event.sequence != verified.events + 1 {
                Err(Report::Sequence)
            } else if !allowed.follows(&event) {
                Err(Report::Unallowed)
            } else {
                Ok((event, hash))
            }
        });
        match checked {
            Ok((event, hash)) => {
                verified.events += 1;
                verified.head = hash;
                verified.repaired += u64::from(event.event == kind::REPAIRED);
                each(event);
            }
            Err(report) => {
                verified.broken = Some((number, report));
                break;
            }
        }
    }
    verified.unfinished = allowed.started.into_iter().collect();
    Ok(verified)
}

/// Which decisions may be started, and which were.
#[derive(Default)]
struct Allowed {
    waiting: std::collections::BTreeSet<u64>,
    started: std::collections::BTreeSet<u64>,
}

impl Allowed {
    /// Whether an event may come here: a start only once, behind a decision that allows it; an end only behind a start.
    fn follows(&mut self, event: &Event) -> bool {
        let of = event.data.get("decision");
        let number = of.and_then(serde_json::Value::as_u64);
        match event.event.as_str() {
            kind::DECISION => {
                if of.and_then(serde_json::Value::as_str) == Some("allow") {
                    self.waiting.insert(event.sequence);
                }
                true
            }
            kind::STARTED => number.is_some_and(|number| self.waiting.remove(&number) && self.started.insert(number)),
            kind::COMPLETED => number.is_some_and(|number| self.started.remove(&number)),
            kind::DENIED => {
                number.iter().for_each(|number| {
                    self.waiting.remove(number);
                });
                true
            }
            _ => true,
        }
    }
}
