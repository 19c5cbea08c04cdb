//! Standard output, whose reader may leave at any time.

use std::io::{self, Write};

pub(super) use policyc::workspace::reason;

/// Writes everything to standard output. A reader that left has seen what it wanted: that is no error.
pub(super) fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(cannot_write(&error)),
        Ok(()) => Ok(()),
    }
}

/// Writes everything to standard error. There is nowhere left to complain when that fails.
pub(super) fn complain(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}

/// Why standard output failed.
pub(super) fn cannot_write(error: &io::Error) -> anyhow::Error {
    anyhow::anyhow!("cannot write to standard output: {}", reason(error))
}
