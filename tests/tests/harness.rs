//! The harness judged: a suite with a wrong expectation must fail, on that line and with those words.
//!
//! `tests/harness/*.md` are wrong suites. Each names its own failures in comments, `<!-- fails 12: expected allow -->`.

use policyc_tests::{suite, workspace};

#[test]
fn wrong_suites_fail_where_they_are_wrong() {
    let files = workspace::files(&workspace::root().join("tests/harness"), "md");
    assert!(!files.is_empty(), "there are no wrong suites");
    for file in files {
        let document = std::fs::read_to_string(&file).expect("a suite can be read");
        let announced: Vec<&str> =
            document.lines().filter_map(|line| line.strip_prefix("<!-- fails ")?.strip_suffix(" -->")).collect();
        assert!(!announced.is_empty(), "{} announces no failure", file.display());
        let report = suite::run("suite", &document);
        for (index, failure) in report.failures.iter().enumerate() {
            let failure = failure.strip_prefix("suite:").unwrap_or(failure);
            let expected = announced.get(index).copied().unwrap_or("nothing more");
            assert!(failure.starts_with(expected), "{}: announced\n{expected}\ngot\n{failure}", file.display());
        }
        assert_eq!(report.failures.len(), announced.len(), "{}: {announced:?}", file.display());
    }
}
