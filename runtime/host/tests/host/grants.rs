//! Grants in a file: as many uses as were granted, whoever asks, dies, or sets the clock back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use policyc_host::grants::{
    AskedGrant, Decider, Filed, GrantQueue, GrantRequest, GrantRules, GrantStore, Kept, RequestState, Sqlite,
    StoreProblem, Verdict,
};
use policyc_host::runner::{Cancel, Recording, Streams};
use policyc_host::{Host, RefusalKind};
use policyc_runtime::Table;
use policyc_tests::random::Random;

use super::setup::{Place, command, table};

/// Where a process finds the store that it spends from.
const STORE: &str = "POLICYC_TEST_STORE";

/// How many threads of each process spend.
const THREADS: usize = 8;

const AS_ASKED: Verdict = Verdict::Grant { seconds: None, uses: None };

fn rules() -> GrantRules {
    let bytes = table();
    GrantRules::of(&Table::from_bytes(&bytes).expect("the table is valid"))
}

fn store(path: &Path) -> Sqlite {
    Sqlite::open(path).unwrap_or_else(|problem| panic!("{problem}"))
}

fn request(uses: Option<u32>) -> GrantRequest {
    GrantRequest {
        requester: "dev".to_owned(),
        capability: "ask".to_owned(),
        writes: true,
        asked: AskedGrant { seconds: 600, uses },
        reason: "the release".to_owned(),
        ..GrantRequest::default()
    }
}

fn granted(store: &Sqlite, request: &GrantRequest, now: u64) -> String {
    let rules = rules();
    let decider = Decider { by: "ana", reason: "it is Friday", rules: &rules };
    let filed = store.file(request, &rules, now, &mut untold).expect("it can be filed");
    let decided = store.decide(&filed.id, &AS_ASKED, &decider, now, &mut untold).expect("it can be decided");
    let [Filed { state: RequestState::Granted { grant, .. }, .. }] = decided.as_slice() else {
        panic!("{decided:?}");
    };
    grant.id.clone()
}

/// Where nobody listens.
fn untold<T>(_: &[T]) -> Result<(), StoreProblem> {
    Ok(())
}

fn remaining(store: &Sqlite, id: &str) -> Option<u32> {
    let grants = store.grants(true, 0).expect("the store can be read");
    grants.into_iter().find(|kept| kept.grant.id == id).and_then(|kept| kept.grant.remaining)
}

/// R001.43. Uses are taken by 64 threads that share a store as a host's threads do.
#[test]
fn a_grant_for_a_thousand_is_spent_a_thousand_times_by_64_threads() {
    let place = Place::quick();
    let store = store(&place.path("state/grants"));
    let id = granted(&store, &request(Some(1000)), 1);
    let spent = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                while store.consume("dev", std::slice::from_ref(&id), 1).is_ok() {
                    spent.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!((spent.into_inner(), remaining(&store, &id)), (1000, Some(0)));
}

/// Not a test of its own: a process whose threads spend for as long as they can, and say so after each use.
#[test]
fn process_that_spends() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let store = store(Path::new(&path));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while store.consume("dev", &["g1".to_owned()], 1).is_ok() {
                    println!("spent");
                }
            });
        }
    });
}

