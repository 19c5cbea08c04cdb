//! The `policyc` command: everything that touches files, processes and terminals.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
