//! Layers: which file is whose, and what those that are not trusted may not say.

use std::collections::{BTreeMap, HashMap, HashSet};

use policyc_runtime::ResolvedProgram;

use crate::check::unreachable_declaration;
use crate::db::run_order;
use crate::diagnostics::{Diagnostic, Site};
use crate::eval::evaluate;
use crate::rules::{Decision, HostExecutable, Origin};
use crate::shipped::PREFIX;
use crate::source::{Layer, PolicySet, SourceFile};
use crate::syntax::{Step, locate};

/// The layer of every file, in the order in which they run. A loaded file that is none of the set's own has the layer of
/// the files that load it; a trusted one, if one of them is trusted.
#[salsa::tracked]
pub fn of_files(db: &dyn salsa::Database, set: PolicySet) -> Vec<(SourceFile, usize)> {
    let given = set.layer_of_file(db);
    let own = set.files(db).iter().enumerate().map(|(place, file)| (*file, given.get(place).copied().unwrap_or(0)));
    let own: Vec<(SourceFile, usize)> = own.collect();
    let mut layers: HashMap<SourceFile, usize> = own.iter().rev().copied().collect();
    let (trusted, others): (Vec<_>, Vec<_>) = own.into_iter().partition(|(_, layer)| layer_trusted(db, set, *layer));
    let mut seen = HashSet::new();
    for (file, layer) in trusted.into_iter().chain(others) {
        let mut waiting = vec![file];
        while let Some(file) = waiting.pop() {
            if seen.insert(file) {
                let loads = evaluate(db, set, file).loads.iter().copied();
                waiting.extend(loads.filter(|load| !layers.contains_key(load)).collect::<Vec<_>>());
                layers.entry(file).or_insert(layer);
            }
        }
    }
    let order = run_order(db, set).iter();
    let with_last_good = order.flat_map(|file| [Some((*file, *file)), file.last_good(db).map(|good| (good, *file))]);
    let layer_of = |(file, as_known)| (file, layers.get(&as_known).copied().unwrap_or_default());
    with_last_good.flatten().map(layer_of).collect()
}

fn layer_trusted(db: &dyn salsa::Database, set: PolicySet, layer: usize) -> bool {
    set.layers(db).get(layer).is_none_or(|layer| layer.trusted)
}

