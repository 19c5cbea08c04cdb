//! The live differential: random policies and commands put to the reference engine and to this one.
//!
//! Opt-in and outside CI: `POLICYC_REFERENCE` names a `codex` binary (npm package `@openai/codex`, version 0.171.0).
//! `POLICYC_REFERENCE_CHECKS` says how many checks (default 3,000), `POLICYC_SEED` which.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use policyc_tests::policy::File;
use policyc_tests::random::Random;
use policyc_tests::samples::{Kind, Sample};
use policyc_tests::{command_line, suite, workspace};

/// The reference, if there is one.
fn reference() -> Option<OsString> {
    let reference = std::env::var_os("POLICYC_REFERENCE");
    if reference.is_none() {
        say("skipped, because POLICYC_REFERENCE names no `codex` binary");
    }
    reference
}

/// Tells, past the capture of test output, what was compared.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "differential: {text}");
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn the_reference_answers_random_commands_the_same() {
    let Some(reference) = reference() else { return };
    let checks = number("POLICYC_REFERENCE_CHECKS", 3_000);
    let mut random = Random::new(number("POLICYC_SEED", 3) as u64);
    let (mut done, mut refused, mut matched) = (0, 0, 0);
    let mut differences = Vec::new();
    while done < checks && differences.len() < 10 {
        let sample = Sample::new(&mut random, Kind::Any, 12);
        for command in &sample.commands {
            let one = Sample { commands: vec![command.clone()], files: sample.files.clone() };
            let (theirs, difference) = compare(&reference, &one.texts(), command);
            done += 1;
            matched += usize::from(theirs.as_ref().is_some_and(|answer| answer.contains("\"decision\"")));
            if difference.is_some() {
                let differs = |sample: &Sample| {
                    let command = sample.commands.first().map_or(&[][..], Vec::as_slice);
                    compare(&reference, &sample.texts(), command).1
                };
                let smallest = one.shrink(&|sample| differs(sample).is_some());
                differences.push(format!("{}\nof {smallest:#?}", differs(&smallest).unwrap_or_default()));
                break;
            }
            if theirs.is_none() {
                refused += 1;
                break;
            }
        }
    }
    say(&format!(
        "{done} random checks: {refused} policies refused, {matched} commands matched, {} different",
        differences.len()
    ));
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert!(checks < 1_000 || (refused > checks / 50 && matched > checks / 10), "the samples test too little");
}

#[test]
fn the_reference_refuses_the_same_texts() {
    let Some(reference) = reference() else { return };
    let checks = number("POLICYC_REFERENCE_TEXTS", 1_000);
    let mut random = Random::new(number("POLICYC_SEED", 3) as u64);
    let chapters = workspace::files(&workspace::root().join("tests/spec"), "md");
    let chapters = chapters.iter().filter(|path| !NOT_THE_REFERENCES.iter().any(|(name, _)| path.ends_with(name)));
    let texts: Vec<String> = chapters
        .map(|path| std::fs::read_to_string(path).expect("a suite can be read"))
        .flat_map(|document| suite::questions(&document))
        .flat_map(|(_, files, _)| files.into_iter().map(|file| file.text))
        .filter(|text| text.len() < 2_000 && !text.contains("# error"))
        .collect();
    let (mut accepted, mut differences) = (0, Vec::new());
    for _ in 0..checks {
        let text = scrambled(&mut random, &texts);
        let files = [File::new("p.rules", text)];
        let (theirs, difference) = compare(&reference, &files, &["git".to_owned(), "push".to_owned()]);
        accepted += usize::from(theirs.is_some());
        differences.extend(
            difference.map(|why| format!("{why}\nof\n{}", files.iter().map(|file| &*file.text).collect::<String>())),
        );
    }
    say(&format!("{checks} scrambled texts: {accepted} accepted, {} different", differences.len()));
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    assert!(accepted > checks / 20, "the texts test too little");
}

/// One of `texts` with some of its tokens dropped, doubled, swapped or taken from another.
fn scrambled(random: &mut Random, texts: &[String]) -> String {
    let mut tokens = tokens(random.pick::<String>(texts));
    for _ in 0..random.between(1, 2) {
        if tokens.is_empty() {
            break;
        }
        let place = random.below(tokens.len());
        match random.below(4) {
            0 => drop(tokens.remove(place)),
            1 => tokens.insert(place, random.pick(&tokens).clone()),
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(place, other);
            }
            _ => {
                let others = self::tokens(random.pick::<String>(texts));
                if !others.is_empty() {
                    tokens.splice(place..=place, [random.pick(&others).clone()]);
                }
            }
        }
    }
    tokens.concat()
}

/// Runs of letters and digits, runs of blanks, and every other character alone.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let kind = |character: char| match character {
        _ if character.is_alphanumeric() || character == '_' => 1,
        ' ' => 2,
        _ => 0,
    };
    for character in text.chars() {
        match tokens.last_mut() {
            Some(last)
                if kind(character) > 0 && last.chars().next().is_some_and(|first| kind(first) == kind(character)) =>
            {
                last.push(character);
            }
            _ => tokens.push(character.to_string()),
        }
    }
    tokens
}

/// Chapters that the reference can't be asked about, and why.
const NOT_THE_REFERENCES: &[(&str, &str)] = &[("bounds.md", "the reference has no bounds: it would run for ever")];

#[test]
fn the_reference_agrees_with_the_specification() {
    let Some(reference) = reference() else { return };
    let mut done = 0;
    let mut differences = Vec::new();
    for path in workspace::files(&workspace::root().join("tests/spec"), "md") {
        if NOT_THE_REFERENCES.iter().any(|(name, _)| path.ends_with(name)) {
            continue;
        }
        let document = std::fs::read_to_string(&path).expect("a suite can be read");
        for (line, files, commands) in suite::questions(&document) {
            for command in commands {
                done += 1;
                let (_, difference) = compare(&reference, &files, &command);
                differences
                    .extend(difference.map(|why| format!("{}:{line}: {command:?}\n{why}", workspace::relative(&path))));
            }
        }
    }
    say(&format!("{done} questions of the specification, {} different", differences.len()));
    assert!(differences.is_empty() && done > 0, "{}", differences.join("\n\n"));
}

/// What the reference says (nothing: refused), and how this engine differs from it.
fn compare(reference: &OsStr, files: &[File], words: &[String]) -> (Option<String>, Option<String>) {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let working = folder.path().join("oracle");
    std::fs::create_dir(&working).expect("a scratch folder can be filled");
    let mut rules: Vec<&str> = Vec::new();
    for file in files {
        let path = working.join(&file.label);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("a scratch folder can be filled");
        std::fs::write(path, &file.text).expect("a scratch folder can be filled");
        rules.extend(["--rules", &file.label]);
    }
    let ask = |binary: &OsStr, subcommand: &[&str]| {
        // A scrambled text may never end under the reference.
        let output = Command::new("timeout")
            .arg("20")
            .arg(binary)
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
    let (our_exit, ours, our_reason) = ask(command_line::policyc().as_os_str(), &["eval", "--matching", "reference"]);
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
