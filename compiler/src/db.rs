//! The database and the questions that span a whole policy set.

use std::collections::{HashMap, HashSet};

use crate::diagnostics::{Diagnostic, Severity};
use crate::effects;
use crate::eval::evaluate;
use crate::layers;
use crate::lint;
use crate::lower::{Place, Prepared, RuleSet, lower};
use crate::rules::{Decision, InertEnv, Program};
use crate::self_test::{evadable_examples, failing_examples, failing_expectations};
use crate::source::{PolicySet, SourceFile};
use crate::syntax::line_index;

/// Holds the inputs and remembers every answer that still holds.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}

/// Every file of the set, loaded ones included, in the order in which they run: each once, after what it loads.
#[salsa::tracked]
pub fn run_order(db: &dyn salsa::Database, set: PolicySet) -> Vec<SourceFile> {
    ordered(db, set, set.files(db))
}

/// Every file of the prelude, in the same order.
#[salsa::tracked]
pub fn prelude_order(db: &dyn salsa::Database, set: PolicySet) -> Vec<SourceFile> {
    ordered(db, set, set.prelude(db))
}

/// `files` and what they load, each once, after what it loads.
fn ordered(db: &dyn salsa::Database, set: PolicySet, files: &[SourceFile]) -> Vec<SourceFile> {
    fn run(
        db: &dyn salsa::Database,
        set: PolicySet,
        file: SourceFile,
        seen: &mut HashSet<SourceFile>,
        order: &mut Vec<SourceFile>,
    ) {
        if seen.insert(file) {
            for load in &evaluate(db, set, file).loads {
                run(db, set, *load, seen, order);
            }
            order.push(file);
        }
    }
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    for file in files {
        run(db, set, *file, &mut seen, &mut order);
    }
    order
}

/// What the files declare together, in the order in which they run: of each layer, what it may say. `files` are the first
/// few in that order, or all.
pub fn rule_set(db: &dyn salsa::Database, set: PolicySet, files: impl IntoIterator<Item = SourceFile>) -> RuleSet<'_> {
    let mut rules = RuleSet { layers: set.layers(db), ..RuleSet::default() };
    let mut last = None;
    for file in files {
        let declarations = &evaluate(db, set, file).declarations;
        let trusted = layers::is_trusted(db, set, file);
        let restricts = |decision| trusted || decision > Decision::Allow;
        rules.prefix_rules.extend(declarations.prefix_rules.iter().filter(|rule| restricts(rule.decision)));
        rules.network_rules.extend(declarations.network_rules.iter().filter(|rule| restricts(rule.decision)));
        rules.default_decisions.extend(&declarations.default_decisions);
        if trusted {
            rules.host_executables.extend(&declarations.host_executables);
            rules.programs.extend(&declarations.programs);
            rules.inert_env.extend(&declarations.inert_env);
            rules.capabilities.extend(&declarations.capabilities);
            rules.commands.extend(&declarations.commands);
            rules.tools.extend(&declarations.tools);
            rules.profiles.extend(&declarations.profiles);
            rules.grants.extend(&declarations.grants);
        }
        rules.requirements.extend(&declarations.requirements);
        rules.tool_rules.extend(declarations.tool_rules.iter().filter(|rule| restricts(rule.decision)));
        last = Some(file);
    }
    if let Some(last) = last {
        rules.host_executables.extend(layers::common_executables(db, set, last));
    }
    rules
}

/// What a table of the whole set is made of: what the files declare, after what the prelude says of programs.
pub fn whole_rule_set(db: &dyn salsa::Database, set: PolicySet) -> RuleSet<'_> {
    rule_set_of_all(db, set, run_order(db, set))
}

/// What the prelude declares.
fn prelude_declarations(db: &dyn salsa::Database, set: PolicySet) -> (Vec<&Program>, Vec<&InertEnv>) {
    let (mut programs, mut inert_env) = (Vec::new(), Vec::new());
    for file in prelude_order(db, set) {
        let declarations = &evaluate(db, set, *file).declarations;
        programs.extend(&declarations.programs);
        inert_env.extend(&declarations.inert_env);
    }
    (programs, inert_env)
}