fn spends(path: &Path) -> Child {
    Command::new(std::env::current_exe().expect("a test knows its own file"))
        .args(["grants::process_that_spends", "--exact", "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts")
}

fn uses(output: &[u8]) -> u32 {
    String::from_utf8_lossy(output).lines().filter(|line| *line == "spent").count() as u32
}

/// R001.43. 64 threads in 8 processes. What a process was killed over may be spent without anybody having had it, never the other way round.
#[test]
fn a_grant_for_a_thousand_is_spent_a_thousand_times_by_8_processes_some_of_which_are_killed() {
    for kills in [0, 4] {
        let place = Place::quick();
        let path = place.path("state/grants");
        let store = store(&path);
        assert_eq!(granted(&store, &request(Some(1000)), 1), "g1");
        let mut processes: Vec<Child> = (0..8).map(|_| spends(&path)).collect();
        for process in processes.iter_mut().take(kills) {
            let before = remaining(&store, "g1");
            while remaining(&store, "g1").is_some_and(|left| left > 0 && Some(left + 20) > before) {
                thread::sleep(Duration::from_millis(1));
            }
            process.kill().expect("it can be killed");
        }
        let outputs: Vec<_> = processes.into_iter().map(|it| it.wait_with_output().expect("it ends")).collect();
        let spent: u32 = outputs.iter().map(|output| uses(&output.stdout)).sum();
        assert_eq!(remaining(&store, "g1"), Some(0));
        // One use at most of each thread that was killed is not accounted for.
        assert!(spent <= 1000 && spent as usize + kills * THREADS >= 1000, "{spent} uses, {kills} killed");
    }
}

/// A grant as a store should have it.
#[derive(Clone)]
struct Expected {
    requester: String,
    left: Option<u32>,
    expires: u64,
    ended: bool,
}

/// What a store should answer.
#[derive(Clone, Default)]
struct Naive {
    grants: BTreeMap<String, Expected>,
    latest: u64,
}

impl Naive {
    /// The latest time so far, this one among them.
    fn at(&mut self, now: u64) -> u64 {
        self.latest = self.latest.max(now);
        self.latest
    }

    fn holds(&self, requester: &str, id: &str, now: u64) -> bool {
        self.grants.get(id).is_some_and(|grant| {
            let is_over = grant.left == Some(0) || grant.expires <= self.latest.max(now);
            grant.requester == requester && !is_over && !grant.ended
        })
    }

    fn held_by(&self, requester: &str, now: u64) -> BTreeSet<String> {
        self.grants.keys().filter(|id| self.holds(requester, id, now)).cloned().collect()
    }

    fn give(&mut self, id: String, request: &GrantRequest, now: u64) {
        let AskedGrant { seconds, uses } = request.asked;
        let expires = self.at(now) + seconds;
        let requester = request.requester.clone();
        self.grants.insert(id, Expected { requester, left: uses, expires, ended: false });
    }

    fn consume(&mut self, requester: &str, ids: &[String], now: u64) -> bool {
        let mut after = self.clone();
        after.at(now);
        for id in ids {
            if !after.holds(requester, id, now) {
                return false;
            }
            if let Some(Expected { left: Some(left), .. }) = after.grants.get_mut(id) {
                *left -= 1;
            }
        }
        *self = after;
        true
    }

    fn revoke(&mut self, id: &str, now: u64) -> bool {
        let holds = ["dev", "eve"].iter().any(|requester| self.holds(requester, id, now));
        if holds {
            self.at(now);
            self.grants.get_mut(id).expect("it holds").ended = true;
        }
        holds
    }

    fn lapse(&mut self, now: u64) -> BTreeSet<String> {
        let time = self.latest.max(now);
        let over = |grant: &Expected| !grant.ended && (grant.left == Some(0) || grant.expires <= time);
        let ended: BTreeSet<_> = self.grants.iter().filter(|(_, it)| over(it)).map(|(id, _)| id.clone()).collect();
        if !ended.is_empty() {
            self.at(now);
        }
        self.grants.iter_mut().filter(|(id, _)| ended.contains(*id)).for_each(|(_, grant)| grant.ended = true);
        ended
    }
}

/// P8, and R001.53: k uses of a grant for k succeed exactly k times, whatever is asked, taken back and set back between
/// them, and each end is told once.
#[test]
fn a_grant_is_used_as_often_as_it_says_and_no_longer() {
    let rules = rules();
    let decider = Decider { by: "ana", reason: "it is Friday", rules: &rules };
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let place = Place::quick();
        let (store, mut naive) = (store(&place.path("state/grants")), Naive::default());
        for _ in 0..60 {
            let now = 1000 + random.below(900) as u64;
            let requester = *random.pick(&["dev", "eve"]);
            let id = format!("g{}", random.between(1, 6));
            match random.below(8) {
                0 | 1 => {
                    let asked = AskedGrant {
                        seconds: random.between(1, 300) as u64,
                        uses: *random.pick(&[None, Some(1), Some(3)]),
                    };
                    let request = GrantRequest { requester: requester.into(), asked, ..request(None) };
                    naive.give(granted(&store, &request, now), &request, now);
                }
                2 => assert_eq!(
                    store.revoke(&id, &decider, now, &mut untold).is_ok(),
                    naive.revoke(&id, now),
                    "seed {seed}"
                ),
                3 => {
                    let mut told = Vec::new();
                    let record = &mut |ended: &[Kept]| {
                        told.extend(ended.iter().map(|kept| kept.grant.id.clone()));
                        Ok(())
                    };
                    store.lapse(now, record).expect("it can be told");
                    assert_eq!(told.len(), naive.lapse(now).len(), "seed {seed}: {told:?}");
                }
                4 => {
                    let listed = store.applicable(requester, now).expect("the store can be read");
                    let listed: BTreeSet<_> = listed.into_iter().map(|grant| grant.id).collect();
                    assert_eq!(listed, naive.held_by(requester, now), "seed {seed}");
                }
                _ => {
                    let ids: Vec<_> = [id].into_iter().chain((random.below(3) == 0).then(|| "g2".into())).collect();
                    let took = store.consume(requester, &ids, now).is_ok();
                    assert_eq!(took, naive.consume(requester, &ids, now), "seed {seed}: {ids:?}");
                }
            }
        }
    }
}

