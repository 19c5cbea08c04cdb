//! A host that is killed at each step: nothing runs without its event, and the trace goes on.

use std::io;
use std::process::Command;
use std::sync::Arc;

use policyc_host::grants::{GrantStore, Kept, StoreProblem, Tell};
use policyc_host::runner::{Cancel, Job, Outcome, Recording, Runner, Streams};
use policyc_host::trace::event::GrantData;
use policyc_host::trace::{Trace, TraceMode};
use policyc_host::{Host, PolicySource, Search, Setup, Workspace};
use serde_json::{Value, json};

use super::setup::{Place, command, table};

/// Where the process that is to be killed finds what it needs.
const STEP: &str = "POLICYC_TEST_STEP";
const FOLDER: &str = "POLICYC_TEST_FOLDER";

/// Each step, and the events that are there when the host dies in it.
const STEPS: [(&str, &[&str]); 6] = [
    ("grants", &[]),
    ("authorised", &["policy.decision"]),
    ("consuming", &["policy.decision"]),
    ("consumed", &["policy.decision"]),
    ("running", &["policy.decision", "grant.used", "exec.started"]),
    ("ran", &["policy.decision", "grant.used", "exec.started"]),
];

/// Dies as by `kill -9` if this is the step to die in.
fn die_in(step: &str) {
    if std::env::var(STEP).is_ok_and(|given| given == step) {
        let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    }
}

/// A grant with a use in a file.
struct OneUse(std::path::PathBuf);

impl GrantStore for OneUse {
    fn applicable(&self, _: &str, now: u64) -> Result<Vec<GrantData>, StoreProblem> {
        die_in("grants");
        Ok(vec![GrantData {
            id: "one".to_owned(),
            capability: "ask".to_owned(),
            target: None,
            parameters: Vec::new(),
            writes: true,
            expires: now + 60,
            remaining: Some(1),
        }])
    }

    fn consume(&self, _: &str, ids: &[String], _: u64) -> Result<(), StoreProblem> {
        die_in("consuming");
        // The use is a file that can be made once.
        std::fs::File::create_new(&self.0).map_err(|_| StoreProblem::Lapsed(ids.concat()))?;
        die_in("consumed");
        Ok(())
    }

    fn lapse(&self, _: u64, _: &mut Tell<'_, Kept>) -> Result<(), StoreProblem> {
        Ok(())
    }
}

/// Leaves a file behind.
struct Marks(std::path::PathBuf);

impl Runner for Marks {
    fn name(&self) -> &'static str {
        "marks"
    }

    fn configuration(&self) -> Value {
        json!({})
    }

    fn finds_programs_here(&self) -> bool {
        false
    }

    fn run(&self, _: &Job<'_>) -> io::Result<Outcome> {
        die_in("running");
        std::fs::File::create_new(&self.0)?;
        die_in("ran");
        Ok(Outcome::default())
    }
}

fn host(folder: &std::path::Path) -> Host {
    let workspace = Workspace::open(&folder.join("workspace"), None, &[]).expect("the workspace is there");
    let setup = Setup {
        policy: PolicySource::Bytes(table()),
        search: Search::default(),
        workspace,
        trace: Trace::open(&folder.join("state/trace.jsonl"), TraceMode::Private).expect("a trace can be opened"),
        grants: Box::new(OneUse(folder.join("state/used"))),
        runner: Box::new(Marks(folder.join("state/mark"))),
        tools: policyc_host::tools::Registry::default(),
        environment: Vec::new(),
        shell: Vec::new(),
        limits: policyc_host::runner::Limits::default(),
    };
    Host::start(setup).expect("the host starts")
}

/// Not a test of its own: what the processes do that are to be killed.
#[test]
fn process_that_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let host = host(std::path::Path::new(&folder));
    let session = host.session("s", "dev").under("work");
    let authorisation = session.authorise(command("make all")).expect("there is a grant");
    die_in("authorised");
    authorisation.run(Streams::Captured, &Cancel::default()).expect("it runs");
}

/// R002.20.
#[test]
fn a_host_that_is_killed_has_run_nothing_without_its_event_and_goes_on() {
    for (step, expected) in STEPS {
        let place = Place::new();
        let ended = Command::new(std::env::current_exe().expect("a test knows its own file"))
            .args(["crashes::process_that_is_killed", "--exact", "--nocapture"])
            .env(STEP, step)
            .env(FOLDER, place.path(""))
            .output()
            .expect("it starts");
        assert!(!ended.status.success(), "{step}: {ended:?}");
        let (events, verified) = place.events();
        assert_eq!((verified.broken.as_ref(), verified.torn), (None, 0), "{step}");
        let names: Vec<&str> = events.iter().skip(1).map(|event| event.event.as_str()).collect();
        assert_eq!(names, expected, "{step}");
        let ran = place.path("state/mark").exists();
        assert_eq!(ran, step == "ran", "{step}");
        assert!(!ran || names.contains(&"exec.started"), "{step}");
        assert_eq!(verified.unfinished.len(), usize::from(names.contains(&"exec.started")), "{step}");
        // The next host goes on, and nothing is spent twice.
        let spent = place.path("state/used").exists();
        let host = host(&place.path(""));
        let session = host.session("t", "dev").under("work");
        let again = session.authorise(command("make all")).expect("the grant is listed");
        assert_eq!(again.run(Streams::Captured, &Cancel::default()).is_err(), spent || ran, "{step}");
        assert_eq!(place.events().1.broken, None, "{step}");
    }
}

#[test]
fn an_authorisation_that_is_not_used_has_run_nothing() {
    let place = Place::new();
    let runner = Arc::new(Recording::default());
    let host = place.host_with(runner.clone(), Box::new(policyc_host::grants::NoGrants));
    let session = host.session("s", "dev").under("work");
    drop(session.authorise(command("echo hi")).expect("it is allowed"));
    assert!(runner.ran().is_empty());
}
