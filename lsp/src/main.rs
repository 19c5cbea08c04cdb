//! `policyc-lsp`: the language server on standard input and output.

use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
The language server of command policies. An editor starts it and talks to it on
standard input and output; docs/editors.md says how to set one up.

Usage: policyc-lsp [OPTIONS]

Options:
      --stdio    What it does anyway; some editors say so
  -h, --help     Print help
  -V, --version  Print version
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.find(|argument| argument != "--stdio").as_deref() {
        None => {
            with_few_arenas();
            serve()
        }
        Some("-h" | "--help") => print(HELP),
        Some("-V" | "--version") => print(concat!("policyc-lsp ", env!("CARGO_PKG_VERSION"), "\n")),
        Some(other) => {
            let _ = write!(std::io::stderr(), "error: unexpected argument '{}' found\n\n{HELP}", other.escape_debug());
            ExitCode::from(2)
        }
    }
}

/// A reader that left has seen what it wanted.
fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Starts anew with few arenas of memory, unless that is said already: glibc gives each of the threads that work on an answer,
/// and each that runs a policy, one of its own, and a policy of ten thousand rules then takes half as much again.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn with_few_arenas() {
    use std::os::unix::process::CommandExt;
    const ARENAS: &str = "MALLOC_ARENA_MAX";
    if std::env::var_os(ARENAS).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        // Nothing was read yet, and what cannot be started anew goes on as it is.
        let error = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(ARENAS, "2").exec();
        drop(error);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
const fn with_few_arenas() {}

fn serve() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => {
            let orderly = runtime.block_on(policyc_lsp::serve(tokio::io::stdin(), tokio::io::stdout()));
            // A read of standard input that never ends would keep the process.
            runtime.shutdown_background();
            // So the protocol has it of an editor that left without `shutdown`.
            if orderly { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}
