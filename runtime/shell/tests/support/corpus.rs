//! The shell texts of the committed cases.

use std::path::Path;

/// Every text of `tests/cases` that is meant for a shell of the family of `sh`.
pub(crate) fn texts() -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut texts = Vec::new();
    for file in ["reports.jsonl", "spellings.jsonl"] {
        let lines = std::fs::read_to_string(cases.join(file)).expect("the cases are committed");
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case is JSON");
            let variants = case["variants"].as_array().into_iter().flatten();
            let requests = [&case["request"]].into_iter().chain(variants).filter_map(|request| request.as_str());
            texts.extend(requests.filter_map(|request| request.strip_prefix("sh: ")).map(str::to_owned));
            texts.extend(case["shell"].as_str().map(str::to_owned));
        }
    }
    assert!(texts.len() > 80, "the cases were not found");
    texts
}