/// R001.18, R001.48, R001.49, R001.50.
#[test]
fn requests_are_complete_and_decided_by_people() {
    let place = Place::quick();
    let (store, rules) = (store(&place.path("state/grants")), rules());
    let refused = |request: GrantRequest| {
        store.file(&request, &rules, 1, &mut untold).expect_err("it cannot be filed").to_string()
    };
    let bad = [
        (GrantRequest { reason: " ".into(), ..request(None) }, "a request needs a reason"),
        (GrantRequest { capability: "fly".into(), ..request(None) }, "the policy declares no effect `fly`"),
        (GrantRequest { capability: "look".into(), ..request(None) }, "no profile of the policy asks about `look`"),
        (GrantRequest { writes: false, ..request(None) }, "`ask` changes something"),
        (GrantRequest { requester: "Executor ".into(), ..request(None) }, "is the name of a component"),
        (request(Some(0)), "can be used at least once"),
        (GrantRequest { asked: AskedGrant { seconds: 8 * 24 * 3600, uses: None }, ..request(None) }, "at most 604800"),
        (GrantRequest { evidence: vec!["x".repeat(5000)], ..request(None) }, "at most 4096 bytes"),
    ];
    for (request, expected) in bad {
        let told = refused(request);
        assert!(told.contains(expected), "{told}");
    }
    let full = GrantRequest {
        evidence: vec!["the build is green".into()],
        risk: Some("the wrong branch".into()),
        mitigation: Some("it can be taken back".into()),
        fallback: Some("wait for Monday".into()),
        alternatives: vec!["ask each time".into()],
        ..request(Some(2))
    };
    let filed = store.file(&full, &rules, 1, &mut untold).expect("it can be filed");
    assert_eq!(store.requests(false).expect("the store can be read"), [Filed { request: full, ..filed.clone() }]);
    for (by, reason) in [("", "x"), ("executor", "x"), ("DEV", "x"), ("ana", "")] {
        let decider = Decider { by, reason, rules: &rules };
        store.decide(&filed.id, &AS_ASKED, &decider, 2, &mut untold).expect_err("nobody may decide so");
    }
    let decider = Decider { by: "ana", reason: "no", rules: &rules };
    let more = Verdict::Grant { seconds: Some(601), uses: None };
    store.decide(&filed.id, &more, &decider, 2, &mut untold).expect_err("it is more than was asked for");
    let less = Verdict::Grant { seconds: Some(60), uses: Some(1) };
    store.decide(&filed.id, &less, &decider, 2, &mut untold).expect("it is less");
    store.decide(&filed.id, &less, &decider, 2, &mut untold).expect_err("it is decided");
}

