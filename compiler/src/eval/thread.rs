//! The thread that a file runs on: with room for deep nesting, and stopped when nobody waits for the answer any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Enough for the deepest nesting that the guard lets pass, in a build without optimisation, and for values that a loop
/// nests a few hundred thousand deep. Only what is used is ever taken from the system.
const STACK: usize = 128 << 20;

/// The thread's name. The engine has panics of its own; whoever prints panics can know by the name that they became
/// diagnostics.
pub const THREAD: &str = "policy run";

/// How often cancellation is looked for.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs `job` on a thread of its own and waits for it. When the database cancels the query that waits, the flag given to `job` is set,
/// and the query unwinds as soon as `job` has returned. Nothing if `job` panicked.
pub(super) fn on_own_thread<T: Send>(db: &dyn salsa::Database, job: impl FnOnce(&AtomicBool) -> T + Send) -> Option<T> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, receiver) = channel::<()>();
        let thread = std::thread::Builder::new()
            .name(THREAD.to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let _finished = sender;
                job(&stop)
            })
            .expect("the system has room for one more thread");
        let _stop_when_unwinding = Stop(&stop);
        while receiver.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            db.unwind_if_revision_cancelled();
        }
        thread.join().ok()
    })
}

struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
