//! `policyc exec` and `policyc trace`, as far as their output changes from run to run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::{Ran, folder, policyc};

const POLICY: &str = r#"
capability("look", access = "read")
capability("change")
capability("ask")
command([["cat", "sleep", "true", "false", "echo", "env"]], ["look"])
command(["touch"], ["change"])
command(["make"], ["ask"])
profile("work", allow = ["look", "change"], prompt = ["ask"])
"#;

fn place() -> TempDir {
    let place = folder(&[("team.rules", POLICY), ("project/notes.txt", "notes\n"), ("state/keep", "")]);
    crate::run(place.path(), "build team.rules -o team.table").ends_with(0);
    place
}

fn exec(place: &Path) -> Command {
    let mut command = policyc();
    let words =
        ["exec", "--table", "team.table", "--profile", "work", "--workspace", "project", "--trace", "state/trace"];
    command.current_dir(place).args(words);
    command
}

fn json(command: &mut Command) -> (Value, i32) {
    let ran = Ran::of(command);
    let answer = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr));
    (answer, ran.code)
}

const FILES: &str = "load(\"@std//profiles/files.rules\", \"FILE_READ\")\n";

#[test]
fn a_tool_is_performed_by_the_host_and_answers() {
    let place = place();
    fs::write(place.path().join("files.rules"), FILES).expect("a file can be written");
    let run = |tool: &str, args: &str| {
        let mut command = policyc();
        let words = ["exec", "--rules", "files.rules", "--profile", "files", "--workspace", "project"];
        command.current_dir(place.path()).args(words);
        command.args(["--trace", "state/trace", "--tool", tool, "--args", args]);
        command
    };
    let (answer, exit) = json(run("file_read", r#"{"path": "notes.txt"}"#).arg("--json"));
    assert_eq!((&answer["output"]["content"]["content"], exit), (&"notes\n".into(), 0), "{answer}");
    assert!(answer.get("exitCode").is_none(), "{answer}");
    let listed = Ran::of(&mut run("list_dir", "{}"));
    assert!(listed.stdout.contains("notes.txt") && listed.code == 0, "{}", listed.stdout);
    // Each run is a session of its own, which has read nothing.
    let early = Ran::of(&mut run("file_write", r#"{"path": "notes.txt", "content": ""}"#));
    assert!(early.stderr.contains("read:") && early.code == 11, "{}", early.stderr);
    let failed = Ran::of(&mut run("file_read", r#"{"path": "nothing"}"#));
    assert_eq!((failed.code, failed.stdout.as_str()), (1, ""), "{}", failed.stderr);
}

/// R000.63.
#[test]
fn what_is_refused_has_no_exit_code() {
    let place = place();
    for (words, decision, code) in [(&["make"][..], "prompt", 10), (&["shutdown"], "forbidden", 11)] {
        let (answer, exit) = json(exec(place.path()).args(["--json", "--"]).args(words));
        assert_eq!((answer["decision"].as_str(), exit), (Some(decision), code));
        assert!(answer.get("exitCode").is_none(), "{answer}");
    }
    let (answer, exit) = json(exec(place.path()).args(["--json", "--", "cat", "notes.txt"]));
    assert_eq!((&answer["exitCode"], &answer["stdout"], exit), (&0.into(), &"notes\n".into(), 0));
}

#[test]
fn an_approval_is_in_the_answer_with_its_reason() {
    let place = place();
    let approved = ["--approve-risk", "release", "--json", "--", "touch", "new"];
    let (answer, _) = json(exec(place.path()).args(approved));
    // Nothing had to be approved.
    assert_eq!(answer["explicitApproval"], false);
    let ran = Ran::of(exec(place.path()).args(["--approve-risk", " ", "--", "make"]));
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let (answer, exit) = json(exec(place.path()).args(["--approve-risk", "x", "--json", "--", "shutdown"]));
    assert_eq!((answer["decision"].as_str(), exit), (Some("forbidden"), 11));
}

/// R000.64, R000.65, R000.75.
#[test]
fn runners_are_local_and_docker() {
    let place = place();
    let (answer, _) = json(exec(place.path()).args(["--json", "--", "true"]));
    assert_eq!(answer["runner"], "local");
    assert!(answer["runnerConfiguration"].is_object());
    let ran = Ran::of(exec(place.path()).args(["--runner", "chroot", "--", "true"]));
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

/// An engine that writes down what it is told, and touches a file in what it mounts.
const ENGINE: &str = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/told\"\nfor word in \"$@\"; do case \"$word\" in\n\
    type=bind*) word=${word#*src=}; echo made > \"${word%%,*}/made.txt\";; esac; done\n";

/// R000.66, R000.77, R000.78, R000.79.
#[test]
fn docker_is_told_what_the_requirements_say() {
    let place = place();
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("docker"), ENGINE).unwrap();
    fs::set_permissions(bin.join("docker"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let docker = |words: &[&str]| {
        let mut command = exec(place.path());
        command.env("PATH", &path).env("HOME", place.path()).args(["--runner", "docker"]).args(words);
        command
    };
    let told = || fs::read_to_string(place.path().join("told")).unwrap();
    let (answer, code) = json(
        docker(&["--json", "--docker-image", "img", "--env", "B=2", "--", "echo", "a b"])
            .env("R000_DOCKER_IMAGE", "other"),
    );
    assert_eq!((answer["runner"].as_str(), code), (Some("docker"), 0), "{answer}");
    assert_eq!(answer["runnerConfiguration"]["network"], "none");
    let words = told();
    let words: Vec<&str> = words.lines().collect();
    assert_eq!(words[..3], ["run", "--rm", "--name"]);
    assert_eq!(words[4..7], ["--workdir", "/workspace", "--mount"]);
    assert_eq!(words[words.len() - 5..], ["--env", "B=2", "img", "echo", "a b"]);
    assert!(!words.iter().any(|word| word.starts_with("HOME=") || word.starts_with("PATH=")));
    // A copy was mounted, and what is new in it came back.
    let mount = words[7];
    assert!(mount.starts_with("type=bind,src=") && mount.ends_with(",dst=/workspace") && !mount.contains("project"));
    assert_eq!(fs::read_to_string(place.path().join("project/made.txt")).unwrap(), "made\n");
    // Where nothing may be changed, the workspace itself is mounted, for reading.
    json(docker(&["--json", "--read-only", "--", "cat", "notes.txt"]).env("R000_DOCKER_IMAGE", "other"));
    let words = told();
    let workspace = place.path().canonicalize().unwrap().join("project");
    assert!(words.contains(&format!("type=bind,src={},dst=/workspace,readonly\n", workspace.display())), "{words}");
    assert!(words.contains("\nother\ncat\n"), "{words}");
    // The trace has the configuration.
    let trace = fs::read_to_string(place.path().join("state/trace")).unwrap();
    assert!(trace.contains("\"event\":\"runner.configuration\"") && trace.contains("\"network\":\"none\""));
}

#[test]
fn containers_run_where_there_is_an_engine() {
    let image = std::env::var("POLICYC_TEST_IMAGE").unwrap_or_else(|_| "busybox".to_owned());
    let there = Command::new("docker").args(["image", "inspect", &image]).output();
    if !there.is_ok_and(|there| there.status.success()) {
        eprintln!("skipped: no container engine with the image `{image}`");
        return;
    }
    let place = place();
    let words = ["--runner", "docker", "--docker-image", &image, "--json", "--", "cat", "notes.txt"];
    let (answer, code) = json(exec(place.path()).args(words));
    assert_eq!((answer["stdout"].as_str(), code), (Some("notes\n"), 0), "{answer}");
}

/// R004.18, R004.19.
#[test]
fn read_only_aborts_before_anything_runs() {
    let place = place();
    let ran = Ran::of(exec(place.path()).args(["--read-only", "--approve-risk", "x", "--", "touch", "new"]));
    assert_eq!(ran.code, 11);
    assert!(ran.stderr.contains("nothing may be changed, and `change` does"), "{}", ran.stderr);
    assert!(!place.path().join("project/new").exists());
    let trace = fs::read_to_string(place.path().join("state/trace")).unwrap();
    assert!(!trace.contains("exec.started") && trace.contains("policy.denied"));
    Ran::of(exec(place.path()).args(["--read-only", "--", "cat", "notes.txt"])).ends_with(0);
}

#[test]
fn codes_and_streams_are_those_of_the_command() {
    let place = place();
    Ran::of(exec(place.path()).args(["--", "false"])).ends_with(1);
    let ran = Ran::of(exec(place.path()).args(["--", "cat", "notes.txt", "missing"]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("notes\n", 1));
    assert!(ran.stderr.contains("missing"));
    let ran = Ran::of(exec(place.path()).args(["--timeout", "1", "--", "sleep", "341.5"]));
    assert_eq!(ran.code, 124);
    let ran = Ran::of(exec(place.path()).args(["--shell", "echo a && echo b | cat"]));
    assert_eq!((ran.stdout.as_str(), ran.code), ("a\nb\n", 0), "{}", ran.stderr);
}

#[test]
fn signals_reach_the_command() {
    let place = place();
    // The others may be ignored by whoever runs the tests, and so by all that they start.
    for (signal, code) in [("TERM", 143), ("USR1", 138), ("USR2", 140)] {
        let mut running =
            exec(place.path()).args(["--timeout", "30", "--", "sleep", "351.5"]).stdin(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let sent = Command::new("/bin/kill").args([&format!("-{signal}"), &running.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(running.wait().unwrap().code(), Some(code), "{signal}");
    }
}

#[test]
fn a_trace_that_cannot_be_written_refuses() {
    let place = place();
    let refused = |trace: &str| {
        let words = ["exec", "--table", "team.table", "--profile", "work", "--workspace", "project", "--trace", trace];
        let ran = Ran::of(policyc().current_dir(place.path()).args(words).args(["--", "touch", "new"]));
        assert_eq!(ran.code, 1, "{trace}: {}", ran.stderr);
        assert!(!place.path().join("project/new").exists());
        ran.stderr
    };
    assert!(refused("project/trace").contains("in the workspace"));
    refused("nowhere/trace");
    refused("state");
    refused("/dev/null");
    fs::write(place.path().join("state/other"), "not a trace\n").unwrap();
    assert!(refused("state/other").contains("last line was changed"));
}

#[test]
fn a_changed_trace_is_found() {
    let place = place();
    Ran::of(exec(place.path()).args(["--", "true"])).ends_with(0);
    let (answer, _) = json(exec(place.path()).args(["--json", "--", "true"]));
    let head = answer["trace"]["hash"].as_str().unwrap().to_owned();
    let verify = |words: &str| crate::run(place.path(), &format!("trace verify {words} state/trace"));
    verify("").ends_with(0);
    verify(&format!("--head {head}")).ends_with(0);
    let path = place.path().join("state/trace");
    let written = fs::read_to_string(&path).unwrap();
    // That the end was cut off is known only by a digest from elsewhere.
    let cut: String = written.lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(&path, cut).unwrap();
    verify("").ends_with(0);
    verify(&format!("--head {head}")).ends_with(1);
    fs::write(&path, written.replace("\"exitCode\":0", "\"exitCode\":1")).unwrap();
    let ran = verify("").ends_with(1);
    assert!(ran.stdout.contains("broken: line 4: the line was changed"), "{}", ran.stdout);
    crate::run(place.path(), "trace show state/trace").ends_with(1);
    crate::run(place.path(), "trace replay state/trace").ends_with(1);
}

#[test]
fn hosts_that_are_killed_at_any_time_leave_a_sound_trace() {
    let place = place();
    let started = |place: &Path, number: usize| {
        let name = format!("made-{number}");
        exec(place).args(["--", "touch", &name]).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
    };
    for number in 0..30 {
        // Two at once, of which one is killed at some moment of its life.
        let mut killed = started(place.path(), 2 * number);
        let mut other = started(place.path(), 2 * number + 1);
        std::thread::sleep(Duration::from_millis(number as u64 * 3));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(other.wait().unwrap().success());
    }
    let (_, code) = json(exec(place.path()).args(["--json", "--", "true"]));
    assert_eq!(code, 0);
    let ran = crate::run(place.path(), "trace verify --json state/trace").ends_with(0);
    let verified: Value = serde_json::from_str(&ran.stdout).unwrap();
    // What has run was started in the trace, and whatever was finished is there.
    let trace = fs::read_to_string(place.path().join("state/trace")).unwrap();
    let count = |event: &str| trace.lines().filter(|line| line.contains(&format!("\"event\":\"{event}\""))).count();
    let made = fs::read_dir(place.path().join("project")).unwrap();
    let made = made.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("made-")).count();
    assert!(made >= 30 && made <= count("exec.started"), "{made} of {}", count("exec.started"));
    let unfinished = verified["unfinished"].as_array().unwrap().len();
    assert_eq!(count("exec.started"), count("invocation.completed") + unfinished);
    crate::run(place.path(), "trace replay --table team.table state/trace").ends_with(0);
}
