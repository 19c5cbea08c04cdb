//! Large policies: they load, they answer at once, and what is too deep is a mistake like any other.

use std::time::{Duration, Instant};

use policyc_runtime::{Decision, Table};
use policyc_tests::engines::guarded;
use policyc_tests::policy::{FOLDERS, Policy};

#[test]
fn ten_thousand_rules_answer_at_once() {
    let policy = Policy::guarded_of("[prefix_rule([\"tool%d\" % i, \"sub\"]) for i in range(10000)]\n");
    assert!(policy.is_usable() && policy.declarations().prefix_rules.len() == 10_000);
    let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
    let words = ["tool9999", "sub", "x"];
    let mut times: Vec<Duration> = (0..1000)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(table.decide(&words, &guarded(Some(FOLDERS))).decision(), Some(Decision::Allow));
            start.elapsed()
        })
        .collect();
    times.sort();
    // What it takes exactly is measured by the benches; a search through all rules would take ten times as long as this.
    assert!(times.get(500).is_some_and(|median| *median < Duration::from_micros(50)), "{:?}", times.get(500));
}

#[test]
fn sixty_thousand_rules_load() {
    let policy = Policy::of("[prefix_rule([\"t%d\" % i]) for i in range(60000)]\n");
    let mistakes: Vec<_> = policy.errors().map(|error| &error.message).collect();
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
    assert_eq!(table.rules().len(), 60_000);
    assert_eq!(table.decide(&["t59999"], &guarded(None)).decision(), Some(Decision::Allow));
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("x = {}{}\n", "[".repeat(3000), "]".repeat(3000));
    let codes: Vec<_> = Policy::of(&text).errors().map(|error| error.code.0).collect();
    assert_eq!(codes, ["invalid-nesting"]);
}
