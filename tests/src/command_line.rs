//! The `policyc` binary as a person would run it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The binary, built when it isn't there or is older than its sources.
///
/// # Panics
/// When it can't be built.
#[must_use]
pub fn policyc() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().expect("a test knows its own file");
        let profile = test
            .ancestors()
            .find(|folder| folder.file_name().is_some_and(|name| name == "deps"))
            .and_then(Path::parent)
            .expect("tests lie in the profile's `deps`");
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "--package", "policyc", "--bin", "policyc"]);
        if profile.file_name().is_some_and(|name| name == "release") {
            build.arg("--release");
        }
        let target = profile.parent().expect("the profile's folder lies in the target's");
        let built = build.env("CARGO_TARGET_DIR", target).current_dir(crate::workspace::root()).status();
        assert!(built.is_ok_and(|status| status.success()), "the policyc binary doesn't build");
        profile.join(format!("policyc{}", std::env::consts::EXE_SUFFIX))
    })
}

/// Runs `policyc` with `arguments` in `folder`, as the golden answers were recorded: `HOME=/home/dev`, no colour.
///
/// # Panics
/// When the process can't be started.
#[must_use]
pub fn run(folder: &Path, arguments: &[impl AsRef<std::ffi::OsStr>]) -> Output {
    Command::new(policyc())
        .args(arguments)
        .current_dir(folder)
        .env("HOME", "/home/dev")
        .env("NO_COLOR", "1")
        .output()
        .expect("the policyc binary starts")
}
