//! The command line, as programs and people meet it.
//!
//! What can be written down is a file in `cases/`: a heading is a test with a folder of its own, a fence with a file's
//! name makes that file (in every folder, if it is before the first heading), and a `console` fence runs a command there and holds its standard output, its exit code if
//! that is not 0 (`? 1`), and its standard error in a `stderr` fence after it. `SNAPSHOTS=overwrite` writes what the
//! commands print into the file, to be read before it is committed.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics is a test that fails"
)]

mod answers;
mod batch;
#[cfg(target_os = "linux")]
mod exec;
mod files;
mod fmt;
mod output;
mod pages;
mod transcript;

use std::path::Path;
use std::process::Command;

/// The program under test, without anything in the environment that changes what it prints.
fn policyc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_policyc"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(variable);
    }
    command.env("HOME", "/home/dev");
    command
}

/// Runs the program in `folder`, the words of `line` being its arguments.
fn run(folder: &Path, line: &str) -> Ran {
    let words = shlex::split(line).expect("the test's words are quoted well");
    Ran::of(policyc().current_dir(folder).args(words))
}

/// What a command printed, and how it ended.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

impl Ran {
    fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        Self {
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
            code: output.status.code().expect("no signal ends the program"),
        }
    }

    /// Checks the exit code, and shows what was printed if it is another.
    #[track_caller]
    fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

/// A folder with these files in it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("folders can be made");
    std::fs::write(path, text).expect("files can be written");
}