/// The layer of `file`, unless that is the only one.
fn layer_of(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Option<&Layer> {
    let layers = set.layers(db);
    let of_file = || of_files(db, set).iter().find(|(other, _)| *other == file);
    layers.get(if layers.len() > 1 { of_file()?.1 } else { 0 })
}

/// Whether `file` may allow.
pub fn is_trusted(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> bool {
    layer_of(db, set, file).is_none_or(|layer| layer.trusted)
}

/// The host executables that more than one trusted layer declares, among the files up to `last`, each with the paths that
/// all of them list: no layer can widen what another says. Within a layer the last declaration of a name wins.
#[salsa::tracked]
pub fn common_executables(db: &dyn salsa::Database, set: PolicySet, last: SourceFile) -> Vec<HostExecutable> {
    if set.layers(db).len() < 2 {
        return Vec::new();
    }
    let mut by_name: BTreeMap<&str, BTreeMap<usize, &HostExecutable>> = BTreeMap::new();
    for (file, layer) in of_files(db, set) {
        if layer_trusted(db, set, *layer) {
            for executable in &evaluate(db, set, *file).declarations.host_executables {
                by_name.entry(&executable.name).or_default().insert(*layer, executable);
            }
        }
        if *file == last {
            break;
        }
    }
    let folded =
        |path: &String| if path.starts_with('/') { ResolvedProgram::absolute(path).to_string() } else { path.clone() };
    let common = by_name.into_values().filter(|layers| layers.len() > 1).filter_map(|layers| {
        let mut executables = layers.into_values();
        let mut common = executables.next()?.clone();
        for other in executables {
            let listed: HashSet<String> = other.paths.iter().map(folded).collect();
            common.paths.retain(|path| listed.contains(&folded(path)));
        }
        Some(common)
    });
    common.collect()
}

/// What `file` says that its layer may not say: a warning for each.
pub(crate) fn ignored(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    let Some(layer) = layer_of(db, set, file).filter(|layer| !layer.trusted) else { return Vec::new() };
    let declarations = &evaluate(db, set, file).declarations;
    let rules = declarations.prefix_rules.iter().filter(|rule| rule.decision == Decision::Allow);
    let network = declarations.network_rules.iter().filter(|rule| rule.decision == Decision::Allow);
    let tools = declarations.tool_rules.iter().filter(|rule| rule.decision == Decision::Allow);
    let ignored: Vec<(&str, &Origin)> = rules
        .map(|rule| ("an allow rule", &rule.origin))
        .chain(network.map(|rule| ("an allow rule for a host", &rule.origin)))
        .chain(declarations.host_executables.iter().map(|it| ("a `host_executable`", &it.origin)))
        .chain(declarations.programs.iter().map(|it| ("a `program`", &it.origin)))
        .chain(declarations.inert_env.iter().map(|it| ("an `inert_env`", &it.origin)))
        .chain(declarations.capabilities.iter().map(|it| ("a `capability`", &it.origin)))
        .chain(declarations.commands.iter().map(|it| ("a `command`", &it.rule.origin)))
        .chain(declarations.tools.iter().map(|it| ("a `tool`", &it.origin)))
        .chain(declarations.profiles.iter().map(|it| ("a `profile`", &it.origin)))
        .chain(declarations.grants.iter().map(|it| ("a `grants`", &it.origin)))
        .chain(tools.map(|rule| ("an allow rule for a tool", &rule.origin)))
        .collect();
    // A shipped policy is not the author's to mend: that it does nothing here is said once.
    let told = if file.label(db).starts_with(PREFIX) { 1 } else { ignored.len() };
    let warning = |(what, origin): &(&str, &Origin)| {
        let callee = locate(origin.file.text(db), origin.span, &[Step::Callee]);
        let site = Site::within(origin, callee.span);
        unreachable_declaration::diagnostic(&site, what, &layer.name, ignored.len() - told)
    };
    ignored.iter().take(told).map(warning).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::of_files;
    use crate::db::{Database, diagnostics, rule_set, run_order, whole_rule_set};
    use crate::source::{Layer, Module, PolicySet, SourceFile};

    struct Policy {
        db: Database,
        set: PolicySet,
    }

    /// The files, of which those with a layer are the set's own, and the others only there to be loaded.
    fn policy(files: &[(&str, Option<usize>, &str)]) -> Policy {
        let db = Database::default();
        let sources: Vec<_> = files
            .iter()
            .map(|(label, layer, text)| (SourceFile::new(&db, (*label).to_owned(), (*text).to_owned()), *layer))
            .collect();
        let modules: BTreeMap<_, _> =
            sources.iter().map(|(file, _)| (file.label(&db).clone(), Module::File(*file))).collect();
        let own: Vec<_> = sources.iter().filter(|(_, layer)| layer.is_some()).collect();
        let layer = |name: &str, trusted| Layer { name: name.to_owned(), trusted };
        let set = PolicySet::builder(
            own.iter().map(|(file, _)| *file).collect(),
            modules,
            vec![String::new()],
            "/".to_owned(),
            None,
        )
        .layers(vec![layer("system", true), layer("user", true), layer("project", false)])
        .layer_of_file(own.iter().filter_map(|(_, layer)| *layer).collect())
        .new(&db);
        Policy { db, set }
    }

    #[test]
    fn an_untrusted_layer_only_restricts() {
        let Policy { db, set } = policy(&[(
            "a.rules",
            Some(2),
            "prefix_rule(['a'])\nprefix_rule(['b'], 'prompt')\nhost_executable('x', ['/x'])\nprogram('p')\n\
             inert_env(['E'])\nnetwork_rule('h', 'http', 'allow')\nnetwork_rule('h', 'http', 'deny')\n\
             default_decision('forbidden')\n",
        )]);
        let rules = whole_rule_set(&db, set);
        assert_eq!((rules.prefix_rules.len(), rules.network_rules.len(), rules.default_decisions.len()), (1, 1, 1));
        assert_eq!((rules.host_executables.len(), rules.programs.len(), rules.inert_env.len()), (0, 0, 0));
        let told: Vec<_> = diagnostics(&db, set).iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "an allow rule is ignored, because the layer `project` is not trusted",
                "a `host_executable` is ignored, because the layer `project` is not trusted",
                "a `program` is ignored, because the layer `project` is not trusted",
                "an `inert_env` is ignored, because the layer `project` is not trusted",
                "an allow rule for a host is ignored, because the layer `project` is not trusted",
            ]
        );
    }

    #[test]
    fn no_layer_widens_what_another_says_of_an_executable() {
        let Policy { db, set } = policy(&[
            ("a.rules", Some(0), "host_executable('x', ['/a/x'])\nhost_executable('x', ['/b/x', '/c/x', '/d/x'])\n"),
            ("b.rules", Some(1), "host_executable('x', ['/e/x', '/c/./x', '/b//x'])\nhost_executable('y', ['/y'])\n"),
            ("c.rules", Some(2), "host_executable('x', ['/b/x'])\n"),
        ]);
        let paths = |count| {
            let rules = rule_set(&db, set, run_order(&db, set).iter().copied().take(count));
            rules.host_executables.into_iter().rfind(|it| it.name == "x").unwrap().paths.clone()
        };
        assert_eq!(paths(1), ["/b/x", "/c/x", "/d/x"], "within a layer the last one wins");
        assert_eq!(paths(2), ["/b/x", "/c/x"]);
        assert_eq!(paths(3), ["/b/x", "/c/x"], "an untrusted layer has no say");
    }

    #[test]
    fn a_loaded_file_is_as_trusted_as_the_most_trusted_that_loads_it() {
        let Policy { db, set } = policy(&[
            ("p.rules", Some(2), "load('./both.rules', 'f')\nload('./theirs.rules', x = 'X')\nf('of p')\n"),
            ("u.rules", Some(1), "load('./both.rules', 'f')\nload('./p.rules', y = 'x')\nf('of u')\n"),
            ("both.rules", None, "def f(word): prefix_rule([word])\nprefix_rule(['both'])\n"),
            ("theirs.rules", None, "prefix_rule(['theirs'])\nX = 1\nx = 1\n"),
        ]);
        let layers: Vec<_> =
            of_files(&db, set).iter().map(|(file, layer)| (file.label(&db).as_str(), *layer)).collect();
        assert_eq!(layers, [("both.rules", 1), ("theirs.rules", 2), ("p.rules", 2), ("u.rules", 1)]);
        let rules = whole_rule_set(&db, set).prefix_rules;
        let words: Vec<_> = rules.iter().map(|rule| rule.pattern[0].words[0].as_str()).collect();
        assert_eq!(words, ["both", "of u"], "who calls a function declares its rules");
    }

    #[test]
    fn the_prelude_comes_first_and_says_only_what_programs_are() {
        let db = Database::default();
        let file = |label: &str, text: &str| SourceFile::new(&db, label.to_owned(), text.to_owned());
        let prelude = file("@std//programs/a.rules", "program('a')\ninert_env(['E'])\nprefix_rule(['a'])\n");
        let broken = file("@std//programs/b.rules", "program(1)\n");
        let own = file("a.rules", "program('a', harmless = True)\n");
        let set = |prelude| {
            PolicySet::builder(vec![own], BTreeMap::new(), Vec::new(), "/".to_owned(), None).prelude(prelude).new(&db)
        };
        let rules = whole_rule_set(&db, set(vec![prelude]));
        let harmless: Vec<_> = rules.programs.iter().map(|program| program.harmless).collect();
        assert_eq!(
            (harmless.as_slice(), rules.inert_env.len(), rules.prefix_rules.len()),
            ([false, true].as_slice(), 1, 0)
        );
        assert_eq!(run_order(&db, set(vec![prelude])), &[own]);
        assert_eq!(diagnostics(&db, set(vec![prelude])), &[]);
        assert_eq!(diagnostics(&db, set(vec![prelude, broken])).len(), 1);
    }
}
