//! The code is formatted.

use std::io::Write as _;
use std::process::Command;

use policyc_tests::workspace;

#[test]
fn the_code_is_formatted() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let format =
        |argument: &str| Command::new(&cargo).args(["fmt", "--all", argument]).current_dir(workspace::root()).output();
    if !format("--version").is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "formatting: skipped, because rustfmt is not installed");
        return;
    }
    let output = format("--check").expect("cargo starts");
    assert!(output.status.success(), "run `cargo fmt --all`:\n{}", String::from_utf8_lossy(&output.stdout));
}
