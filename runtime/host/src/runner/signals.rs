//! Signals that the host is sent, passed on to what runs.

use std::io;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::Cancel;

/// What is passed on: what asks a process to end, and what users define.
const PASSED_ON: [i32; 6] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2];

/// From now on, passes signals on to what runs with `cancel`. They are caught, not held back: a process that is started
/// has them all, where one that inherits a mask would be deaf. What whoever started the host has it ignore stays ignored.
///
/// # Errors
/// When the signals cannot be caught.
pub fn pass_on(cancel: &Cancel) -> io::Result<()> {
    let ignored = ignored();
    let caught = PASSED_ON.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(caught)?;
    let cancel = cancel.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            cancel.signal(signal);
        }
    })?;
    Ok(())
}

/// The signals that this process ignores, as bits from the first on.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0)
}
