//! Every Markdown suite: the specification, the page of each diagnostic and of each shipped policy, the cases made from
//! public reports, the README.

use std::io::Write as _;
use std::path::PathBuf;

use policyc_tests::suite::{self, Report};
use policyc_tests::workspace;

fn run(what: &str, files: &[PathBuf]) {
    assert!(!files.is_empty(), "there are no {what}");
    let bless = std::env::var_os("POLICYC_BLESS").is_some();
    let mut report = Report::default();
    for file in files {
        report.add(suite::run_file(file, bless));
    }
    // Past the capture of test output: what ran is worth seeing when all is well.
    let _ = writeln!(
        std::io::stderr(),
        "{what}: {} tests in {} files, {} decisions on three engines, {} outputs",
        report.tests,
        files.len(),
        report.decisions,
        report.outputs,
    );
    assert!(report.tests > 0, "the {what} hold no test");
    assert!(report.failures.is_empty(), "{} failures:\n{}", report.failures.len(), report.failures.join("\n"));
}

#[test]
fn specification() {
    run("specification suites", &workspace::files(&workspace::root().join("tests/spec"), "md"));
}

#[test]
fn cases() {
    run("case suites", &workspace::files(&workspace::root().join("tests/cases"), "md"));
}

#[test]
fn diagnostic_pages() {
    run("diagnostic pages", &workspace::files(&workspace::root().join("docs/diagnostics"), "md"));
}
/// R003.19: every example of what is shipped holds.
#[test]
fn shipped_policies() {
    run("shipped policies", &workspace::files(&workspace::root().join("stdlib-policies"), "md"));
}

#[test]
fn readme() {
    run("README", &[workspace::root().join("README.md")]);
}
