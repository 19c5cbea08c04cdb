//! A table is data from a stranger: 100,000 mutations, each an error or a table that answers.

#![expect(clippy::indexing_slicing, reason = "a test that indexes wrongly fails, as it should")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use policyc_runtime::{Context, Folders, Matching, Request, ShellKind, Table, format};
use policyc_tests::policy::Policy;
use policyc_tests::random::Random;
use policyc_tests::samples::{Kind, Sample};
use policyc_tests::workspace;

const MUTATIONS: usize = 100_000;

/// What is put to damaged tables as texts, and as words where it was.
const TEXTS: [&str; 6] = [
    "env A=1 timeout 5 sh -c 'git -C x --no-pager log --output=y'",
    "find . -exec xargs -I% cat -n % ';' -fprint x",
    "alias x='tar -xf a.tar'; x; eval 'run a b c d a b c d a b c d'",
    "C:/x/blender.exe -b; pwsh -Command 'aws ec2 describe-x'",
    "CC=x make clean > /tmp/a | bash -s \"$X\"",
    "STRASSE k ~/.ssh/id --no-verify $X ${Y:-git} push",
];

/// Tables to damage, with commands to put to what is left.
fn tables() -> Vec<(Vec<u8>, Vec<Vec<String>>)> {
    let mut random = Random::new(5);
    let mut samples: Vec<Sample> = (0..10).map(|_| Sample::new(&mut random, Kind::Valid, 3)).collect();
    samples.push(Sample::wide(&mut random, 3, 2));
    let mut tables: Vec<_> = samples
        .into_iter()
        .map(|sample| (Policy::new(&sample.texts(), &[]).table().to_vec(), sample.commands))
        .collect();
    let hosts = "network_rule(\"example.com\", \"https\", \"deny\", \"because\")\nhost_executable(\"git\", [\"/usr/bin/git\"])\n";
    tables.push((Policy::of(hosts).table().to_vec(), vec![vec!["git".to_owned()]]));
    let everything = std::fs::read_to_string(workspace::root().join("tests/tables/v2-everything.rules"));
    let policy = Policy::of(&everything.expect("a policy with everything is there"));
    assert!(policy.is_usable());
    // What has programs, conditions and matchers in it is damaged most often.
    for _ in 0..4 {
        let commands = TEXTS.iter().map(|text| shlex::split(text).expect("a text of words")).collect();
        tables.push((policy.table().to_vec(), commands));
    }
    tables.push((Policy::of("").table().to_vec(), vec![vec!["git".to_owned()]]));
    tables
}

/// One mutation of `bytes`; `other` is what splices come from.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let length = bytes.len();
    match random.below(6) {
        0 => {
            for _ in 0..random.between(1, 4) {
                let bit = random.below(length * 8);
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        1 => bytes.truncate(random.below(length)),
        2 => {
            let (from, to) = (random.below(other.len()), random.below(length));
            let count = random.between(1, 64).min(other.len() - from).min(length - to);
            bytes[to..to + count].copy_from_slice(&other[from..from + count]);
        }
        3 => {
            let at = random.below(length);
            let count = random.between(1, 16);
            bytes.splice(at..at, (0..count).map(|index| index as u8));
        }
        4 => {
            // The header's lengths, and any other aligned number, to values that tempt arithmetic to overflow.
            let fields = if random.one_in(2) { format::HEADER / 4 } else { length / 4 };
            let at = 4 * random.below(fields.min(length / 4));
            let old = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
            let new = *random.pick(&[
                0,
                1,
                old.wrapping_add(1),
                old.wrapping_sub(1),
                old << 1,
                u32::MAX,
                u32::MAX - 1,
                1 << 31,
                length as u32,
            ]);
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        _ => {
            let (a, b) = (4 * random.below(length / 4), 4 * random.below(length / 4));
            for index in 0..4 {
                bytes.swap(a + index, b + index);
            }
        }
    }
}

/// Does everything that can be done with a table.
fn exercise(table: &Table<'_>, commands: &[Vec<String>]) {
    let folders = Folders { working: "/oracle", home: Some("/home/dev") };
    for command in commands {
        for (matching, resolve_host_executables) in
            [(Matching::Reference, false), (Matching::Reference, true), (Matching::Guarded, false)]
        {
            let context = Context { matching, resolve_host_executables, folders: Some(folders), terms: None };
            let evaluation = table.decide(command, &context);
            let strictest = evaluation.matches().map(|found| found.rule.decision()).max();
            std::hint::black_box((strictest, evaluation.decision(), evaluation.words().count()));
            std::hint::black_box(evaluation.resolved_program().map(|program| program.to_string()));
        }
    }
    let context = Context { folders: Some(folders), ..Context::default() };
    for text in TEXTS {
        let evaluation = table.decide::<&str>(Request::text(text, ShellKind::Bash), &context);
        std::hint::black_box((evaluation.decision(), evaluation.answers().commands.len()));
    }
    for rule in table.rules() {
        let conditions = rule.conditions();
        let groups = conditions.iter().flat_map(|all| all.having().chain(all.without()));
        std::hint::black_box(groups.map(|group| group.alternatives().count()).sum::<usize>());
        let words: usize = rule.pattern().map(|element| element.words().count()).sum();
        std::hint::black_box((words, rule.decision(), rule.justification(), rule.file(), rule.line(), rule.column()));
    }
    std::hint::black_box(policyc_tests::effects::read_all(table));
    let paths: usize = table.host_executables().map(|executable| executable.paths().count()).sum();
    let hosts: usize = table.network_rules().map(|rule| rule.host().len()).sum();
    std::hint::black_box((
        paths,
        hosts,
        table.edges().count(),
        table.sources().count(),
        table.rule(u32::MAX).is_some(),
    ));
}

#[test]
fn damaged_tables_are_refused_or_answer() {
    let done = Arc::new(AtomicUsize::new(0));
    let progress = Arc::clone(&done);
    let worker = std::thread::spawn(move || {
        let tables = tables();
        let mut random = Random::new(6);
        let (mut refused, mut opened) = (0, 0);
        for _ in 0..MUTATIONS {
            let (original, commands) = random.pick(&tables);
            let (other, _) = random.pick(&tables);
            let mut bytes = original.clone();
            for _ in 0..random.between(1, 3) {
                if bytes.len() >= 8 {
                    mutate(&mut random, &mut bytes, other);
                }
            }
            if bytes != *original {
                assert!(Table::from_bytes(&bytes).is_err(), "a damaged table was taken for a good one");
                refused += 1;
            }
            // With a checksum that fits, the structure alone must hold up: this is what a hostile author would write.
            if bytes.len() >= format::HEADER {
                let checksum = policyc_runtime::format::computed_checksum(&bytes);
                bytes[format::CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
                if let Ok(table) = Table::from_bytes(&bytes) {
                    exercise(&table, commands);
                    opened += 1;
                }
            }
            progress.fetch_add(1, Ordering::Relaxed);
        }
        (refused, opened)
    });
    let mut before = 0;
    while !worker.is_finished() {
        for _ in 0..1_000 {
            std::thread::sleep(Duration::from_millis(20));
            if worker.is_finished() {
                break;
            }
        }
        let now = done.load(Ordering::Relaxed);
        assert!(worker.is_finished() || now > before, "mutation {now} hangs");
        before = now;
    }
    let (refused, opened) = worker.join().expect("no mutation panics");
    assert!(
        refused > MUTATIONS / 2 && opened > MUTATIONS / 100,
        "{refused} refused, {opened} opened: the mutations test too little"
    );
}
