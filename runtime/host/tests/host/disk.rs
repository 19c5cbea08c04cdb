//! A disk that is full: nothing runs that cannot be recorded, and the trace stays whole.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use policyc_host::grants::NoGrants;
use policyc_host::runner::{Cancel, Recording, Streams};
use policyc_host::trace::{Trace, TraceMode};
use policyc_host::{Host, RefusalKind, Setup};

use super::setup::{Place, command};

#[test]
fn a_full_disk_refuses() {
    let place = Place::new();
    let small = place.path("state/small");
    fs::create_dir(&small).expect("a folder can be made");
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&small).output();
    if !mounted.is_ok_and(|mounted| mounted.status.success()) {
        eprintln!("skipped: a small file system cannot be mounted here");
        return;
    }
    let path = small.join("trace.jsonl");
    let runner = Arc::new(Recording::default());
    let trace = Trace::open(&path, TraceMode::Private).expect("a trace can be made");
    let setup = Setup { trace, runner: Box::new(runner.clone()), grants: Box::new(NoGrants), ..place.setup() };
    let host = Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("work");
    let (mut ran, mut refused) = (0, 0);
    // More than fit, by far.
    for _ in 0..200 {
        match session.authorise(command("echo hi")) {
            Ok(authorisation) => match authorisation.run(Streams::Captured, &Cancel::default()) {
                Ok(_) => ran += 1,
                Err(_) => refused += 1,
            },
            Err(refusal) => {
                assert_eq!(refusal.kind, RefusalKind::Unrecorded);
                refused += 1;
            }
        }
    }
    let bytes = fs::read(&path);
    drop(host);
    let unmounted = Command::new("umount").arg(&small).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert!(ran > 5 && refused > 5, "{ran} ran, {refused} refused");
    let (events, verified) = policyc_host::trace::events(bytes.expect("it can be read").as_slice()).expect("bytes");
    assert_eq!((verified.broken, verified.torn), (None, 0));
    let started = events.iter().filter(|event| event.event == "exec.started").count();
    assert_eq!(started, runner.ran().len());
}

#[test]
fn a_folder_that_cannot_be_written_to_has_no_trace() {
    let place = Place::new();
    Trace::open(&place.path("nowhere/trace.jsonl"), TraceMode::Private).expect_err("there is no such folder");
    Trace::open(&place.path("state"), TraceMode::Private).expect_err("a folder is no trace");
    std::os::unix::fs::symlink(place.path("outside/t"), place.path("state/l")).expect("a link can be made");
    Trace::open(&place.path("state/l"), TraceMode::Private).expect_err("a link is no trace");
}
