//! Committed tables of each format version: they load and answer, or are refused by name.

use std::path::PathBuf;

use policyc_runtime::{Request, ShellKind, Table, TableError, format};
use policyc_tests::engines::{ask, guarded};
use policyc_tests::policy::{FOLDERS, File, Policy};
use policyc_tests::workspace;

/// The committed tables with the version that each is named after.
fn tables() -> Vec<(u32, PathBuf)> {
    let version = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let digits = name.strip_prefix('v').and_then(|name| name.split('-').next()?.parse().ok());
        (digits.unwrap_or_else(|| panic!("{name} is named after no version")), path)
    };
    workspace::files(&workspace::root().join("tests/tables"), "table").into_iter().map(version).collect()
}

#[test]
fn there_is_a_table_of_every_version() {
    let versions: Vec<u32> = tables().into_iter().map(|(version, _)| version).collect();
    assert!((1..=format::VERSION).all(|version| versions.contains(&version)), "{versions:?}");
}

#[test]
fn older_tables_are_refused_by_name() {
    for (version, path) in tables().into_iter().filter(|(version, _)| *version < format::VERSION) {
        let bytes = std::fs::read(&path).expect("a committed table can be read");
        let error = Table::from_bytes(&bytes).expect_err("it is of an older version");
        assert_eq!(error, TableError::Older { version }, "{}", path.display());
        let message = format!(
            "the decision table has format version {version}, this program reads version {}; build it again",
            format::VERSION
        );
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn tables_of_this_version_load_and_answer() {
    for (_, path) in tables().into_iter().filter(|(version, _)| *version == format::VERSION) {
        let bytes = std::fs::read(&path).expect("a committed table can be read");
        let table = Table::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rules = path.with_extension("rules");
        let text = std::fs::read_to_string(&rules).expect("its policy lies beside it");
        let label = rules.file_name().expect("a file has a name").to_string_lossy();
        let policy = Policy::new(&[File::new(label, text)], &[]);
        let errors: Vec<_> = policy.errors().map(|error| &error.message).collect();
        assert!(errors.is_empty(), "{errors:?}");
        assert!(policy.table() == bytes, "{}: building the policy again gives other bytes", path.display());
        let mut answered = 0;
        for rule in &policy.declarations().prefix_rules {
            for example in &rule.examples {
                let naive = policyc_tests::naive::decide(policy.declarations(), &example.words, None);
                assert_eq!(ask(&table, &example.words, None), naive, "{:?}", example.words);
                answered += 1;
            }
        }
        assert!(answered > 0, "{} has no examples", rules.display());
        for (text, decision) in [
            ("git -C x --no-pager log", "allow"),
            ("env CI=1 LC_ALL=C timeout 5 sh -c 'git log'", "allow"),
            ("CC=x make clean > /tmp/a", "allow"),
            ("git -c core.pager=x log", "prompt"),
            ("find . -exec git push ';'", "prompt"),
            ("unheard-of", "prompt"),
            ("cd ~; cat .ssh/id", "forbidden"),
            ("alias x='rm -rf /'; x", "forbidden"),
            ("echo x | xargs -I% cat -n %", "forbidden"),
        ] {
            let request: Request<'_> = Request::text(text, ShellKind::Bash);
            let answer = table.decide(request, &guarded(Some(FOLDERS))).decision();
            assert_eq!(answer.map(|decision| decision.name()), Some(decision), "{text}");
        }
    }
}
