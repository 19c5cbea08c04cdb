//! How long an editor waits for what it asks after a keystroke, once the diagnostics of the new text are known.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use policyc::db::{self, Database};
use policyc::ide;
use policyc::shipped::{prelude, shipped};
use policyc::source::{Module, PolicySet, SourceFile, Span};
use policyc_tests::workload::Workload;
use salsa::Setter;

/// How many lines an editor shows.
const LINES: usize = 60;

/// A policy that is being edited: a rule is being written at its end.
struct Policy {
    db: Database,
    set: PolicySet,
    file: SourceFile,
    text: String,
    edits: u32,
}

/// What the edit writes; completion is asked for after it.
const EDIT: &str = "prefix_rule([\"git\", \"\"])\n";

impl Policy {
    fn new(rules: usize) -> Self {
        let db = Database::default();
        let text = Workload::over_many_programs(rules).with_examples(3).generate().policy;
        let file = SourceFile::new(&db, "bench.rules".to_owned(), text.clone());
        let shipped = shipped()
            .iter()
            .map(|(label, text)| ((*label).to_owned(), SourceFile::new(&db, (*label).to_owned(), (*text).to_owned())));
        let shipped: BTreeMap<String, SourceFile> = shipped.collect();
        let programs = prelude().iter().filter_map(|(label, _)| shipped.get(*label).copied()).collect();
        let modules = shipped.into_iter().map(|(label, file)| (label, Module::File(file))).collect();
        let set = PolicySet::builder(vec![file], modules, vec![String::new()], "/".to_owned(), None);
        let set = set.prelude(programs).new(&db);
        Self { db, set, file, text, edits: 0 }
    }

    /// A keystroke, after which the diagnostics are known.
    fn edit(&mut self) {
        self.edits += 1;
        let text = format!("{}prefix_rule([\"edited\", \"{}\"])\n{EDIT}", self.text, self.edits);
        self.file.set_text(&mut self.db).to(text);
        assert!(db::usable(&self.db, self.set));
        assert!(!db::table(&self.db, self.set).is_empty());
    }

    /// The place inside the quotes of what is being written.
    fn end(&self) -> u32 {
        let length = self.file.text(&self.db).len();
        u32::try_from(length - 4).expect("a short text")
    }

    /// The lines that are shown.
    fn shown(&self) -> Span {
        let text = self.file.text(&self.db);
        let mut lines = text.match_indices('\n').map(|(end, _)| end + 1);
        let middle = lines.clone().count() / 2;
        let start = lines.nth(middle).unwrap_or_default();
        Span::from(start..lines.nth(LINES).unwrap_or(text.len()))
    }
}

/// Times what `ask` does after each edit, without the edit.
fn after_edits(criterion: &mut Criterion, rules: usize, name: &str, mut ask: impl FnMut(&Policy) -> usize) {
    let mut policy = Policy::new(rules);
    policy.edit();
    assert!(ask(&policy) > 0, "{name} has an answer");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.bench_function(format!("{rules} rules"), |bencher| {
        bencher.iter_custom(|iterations| {
            let mut taken = Duration::ZERO;
            for _ in 0..iterations {
                policy.edit();
                let start = Instant::now();
                ask(&policy);
                taken += start.elapsed();
            }
            taken
        });
    });
    group.finish();
}

fn requests(criterion: &mut Criterion) {
    for rules in [1_000, 10_000] {
        after_edits(criterion, rules, "completion", |policy| {
            ide::completions(&policy.db, policy.set, policy.file, policy.end()).len()
        });
        after_edits(criterion, rules, "hover over a word", |policy| {
            let offset = policy.end() - 5;
            ide::hover(&policy.db, policy.set, policy.file, offset).map_or(0, |hover| hover.text.len())
        });
        after_edits(criterion, rules, "hover over a rule", |policy| {
            let offset = policy.shown().start;
            let text = policy.file.text(&policy.db);
            let rest = text.get(offset as usize..).and_then(|rest| rest.find("prefix_rule")).unwrap_or_default();
            let offset = offset + u32::try_from(rest).unwrap_or_default() + 3;
            ide::hover(&policy.db, policy.set, policy.file, offset).map_or(0, |hover| hover.text.len())
        });
        after_edits(criterion, rules, "signature help", |policy| {
            ide::signature(&policy.db, policy.set, policy.file, policy.end()).map_or(0, |help| help.label.len())
        });
        after_edits(criterion, rules, "hits of the lines that are shown", |policy| {
            ide::hits(&policy.db, policy.set, policy.file, policy.shown()).len()
        });
        after_edits(criterion, rules, "hits of the whole file", |policy| {
            ide::hits(&policy.db, policy.set, policy.file, Span::new(0, u32::MAX)).len()
        });
        after_edits(criterion, rules, "lenses", |policy| ide::lenses(&policy.db, policy.set, policy.file).len());
    }
}

criterion_group!(benches, requests);
criterion_main!(benches);
