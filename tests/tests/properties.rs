//! Random policies and commands: the three engines agree, the table stays small, its bytes are the same every time.
//!
//! Seeds are fixed. What a run of other seeds (`POLICYC_SEED=…`) finds becomes a test in `tests/spec/regressions.md`.

use policyc::rules::{Declarations, Example};
use policyc_tests::engines::Engines;
use policyc_tests::naive;
use policyc_tests::policy::{FOLDERS, Policy};
use policyc_tests::random::Random;
use policyc_tests::samples::{Kind, Sample};

/// How many commands were judged, or why the engines don't agree.
fn judge(sample: &Sample) -> Result<usize, String> {
    let policy = Policy::new(&sample.texts(), &[]);
    if let Some(error) = policy.errors().next() {
        return Err(format!("a valid policy is refused: {}", error.message));
    }
    let mut elsewhere = Vec::new();
    let engines = Engines::new(&policy, &mut elsewhere)?;
    for command in &sample.commands {
        engines.decide(command, None)?;
        engines.decide(command, Some(FOLDERS))?;
    }
    Ok(2 * sample.commands.len())
}

fn judge_all(samples: impl Iterator<Item = Sample>) -> usize {
    let mut judged = 0;
    for sample in samples {
        match judge(&sample) {
            Ok(count) => judged += count,
            Err(_) => {
                let smallest = sample.shrink(&|sample| judge(sample).is_err());
                let why = judge(&smallest).expect_err("it still fails");
                panic!(
                    "{why}\nthe policy:\n{}",
                    smallest.texts().iter().map(|file| format!("## {}\n{}", file.label, file.text)).collect::<String>()
                );
            }
        }
    }
    judged
}

#[test]
fn the_engines_agree_on_random_policies() {
    let mut random = Random::seeded(2);
    let judged = judge_all((0..600).map(|_| Sample::new(&mut random, Kind::Valid, 10)));
    assert!(judged >= 10_000, "only {judged} commands were judged");
}

#[test]
fn examples_are_judged_as_commands_are() {
    let mut random = Random::seeded(2);
    let (mut judged, mut failed) = (0, 0);
    while judged < 600 {
        let sample = Sample::new(&mut random, Kind::Any, 0);
        let policy = Policy::new(&sample.texts(), &[]);
        let mistakes = policy.errors().map(|error| error.code.0).collect::<Vec<_>>();
        // Other mistakes may hide a rule or a host executable.
        if sample.files.len() > 1 || mistakes.iter().any(|code| *code != "failing-example") {
            continue;
        }
        let mut expected = 0;
        for rule in &policy.declarations().prefix_rules {
            let alone = Declarations {
                prefix_rules: vec![rule.clone()],
                host_executables: policy.declarations().host_executables.clone(),
                ..Declarations::default()
            };
            let matched = |example: &&Example| naive::decide(&alone, &example.words, Some(FOLDERS)).decision.is_some();
            expected += rule.counterexamples.iter().filter(matched).count();
            expected += rule.examples.iter().filter(|example| !matched(example)).count();
            judged += rule.examples.len() + rule.counterexamples.len();
        }
        assert_eq!(mistakes.len(), expected, "{:#?}", sample.texts());
        failed += expected;
    }
    assert!(failed > 20, "only {failed} of {judged} examples failed");
}

#[test]
fn wide_rules_stay_small_and_right() {
    let mut random = Random::seeded(2);
    let mut judged = 0;
    for _ in 0..5 {
        let sample = Sample::wide(&mut random, 30, 200);
        let policy = Policy::new(&sample.texts(), &[]);
        assert!(policy.table().len() < 1 << 20, "the table takes {} bytes", policy.table().len());
        judged += judge_all([sample].into_iter());
    }
    assert!(judged >= 2_000, "only {judged} commands were judged");
}

#[test]
fn the_same_rules_make_the_same_bytes() {
    let mut random = Random::seeded(2);
    for _ in 0..50 {
        let sample = Sample::new(&mut random, Kind::Valid, 0);
        let bytes = || Policy::new(&sample.texts(), &[]).table().to_vec();
        let (first, second) = (bytes(), std::thread::scope(|scope| scope.spawn(bytes).join().expect("no bytes panic")));
        assert_eq!(first, second, "{:?}", sample.texts());
    }
}

#[test]
fn workloads_hit() {
    use policyc_tests::workload::Workload;
    for workload in [Workload::over_many_programs(300), Workload::on_one_program(300)] {
        let generated = workload.generate();
        let policy = Policy::of(&generated.policy);
        let problems: Vec<_> = policy.errors().map(|error| &error.message).collect();
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(policy.declarations().prefix_rules.len(), workload.rules);
        let mut elsewhere = Vec::new();
        let engines = Engines::new(&policy, &mut elsewhere).expect("the workload's table opens");
        for command in generated.hits(200, 7) {
            assert!((3..=6).contains(&command.len()), "{command:?}");
            let answer = engines.decide(&command, None).expect("the engines agree");
            assert!(answer.decision.is_some(), "{command:?} hits nothing");
        }
    }
}
