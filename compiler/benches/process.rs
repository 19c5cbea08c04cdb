//! How long whole runs of `policyc` take, as a user waits for them: start, files, answer, end.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};
use policyc_tests::workload::Workload;

fn policyc(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_policyc"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.output().expect("policyc starts")
}

/// Builds a table of so many rules into `bench.table`, and returns a command that one of them matches.
fn table_of(folder: &Path, rules: usize) -> Vec<String> {
    let generated = Workload::over_many_programs(rules).with_examples(0).generate();
    std::fs::write(folder.join("bench.rules"), &generated.policy).expect("the policy is written");
    let built = policyc(folder, &["build", "bench.rules", "-o", "bench.table"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    generated.hits(1, 7).remove(0)
}

fn eval_from_a_table(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut group = criterion.benchmark_group("policyc eval --table");
    for rules in [10, 10_000] {
        let command = table_of(folder.path(), rules);
        let mut arguments = vec!["eval", "--table", "bench.table", "--"];
        arguments.extend(command.iter().map(String::as_str));
        let answer = policyc(folder.path(), &arguments);
        assert!(String::from_utf8_lossy(&answer.stdout).contains("\"decision\":"));
        group.bench_function(format!("{rules} rules"), |bencher| bencher.iter(|| policyc(folder.path(), &arguments)));
    }
    group.finish();
}

fn eval_of_a_text(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut group = criterion.benchmark_group("policyc eval --table --shell");
    for rules in [10, 10_000] {
        let command = table_of(folder.path(), rules);
        let text = format!("cd /srv && sudo {} 2>&1 | tee log", command.join(" "));
        let arguments = ["eval", "--table", "bench.table", "--shell", &text];
        let answer = policyc(folder.path(), &arguments);
        assert!(String::from_utf8_lossy(&answer.stdout).contains("\"found\":\"operands\""));
        group.bench_function(format!("{rules} rules"), |bencher| bencher.iter(|| policyc(folder.path(), &arguments)));
    }
    group.finish();
}

fn check(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut group = criterion.benchmark_group("policyc check, 3 examples a rule");
    group.sample_size(20);
    for rules in [1_000, 10_000] {
        let generated = Workload::over_many_programs(rules).with_examples(3).generate();
        std::fs::write(folder.path().join("bench.rules"), &generated.policy).expect("the policy is written");
        let checked = policyc(folder.path(), &["check", "bench.rules"]);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        group.bench_function(format!("{rules} rules"), |bencher| {
            bencher.iter(|| policyc(folder.path(), &["check", "bench.rules"]));
        });
    }
    group.finish();
}

/// A command that does nothing, through the host and by itself: each decision and its end are on the disk when it returns.
#[cfg(unix)]
fn exec(criterion: &mut Criterion) {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a scratch folder");
    std::fs::write(folder.path().join("bench.rules"), "prefix_rule([\"true\"])\n").expect("the policy is written");
    std::fs::create_dir(folder.path().join("work")).expect("a folder");
    let built = policyc(folder.path(), &["build", "bench.rules", "-o", "bench.table"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let arguments = ["exec", "--table", "bench.table", "--workspace", "work", "--trace", "trace", "--", "true"];
    let ran = policyc(folder.path(), &arguments);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut group = criterion.benchmark_group("a command that does nothing");
    group.bench_function("policyc exec", |bencher| bencher.iter(|| policyc(folder.path(), &arguments)));
    group.bench_function("by itself", |bencher| bencher.iter(|| Command::new("true").output().expect("it starts")));
    group.finish();
}

#[cfg(not(unix))]
fn exec(_: &mut Criterion) {}

criterion_group!(benches, eval_from_a_table, eval_of_a_text, check, exec);
criterion_main!(benches);
