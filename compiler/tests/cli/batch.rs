//! `eval --batch` as a program that asks and waits, and under bad input.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::{Ran, folder, policyc, run};

const POLICY: &str = "prefix_rule(pattern = [\"ls\"])\n";

#[test]
fn each_answer_comes_before_the_next_question() {
    let folder = folder(&[("p.rules", POLICY)]);
    run(folder.path(), "build p.rules -o t").ends_with(0);
    let mut command = policyc();
    command.current_dir(&folder).args(["eval", "--table", "t", "--batch", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        questions.write_all(b"{\"command\":[\"ls\"]}\n").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains("\"decision\":\"allow\",\"version\":1"), "{answer}");
    }
    drop(questions);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn neither_a_huge_line_nor_wrong_bytes_stop_a_batch() {
    let folder = folder(&[("p.rules", POLICY)]);
    run(folder.path(), "build p.rules -o t").ends_with(0);
    let mut batch = b"{\"command\":[\"ls\"]}\n{\"command\":[\"\xff\"]}\n{\"command\":[\"".to_vec();
    batch.resize(batch.len() + 100_000_000, b'a');
    batch.extend_from_slice(b"\"]}\n{\"command\":[\"ls\"]}");
    std::fs::write(folder.path().join("batch"), batch).unwrap();
    let ran = run(folder.path(), "eval --table t --batch batch").ends_with(0);
    let answers: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0], answers[3]);
    // What is left of it is judged, and never allowed.
    assert!(answers[1].contains(r#""decision":"prompt","#), "{}", answers[1]);
    assert!(answers[1].contains("the line is not UTF-8 at byte 13"), "{}", answers[1]);
    assert_eq!(answers[2], r#"{"error":"line 3: longer than 16 MiB"}"#);
}

#[test]
fn a_batch_is_answered_in_order() {
    let folder = folder(&[("p.rules", POLICY)]);
    let batch: String = (0..10_000)
        .map(|number| format!("{{\"command\":[\"{}\"]}}\n", if number % 3 == 0 { "ls" } else { "x" }))
        .collect();
    std::fs::write(folder.path().join("batch"), batch).unwrap();
    let ran = run(folder.path(), "eval --rules p.rules --batch batch").ends_with(0);
    assert_eq!(ran.stdout.lines().count(), 10_000);
    assert!(
        ran.stdout
            .lines()
            .enumerate()
            .all(|(number, answer)| answer.contains("\"decision\":\"allow\"") == (number % 3 == 0))
    );
}

#[cfg(unix)]
#[test]
fn a_text_that_is_not_utf8_is_never_allowed() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[("p.rules", "prefix_rule([\"ls\"])\nprefix_rule([\"rm\"], \"forbidden\")\n")]);
    for (text, code, decision) in
        [(b"ls \xff".as_slice(), 10, "prompt"), (b"\xff", 10, "prompt"), (b"echo \xff; rm x", 11, "forbidden")]
    {
        let text = std::ffi::OsStr::from_bytes(text);
        for subcommand in ["eval", "explain"] {
            let mut command = policyc();
            command.current_dir(&folder).args([subcommand, "--rules", "p.rules", "--shell"]).arg(text);
            if subcommand == "eval" {
                command.arg("--exit-code");
            }
            let ran = Ran::of(&mut command).ends_with(if subcommand == "eval" { code } else { 0 });
            assert!(ran.stdout.contains("not UTF-8 at byte"), "{}", ran.stdout);
            assert!(ran.stdout.contains(decision), "{}", ran.stdout);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_current_folder_that_is_gone_is_no_matter_under_guarded_matching() {
    let kept = folder(&[("p.rules", POLICY)]);
    run(kept.path(), "build p.rules -o t").ends_with(0);
    let ran = |options: &str| {
        let gone = folder(&[]);
        let script = format!("rmdir \"$PWD\" && exec \"$0\" eval --table \"$1\" {options} ls");
        let mut command = std::process::Command::new("sh");
        command.current_dir(&gone).args(["-c", &script, env!("CARGO_BIN_EXE_policyc")]).arg(kept.path().join("t"));
        Ran::of(&mut command)
    };
    assert!(ran("").ends_with(0).stdout.contains("\"decision\":\"allow\""));
    let refused = ran("--matching reference --resolve-host-executables").ends_with(1);
    let expected = "error: cannot find the current folder: no such file or directory; name one with `--cwd /…`\n";
    assert_eq!(refused.stderr, expected);
}

#[test]
fn words_that_are_not_utf8_are_wrong_usage() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let folder = folder(&[("p.rules", POLICY)]);
        let word = std::ffi::OsStr::from_bytes(b"\xff");
        let ran = Ran::of(policyc().current_dir(&folder).args(["eval", "--rules", "p.rules"]).arg(word)).ends_with(2);
        assert!(ran.stderr.contains("UTF-8"), "{}", ran.stderr);
    }
}
