//! The trace: whole, in order, and by whom it was changed is found out.

use std::fs;
use std::io::BufReader;
use std::sync::Arc;

use policyc_host::runner::{Cancel, Recording, Streams};
use policyc_host::trace::{Entry, Trace, TraceMode, TraceProblem, replay, show, verify};
use policyc_host::{ApprovalRecord, Request, Setup};
use policyc_runtime::Table;
use policyc_tests::random::Random;
use serde_json::json;

use super::setup::{Place, command, table, text, tool};

/// A trace with some of everything.
fn filled(place: &Place) {
    let host = place.host_with(Arc::new(Recording::default()), Box::new(policyc_host::grants::NoGrants));
    let session = host.session("s", "dev").under("work");
    for asked in [command("echo hi"), command("make all"), text("echo a && echo b"), tool("list", json!({}))] {
        let approved = Request::new(asked.clone()).approved(ApprovalRecord::of(&asked, "ann", "why"));
        for request in [Request::new(asked), approved] {
            if let Ok(authorisation) = session.authorise(request) {
                authorisation.run(Streams::Captured, &Cancel::default()).expect("it runs");
            }
        }
    }
    let write = tool("file_write", json!({"path": "new.txt", "content": "x"}));
    session.authorise(write.clone()).expect("a new file").run(Streams::Captured, &Cancel::default()).expect("it runs");
    let reads = host.session("r", "dev").under("work").read_only();
    reads.authorise(write).expect_err("nothing may be changed");
}

/// R002.8.
#[test]
fn every_decision_comes_again_from_what_was_recorded_alone() {
    let place = Place::new();
    filled(&place);
    let (events, verified) = place.events();
    // Nothing of the workspace is there any more.
    fs::remove_dir_all(place.path("workspace")).expect("it can be removed");
    assert_eq!(verified.broken, None);
    let again = replay(&events, None);
    assert!(again.agrees(), "{:#?}", again.decisions);
    assert_eq!(again.decisions.len(), 10);
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    let asked = replay(&events, Some(&table));
    assert!(asked.agrees(), "{:#?}", asked.decisions);
    assert!(asked.decisions.iter().all(|one| one.asked.is_some()));
    let shown = show(&events);
    assert_eq!(shown.lines().count(), events.len());
    assert!(shown.contains("allow: echo hi [look]") && shown.contains("forbidden: file_write"), "{shown}");
}

#[test]
fn a_decision_that_was_made_up_is_found() {
    let place = Place::new();
    filled(&place);
    let (mut events, _) = place.events();
    for event in &mut events {
        if event.event == "policy.decision" && event.data["decision"] != "allow" {
            event.data["decision"] = json!("allow");
        }
    }
    let again = replay(&events, None);
    let differ = again.decisions.iter().filter(|one| !one.agrees()).count();
    assert_eq!(differ, 2, "{:#?}", again.decisions);
}

#[test]
fn no_byte_can_be_changed_and_no_line_moved() {
    let place = Place::new();
    filled(&place);
    let path = place.path("state/trace.jsonl");
    let whole = fs::read(&path).expect("the trace is there");
    let mut random = Random::seeded(6);
    for _ in 0..2000 {
        let mut changed = whole.clone();
        let at = random.below(changed.len());
        changed[at] ^= 1 << random.below(8);
        let verified = verify(changed.as_slice()).expect("bytes can be read");
        assert!(verified.broken.is_some() || verified.torn > 0, "byte {at}");
    }
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    for at in 0..lines.len() - 1 {
        let without = [&lines[..at], &lines[at + 1..]].concat().concat();
        assert!(verify(without.as_slice()).expect("bytes can be read").broken.is_some(), "line {at} taken out");
        let mut swapped = lines.clone();
        swapped.swap(at, at + 1);
        assert!(verify(swapped.concat().as_slice()).expect("bytes can be read").broken.is_some(), "line {at} moved");
    }
}

