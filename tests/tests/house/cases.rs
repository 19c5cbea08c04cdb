//! Every case made from a public report is a test, or has a reason why it is none yet.

use std::collections::BTreeMap;

use policyc_tests::markdown::sections;
use policyc_tests::workspace;

/// The ids of `tests/cases/reports.jsonl`, each with how it compares to the reference engine.
fn reported() -> BTreeMap<String, String> {
    let path = workspace::root().join("tests/cases/reports.jsonl");
    let text = std::fs::read_to_string(path).expect("the reports are there");
    let field = |case: &serde_json::Value, name: &str| case[name].as_str().expect("a case has its fields").to_owned();
    let case = |line| {
        let case: serde_json::Value = serde_json::from_str(line).expect("a report is JSON");
        (field(&case, "id"), field(&case, "mode"))
    };
    text.lines().map(case).collect()
}

/// The rows of STATUS.md: id, what holds it, and the remark.
fn rows() -> Vec<[String; 3]> {
    let path = workspace::root().join("tests/cases/STATUS.md");
    let text = std::fs::read_to_string(path).expect("the status is there");
    let cells = |line: &str| {
        let mut cells = line.trim().trim_matches('|').splitn(3, '|').map(|cell| cell.trim().to_owned());
        [(); 3].map(|()| cells.next().unwrap_or_default())
    };
    let rows = text.lines().filter(|line| line.starts_with("| ")).map(cells);
    rows.filter(|[id, ..]| id != "id" && !id.starts_with("---")).collect()
}

#[test]
fn every_case_has_one_row() {
    let reported = reported();
    assert!(reported.len() >= 165, "only {} reports", reported.len());
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for [id, ..] in rows() {
        *seen.entry(id).or_default() += 1;
    }
    for id in reported.keys().filter(|id| seen.get(*id) != Some(&1)) {
        wrong.push(format!("{id} has {} rows", seen.get(id).copied().unwrap_or_default()));
    }
    wrong.extend(seen.keys().filter(|id| !reported.contains_key(*id)).map(|id| format!("{id} is no case")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_leads_to_a_test_or_gives_a_reason() {
    let reported = reported();
    let mut wrong = Vec::new();
    let mut tests = 0;
    for [id, holder, remark] in rows() {
        let what = holder.split('`').nth(1).map(str::to_owned);
        let fault = match (holder.strip_prefix("later: "), &what) {
            (Some(when), _) => {
                let known = ["editors", "analysis", "host", "effects"].contains(&when);
                let bound = reported.get(&id).is_some_and(|mode| mode == "same" || mode == "differs");
                match (known, bound, remark.is_empty()) {
                    (false, ..) => Some(format!("`{when}` is no time")),
                    (_, true, _) => Some("the reference answers it: it is due now".to_owned()),
                    (.., true) => Some("no reason".to_owned()),
                    _ => None,
                }
            }
            (None, Some(file)) => {
                tests += 1;
                missing_test(&id, file)
            }
            (None, None) => Some("neither a test nor `later: …`".to_owned()),
        };
        wrong.extend(fault.map(|fault| format!("{id}: {fault}")));
    }
    assert!(tests > 0, "no case is a test");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with `place` as the test of case `id`: a suite with a heading that begins with the id, or a source file
/// and the name of a test, parted by `::`.
pub(super) fn missing_test(id: &str, place: &str) -> Option<String> {
    let (file, test) = place.split_once("::").map_or((place, None), |(file, test)| (file, Some(test)));
    let Ok(text) = std::fs::read_to_string(workspace::root().join(file)) else {
        return Some(format!("{file} can't be read"));
    };
    let found = match test {
        Some(test) => text.contains(&format!("fn {test}()")),
        None => sections(&text).iter().any(|section| {
            let judged = ["decisions", "shell", "diagnostics", "console", "policy"];
            section.heading.split(':').next().is_some_and(|ids| ids.split(", ").any(|heading| heading == id))
                && section.blocks.iter().any(|block| judged.contains(&block.language.as_str()))
        }),
    };
    (!found).then(|| format!("{place} has no test of that id"))
}

#[test]
fn suites_hold_no_other_cases() {
    let reported = reported();
    let folder = workspace::root().join("tests/cases");
    let mut headings = 0;
    for path in workspace::files(&folder, "md") {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if ["README", "STATUS", "spellings"].contains(&&*name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a suite can be read");
        for section in sections(&text).iter().filter(|section| !section.blocks.is_empty()) {
            headings += 1;
            let ids = section.heading.split(':').next().unwrap_or_default();
            for id in ids.split(", ") {
                assert!(reported.contains_key(id), "{}:{}: {id} is no case", workspace::relative(&path), section.line);
            }
        }
    }
    assert!(headings > 0, "the suites of the cases hold no test");
}
