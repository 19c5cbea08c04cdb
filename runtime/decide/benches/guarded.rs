//! How long a decision takes in every reading, among 10,000 rules and with all that is shipped about programs.
//!
//! Each answer is checked before it is timed; the same words as typed are timed in the same run.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use policyc_runtime::{Context, Decision, Folders, Matching, Request, ShellKind, Table};
use policyc_tests::policy::Policy;
use policyc_tests::workload::Workload;

const RULES: usize = 10_000;

/// Rules whose answers are known, beside those of the workload.
const KNOWN: &str = r#"
prefix_rule(["git", "push"], decision = "forbidden")
prefix_rule(["git", "log"])
prefix_rule(["head"])
prefix_rule(["cd"])
"#;

const COMMANDS: [(&str, &[&str], Option<Decision>); 8] = [
    ("plain, forbidden", &["git", "push", "origin"], Some(Decision::Forbidden)),
    ("plain, allowed", &["git", "log", "-n", "3"], Some(Decision::Allow)),
    ("plain, unknown program", &["prog", "sub", "operand1", "operand2"], None),
    ("options before the subcommand", &["git", "-C", "x", "--no-pager", "log"], Some(Decision::Allow)),
    ("by path", &["/usr/bin/git", "push"], Some(Decision::Forbidden)),
    ("one wrapper, two options, allowed", &["timeout", "-k", "3", "-v", "5", "git", "log"], Some(Decision::Allow)),
    ("one wrapper, two options, forbidden", &["sudo", "-n", "-u", "root", "git", "push"], Some(Decision::Forbidden)),
    ("a text in a word", &["bash", "-lc", "git log"], Some(Decision::Allow)),
];

const TEXTS: [(&str, &str, Option<Decision>); 3] = [
    ("three commands", "cd /srv && git log --oneline 2>&1 | head -3", Some(Decision::Allow)),
    (
        "three commands, a half-known word",
        "cd /srv && git push origin \"$BRANCH\" 2>/dev/null; git log",
        Some(Decision::Forbidden),
    ),
    ("a program known only to the run", "git log; $EDITOR notes; git log", Some(Decision::Prompt)),
];

/// Text that is made to take long, repeated to a mebibyte.
const HOSTILE: [&str; 12] = [
    "$X a;",
    "git $X ;",
    "git log;",
    "env ",
    "git --a push ",
    "'git push' ",
    "(",
    "$(",
    "`a ",
    "{a,b}",
    "A=b ",
    "echo 'git push' | ",
];

fn guarded(criterion: &mut Criterion) {
    let policy = Workload::over_many_programs(RULES).with_examples(0).generate().policy + KNOWN;
    let policy = Policy::guarded_of(&policy);
    let table = Table::from_bytes(policy.table()).expect("a table that was just made is valid");
    let context =
        Context { folders: Some(Folders { working: "/work", home: Some("/home/dev") }), ..Context::default() };
    let as_typed = Context { matching: Matching::Reference, ..context };

    let mut group = criterion.benchmark_group(format!("guarded, {RULES} rules"));
    for (name, words, expected) in COMMANDS {
        assert_eq!(table.decide(words, &context).decision(), expected, "{words:?}");
        group.bench_function(name, |bencher| bencher.iter(|| table.decide(black_box(words), &context).decision()));
        group.bench_function(format!("{name}, as typed"), |bencher| {
            bencher.iter(|| table.decide(black_box(words), &as_typed).decision());
        });
    }
    for (name, text, expected) in TEXTS {
        let request = Request::text(text, ShellKind::Bash);
        assert_eq!(table.decide(request, &context).decision(), expected, "{text}");
        group.bench_function(format!("text, {name}"), |bencher| {
            bencher.iter(|| table.decide(black_box(request), &context).decision());
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("hostile text");
    group.sample_size(10);
    for unit in HOSTILE {
        let text = unit.repeat((1 << 20) / unit.len());
        let request = Request::text(&text, ShellKind::Bash);
        assert_ne!(
            table.decide(request, &context).decision().filter(|_| unit != "git log;"),
            Some(Decision::Allow),
            "a mebibyte of {unit:?}"
        );
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(unit, |bencher| bencher.iter(|| table.decide(black_box(request), &context).decision()));
    }
    group.finish();
}

criterion_group!(benches, guarded);
criterion_main!(benches);
