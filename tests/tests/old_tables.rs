//! Committed tables of each format version: they load and answer, or are refused by name.

use policyc_runtime::Table;
use policyc_tests::engines::ask;
use policyc_tests::policy::{File, Policy};
use policyc_tests::workspace;

#[test]
fn tables_of_version_1_load_and_answer() {
    let folder = workspace::root().join("tests/tables");
    let tables = workspace::files(&folder, "table");
    assert!(!tables.is_empty(), "there are no committed tables");
    for path in tables {
        let bytes = std::fs::read(&path).expect("a committed table can be read");
        let table = Table::from_bytes(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let rules = path.with_extension("rules");
        let text = std::fs::read_to_string(&rules).expect("its policy lies beside it");
        let label = rules.file_name().expect("a file has a name").to_string_lossy();
        let policy = Policy::new(&[File::new(label, text)], &[]);
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
    }
}
