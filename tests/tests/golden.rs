//! The golden answers of the reference engine, all of them, byte for byte.

use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use policyc::rules::Declarations;
use policyc_runtime::Folders;
use policyc_runtime::Table;
use policyc_tests::engines::{Engines, ask};
use policyc_tests::policy::{File, Policy, position};
use policyc_tests::random::Random;
use policyc_tests::samples::quote;
use policyc_tests::{command_line, naive, workspace};
use serde::Deserialize;

/// Cases where this engine is wider on purpose, by name, each with its reason.
const WIDER: &[(&str, &str)] = &[];

/// Refusals that are placed elsewhere on purpose, by name, each with its reason.
const PLACED_ELSEWHERE: &[(&str, &str)] = &[
    ("starlark-load-is-refused", "the path is what is wrong, not the statement"),
    ("starlark-syntax-error", "the bracket that is never closed is what is wrong, not the statement after it"),
    ("starlark-tabs", "the tab is what is wrong, not the end of the line before it"),
];

#[derive(Deserialize)]
struct Set {
    name: String,
    files: Vec<PolicyFile>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct PolicyFile {
    path: String,
    text: String,
}

#[derive(Deserialize)]
struct Case {
    command: Vec<String>,
    #[serde(default)]
    args: Vec<String>,
    exit: i32,
    stdout: Option<String>,
    at: Option<String>,
}

fn sets() -> Vec<Set> {
    let mut sets = Vec::new();
    for name in ["edge.jsonl", "random.jsonl"] {
        let path = workspace::root().join("tests/golden").join(name);
        let text = std::fs::read_to_string(path).expect("the golden answers are there");
        sets.extend(text.lines().map(|line| serde_json::from_str::<Set>(line).expect("a golden line is a policy set")));
    }
    sets
}

fn labelled(set: &Set) -> Vec<File> {
    set.files.iter().map(|file| File::new(format!("{}/{}", set.name, file.path), file.text.clone())).collect()
}

/// Runs `check` on every set, on as many threads as there are processors.
fn for_each_set(sets: &[Set], check: impl Fn(&Set) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(set) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(set);
                }
            });
        }
    });
}
/// R003.20: byte for byte what the reference prints.
#[test]
fn the_command_line_answers_as_the_reference_does() {
    let sets = sets();
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let failures = Mutex::new(Vec::new());
    let identical = AtomicUsize::new(0);
    for_each_set(&sets, |set| {
        for file in labelled(set) {
            let path = folder.path().join(&file.label);
            std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
                .expect("a scratch folder can be filled");
            std::fs::write(path, &file.text).expect("a scratch folder can be filled");
        }
        for case in &set.cases {
            match differs(folder.path(), set, case) {
                None => {
                    identical.fetch_add(1, Ordering::Relaxed);
                }
                Some(why) if WIDER.iter().any(|(name, _)| *name == set.name) => {
                    let _ = writeln!(std::io::stderr(), "golden: {} is wider on purpose: {why}", set.name);
                }
                Some(why) => failures.lock().expect("no check panics").push(format!("{}: {why}", set.name)),
            }
        }
    });
    let failures = failures.into_inner().expect("no check panics");
    let total: usize = sets.iter().map(|set| set.cases.len()).sum();
    let _ = writeln!(std::io::stderr(), "golden: {} of {total} identical", identical.into_inner());
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

/// How the command line differs from the reference, if it does.
fn differs(folder: &Path, set: &Set, case: &Case) -> Option<String> {
    let mut arguments = ["eval", "--matching", "reference"].map(str::to_owned).to_vec();
    for file in labelled(set) {
        arguments.extend(["--rules".to_owned(), file.label]);
    }
    arguments.extend(["--cwd".to_owned(), "/oracle".to_owned()]);
    arguments.extend(case.args.iter().cloned());
    arguments.extend(case.command.iter().cloned());
    let output = command_line::run(folder, &arguments);
    let expected = case.stdout.as_ref().map_or(String::new(), |stdout| format!("{stdout}\n"));
    let stdout = String::from_utf8_lossy(&output.stdout);
    (output.status.code() != Some(case.exit) || stdout != expected).then(|| {
        format!(
            "{arguments:?}\n  expected exit {} and {expected:?}\n  got {} and {stdout:?}\n  {}",
            case.exit,
            output.status,
            String::from_utf8_lossy(&output.stderr),
        )
    })
}

#[test]
fn the_three_engines_agree_on_every_golden_command() {
    let failures = Mutex::new(Vec::new());
    for_each_set(&sets(), |set| {
        let fail = |why: String| failures.lock().expect("no check panics").push(format!("{}: {why}", set.name));
        let policy = Policy::new(&labelled(set), &[]);
        let refused = set.cases.iter().all(|case| case.exit == 1);
        if refused == policy.is_usable() {
            let diagnostics: Vec<_> = policy.diagnostics().iter().map(|diagnostic| &diagnostic.message).collect();
            return fail(format!("refused by the reference: {refused}; here: {diagnostics:?}"));
        }
        if refused {
            return;
        }
        let mut elsewhere = Vec::new();
        let engines = match Engines::new(&policy, &mut elsewhere) {
            Ok(engines) => engines,
            Err(why) => return fail(why),
        };
        for case in &set.cases {
            let resolve = case.args.iter().any(|argument| argument == "--resolve-host-executables");
            let folders = resolve.then_some(Folders { working: "/oracle", home: Some("/home/dev") });
            if let Err(why) = engines.decide(&case.command, folders) {
                fail(why);
            }
        }
    });
    let failures = failures.into_inner().expect("no check panics");
    assert!(failures.is_empty(), "{} sets differ:\n{}", failures.len(), failures.join("\n"));
}

/// How many commands the golden rules are asked about, written by position and beside effects.
const CASES: usize = 10_000;

/// The rules of a set with their arguments by position, and declarations of effects around them.
fn by_position(declarations: &Declarations) -> String {
    let words = |words: &[String]| format!("[{}]", words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(", "));
    let mut text = "capability(\"x\")\ncommand([\"git\"], [\"x\"])\nprofile(\"p\", allow = [\"x\"])\n".to_owned();
    for executable in &declarations.host_executables {
        text.push_str(&format!("host_executable({}, {})\n", quote(&executable.name), words(&executable.paths)));
    }
    for rule in &declarations.prefix_rules {
        let pattern: Vec<String> = rule.pattern.iter().map(|element| words(&element.words)).collect();
        let pattern = pattern.join(", ");
        let (decision, why) = (rule.decision.name(), rule.justification.as_deref().unwrap_or("x"));
        let canonical = if rule.canonical_matching { "True" } else { "False" };
        text.push_str(&format!("prefix_rule([{pattern}], {decision:?}, [], [], {}, {canonical})\n", quote(why)));
    }
    text + "requires([\"x\"], \"done\")\n"
}

/// A golden command, or one that differs from it a little.
fn near(random: &mut Random, commands: &[&Vec<String>]) -> Vec<String> {
    let mut words = (*random.pick(commands)).clone();
    let other = (*random.pick(commands)).clone();
    if random.one_in(3) {
        words.truncate(random.below(words.len() + 1));
    }
    if random.one_in(3) {
        words.extend(other.into_iter().skip(1));
    }
    words
}

/// P10: the golden rules answer the same with their arguments by position, and beside declarations of effects.
#[test]
fn p10_golden_rules_answer_the_same_by_position_and_beside_effects() {
    let mut random = Random::seeded(10);
    let sets = sets();
    let usable: Vec<_> = sets.iter().filter(|set| set.cases.iter().any(|case| case.exit != 1)).collect();
    let (mut compared, mut matched) = (0, 0);
    for set in &usable {
        let policy = Policy::new(&labelled(set), &[]);
        let rewritten = Policy::of(&by_position(policy.declarations()));
        let errors: Vec<_> = rewritten.errors().map(|error| &error.message).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", set.name);
        let table = Table::from_bytes(rewritten.table()).expect("a good policy has a good table");
        let commands: Vec<_> = set.cases.iter().map(|case| &case.command).filter(|words| !words.is_empty()).collect();
        for _ in 0..CASES.div_ceil(usable.len()) {
            let words = near(&mut random, &commands);
            let folders = random.one_in(2).then_some(Folders { working: "/oracle", home: Some("/home/dev") });
            let golden = naive::decide(policy.declarations(), &words, folders);
            assert_eq!(naive::decide(rewritten.declarations(), &words, folders), golden, "{}: {words:?}", set.name);
            assert_eq!(ask(&table, &words, folders), golden, "{}: {words:?}", set.name);
            compared += 1;
            matched += usize::from(golden.decision.is_some());
        }
    }
    assert!(compared >= CASES && matched > CASES / 4, "{compared} compared, {matched} matched");
}
/// R003.22: what the reference refuses is refused at the same place.
#[test]
fn refusals_are_placed_where_the_reference_places_them() {
    let mut placed = 0;
    let mut failures = Vec::new();
    for set in sets() {
        let Some(at) = set.cases.iter().find_map(|case| case.at.as_ref()) else { continue };
        placed += 1;
        let policy = Policy::new(&labelled(&set), &[]);
        let here: Vec<String> = policy.errors().flat_map(|diagnostic| places(&policy, diagnostic)).collect();
        let excepted = PLACED_ELSEWHERE.iter().any(|(name, _)| *name == set.name);
        if here.contains(at) == excepted {
            failures.push(format!("{}: the reference says {at}, here {here:?} (an exception: {excepted})", set.name));
        }
    }
    assert!(placed > 0, "no golden refusal says where");
    assert!(failures.is_empty(), "{} of {placed}:\n{}", failures.len(), failures.join("\n"));
}

/// Where a diagnostic points: its labels, and the call of a builtin that its primary label lies in.
fn places(policy: &Policy, diagnostic: &policyc::diagnostics::Diagnostic) -> Vec<String> {
    let place = |file, offset| {
        let (line, column) = position(policy.text(file), offset);
        format!("{}:{line}:{column}", policy.label(file))
    };
    let primary = &diagnostic.primary;
    let before = policy.text(primary.file).get(..primary.span.start as usize).unwrap_or_default();
    let call = ["prefix_rule(", "host_executable(", "network_rule("].iter().filter_map(|call| before.rfind(call)).max();
    let call = call.map(|call| place(primary.file, u32::try_from(call).expect("a policy file is below 4 GiB")));
    [primary]
        .into_iter()
        .chain(&diagnostic.labels)
        .map(|label| place(label.file, label.span.start))
        .chain(call)
        .collect()
}
