//! How long a decision takes, and how long it takes to open a table.
//!
//! Every answer is compared with the naive reference before it is timed, and the naive reference is timed in the same
//! run: the ratio of the two is what to compare between machines.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use policyc_runtime::{Context, Matching, Table};
use policyc_tests::naive;
use policyc_tests::policy::Policy;
use policyc_tests::workload::Workload;

/// How many different commands are judged in turn: more than a branch predictor learns by heart, few enough to stay hot.
const HOT: usize = 512;

/// The same for the largest tables, so that the parts of the table that are looked at don't fit the nearer caches.
const MEMORY_BOUND: usize = 4096;

/// What the naive reference answers, too.
const AS_TYPED: Context<'static> =
    Context { matching: Matching::Reference, resolve_host_executables: false, folders: None, terms: None };

fn workloads() -> impl Iterator<Item = (&'static str, Workload)> {
    [10, 1_000, 10_000, 100_000].into_iter().flat_map(|rules| {
        [("200 programs", Workload::over_many_programs(rules)), ("one program", Workload::on_one_program(rules))]
    })
}

fn decide(criterion: &mut Criterion) {
    for (programs, workload) in workloads() {
        let generated = workload.with_examples(0).generate();
        let policy = Policy::of(&generated.policy);
        let table = Table::from_bytes(policy.table()).expect("a table that was just made is valid");
        let memory_bound = workload.rules > 10_000;
        let commands = generated.hits(if memory_bound { MEMORY_BOUND } else { HOT }, 7);
        for command in commands.iter().take(if memory_bound { 16 } else { HOT }) {
            let expected = naive::decide(policy.declarations(), command, None);
            let evaluation = table.decide(command, &AS_TYPED);
            assert_eq!(evaluation.decision(), expected.decision);
            let ids: Vec<u32> = evaluation.matches().map(|it| it.rule.id()).collect();
            let expected: Vec<u32> = expected.matches.iter().map(|it| it.rule).collect();
            assert_eq!(ids, expected);
        }

        let mut group = criterion.benchmark_group(format!("decide, {programs}"));
        let name = |engine: &str| format!("{engine}/{} rules", workload.rules);
        in_turn(&mut group, &name("table"), &commands, |command| {
            black_box(table.decide(command, &AS_TYPED).decision());
        });
        in_turn(&mut group, &name("table, every match"), &commands, |command| {
            table.decide(command, &AS_TYPED).matches().for_each(|it| {
                black_box(it.rule.id());
            });
        });
        group.sample_size(10);
        if !memory_bound {
            in_turn(&mut group, &name("naive reference"), &commands, |command| {
                black_box(naive::decide(policy.declarations(), command, None).decision);
            });
        }
        group.finish();

        let mut group = criterion.benchmark_group(format!("open, {programs}"));
        group.throughput(Throughput::Bytes(policy.table().len() as u64));
        group.bench_function(format!("{} rules", workload.rules), |bencher| {
            bencher.iter(|| Table::from_bytes(black_box(policy.table())).map(|table| table.size()));
        });
        group.finish();
        report_size(programs, &generated.patterns, policy.table());
    }
}

/// Times one call, over all commands in turn.
fn in_turn(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, commands: &[Vec<String>], judge: impl Fn(&[String])) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|calls| {
            let rounds = calls.div_ceil(commands.len() as u64);
            let start = Instant::now();
            for _ in 0..rounds {
                for command in commands {
                    judge(black_box(command));
                }
            }
            let calls_made = rounds * commands.len() as u64;
            Duration::from_secs_f64(start.elapsed().as_secs_f64() * calls as f64 / calls_made as f64)
        });
    });
}

/// The table's size beyond the distinct words of its rules, which no table could do without.
fn report_size(programs: &str, patterns: &[Vec<Vec<String>>], table: &[u8]) {
    let mut words: Vec<&str> = patterns.iter().flatten().flatten().map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    let text: usize = words.iter().map(|word| word.len()).sum();
    let rules = patterns.len();
    println!(
        "size, {programs}/{rules} rules: {} bytes, {} a rule beyond its text",
        table.len(),
        (table.len() - text) / rules
    );
}

criterion_group!(benches, decide);
criterion_main!(benches);