#[test]
fn a_start_without_a_decision_is_found() {
    let place = Place::new();
    let trace = Trace::open(&place.path("state/trace.jsonl"), TraceMode::Private).expect("a trace can be made");
    trace.append("s", &[Entry::new("exec.started", json!({ "decision": 1 }))]).expect("it can be written");
    assert!(place.events().1.broken.is_some());
}

#[test]
fn a_torn_line_is_found_cut_off_and_said() {
    let place = Place::new();
    filled(&place);
    let path = place.path("state/trace.jsonl");
    let whole = fs::read(&path).expect("the trace is there");
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("there are lines") + 1;
    for end in (last + 1..whole.len()).step_by(7) {
        fs::write(&path, &whole[..end]).expect("it can be written");
        let (_, verified) = place.events();
        assert_eq!((verified.broken, verified.torn), (None, (end - last) as u64));
        let trace = Trace::open(&path, TraceMode::Private).expect("it goes on");
        trace.append("s", &[Entry::new("policy.table", json!({}))]).expect("it can be written");
        let (events, verified) = place.events();
        assert_eq!((verified.broken, verified.torn, verified.repaired), (None, 0, 1));
        let repaired = events.iter().find(|event| event.event == "trace.repaired").expect("it is said");
        assert_eq!(repaired.data, json!({ "cutBytes": end - last }));
    }
    // A line that is whole but was changed is nobody's to repair.
    let mut changed = whole.clone();
    changed[last + 20] ^= 1;
    fs::write(&path, &changed).expect("it can be written");
    assert!(matches!(Trace::open(&path, TraceMode::Private), Err(TraceProblem::Broken)));
}

#[test]
fn several_hosts_write_one_chain() {
    let place = Place::new();
    let path = place.path("state/trace.jsonl");
    std::thread::scope(|scope| {
        for number in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let trace = Trace::open(path, TraceMode::Private).expect("a trace can be opened");
                for event in 0..20 {
                    let data = json!({ "host": number, "event": event });
                    trace.append(&format!("s{number}"), &[Entry::new("policy.table", data)]).expect("it is written");
                }
            });
        }
    });
    let (events, verified) = place.events();
    assert_eq!((events.len(), verified.broken), (80, None));
}

#[test]
fn a_trace_that_is_gone_or_put_back_refuses() {
    let place = Place::new();
    let path = place.path("state/trace.jsonl");
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    session.authorise(command("echo hi")).map(drop).expect("it is allowed");
    let kept = fs::read(&path).expect("the trace is there");
    fs::remove_file(&path).expect("it can be removed");
    let refusal = session.authorise(command("echo hi")).expect_err("it cannot be recorded");
    assert_eq!(refusal.kind, policyc_host::RefusalKind::Unrecorded);
    fs::write(&path, &kept[..kept.len() / 2]).expect("it can be written");
    session.authorise(command("echo hi")).expect_err("another file has its name");
}

#[test]
fn a_redacted_trace_has_no_words_and_replays() {
    let place = Place::new();
    let path = place.path("state/redacted.jsonl");
    let trace = Trace::open(&path, TraceMode::Redacted).expect("a trace can be made");
    let host = policyc_host::Host::start(Setup { trace, ..place.setup() }).expect("the host starts");
    let session = host.session("s", "somebody").under("work");
    for asked in [command("echo confidential"), command("make confidential"), command("confidential")] {
        let request = Request::new(asked.clone()).approved(ApprovalRecord::of(&asked, "ann", "confidential"));
        if let Ok(authorisation) = session.authorise(request) {
            // A program that is not here ends the run at once; what is recorded of it is the same.
            let _ = authorisation.run(Streams::Captured, &Cancel::default());
        }
    }
    let written = fs::read_to_string(&path).expect("the trace is there");
    assert!(!written.contains("confidential") && !written.contains("somebody"), "{written}");
    let (events, verified) =
        policyc_host::trace::events(BufReader::new(written.as_bytes())).expect("bytes can be read");
    assert_eq!(verified.broken, None);
    assert!(replay(&events, None).agrees());
    assert!(written.contains("\"name\":\"look\"") && written.contains("requestDigest"));
}
