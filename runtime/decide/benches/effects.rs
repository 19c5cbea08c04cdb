//! How much longer a decision takes under a profile, and how long a tool call takes, among 10,000 rules.
//!
//! Each answer is checked before it is timed; the same command without a profile is timed in the same run.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use policyc_runtime::{Context, Decision, Folders, Request, ShellKind, Table, Terms};
use policyc_tests::policy::Policy;
use policyc_tests::workload::Workload;

const RULES: usize = 10_000;

/// Profiles and a tool, beside the rules of the workload.
const EFFECTS: &str = r#"
load("@std//profiles/profiles.rules", "READERS")
prefix_rule(["git", "push"], "prompt")
prefix_rule(["git", "status"])
capability("notes.write")
tool(
    "notes/add",
    ["notes.write"],
    params = {"path": "path", "title": "text", "text": "text", "line": "integer", "force": "boolean?"},
    target = "path",
)
profile("notes", allow = ["notes.write"], tools = [glob("notes/*")])
"#;

const CALL: &str = r#"{"path": "notes/today.md", "title": "today", "text": "- one thing", "line": 12, "force": false}"#;

const COMMANDS: [(&str, &[&str], Decision); 3] = [
    ("allowed", &["git", "status", "-s"], Decision::Allow),
    ("asked about", &["git", "push", "origin"], Decision::Prompt),
    ("unknown", &["prog", "sub", "operand1", "operand2"], Decision::Forbidden),
];

fn effects(criterion: &mut Criterion) {
    let workload = Workload::over_many_programs(RULES).with_examples(0).generate().policy;
    let policy = Policy::guarded_of(&(workload.clone() + EFFECTS));
    let without = Policy::guarded_of(&workload);
    println!("table: {} bytes, without effects {}", policy.table().len(), without.table().len());
    let table = Table::from_bytes(policy.table()).expect("a table that was just made is valid");
    let plain = Context { folders: Some(Folders { working: "/work", home: Some("/home/dev") }), ..Context::default() };
    let terms = Terms { profile: Some("verify"), ..Terms::NONE };
    let verify = Context { terms: Some(&terms), ..plain };

    let mut group = criterion.benchmark_group(format!("effects, {RULES} rules"));
    for (name, words, expected) in COMMANDS {
        assert_eq!(table.decide(words, &verify).decision(), Some(expected), "{words:?}");
        group.bench_function(format!("{name}, under a profile"), |bencher| {
            bencher.iter(|| table.decide(black_box(words), &verify).decision());
        });
        group.bench_function(format!("{name}, without"), |bencher| {
            bencher.iter(|| table.decide(black_box(words), &plain).decision());
        });
    }
    let text = Request::text("git status && git diff HEAD | rg x", ShellKind::Bash);
    assert_eq!(table.decide(text, &verify).decision(), Some(Decision::Allow));
    group.bench_function("text of three commands, under a profile", |bencher| {
        bencher.iter(|| table.decide(black_box(text), &verify).decision());
    });
    group.bench_function("text of three commands, without", |bencher| {
        bencher.iter(|| table.decide(black_box(text), &plain).decision());
    });

    let terms = Terms { profile: Some("notes"), ..Terms::NONE };
    let notes = Context { terms: Some(&terms), ..plain };
    let call: Request<'_, &str> = Request::Tool { tool: "notes/add", arguments: CALL, target: None };
    assert_eq!(table.decide(call, &notes).decision(), Some(Decision::Allow));
    group.bench_function("a tool call with five parameters", |bencher| {
        bencher.iter(|| table.decide(black_box(call), &notes).decision());
    });
    group.finish();

    let mut group = criterion.benchmark_group("effects, loading a table");
    for (name, bytes) in [("with effects", policy.table()), ("without", without.table())] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| Table::from_bytes(black_box(bytes)).expect("it is valid").rules().len());
        });
    }
    group.finish();
}

criterion_group!(benches, effects);
criterion_main!(benches);
