//! The page of the editors names tests, and they exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package is in the project");
    let page = fs::read_to_string(root.join("docs/editors.md")).expect("the page is there");
    let named: BTreeSet<(&str, &str)> = page.split('`').filter_map(|code| code.split_once(".rs::")).collect();
    assert!(named.len() >= 15, "{named:?}");
    for (file, function) in named {
        let text = fs::read_to_string(root.join(format!("{file}.rs"))).expect("the file is there");
        assert!(
            text.contains(&format!("#[test]\nfn {function}()"))
                || text.contains(&format!("#[test]\n    fn {function}()")),
            "{file}.rs::{function}"
        );
    }
    let rows = page.lines().filter(|line| line.starts_with("| ")).skip_while(|line| !line.starts_with("| diagnostics"));
    let rows = rows.take_while(|line| !line.starts_with("| story"));
    let untested: Vec<&str> = rows.filter(|row| !row.contains(".rs::")).collect();
    assert!(untested.is_empty(), "{untested:?}");
}
