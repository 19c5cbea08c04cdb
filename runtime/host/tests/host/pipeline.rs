//! The way of a request: what is allowed runs and is recorded, what is not starts nothing.

use std::fs;
use std::sync::Arc;

use policyc_host::runner::{Cancel, End, Recording, Streams};
use policyc_host::{ApprovalRecord, Asked, RefusalKind, Request};
use serde_json::json;

use super::setup::{Place, command, text, tool};

/// R000.59, R000.76, R002.19.
#[test]
fn what_is_allowed_runs_once_and_is_recorded_before_and_after() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    let authorisation = session.authorise(command("echo hi")).expect("it is allowed");
    assert_eq!(place.names(), ["runner.configuration", "policy.decision"]);
    let done = authorisation.run(Streams::Captured, &Cancel::default()).expect("it runs");
    let outcome = done.outcome.expect("a command ran");
    assert_eq!((outcome.end, outcome.stdout.as_slice()), (End::Exited(0), b"hi\n".as_slice()));
    let expected = ["runner.configuration", "policy.decision", "exec.started", "invocation.completed"];
    assert_eq!(place.names(), expected);
    let (events, _) = place.events();
    assert_eq!(events[3].data["effects"], json!(["look"]));
    assert_eq!(events[3].data["exitCode"], json!(0));
}

/// R000.59, R000.60, R000.61, R000.62.
#[test]
fn what_is_refused_starts_nothing() {
    let place = Place::new();
    let runner = Arc::new(Recording::default());
    let host = place.host_with(runner.clone(), Box::new(policyc_host::grants::NoGrants));
    let session = host.session("s", "dev").under("work");
    for (asked, kind) in [
        (command("make all"), RefusalKind::ApprovalRequired),
        (command("touch never"), RefusalKind::Denied),
        (command("shutdown now"), RefusalKind::Denied),
        (text("echo $(make)"), RefusalKind::Denied),
        (text("echo hi; make"), RefusalKind::ApprovalRequired),
        (Asked::Command(Vec::new()), RefusalKind::Denied),
        (Asked::Command(vec![String::new()]), RefusalKind::Denied),
        (Asked::Command(vec!["echo".to_owned(), "a\0b".to_owned()]), RefusalKind::Denied),
        (Asked::Command(vec!["echo".to_owned(); 5000]), RefusalKind::Denied),
        (text(&"x".repeat(2 << 20)), RefusalKind::Denied),
        (tool("nobody", json!({})), RefusalKind::Denied),
        (tool("unheard_of", json!({})), RefusalKind::Denied),
        (
            Asked::Tool { tool: "list".to_owned(), arguments: "{\"a\":1,\"a\":2}".to_owned(), target: None },
            RefusalKind::Denied,
        ),
        (tool("vault", json!({})), RefusalKind::ApprovalRequired),
    ] {
        let shown = format!("{asked:.100?}");
        let before = place.names().len();
        let refusal = session.authorise(asked).expect_err(&shown);
        assert_eq!(refusal.kind, kind, "{shown}: {refusal}");
        assert!(!refusal.reasons.is_empty());
        let names = place.names();
        let follows = if kind == RefusalKind::Denied { "policy.denied" } else { "policy.approval_required" };
        assert_eq!(names[before..], ["policy.decision", follows], "{shown}");
    }
    assert_eq!(runner.ran(), Vec::<Vec<String>>::new());
}

/// R002.18.
#[test]
fn an_approval_is_of_one_request_by_a_person() {
    let place = Place::new();
    let runner = Arc::new(Recording::default());
    let host = place.host_with(runner.clone(), Box::new(policyc_host::grants::NoGrants));
    let session = host.session("s", "dev").under("work");
    let asked = command("make all");
    let approved =
        |by: &str, reason: &str, of: &Asked| Request::new(asked.clone()).approved(ApprovalRecord::of(of, by, reason));
    for (by, reason, of) in
        [("executor", "x", &asked), ("", "x", &asked), ("ann", " ", &asked), ("ann", "x", &command("make clean"))]
    {
        let refusal = session.authorise(approved(by, reason, of)).expect_err("no such approval counts");
        assert_eq!(refusal.kind, RefusalKind::ApprovalRequired, "{by} {reason}: {refusal}");
        assert!(refusal.reasons.len() > 1, "{by} {reason}: {refusal}");
    }
    let authorisation = session.authorise(approved("ann", "release", &asked)).expect("it is approved");
    assert!(authorisation.decided().explicit_approval);
    assert_eq!(authorisation.decided().approval_reason.as_deref(), Some("release"));
    authorisation.run(Streams::Captured, &Cancel::default()).expect("it runs");
    assert_eq!(runner.ran(), [["make", "all"]]);
    let vault = tool("vault", json!({}));
    let locked = Request::new(vault.clone()).approved(ApprovalRecord::of(&vault, "ann", "x"));
    session.authorise(locked).expect_err("nothing discharges what is locked");
    let unknown = command("shutdown now");
    let unknown = Request::new(unknown.clone()).approved(ApprovalRecord::of(&unknown, "ann", "x"));
    session.authorise(unknown).expect_err("no approval covers the unknown");
}