/// The same, as a table holds it: more than half of the time that a small table takes, and no keystroke changes it.
#[salsa::tracked(no_eq)]
fn prepared_prelude(db: &dyn salsa::Database, set: PolicySet) -> Prepared {
    let (programs, inert_env) = prelude_declarations(db, set);
    Prepared::new(programs, inert_env)
}

fn rule_set_of_all<'db>(db: &'db dyn salsa::Database, set: PolicySet, order: &[SourceFile]) -> RuleSet<'db> {
    let mut rules = rule_set(db, set, order.iter().copied());
    let (mut programs, mut inert_env) = prelude_declarations(db, set);
    programs.append(&mut rules.programs);
    inert_env.append(&mut rules.inert_env);
    RuleSet { programs, inert_env, ..rules }
}

/// The file that answers for `file`: itself, unless its run failed and it is known how it last did not.
pub fn standing(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> SourceFile {
    let failed = |file: SourceFile| {
        evaluate(db, set, file).diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    };
    match file.last_good(db) {
        Some(last_good) if failed(file) => last_good,
        _ => file,
    }
}

/// The files of [`run_order`], each as it last ran without an error, and what they loaded then.
#[salsa::tracked]
pub fn standing_order(db: &dyn salsa::Database, set: PolicySet) -> Vec<SourceFile> {
    let order = run_order(db, set);
    if order.iter().all(|file| standing(db, set, *file) == *file) {
        return order.clone();
    }
    fn run(
        db: &dyn salsa::Database,
        set: PolicySet,
        file: SourceFile,
        seen: &mut HashSet<SourceFile>,
        order: &mut Vec<SourceFile>,
    ) {
        let file = standing(db, set, file);
        if seen.insert(file) {
            for load in &evaluate(db, set, file).loads {
                run(db, set, *load, seen, order);
            }
            order.push(file);
        }
    }
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    for file in set.files(db) {
        run(db, set, *file, &mut seen, &mut order);
    }
    order
}

/// The decision table of the set with every file as it last ran without an error: the same as its [table] if none is broken.
pub fn answering_table(db: &dyn salsa::Database, set: PolicySet) -> &[u8] {
    if standing_order(db, set) == run_order(db, set) { table(db, set) } else { standing_table(db, set) }
}

#[salsa::tracked]
fn standing_table(db: &dyn salsa::Database, set: PolicySet) -> Vec<u8> {
    lowered(db, set, standing_order(db, set))
}

/// The decision table of the set. It holds what could be understood; use it for answers only if no
/// [diagnostic](diagnostics) is an error.
#[salsa::tracked]
pub fn table(db: &dyn salsa::Database, set: PolicySet) -> Vec<u8> {
    lowered(db, set, run_order(db, set))
}

fn lowered(db: &dyn salsa::Database, set: PolicySet, order: &[SourceFile]) -> Vec<u8> {
    let own = rule_set(db, set, order.iter().copied());
    let rules = if own.programs.is_empty() && own.inert_env.is_empty() {
        RuleSet { prepared: Some(prepared_prelude(db, set)), ..own }
    } else {
        rule_set_of_all(db, set, order)
    };
    table_of(db, set, &rules)
}

fn table_of<'db>(db: &'db dyn salsa::Database, set: PolicySet, rules: &RuleSet<'db>) -> Vec<u8> {
    let layers: HashMap<SourceFile, usize> = layers::of_files(db, set).iter().copied().collect();
    lower(rules, |origin| Place {
        file: origin.file.label(db),
        position: line_index(db, origin.file).position(origin.span.start),
        layer: layers.get(&origin.run()).copied().unwrap_or_default(),
    })
}

