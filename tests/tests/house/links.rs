//! Relative links in Markdown lead somewhere.

use policyc_tests::workspace;

#[test]
fn relative_links_resolve() {
    let mut seen = 0;
    let mut broken = Vec::new();
    for path in workspace::files(&workspace::root(), "md") {
        let text = std::fs::read_to_string(&path).expect("a Markdown file can be read");
        let folder = path.parent().expect("a file lies in a folder");
        for target in targets(&text) {
            if target.contains("://") || target.starts_with('#') || target.starts_with("mailto:") {
                continue;
            }
            seen += 1;
            let file = target.split('#').next().unwrap_or_default();
            if !folder.join(file).exists() {
                broken.push(format!("{}: {target}", workspace::relative(&path)));
            }
        }
    }
    assert!(seen > 0, "no Markdown file has a relative link");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The targets of `[text](target)` links, outside fenced blocks and code spans.
fn targets(document: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut fenced = false;
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        // Every second piece between backticks is code.
        for prose in line.split('`').step_by(2) {
            targets.extend(prose.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()));
        }
    }
    targets
}
