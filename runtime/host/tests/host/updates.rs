//! The table while the host runs.

use std::fs;

use policyc_host::runner::{Cancel, Streams};
use policyc_host::{Host, HostError, PolicySource, Setup};
use policyc_tests::policy::Policy;

use super::setup::{Place, command, table};

#[test]
fn tables_are_swapped_whole_between_requests_and_a_broken_one_is_not_taken() {
    let place = Place::new();
    let path = place.path("state/policy.table");
    fs::write(&path, table()).expect("it can be written");
    let setup = || Setup { policy: PolicySource::File(path.clone()), ..place.setup() };
    let host = Host::start(setup()).expect("the host starts");
    let session = host.session("s", "dev").under("work");
    let old = session.authorise(command("echo hi")).expect("it is allowed");
    // A stricter table: what was decided by the last one does not run any more.
    let strict = Policy::guarded_of("capability(\"look\", access = \"read\")\nprofile(\"work\")\n");
    fs::write(&path, strict.table()).expect("it can be written");
    session.authorise(command("echo hi")).expect_err("the new table has no such row");
    old.run(Streams::Captured, &Cancel::default()).expect_err("the table was replaced");
    // A broken one leaves the last, and everybody is told.
    for broken in [&b"not a table"[..], &strict.table()[..strict.table().len() / 2], b""] {
        fs::write(&path, broken).expect("it can be written");
        let refusal = session.authorise(command("echo hi")).expect_err("the last good table holds");
        let decided = refusal.decided.expect("it was decided");
        assert!(decided.degraded.is_some());
        fs::remove_file(&path).expect("it can be removed");
        session.authorise(command("echo hi")).expect_err("the last good table holds");
    }
    fs::write(&path, table()).expect("it can be written");
    let good = session.authorise(command("echo hi")).expect("the table is good again");
    assert_eq!(good.decided().degraded, None);
    drop(good);
    fs::write(&path, b"not a table").expect("it can be written");
    let last = session.authorise(command("echo hi")).expect("the last good table holds");
    last.run(Streams::Captured, &Cancel::default()).expect("it runs");
    let (events, _) = place.events();
    let told = events.iter().rev().take(3).filter(|event| event.data["degraded"].is_string()).count();
    assert_eq!(told, 3, "every event says it");
    assert!(place.names().iter().filter(|name| *name == "policy.table").count() >= 3);
    // A broken one at the start refuses to start.
    fs::write(&path, b"not a table").expect("it can be written");
    assert!(matches!(Host::start(setup()), Err(HostError::Table(_))));
}
