//! The live differential: random policies and commands put to the reference engine and to this one.
//!
//! Opt-in and outside CI: `POLICYC_REFERENCE` names a `codex` binary (npm package `@openai/codex`, version 0.171.0).
//! `POLICYC_REFERENCE_CHECKS` says how many checks (default 3,000), `POLICYC_SEED` which.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use policyc_tests::command_line;
use policyc_tests::random::Random;
use policyc_tests::samples::{Kind, Sample};

#[test]
fn the_reference_answers_the_same() {
    let say = |text: &str| {
        let _ = writeln!(std::io::stderr(), "differential: {text}");
    };
    let Some(reference) = std::env::var_os("POLICYC_REFERENCE") else {
        return say("skipped, because POLICYC_REFERENCE names no `codex` binary");
    };
    let number = |name: &str, default: usize| {
        std::env::var(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
    };
    let checks = number("POLICYC_REFERENCE_CHECKS", 3_000);
    let mut random = Random::new(number("POLICYC_SEED", 3) as u64);
    let (mut done, mut refused, mut matched) = (0, 0, 0);
    let mut differences = Vec::new();
    while done < checks {
        let sample = Sample::new(&mut random, Kind::Any, 5);
        for command in &sample.commands {
            let one = Sample { commands: vec![command.clone()], files: sample.files.clone() };
            let (theirs, difference) = compare(&reference, &one);
            done += 1;
            refused += usize::from(theirs.is_none());
            matched += usize::from(theirs.is_some_and(|answer| answer.contains("\"decision\"")));
            if difference.is_some() {
                let smallest = one.shrink(&|sample| compare(&reference, sample).1.is_some());
                let (_, why) = compare(&reference, &smallest);
                differences.push(format!("{}\nof {:#?}", why.unwrap_or_default(), smallest));
                break;
            }
        }
        if differences.len() > 10 {
            break;
        }
    }
    say(&format!("{done} checks: {refused} refused, {matched} matched, {} different", differences.len()));
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert!(checks < 1_000 || (refused > checks / 20 && matched > checks / 10), "the samples test too little");
}

/// What the reference says (nothing: refused), and how this engine differs from it.
fn compare(reference: &OsStr, sample: &Sample) -> (Option<String>, Option<String>) {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let working = folder.path().join("oracle");
    std::fs::create_dir(&working).expect("a scratch folder can be filled");
    let mut rules: Vec<String> = Vec::new();
    for file in sample.texts() {
        std::fs::write(working.join(&file.label), &file.text).expect("a scratch folder can be filled");
        rules.extend(["--rules".to_owned(), file.label]);
    }
    let words = sample.commands.first().map_or(&[][..], Vec::as_slice);
    let ask = |binary: &OsStr, subcommand: &[&str]| {
        let output = Command::new(binary)
            .args(subcommand)
            .args(&rules)
            .arg("--resolve-host-executables")
            .arg("--")
            .args(words)
            .current_dir(&working)
            .env("HOME", "/home/dev")
            .output()
            .expect("the engine starts");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (our_exit, ours, our_reason) = ask(command_line::policyc().as_os_str(), &["eval"]);
    let (their_exit, theirs, their_reason) = ask(reference, &["execpolicy", "check"]);
    let mut same = their_exit == our_exit && theirs == ours;
    if !same && their_exit == our_exit && in_any_order(&theirs) == in_any_order(&ours) {
        // The reference answers rules under canonical matching whose heads are spelt in two or more other ways in an
        // order that changes from run to run: this engine's must be one of them.
        same = (0..40).any(|_| ask(reference, &["execpolicy", "check"]).1 == ours);
    }
    let difference = (!same).then(|| {
        format!("the reference: exit {their_exit:?} {theirs}{their_reason}\nthis engine: exit {our_exit:?} {ours}{our_reason}")
    });
    ((their_exit == Some(0)).then_some(theirs), difference.map(|text| text.replace(&scratch(&working), "")))
}

fn scratch(folder: &Path) -> String {
    format!("{}/", folder.display())
}

/// The answer with its matches sorted.
fn in_any_order(answer: &str) -> Option<String> {
    let mut answer: serde_json::Value = serde_json::from_str(answer).ok()?;
    let matches = answer.get_mut("matchedRules")?.as_array_mut()?;
    matches.sort_by_key(serde_json::Value::to_string);
    Some(answer.to_string())
}
