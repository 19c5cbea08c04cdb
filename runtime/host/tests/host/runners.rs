//! Commands as processes: what they have, what they cannot do, and that nothing of them runs on.

use std::fs;
use std::time::{Duration, Instant};

use policyc_host::runner::{Cancel, End, Limits, Local, Outcome, Streams};
use policyc_host::{Host, Setup};

use super::setup::{Place, text};

fn run_in(place: &Place, change: impl FnOnce(Setup) -> Setup, script: &str, cancel: &Cancel) -> Outcome {
    let host = Host::start(change(place.setup())).expect("the host starts");
    let session = host.session("s", "dev");
    // Without a profile the rules alone decide; these texts are the test's own, so that one is allowed here by its words.
    let session = session.under("work");
    let authorisation = session.authorise(text(script)).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
    authorisation.run(Streams::Captured, cancel).expect("it runs").outcome.expect("a command ran")
}

fn run(place: &Place, script: &str) -> Outcome {
    run_in(place, |setup| setup, script, &Cancel::default())
}

/// R001.4.
#[test]
fn a_command_has_the_variables_that_it_is_given_and_no_other() {
    let place = Place::new();
    let outcome = run(&place, "env");
    let text = String::from_utf8(outcome.stdout).expect("it is UTF-8");
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split('=').next()).collect();
    names.sort_unstable();
    // A shell sets three of its own.
    assert_eq!(names, ["PATH", "PWD", "SHLVL", "_"]);
}

/// Runs a script of this test's own under the name of a program that the table knows.
fn run_script(place: &Place, runner: Local, script: &str) -> Outcome {
    let bin = place.path("state/bin");
    fs::create_dir(&bin).expect("a folder can be made");
    let program = bin.join("env");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("it is ours");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    let setup = place.setup();
    let search = policyc_host::Search::new(&format!("{}:/usr/bin:/bin", bin.display()), &setup.workspace);
    let environment = vec![("PATH".to_owned(), search.path())];
    let setup = Setup { search, environment, runner: Box::new(runner), ..setup };
    let host = Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("work");
    let asked = policyc_host::Asked::Command(vec!["env".to_owned()]);
    let authorisation = session.authorise(asked).expect("it is allowed");
    authorisation.run(Streams::Captured, &Cancel::default()).expect("it runs").outcome.expect("a command ran")
}

#[test]
fn a_command_runs_without_new_privileges_in_a_group_of_its_own() {
    let script = "cat /proc/self/status; cut -d' ' -f1,5 /proc/$$/stat";
    let outcome = run_script(&Place::new(), Local::default(), script);
    let text = String::from_utf8(outcome.stdout).expect("it is UTF-8");
    assert!(text.contains("NoNewPrivs:\t1"), "{text}");
    assert!(text.contains("SigBlk:\t0000000000000000"), "{text}");
    let last = text.lines().last().expect("there are lines").split(' ').collect::<Vec<_>>();
    assert_eq!(last[0], last[1], "{text}");
}

#[test]
fn a_command_has_the_limits_that_it_is_given() {
    let limits = Local { open_files: Some(64), file_size: Some(1 << 20), ..Local::default() };
    let outcome = run_script(&Place::new(), limits, "sleep 0.3; cat /proc/self/limits");
    let text = String::from_utf8(outcome.stdout).expect("it is UTF-8");
    let limit = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
    assert_eq!(limit("Max open files"), Some("64"), "{text}");
    assert_eq!(limit("Max file size"), Some("1048576"), "{text}");
    assert_eq!(limit("Max core file size"), Some("0"), "{text}");
}

#[test]
fn a_command_writes_only_where_it_may_or_it_is_said() {
    let place = Place::new();
    // The default lets commands write to temporary folders, where this test is itself.
    let local = |setup| Setup { runner: Box::new(Local { writable: Some(Vec::new()), ..Local::default() }), ..setup };
    let outside = place.path("outside/x");
    let script = format!("touch inside; touch {}", outside.display());
    let outcome = run_in(&place, local, &script, &Cancel::default());
    let said = outcome.not_applied.iter().any(|what| what.starts_with("landlock"));
    assert!(place.path("workspace/inside").exists());
    assert_eq!(outside.exists(), said, "{outcome:?}");
    let (events, _) = place.events();
    let completed = events.last().expect("there are events");
    assert_eq!(completed.data["notApplied"], serde_json::json!(outcome.not_applied));
}

#[test]
fn the_code_and_the_signal_are_those_of_the_command() {
    let place = Place::new();
    assert_eq!(run(&place, "true").end, End::Exited(0));
    assert_eq!(run(&place, "false").end, End::Exited(1));
}

/// R001.35.
#[test]
fn output_is_bounded() {
    let place = Place::new();
    let long = format!("echo {}", "x".repeat(5000));
    let limit = |setup| Setup { limits: Limits { time: None, output: 100 }, ..setup };
    let outcome = run_in(&place, limit, &long, &Cancel::default());
    assert_eq!((outcome.stdout.len(), outcome.cut), (100, true));
}

/// R001.34.
#[test]
fn all_of_it_ends_when_its_time_is_over() {
    let place = Place::new();
    let limit = |setup| Setup { limits: Limits { time: Some(Duration::from_millis(300)), output: 100 }, ..setup };
    let start = Instant::now();
    let outcome = run_in(&place, limit, "sleep 301.5 & sleep 302.5 & sleep 303.5", &Cancel::default());
    assert_eq!(outcome.end, End::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(sleepers(&["301.5", "302.5", "303.5"]), 0);
}

#[test]
fn what_is_left_behind_ends_with_the_command() {
    let place = Place::new();
    let outcome = run(&place, "sleep 311.5 > /dev/null 2>&1 & true");
    assert_eq!(outcome.end, End::Exited(0));
    assert_eq!((outcome.left, sleepers(&["311.5"])), (1, 0));
}

/// R002.45.
#[test]
fn a_command_ends_when_it_is_cancelled_and_takes_signals() {
    let place = Place::new();
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            cancel.cancel();
        });
        assert_eq!(run_in(&place, |setup| setup, "sleep 321.5", &cancel).end, End::Cancelled);
    });
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            cancel.signal(15);
        });
        let outcome = run_in(&place, |setup| setup, "sleep 331.5", &cancel);
        assert!(matches!(outcome.end, End::Signalled(15) | End::Exited(143)), "{outcome:?}");
    });
    assert_eq!(sleepers(&["321.5", "331.5"]), 0);
}

/// How many processes there are that sleep for one of these times.
fn sleepers(times: &[&str]) -> usize {
    let processes = fs::read_dir("/proc").expect("there are processes").flatten();
    let commands = processes.filter_map(|process| fs::read_to_string(process.path().join("cmdline")).ok());
    commands.filter(|command| times.iter().any(|time| command.contains(&format!("\0{time}\0")))).count()
}
