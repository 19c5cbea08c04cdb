//! What it costs to spend a use of a grant: in a file in memory, and on a disk, where each use is synced.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use policyc_host::grants::{AskedGrant, Decider, GrantQueue, GrantRequest, GrantRules, GrantStore, Sqlite, Verdict};
use policyc_runtime::Table;
use policyc_tests::policy::Policy;

const POLICY: &str = "capability(\"ask\")\nprofile(\"work\", prompt = [\"ask\"])\n";

/// Threads that spend from one store.
const THREADS: u64 = 8;

/// A store with a grant that can be used any number of times, `g1`, and one with so many uses that they never end, `g2`.
fn store(path: &Path, rules: &GrantRules) -> Sqlite {
    let store = Sqlite::open(path).expect("a store can be made");
    let decider = Decider { by: "ana", reason: "to measure it", rules };
    for uses in [None, Some(u32::MAX)] {
        let request = GrantRequest {
            requester: "dev".to_owned(),
            capability: "ask".to_owned(),
            writes: true,
            asked: AskedGrant { seconds: 600, uses },
            reason: "to measure it".to_owned(),
            ..GrantRequest::default()
        };
        let filed = store.file(&request, rules, 1, &mut |_| Ok(())).expect("it can be filed");
        let verdict = Verdict::Grant { seconds: None, uses: None };
        store.decide(&filed.id, &verdict, &decider, 1, &mut |_| Ok(())).expect("it can be decided");
    }
    store
}

fn left(store: &Sqlite) -> u32 {
    let grants = store.grants(true, 1).expect("the store can be read");
    grants.last().and_then(|kept| kept.grant.remaining).expect("it is counted")
}

fn grants(criterion: &mut Criterion) {
    let policy = Policy::guarded_of(POLICY);
    let rules = GrantRules::of(&Table::from_bytes(policy.table()).expect("a table that was just made is valid"));
    let target = std::env::current_exe().expect("a bench knows its own file");
    let disk = target.parent().expect("a file is in a folder");
    let mut group = criterion.benchmark_group("grants");
    group.throughput(Throughput::Elements(1));
    for (name, folder) in [("in memory", Path::new("/dev/shm")), ("on the disk", disk)] {
        if !folder.exists() {
            continue;
        }
        let state = tempfile::tempdir_in(folder).expect("a folder can be made");
        let store = store(&state.path().join("grants"), &rules);
        let spend = || store.consume("dev", &["g2".to_owned()], 1).expect("it holds");
        let before = left(&store);
        spend();
        assert_eq!(left(&store), before - 1);
        group.bench_function(format!("a use, {name}"), |bencher| bencher.iter(spend));
        group.bench_function(format!("a use by one of {THREADS} threads, {name}"), |bencher| {
            bencher.iter_custom(|uses| {
                let rest = AtomicU64::new(uses);
                let take = || rest.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
                let start = Instant::now();
                thread::scope(|scope| {
                    for _ in 0..THREADS {
                        scope.spawn(|| {
                            while take().is_ok() {
                                spend();
                            }
                        });
                    }
                });
                start.elapsed()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, grants);
criterion_main!(benches);
