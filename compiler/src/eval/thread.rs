//! The thread that a file runs on: with room for deep nesting, and stopped when nobody waits for the answer any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Enough for the deepest nesting that the guard lets pass, in a build without optimisation, and for values that a loop
/// nests a few hundred thousand deep. Only what is used is ever taken from the system.
const STACK: usize = 128 << 20;

/// The thread's name. The engine has panics of its own; whoever prints panics can know by the name that they became
/// diagnostics.
pub const THREAD: &str = "policy run";

/// How often cancellation is looked for.
const PAUSE: Duration = Duration::from_millis(5);

/// The run that was last left alone: it ends at its next step, which may be a long one.
static LEFT: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Runs `job` on a thread of its own and waits for it. When the database cancels the query that waits, the flag given to `job`
/// is set, and the query unwinds at once: whoever sets an input waits for that, and so would everybody else. Nothing if
/// `job` panicked.
pub(super) fn on_own_thread<T: Send + 'static>(
    db: &dyn salsa::Database,
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> Option<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let (sender, receiver) = channel();
    let run = move || drop(sender.send(job(&stopped)));
    let thread = std::thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn(run);
    let mut running = Running { stop, thread: Some(thread.expect("the system has room for one more thread")) };
    let result = loop {
        match receiver.recv_timeout(PAUSE) {
            Ok(result) => break Some(result),
            Err(RecvTimeoutError::Timeout) => db.unwind_if_revision_cancelled(),
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    // The next thread takes the memory of one that has ended.
    running.thread.take().map(JoinHandle::join);
    result
}

struct Running {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    /// Leaves the run alone, once the one before it that was left has ended: together they could use up all memory.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else { return };
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = left.replace(thread) {
            let _ = before.join();
        }
    }
}