#[test]
fn writing_needs_a_whole_read_of_what_is_there() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    let file = place.path("workspace/a.txt");
    let run = |asked: Asked| -> Result<(), String> {
        let authorisation = session.authorise(asked).map_err(|refusal| refusal.to_string())?;
        let done = authorisation.run(Streams::Captured, &Cancel::default()).map_err(|problem| problem.to_string())?;
        done.output.expect("a tool answered").map(drop)
    };
    let write = |content: &str| tool("file_write", json!({"path": "a.txt", "content": content}));
    let read = || tool("file_read", json!({"path": "./a.txt"}));
    // A new file needs no read, an own write counts, by whatever spelling.
    run(write("one")).expect("a new file");
    run(write("two")).expect("an own write");
    // Somebody else changes it: the content that is known is not there any more.
    fs::write(&file, "other").expect("it can be written");
    assert!(run(write("three")).is_err_and(|problem| problem.contains("does not hold")));
    run(read()).expect("it can be read");
    run(write("three")).expect("it was read");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "three");
    // Another session knows nothing.
    let other = host.session("t", "dev").under("work");
    other.authorise(write("four")).expect_err("another session has not read it");
    // A claim exempts, the mention of a source does not.
    fs::write(place.path("workspace/b.txt"), "b").expect("it can be written");
    run(tool("file_copy", json!({"source": "a.txt", "dest": "b.txt"}))).expect("it claims");
    fs::write(place.path("workspace/c.txt"), "c").expect("it can be written");
    assert!(run(tool("file_take", json!({"source": "a.txt", "path": "c.txt"}))).is_err());
    let (events, _) = place.events();
    let states = |tool: &str| {
        let all = events.iter().filter(|event| event.event == "policy.decision" && event.data["tool"] == tool);
        all.map(|event| event.data["facts"][0]["state"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(states("file_copy"), [json!("not applicable")]);
    assert_eq!(states("file_take"), [json!("missing")]);
}

#[test]
fn what_changes_between_decision_and_run_is_not_run_on() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    let file = place.path("workspace/a.txt");
    let write = tool("file_write", json!({"path": "a.txt", "content": "mine"}));
    let authorisation = session.authorise(write).expect("a new file");
    std::os::unix::fs::symlink(place.path("outside/target"), &file).expect("a link can be made");
    let done = authorisation.run(Streams::Captured, &Cancel::default()).expect("its end is recorded");
    assert!(done.output.expect("a tool answered").is_err());
    assert!(!place.path("outside/target").exists());
    assert_eq!(place.names().last().map(String::as_str), Some("invocation.completed"));
}

#[test]
fn programs_are_files_not_names() {
    let place = Place::new();
    let bin = place.path("state/bin");
    fs::create_dir(&bin).expect("a folder can be made");
    let program = bin.join("echo");
    fs::copy("/bin/echo", &program).expect("a program can be copied");
    let mut setup = place.setup();
    setup.search = policyc_host::Search::new(bin.to_str().expect("it is UTF-8"), &setup.workspace);
    let host = policyc_host::Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("work");
    let authorisation = session.authorise(command("echo hi")).expect("it is allowed");
    fs::remove_file(&program).expect("it can be removed");
    fs::copy("/bin/true", &program).expect("a program can be copied");
    authorisation.run(Streams::Captured, &Cancel::default()).expect_err("it is another program now");
    assert_eq!(place.names().last().map(String::as_str), Some("policy.denied"));
    // Nothing in the workspace stands in for a program.
    let inside = place.path("workspace/bin");
    fs::create_dir(&inside).expect("a folder can be made");
    fs::copy("/bin/true", inside.join("echo")).expect("a program can be copied");
    let path = format!("{}:bin:.::/usr/bin:/bin", inside.display());
    let search = policyc_host::Search::new(&path, &place.workspace());
    assert_eq!(search.path(), "/usr/bin:/bin");
}

#[test]
fn commands_reach_nothing_through_links() {
    let place = Place::new();
    fs::write(place.path("outside/secret"), "secret").expect("it can be written");
    fs::write(place.path("workspace/a"), "a").expect("it can be written");
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(place.path(to), place.path("workspace").join(name)).expect("a link can be made");
    };
    link("outside/secret", "file");
    link("outside", "folder");
    fs::hard_link(place.path("outside/secret"), place.path("workspace/hard")).expect("another name can be made");
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    for asked in [
        command("cat file"),
        command("cat a folder/secret"),
        command("cat --x=folder/secret"),
        text("cat 'file'"),
        text("cat < file"),
        text("echo x > file"),
        text("echo x > folder/new"),
        text("echo x >> hard"),
    ] {
        let shown = format!("{asked:?}");
        session.authorise(asked).expect_err(&shown);
    }
    assert_eq!(fs::read_to_string(place.path("outside/secret")).expect("it is there"), "secret");
    for asked in [command("cat a"), command("echo file"), text("cat a > b")] {
        let shown = format!("{asked:?}");
        session.authorise(asked).map(drop).unwrap_or_else(|refusal| panic!("{shown}: {refusal}"));
    }
}

#[test]
fn a_decision_is_debuggable_but_an_authorisation_says_only_its_digest() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("s", "dev").under("work");
    let authorisation = session.authorise(command("echo secret")).expect("it is allowed");
    assert!(!format!("{authorisation:?}").contains("secret"));
}
