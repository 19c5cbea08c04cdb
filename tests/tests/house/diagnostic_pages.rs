//! One code, one page.

use std::collections::BTreeSet;

use policyc_tests::workspace;

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: BTreeSet<String> = policyc::check::CODES.iter().map(|code| code.0.to_owned()).collect();
    assert!(!codes.is_empty(), "there are no codes");
    let pages: BTreeSet<String> = workspace::files(&workspace::root().join("docs/diagnostics"), "md")
        .iter()
        .filter_map(|path| path.file_stem().map(|name| name.to_string_lossy().into_owned()))
        .filter(|name| name != "README")
        .collect();
    let without_page: Vec<_> = codes.difference(&pages).collect();
    let without_code: Vec<_> = pages.difference(&codes).collect();
    assert!(
        without_page.is_empty() && without_code.is_empty(),
        "without a page: {without_page:?}; without a code: {without_code:?}"
    );
}

#[test]
fn every_page_shows_its_own_diagnostic() {
    for code in policyc::check::CODES {
        let path = workspace::root().join("docs/diagnostics").join(format!("{}.md", code.0));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains(&format!("[{}]", code.0)), "{} never provokes [{}]", path.display(), code.0);
    }
}
