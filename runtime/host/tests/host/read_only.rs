//! The four read-only layers, each alone: the pipeline, whoever performs a tool, whoever collects changes, the command line.
//! The names of the tests are those of the scenarios of R004.

use std::sync::Arc;

use policyc_host::grants::NoGrants;
use policyc_host::runner::{Cancel, Recording, Streams};
use policyc_host::{ApprovalRecord, ChangeSet, ReadOnlyProblem, Request, check_command, check_write};
use policyc_runtime::Table;
use serde_json::json;

use super::setup::{Place, command, table, text, tool};

// The pipeline.

/// R004.20.
#[test]
fn runtime_blocks_a_writing_tool_and_a_writing_command() {
    let place = Place::new();
    let runner = Arc::new(Recording::default());
    let host = place.host_with(runner.clone(), Box::new(NoGrants));
    let session = host.session("plan-7", "dev").under("work").read_only();
    let write = tool("file_write", json!({"path": "new", "content": "x"}));
    for asked in [write, command("touch new"), text("echo x > new")] {
        let refusal = session.authorise(asked).expect_err("nothing may be changed");
        assert!(refusal.to_string().contains("nothing may be changed"), "{refusal}");
    }
    assert_eq!(runner.ran(), Vec::<Vec<String>>::new());
    assert!(!place.path("workspace/new").exists());
}

#[test]
fn runtime_blocks_whatever_else_is_said() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("plan-7", "dev").under("work").read_only();
    let write = tool("file_write", json!({"path": "new", "content": "x"}));
    let approved = Request::new(write.clone()).approved(ApprovalRecord::of(&write, "ann", "please"));
    session.authorise(approved).expect_err("no approval lifts it");
    // Read-only is no matter of profiles.
    host.session("p", "dev").read_only().authorise(write).expect_err("without a profile, too");
}

#[test]
fn runtime_lets_a_reading_tool_pass() {
    let place = Place::new();
    std::fs::write(place.path("workspace/a"), "x").expect("it can be written");
    let host = place.host();
    let session = host.session("plan-7", "dev").under("work").read_only();
    let read = session.authorise(tool("file_read", json!({"path": "a"}))).expect("it only reads");
    let done = read.run(Streams::Captured, &Cancel::default()).expect("it runs");
    assert!(done.output.expect("a tool answered").is_ok());
}

#[test]
fn runtime_lets_the_same_tool_pass_when_not_read_only() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("plan-7", "dev").under("work");
    let write = tool("file_write", json!({"path": "new", "content": "x"}));
    session.authorise(write).expect("it may").run(Streams::Captured, &Cancel::default()).expect("it runs");
    assert!(place.path("workspace/new").exists());
}

#[test]
fn runtime_says_the_tool_and_the_plan() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("plan-7", "dev").under("work").read_only();
    session.authorise(tool("file_write", json!({"path": "n", "content": ""}))).expect_err("it writes");
    let (events, _) = place.events();
    let decision = events.iter().find(|event| event.event == "policy.decision").expect("it is recorded");
    assert_eq!((decision.session.as_str(), &decision.data["tool"]), ("plan-7", &json!("file_write")));
}

// Whoever performs a tool.

/// R004.8, R004.9, R004.20.
#[test]
fn write_guard_raises_and_says_the_tool_and_the_plan() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    let problem = check_write(&table, "file_write", (true, "plan-7")).expect_err("it writes");
    assert!(matches!(&problem, ReadOnlyProblem::Write { tool, plan } if tool == "file_write" && plan == "plan-7"));
    assert_eq!(problem.to_string(), "`file_write` may not write: permission denied; `plan-7` is read-only");
}

#[test]
fn write_guard_takes_the_unknown_for_writing() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    check_write(&table, "unheard_of", (true, "plan-7")).expect_err("nobody knows what it does");
}

#[test]
fn write_guard_passes_otherwise() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    check_write(&table, "file_write", (false, "plan-7")).expect("the plan may write");
    check_write(&table, "file_read", (true, "plan-7")).expect("it only reads");
}

// Whoever collects changes.

/// R004.10, R004.11, R004.12, R004.20.
#[test]
fn change_set_refuses_a_writing_tool_and_names_tool_and_plan() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    let mut changes = ChangeSet::of("plan-7", true);
    let problem = changes.wrap(&table, "file_write").expect_err("it writes");
    assert!(matches!(&problem, ReadOnlyProblem::Change { tool, plan } if tool == "file_write" && plan == "plan-7"));
    assert_eq!(changes.tools(), Vec::<String>::new());
}

#[test]
fn change_set_takes_a_reading_tool_unchanged() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    let mut changes = ChangeSet::of("plan-7", true);
    changes.wrap(&table, "file_read").expect("it only reads");
    assert_eq!(changes.tools(), ["file_read"]);
}

#[test]
fn change_set_is_not_read_only_unless_it_is_said() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    ChangeSet::default().wrap(&table, "file_write").expect("the plan may write");
}

// The command line's layer.

/// R004.20.
#[test]
fn command_line_aborts_before_anything_is_asked() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    let problem = check_command(&table, command("touch x").as_runtime(), (true, "this")).expect_err("it writes");
    assert!(matches!(&problem, ReadOnlyProblem::Command { what, .. } if what == "touch x"));
    let write = tool("file_write", json!({"path": "a", "content": ""}));
    check_command(&table, write.as_runtime(), (true, "this")).expect_err("it writes");
    check_command(&table, command("shutdown").as_runtime(), (true, "this")).expect_err("nobody knows what it does");
}

#[test]
fn command_line_lets_pass_what_changes_nothing() {
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    check_command(&table, command("echo x").as_runtime(), (true, "this")).expect("it only looks");
    check_command(&table, command("touch x").as_runtime(), (false, "this")).expect("it may write");
}

// Propagation.

/// R004.21, R004.22.
#[test]
fn nobody_who_is_called_can_lower_the_flag() {
    let place = Place::new();
    let host = place.host();
    let session = host.session("plan-7", "dev").under("work").read_only().under("work");
    assert!(session.is_read_only());
    session.authorise(command("touch x")).expect_err("it is read-only still");
}
