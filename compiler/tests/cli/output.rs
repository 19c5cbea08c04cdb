//! Where output goes, and what happens when nobody reads it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::{Ran, folder, policyc, run};

#[test]
fn a_reader_that_leaves_is_no_error() {
    let rules: String = (0..5_000).map(|number| format!("prefix_rule(pattern = [\"program{number}\"])\n")).collect();
    let batch = "{\"command\":[\"x\"]}\n".repeat(100_000);
    let folder = folder(&[("p.rules", &rules), ("batch", &batch)]);
    run(folder.path(), "build p.rules -o t").ends_with(0);
    for (line, code) in [
        ("inspect t", 0),
        ("inspect t --dot", 0),
        ("eval --table t --batch batch", 0),
        ("eval --table t --batch batch --exit-code", 12),
        ("completions zsh", 0),
        ("man", 0),
        ("--help", 0),
    ] {
        let mut command = policyc();
        command.current_dir(&folder).args(shlex::split(line).unwrap());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty(), "{line}");
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(code), "{line}");
    }
}

#[test]
fn errors_leave_a_closed_standard_error_alone() {
    let folder = folder(&[("p.rules", "prefix_rule(pattern = [])\n")]);
    let mut child = policyc().current_dir(&folder).args(["check", "."]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder(&[("p.rules", "prefix_rule(pattern = [\"ls\"])\n")]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = policyc();
    command.current_dir(&folder).args(["eval", "--rules", "p.rules", "ls"]).stdout(full).stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

#[test]
fn colour_is_for_terminals_and_those_who_ask() {
    let folder = folder(&[("p.rules", "prefix_rule(pattern = [])\n")]);
    let coloured = |variables: &[(&str, &str)]| {
        let ran = Ran::of(policyc().current_dir(&folder).args(["check", "p.rules"]).envs(variables.iter().copied()));
        ran.stderr.contains('\x1b')
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
}

#[test]
fn every_subcommand_has_help_with_examples_and_a_page() {
    let folder = folder(&[]);
    for subcommand in ["", "check", "eval", "explain", "build", "inspect", "completions", "man"] {
        for help in ["-h", "--help"] {
            let ran = run(folder.path(), &format!("{subcommand} {help}")).ends_with(0);
            assert!(ran.stdout.contains("\nExamples:\n  "), "{subcommand} {help}");
            assert!(ran.stdout.lines().all(|line| line.chars().count() <= 90), "{}", ran.stdout);
            assert_eq!(ran.stderr, "");
        }
        let page = run(folder.path(), &format!("man {subcommand}")).ends_with(0).stdout;
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH EXAMPLES\n.nf\n"), "{page}");
    }
    let version = run(folder.path(), "--version").ends_with(0).stdout;
    assert_eq!(version, format!("policyc {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_know_every_subcommand() {
    let folder = folder(&[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(folder.path(), &format!("completions {shell}")).ends_with(0).stdout;
        for word in ["check", "eval", "explain", "build", "inspect", "resolve-host-executables"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("worker"), "{shell} completes what is not for people");
    }
}