/// R001.51, R001.52, R001.57.
#[test]
fn requests_queue_up_in_batches_and_denials_make_wait() {
    let place = Place::quick();
    let (store, rules) = (store(&place.path("state/grants")), rules());
    let release = GrantRequest { intention: Some("release".into()), ..request(None) };
    let file = |request: &GrantRequest, now| store.file(request, &rules, now, &mut untold);
    let first = file(&release, 1).expect("it can be filed");
    let second = file(&release, 1).expect("it can be filed");
    let alone = file(&request(None), 1).expect("it can be filed");
    let other = file(&GrantRequest { requester: "eve".into(), ..release.clone() }, 1).expect("it can be filed");
    assert_eq!((&first.batch, &second.batch), (&"b1".to_owned(), &"b1".to_owned()));
    assert!(alone.batch != first.batch && other.batch != first.batch);
    for _ in 3..rules.most_open() {
        file(&request(None), 1).expect("there is room");
    }
    assert!(file(&request(None), 1).expect_err("there is no room").to_string().contains("nobody has decided over"));
    let decider = Decider { by: "ana", reason: "not today", rules: &rules };
    let denied = store.decide("b1", &Verdict::Deny { wait: 100 }, &decider, 10, &mut untold).expect("both are open");
    assert_eq!(denied.len(), 2);
    assert!(file(&request(None), 20).expect_err("it has to wait").to_string().contains("in 90 seconds"));
    // Who sets the clock back waits longer, not shorter.
    assert!(file(&request(None), 1).expect_err("it has to wait").to_string().contains("in 100 seconds"));
    file(&request(None), 110).expect("it has waited");
}

#[test]
fn two_hosts_on_one_store_share_a_grant_and_tell_its_end_once() {
    let (one, other) = (Place::quick(), Place::quick());
    let path = one.path("state/grants");
    let id = granted(&store(&path), &request(Some(2)), seconds_now());
    let runner = Arc::new(Recording::default());
    let host = |place: &Place| place.host_with(runner.clone(), Box::new(store(&path)));
    let (first, second) = (host(&one), host(&other));
    let run = |host: &Host| {
        let session = host.session("s", "dev").under("work");
        session.authorise(command("make all")).map(|it| it.run(Streams::Captured, &Cancel::default()).is_ok())
    };
    let stale = first.session("t", "dev").under("work");
    let stale = stale.authorise(command("make late")).expect("there is a grant");
    assert!(run(&first).is_ok_and(|ran| ran) && run(&second).is_ok_and(|ran| ran));
    stale.run(Streams::Captured, &Cancel::default()).expect_err("the grant is spent by now");
    assert_eq!(run(&first).expect_err("the grant is spent").kind, RefusalKind::ApprovalRequired);
    assert_eq!((runner.ran().len(), remaining(&store(&path), &id)), (2, Some(0)));
    let told = [one.names(), other.names()].concat();
    assert_eq!(told.iter().filter(|name| *name == "grant.lapsed").count(), 1, "{told:?}");
}

