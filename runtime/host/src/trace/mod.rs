//! The trace: what was decided and done, as lines of JSON in a chain of digests, each on the disk before what it is about.

pub mod event;
mod chain;
mod verify;
mod replay;
mod show;

pub use chain::{Entry, Trace, TraceMode, TraceProblem, Written};
pub use event::Event;
pub use replay::{Replay, Replayed, replay};
pub use show::{show, utc};
pub use verify::{Report, Verified, events, verify};