/// Everything wrong with the set, file by file in the order in which they run, each file's by position. Of the prelude
/// only what makes it unusable is told, at the end.
#[salsa::tracked]
pub fn diagnostics(db: &dyn salsa::Database, set: PolicySet) -> Vec<Diagnostic> {
    let of_file = |file: &SourceFile| {
        let mut diagnostics = evaluate(db, set, *file).diagnostics.clone();
        diagnostics.extend(failing_examples(db, set, *file).iter().cloned());
        diagnostics.extend(failing_expectations(db, set, *file).iter().cloned());
        diagnostics.extend(evadable_examples(db, set, *file).iter().cloned());
        diagnostics.extend(layers::ignored(db, set, *file));
        diagnostics.extend(effects::mistakes_of(db, set, *file).cloned());
        diagnostics.extend(lint::warnings(db, set, *file).iter().cloned());
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        diagnostics
    };
    let files = run_order(db, set);
    let prelude = prelude_order(db, set).iter().filter(|file| !files.contains(file));
    let broken = prelude.flat_map(|file| &evaluate(db, set, *file).diagnostics);
    let broken = broken.filter(|diagnostic| diagnostic.severity == Severity::Error);
    files.iter().flat_map(of_file).chain(broken.cloned()).collect()
}

/// Whether nothing stands in the way of using the set.
pub fn usable(db: &dyn salsa::Database, set: PolicySet) -> bool {
    diagnostics(db, set).iter().all(|diagnostic| diagnostic.severity < Severity::Error)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use salsa::{Database as _, EventKind, Setter};

    use super::{Database, answering_table, diagnostics, standing, table};
    use crate::source::{Module, PolicySet, SourceFile};

    fn set_of(db: &Database, files: &[(&str, &str)]) -> (PolicySet, Vec<SourceFile>) {
        let file = |(label, text): &(&str, &str)| SourceFile::new(db, (*label).to_owned(), (*text).to_owned());
        let files: Vec<SourceFile> = files.iter().map(file).collect();
        let modules: BTreeMap<_, _> = files.iter().map(|file| (file.label(db).clone(), Module::File(*file))).collect();
        (PolicySet::new(db, files.clone(), modules, vec![String::new()], "/".to_owned(), None), files)
    }

    #[test]
    fn an_edit_in_one_of_many_files_runs_that_file_and_its_loaders_again() {
        let events: Arc<Mutex<Vec<salsa::DatabaseKeyIndex>>> = Arc::default();
        let seen = Arc::clone(&events);
        let callback = move |event: salsa::Event| {
            if let EventKind::WillExecute { database_key } = event.kind {
                seen.lock().unwrap().push(database_key);
            }
        };
        let mut db = Database { storage: salsa::Storage::new(Some(Box::new(callback))) };
        let mut texts = vec![
            ("words.rules".to_owned(), "WORDS = ['a', 'b']\n".to_owned()),
            (
                "near.rules".to_owned(),
                "load('./words.rules', 'WORDS')\nNEAR = WORDS\nprefix_rule([WORDS])\n".to_owned(),
            ),
            ("far.rules".to_owned(), "load('./near.rules', 'NEAR')\nprefix_rule(['x', NEAR])\n".to_owned()),
        ];
        texts.extend((3..100).map(|number| {
            (format!("{number}.rules"), format!("prefix_rule(['program{number}'], match = ['program{number} x'])\n"))
        }));
        let texts: Vec<(&str, &str)> = texts.iter().map(|(label, text)| (label.as_str(), text.as_str())).collect();
        let (set, files) = set_of(&db, &texts);
        let runs = |db: &Database| {
            assert_eq!(diagnostics(db, set), &[]);
            let keys = std::mem::take(&mut *events.lock().unwrap());
            keys.iter().filter(|key| db.ingredient_debug_name(key.ingredient_index()) == "run").count()
        };
        assert_eq!(runs(&db), 100);
        files[0].set_text(&mut db).to("WORDS = ['a', 'c']\n".to_owned());
        assert_eq!(runs(&db), 3, "the file, what loads it, and what loads that");
        files[50].set_text(&mut db).to("prefix_rule(['other'])\n".to_owned());
        assert_eq!(runs(&db), 1);
        files[50].set_text(&mut db).to("# a comment\nprefix_rule(['other'])\n".to_owned());
        assert_eq!(runs(&db), 1);
    }

    #[test]
    fn a_broken_file_answers_as_it_last_ran_and_only_its_own_mistakes_are_told() {
        let mut db = Database::default();
        let good = "WORDS = ['a']\nprefix_rule([WORDS], 'prompt')\n";
        let (set, files) = set_of(
            &db,
            &[("w.rules", good), ("l.rules", "load('./w.rules', 'WORDS')\nprefix_rule(['x', WORDS], 'forbidden')\n")],
        );
        let before = table(&db, set).clone();
        assert_eq!(answering_table(&db, set), before);
        let last_good = SourceFile::new(&db, "w.rules".to_owned(), good.to_owned());
        files[0].set_last_good(&mut db).to(Some(last_good));
        assert_eq!(standing(&db, set, files[0]), files[0], "as long as it runs it answers itself");
        files[0].set_text(&mut db).to("WORDS = ['a'\n".to_owned());
        assert_eq!(standing(&db, set, files[0]), last_good);
        assert_eq!(answering_table(&db, set), before);
        let told: Vec<_> = diagnostics(&db, set).iter().map(|it| it.primary.file).collect();
        assert_eq!(told, [files[0]], "whoever loads it is not bothered");
        files[0].set_text(&mut db).to(good.replace("'a'", "'b'"));
        assert_eq!(diagnostics(&db, set), &[]);
        assert_eq!(answering_table(&db, set), table(&db, set));
    }

    #[test]
    fn what_is_shipped_of_programs_joins_any_rules_byte_for_byte() {
        for text in [
            "",
            "prefix_rule(['git', ['log', '-C'], '--output'], 'prompt', match = ['git log --output'])\n",
            "prefix_rule([glob('g*'), any_word(), path('/tmp/**')], canonical_matching = True)\nprefix_rule(['GIT'])\n",
            "prefix_rule(['git'], having = [['-p', '--global']], unless = [['git', 'push']], env = ['CI'], writes = ['/tmp/**'])\n",
            "load('@std//git.rules', 'READ_ONLY')\nprefix_rule(['sudo', 'git'], 'forbidden')\ndefault_decision('prompt')\n",
        ] {
            let db = Database::default();
            let file = |(label, text): &(&str, &str)| SourceFile::new(&db, (*label).to_owned(), (*text).to_owned());
            let shipped: BTreeMap<_, _> =
                crate::shipped::shipped().iter().map(|it| (it.0.to_owned(), file(&(it.0, it.1)))).collect();
            let prelude = crate::shipped::prelude().iter().map(|it| shipped[it.0]).collect();
            let modules = shipped.iter().map(|(label, file)| (label.clone(), Module::File(*file))).collect();
            let own = file(&("a.rules", text));
            let set = PolicySet::builder(vec![own], modules, vec![String::new()], "/".to_owned(), None);
            let set = set.prelude(prelude).new(&db);
            let whole = super::whole_rule_set(&db, set);
            assert!(whole.programs.len() > 100 && whole.prepared.is_none());
            assert!(*table(&db, set) == super::table_of(&db, set, &whole), "{text}");
        }
    }

    #[test]
    fn what_broken_files_loaded_does_not_go_in_circles() {
        let mut db = Database::default();
        // Each of `a` and `b` last ran when it loaded another than now.
        let (set, files) = set_of(
            &db,
            &[
                ("x.rules", "load('./a.rules', 'A')\nload('./y.rules', 'Y')\nX = 1\n"),
                ("y.rules", "load('./b.rules', 'B')\nY = 1\n"),
                ("a.rules", "A = (\n"),
                ("b.rules", "B = (\n"),
            ],
        );
        for (place, text) in [(2, "load('./y.rules', 'Y')\nA = 1\n"), (3, "load('./x.rules', 'X')\nB = 1\n")] {
            let last_good = SourceFile::new(&db, files[place].label(&db).clone(), text.to_owned());
            files[place].set_last_good(&mut db).to(Some(last_good));
        }
        assert!(!diagnostics(&db, set).is_empty());
        assert!(!answering_table(&db, set).is_empty());
    }
}