/// R001.44, R001.45, R001.46, R001.47: a grant of whatever a store holds changes nothing but a prompt of the profile.
#[test]
fn a_grant_opens_nothing_else() {
    let place = Place::quick();
    let path = place.path("state/grants");
    granted(&store(&path), &request(None), seconds_now());
    let host = place.host_with(Arc::new(Recording::default()), Box::new(store(&path)));
    let session = host.session("s", "dev").under("work");
    let refused = |request: policyc_host::Request| session.authorise(request).err().map(|refusal| refusal.kind);
    assert_eq!(refused(command("make all").into()), None);
    assert_eq!(refused(command("touch never").into()), Some(RefusalKind::Denied));
    assert_eq!(refused(super::setup::tool("vault", serde_json::json!({})).into()), Some(RefusalKind::ApprovalRequired));
    let mut each = policyc_host::Request::new(command("make all"));
    each.per_request = true;
    assert_eq!(refused(each), Some(RefusalKind::ApprovalRequired));
    let nobody = host.session("t", "eve").under("work");
    assert_eq!(nobody.authorise(command("make all")).expect_err("it is dev's").kind, RefusalKind::ApprovalRequired);
}

#[test]
fn what_is_no_store_is_refused_and_left_as_it_is() {
    let place = Place::quick();
    let path = place.path("state/grants");
    let refused = |bytes: &[u8], expected: &str| {
        std::fs::write(&path, bytes).expect("a file can be written");
        let problem = Sqlite::open(&path).expect_err("it is no store").to_string();
        assert!(problem.contains(expected), "{problem}");
        assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
    };
    refused(
        &b"no database at all, but long enough for one that has a header of a hundred bytes, I should think".repeat(2),
        "no database",
    );
    let other = place.path("state/other");
    let made = |sql: &str| {
        let connection = rusqlite::Connection::open(&other).expect("a database can be made");
        connection.execute_batch(sql).expect("it can be changed");
        drop(connection);
        std::fs::read(&other).expect("it is there")
    };
    refused(&made("CREATE TABLE t (x)"), "something else");
    drop(store(&place.path("state/newer")));
    std::fs::rename(place.path("state/newer"), &other).expect("it can be renamed");
    refused(&made("PRAGMA journal_mode = delete; PRAGMA user_version = 9"), "it has version 9");
    Sqlite::open(&place.path("nowhere/grants")).expect_err("there is no such folder");
    Sqlite::open(&place.path("state")).expect_err("a folder is no store");
}

/// A disk that is full, or a folder that cannot be written to: nothing is spent, and nothing is lost.
#[test]
fn a_store_that_cannot_be_written_to_spends_nothing() {
    let place = Place::new();
    let small = place.path("state/small");
    std::fs::create_dir(&small).expect("a folder can be made");
    let mount = |options: &str| {
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&small).output();
        mounted.is_ok_and(|mounted| mounted.status.success())
    };
    if !mount("size=256k") {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    }
    let path = small.join("grants");
    let kept = store(&path);
    let id = granted(&kept, &request(Some(1000)), 1);
    let mut filler = std::fs::File::create(small.join("filler")).expect("a file can be made");
    while std::io::Write::write_all(&mut filler, &[0; 512]).is_ok() {}
    let mut spent = 0;
    while spent < 1000 && kept.consume("dev", std::slice::from_ref(&id), 1).is_ok() {
        spent += 1;
    }
    let problem = kept.consume("dev", std::slice::from_ref(&id), 1).err();
    drop(filler);
    std::fs::remove_file(small.join("filler")).expect("it can be removed");
    let left = remaining(&store(&path), &id);
    let again = kept.consume("dev", std::slice::from_ref(&id), 1);
    drop(kept);
    let read_only = mount("remount,ro");
    let opened = Sqlite::open(&path).is_ok();
    let unmounted = Command::new("umount").arg(&small).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert!(spent < 1000 && matches!(problem, Some(StoreProblem::Unusable(_))), "{spent} spent, {problem:?}");
    assert_eq!(left, Some(1000 - spent));
    again.expect("there is room again");
    assert!(!(read_only && opened), "it was opened for writing");
}

fn seconds_now() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    time.map_or(0, |time| time.as_secs())
}
