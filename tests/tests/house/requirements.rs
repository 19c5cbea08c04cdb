//! Every requirement of the reference systems has its line in docs/requirements.md, with a test, a ruling, or both.

use std::collections::BTreeMap;
use std::io::Write as _;

use super::cases::missing_test;
use policyc_tests::workspace;

/// The systems, and how many requirements each has.
const SYSTEMS: [(&str, usize); 5] = [("R000", 85), ("R001", 61), ("R002", 46), ("R003", 24), ("R004", 23)];

/// What stands where neither a test nor a ruling does.
const LATER: &str = "host: next issue";

/// The lines: the id, and what holds it.
fn lines() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(workspace::root().join("docs/requirements.md")).expect("the lines are there");
    let rows = text.lines().filter(|line| line.starts_with("| R"));
    rows.map(|row| {
        let (id, rest) = row.trim_matches(['|', ' ']).split_once(" | ").expect("a line has cells");
        let (_, holder) = rest.rsplit_once(" | ").expect("a line says what holds it");
        (id.to_owned(), holder.to_owned())
    })
    .collect()
}

/// Whether the comment of a test function names the requirement; a suite does by its heading.
fn names(test: &str, id: &str) -> bool {
    let Some((file, function)) = test.split_once("::") else { return true };
    let text = std::fs::read_to_string(workspace::root().join(file)).unwrap_or_default();
    let before = text.split(&format!("fn {function}()")).next().unwrap_or_default();
    let lines = before.lines().rev().map(str::trim).skip_while(|line| line.is_empty());
    let above = lines.take_while(|line| line.starts_with("///") || line.starts_with("#["));
    let mut words = above.flat_map(|line| line.split([' ', ',', ':']));
    words.any(|word| word.trim_end_matches('.') == id)
}

#[test]
fn every_requirement_has_one_line() {
    let mut wanted: BTreeMap<String, usize> = SYSTEMS
        .iter()
        .flat_map(|(system, most)| (1..=*most).map(move |number| (format!("{system}.{number}"), 0)))
        .collect();
    let all = wanted.len();
    for (id, _) in lines() {
        *wanted.get_mut(&id).unwrap_or_else(|| panic!("{id} is no requirement")) += 1;
    }
    let wrong: Vec<_> = wanted.iter().filter(|(_, lines)| **lines != 1).collect();
    assert!(wrong.is_empty(), "not on one line: {wrong:?}");
    let listed = wanted.values().filter(|lines| **lines == 1).count();
    let _ = writeln!(std::io::stderr(), "requirements: {listed} of {all} lines listed");
}

#[test]
fn every_requirement_is_proven_or_ruled() {
    let mut wrong = Vec::new();
    let (mut proven, mut ruled, mut later) = (0, 0, 0);
    for (id, holder) in lines() {
        let tests: Vec<&str> = holder.split('`').skip(1).step_by(2).filter(|it| it.contains('/')).collect();
        let ruling = holder.split("Ruling: ").nth(1).is_some_and(|ruling| ruling.split(' ').count() > 3);
        wrong.extend(tests.iter().filter_map(|test| Some(format!("{id}: {}", missing_test(&id, test)?))));
        wrong
            .extend(tests.iter().filter(|test| !names(test, &id)).map(|test| format!("{id}: {test} does not name it")));
        match (tests.is_empty(), ruling) {
            (false, _) => proven += 1,
            (true, true) => ruled += 1,
            (true, false) if holder == LATER => later += 1,
            _ => wrong.push(format!("{id} has neither a test nor a ruling: {holder}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let _ = writeln!(std::io::stderr(), "requirements: {proven} proven, {ruled} ruled, {later} left to the host");
}
