//! Runs the files in `cases/`.

use std::path::Path;
use std::process::Stdio;

use crate::{Ran, policyc, write};

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { replay(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/cases/", stringify!($name), ".md")); })*

        #[test]
        fn every_file_is_a_test() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/cases");
            for entry in std::fs::read_dir(folder).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!([$(concat!(stringify!($name), ".md")),*].contains(&name.as_str()), "{name} is not run");
            }
        }
    };
}

cases!(check, eval, explain, shell, layers, build, inspect, profiles, matrix, fmt, usage, input);

/// The tutorial shows what its commands print.
#[cfg(target_os = "linux")]
#[test]
fn the_tutorial_is_true() {
    replay(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tutorial.md"));
}

fn replay(path: &str) {
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written.contains("\n```console\n"), "{path} runs nothing");
    let expected = snapbox::Data::read_from(Path::new(path), None).raw();
    snapbox::assert_data_eq!(snapbox::IntoData::raw(replayed(&written)), expected);
}

/// The same file with what the commands print now.
fn replayed(written: &str) -> String {
    let mut replayed = String::new();
    let mut folder = tempfile::tempdir().unwrap();
    // Files before the first heading are in every folder.
    let mut shared: Option<Vec<(&str, String)>> = Some(Vec::new());
    let mut everywhere = Vec::new();
    let mut lines = written.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("# ") {
            everywhere.extend(shared.take().into_iter().flatten());
            folder = tempfile::tempdir().unwrap();
            everywhere.iter().for_each(|(name, text)| write(folder.path(), name, text));
        }
        let Some(fence) = line.strip_prefix("```") else {
            replayed += &format!("{line}\n");
            continue;
        };
        let mut body: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        match fence.split_once(' ') {
            _ if fence == "console" => {
                let ran = run(folder.path(), body.first().expect("a console runs something"));
                body.truncate(1);
                replayed += &format!("```console\n{}\n{}", body.concat(), with_end(&ran.stdout));
                if ran.code != 0 {
                    replayed += &format!("? {}\n", ran.code);
                }
                replayed += "```\n";
                if !ran.stderr.is_empty() {
                    replayed += &format!("```stderr\n{}```\n", with_end(&ran.stderr));
                }
            }
            _ if fence == "stderr" => {}
            Some((_, name)) => {
                let text = body.iter().map(|line| format!("{line}\n")).collect::<String>();
                replayed += &format!("```{fence}\n{text}```\n");
                match &mut shared {
                    Some(shared) => shared.push((name, text)),
                    None => write(folder.path(), name, &text),
                }
            }
            None => panic!("`{line}` is no fence that this harness knows"),
        }
    }
    replayed
}

fn with_end(text: &str) -> String {
    let text = &masked(text);
    // Fences cannot show that a text does not end its last line, nor may they be ended by it.
    assert!(!text.contains("```"), "{text}");
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n(no line break)\n") }
}

/// The text without what changes with every change of the table's format, sizes and checksums, or with every run: digests
/// of traces, dates and times of day.
fn masked(text: &str) -> String {
    let mask = |line: &str| {
        let digests = line.starts_with("sound: ");
        let line = line.split(' ').map(|word| masked_word(word, digests)).collect::<Vec<_>>().join(" ");
        let mut words: Vec<&str> = line.split(' ').collect();
        for place in 1..words.len() {
            let (before, after) = words.split_at_mut(place);
            let (word, next) = (&mut before[place - 1], after[0].trim_end_matches(','));
            if next == "bytes" && word.chars().all(|character| character.is_ascii_digit() || character == ',') {
                *word = "N";
            } else if *word == "checksum" && next.len() == 16 {
                after[0] = "N";
            }
        }
        if words.contains(&"N") {
            // Columns are as wide as the numbers were.
            words.retain(|word| !word.is_empty());
        }
        words.join(" ")
    };
    text.split('\n').map(|line| without_digest(&mask(line))).collect::<Vec<_>>().join("\n")
}

/// The line without the digest of a table, which changes with all that is shipped about programs.
fn without_digest(line: &str) -> String {
    let Some((before, after)) = line.split_once("\"tableDigest\":") else { return line.to_owned() };
    let digits = |character: char| character.is_ascii_hexdigit() || character == '"' || character == ' ';
    format!("{before}\"tableDigest\":\"N\"{}", after.trim_start_matches(digits))
}

/// The word, or what stands for it where it changes from run to run; a mark behind it stays.
fn masked_word(word: &str, digests: bool) -> String {
    let (known, mark) = word.split_at(word.trim_end_matches([',', ':']).len());
    let digits = |from: char, to: char| known.chars().all(|one| one.is_ascii_digit() || one == from || one == to);
    let masked = match known.len() {
        64 if digests && known.chars().all(|one| one.is_ascii_hexdigit()) => "DIGEST",
        10 if known.matches('-').count() == 2 && digits('-', '-') => "DATE",
        9 if known.matches(':').count() == 2 && known.ends_with('Z') && digits(':', 'Z') => "TIME",
        _ => known,
    };
    [masked, mark].concat()
}

/// Runs `$ policyc … [< FILE]`; a `⏎` is a line break in a word.
fn run(folder: &Path, line: &str) -> Ran {
    let command = line.strip_prefix("$ policyc ").unwrap_or_else(|| panic!("`{line}` runs something else"));
    let (command, input) = command.split_once(" < ").map_or((command, None), |(command, input)| (command, Some(input)));
    let words = shlex::split(command).expect("the test's words are quoted well");
    let words = words.iter().map(|word| word.replace('⏎', "\n"));
    let stdin = input.map_or(Stdio::null(), |input| std::fs::File::open(folder.join(input)).unwrap().into());
    Ran::of(policyc().current_dir(folder).args(words).stdin(stdin))
}
