//! A decision needs no heap, however many rules match.

use allocation_counter::measure;
use policyc_runtime::{Context, Folders, Matching, Table};
use policyc_tests::policy::Policy;
use policyc_tests::workload::Workload;

fn assert_no_heap(policy: &str, commands: &[Vec<String>]) {
    let policy = Policy::of(policy);
    let folders = Folders { working: "/work", home: Some("/home/dev") };
    let context =
        Context { matching: Matching::Reference, resolve_host_executables: true, folders: Some(folders), terms: None };
    let bytes = policy.table();
    let mut matches = 0;
    let measured = measure(|| {
        let table = Table::from_bytes(bytes).expect("a table that was just made is valid");
        for command in commands {
            let evaluation = table.decide(command, &context);
            matches += evaluation.matches().count();
        }
    });
    assert!(matches >= commands.len(), "the commands are hits");
    assert_eq!(measured.count_total, 0, "allocations");
}

#[test]
fn hits_need_none() {
    for workload in [Workload::over_many_programs(1_000), Workload::on_one_program(1_000)] {
        let generated = workload.with_examples(0).generate();
        assert_no_heap(&generated.policy, &generated.hits(512, 7));
    }
}

#[test]
fn more_matches_than_an_evaluation_holds_need_none() {
    let nested: String = (1..=40).map(|length| format!("prefix_rule({:?})\n", vec!["a"; length])).collect();
    assert_no_heap(&nested, &[vec!["a".to_owned(); 40]]);
}

#[test]
fn wide_canonical_and_resolved_rules_need_none() {
    let policy = r#"
prefix_rule(["a"] + [["a", "b", "c", "d"]] * 11)
prefix_rule(["Ä"], canonical_matching = True)
host_executable("Ä", ["/x/Ä"])
"#;
    let command = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    assert_no_heap(policy, &[command(&["a"; 12]), command(&["ä"]), command(&["/x/y/../Ä"])]);
}

#[test]
fn the_counter_counts() {
    assert!(measure(|| drop(std::hint::black_box(vec![1]))).count_total > 0);
}
