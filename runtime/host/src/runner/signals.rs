//! Signals that the host is sent, passed on to what runs.

use std::io;
use std::thread;

use nix::sys::signal::{SigSet, Signal};

use super::Cancel;

/// What is passed on: what asks a process to end, and what users define.
const PASSED_ON: [Signal; 6] =
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGUSR1, Signal::SIGUSR2];

/// From now on, passes signals on to what runs with `cancel`. It must be called before any other thread is started: those
/// would take signals themselves. Processes that are started have all signals.
///
/// # Errors
/// When the signals cannot be held back.
pub fn pass_on(cancel: &Cancel) -> io::Result<()> {
    let mut signals = SigSet::empty();
    PASSED_ON.into_iter().for_each(|signal| signals.add(signal));
    signals.thread_block()?;
    let cancel = cancel.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while let Ok(signal) = signals.wait() {
            cancel.signal(signal as i32);
        }
    })?;
    Ok(())
}
