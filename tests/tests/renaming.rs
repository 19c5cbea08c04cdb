//! Whatever is renamed, in policies of several files, the declarations stay what they are.

use std::collections::BTreeMap;
use std::fmt::Write;

use policyc::db::{self, Database};
use policyc::diagnostics::Severity;
use policyc::eval::evaluate;
use policyc::ide::{prepare_rename, rename};
use policyc::source::{Module, PolicySet, SourceFile};
use policyc::syntax::token::{TokenKind, tokens};
use policyc_tests::random::Random;

/// Few names, so that they shadow one another.
const NAMES: [&str; 5] = ["a", "b", "c", "p", "q"];

/// A policy set that was made up.
struct Set {
    db: Database,
    set: PolicySet,
    files: Vec<SourceFile>,
}

impl Set {
    fn new(texts: &[String]) -> Self {
        let db = Database::default();
        let file = |(index, text): (usize, &String)| SourceFile::new(&db, format!("f{index}.rules"), text.clone());
        let files: Vec<SourceFile> = texts.iter().enumerate().map(file).collect();
        let modules: BTreeMap<_, _> = files.iter().map(|file| (file.label(&db).clone(), Module::File(*file))).collect();
        let set = PolicySet::new(&db, files.clone(), modules, vec![String::new()], "/".to_owned(), None);
        Self { db, set, files }
    }

    fn is_usable(&self) -> bool {
        db::diagnostics(&self.db, self.set).iter().all(|diagnostic| diagnostic.severity < Severity::Error)
    }

    /// What the files declare, without places.
    fn declared(&self) -> String {
        let mut declared = String::new();
        for file in &self.files {
            for rule in &evaluate(&self.db, self.set, *file).declarations.prefix_rules {
                writeln!(declared, "{:?} {}", rule.pattern, rule.decision).expect("memory can be written to");
            }
        }
        declared
    }
}

/// What a made-up file defines.
#[derive(Clone, Default)]
struct Known {
    lists: Vec<&'static str>,
    functions: Vec<(&'static str, [&'static str; 2])>,
}

/// Writes a file that loads from those before it.
fn made_up(random: &mut Random, others: &[Known]) -> (String, Known) {
    let mut text = String::new();
    let mut known = Known::default();
    let mut loaded: Vec<&str> = Vec::new();
    for _ in 0..random.below(3) {
        let other = random.below(others.len().max(1));
        if let Some(theirs) = others.get(other) {
            let name = *random.pick(&theirs.lists);
            let alias = *random.pick(&NAMES);
            if !loaded.contains(&name) && random.one_in(2) {
                let _ = writeln!(text, "load('./f{other}.rules', '{name}')");
                loaded.push(name);
            } else if !loaded.contains(&alias) {
                let _ = writeln!(text, "load('./f{other}.rules', {alias} = '{name}')");
                loaded.push(alias);
            }
            if let Some((function, parameters)) = theirs.functions.first().filter(|_| known.functions.is_empty()) {
                let _ = writeln!(text, "load('./f{other}.rules', g = '{function}')");
                known.functions.push(("g", *parameters));
            }
        }
    }
    known.lists.extend(loaded.iter().copied());
    let own: Vec<&'static str> = NAMES.into_iter().filter(|name| !loaded.contains(name)).collect();
    for _ in 0..random.between(2, 6) {
        let list = |random: &mut Random, known: &Known| match known.lists.is_empty() {
            true => "['w']".to_owned(),
            false => (*random.pick(&known.lists)).to_owned(),
        };
        let (one, other) = (list(random, &known), list(random, &known));
        let (name, bound) = (*random.pick(&NAMES), *random.pick(&NAMES));
        let target = own.get(random.below(own.len().max(1))).copied();
        let line = match (random.below(9), target) {
            (0 | 1, Some(target)) => format!("{target} = {one} + ['v']\n"),
            (2, Some(target)) => format!("{target} = [{name} + 'x' for {name} in {one} if {name}]\n"),
            (3, Some(target)) => format!("if {one}:\n    {target} = {other}\nelse:\n    {target} = {one}\n"),
            (4, Some(target)) => {
                format!("{target} = (lambda {name}, {bound}_: {name} + {bound}_ + {one})({one}, {other})\n")
            }
            (5, _) => format!("[prefix_rule([{name}, {bound}_]) for {name} in {one} for {bound}_ in {other}]\n"),
            (6, _) => {
                let second = NAMES.into_iter().find(|second| *second != name).unwrap_or("z");
                let default = one.clone();
                let inner = if other == name || other == second { "['o']".to_owned() } else { other.clone() };
                let made = format!(
                    "def f({name}, {second} = {default}):\n    l = {name} + {second}\n    prefix_rule(l + {inner}_)\n    \
                     [prefix_rule([{name}]) for {name} in l]\n    return l\n"
                );
                if known.functions.iter().any(|(function, _)| *function == "f") {
                    continue;
                }
                known.functions.push(("f", [name, second]));
                made.replace(&format!("{inner}_"), &inner)
            }
            _ => match known.functions.last() {
                Some((function, [first, _])) if random.one_in(2) => format!("{function}({first} = {one})\n"),
                Some((function, [first, second])) => format!("{function}({second} = {one}, {first} = {other})\n"),
                None => format!("prefix_rule({one})\n"),
            },
        };
        text += &line;
        if line.starts_with("if ") || line.contains(" = ") {
            known
                .lists
                .extend(target.filter(|target| line.contains(&format!("{target} = ")) && !line.starts_with("def")));
        }
        known.lists.sort_unstable();
        known.lists.dedup();
    }
    if known.lists.is_empty() {
        text += "z = ['z']\n";
        known.lists.push("z");
    }
    (text, known)
}

/// The files after a renaming, if it is granted.
fn renamed(set: &Set, texts: &[String], (file, offset): (SourceFile, u32), name: &str) -> Result<Vec<String>, String> {
    let edits = rename(&set.db, set.set, file, offset, name).map_err(|refusal| refusal.to_string())?;
    let mut texts = texts.to_vec();
    for edit in edits.iter().rev() {
        let file = set.files.iter().position(|file| *file == edit.file).expect("only files of the set are edited");
        let text = texts.get_mut(file).expect("each file has a text");
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    Ok(texts)
}

#[test]
fn what_is_renamed_declares_the_same() {
    let mut random = Random::seeded(7);
    let (mut usable, mut granted, mut taken) = (0, 0, 0);
    for _ in 0..120 {
        let mut texts = Vec::new();
        let mut known = Vec::new();
        for _ in 0..random.between(2, 3) {
            let (text, names) = made_up(&mut random, &known);
            texts.push(text);
            known.push(names);
        }
        let set = Set::new(&texts);
        if !set.is_usable() {
            continue;
        }
        usable += 1;
        let declared = set.declared();
        for (file, text) in set.files.iter().zip(&texts) {
            for token in tokens(text).filter(|token| token.kind == TokenKind::Name) {
                let place = (*file, token.span.start);
                if random.one_in(3) || prepare_rename(&set.db, set.set, *file, place.1).is_err() {
                    continue;
                }
                match renamed(&set, &texts, place, "fresh") {
                    Ok(after) => {
                        granted += 1;
                        let after = Set::new(&after);
                        assert_eq!(after.declared(), declared, "{texts:?} at {place:?}");
                        assert!(after.is_usable(), "{texts:?} at {place:?}");
                    }
                    Err(refusal) => assert!(refusal.ends_with("cannot be looked into"), "{refusal}: {texts:?}"),
                }
                let name = *random.pick(&NAMES);
                if let Ok(after) = renamed(&set, &texts, place, name) {
                    taken += 1;
                    let same = Set::new(&after).declared();
                    assert_eq!(same, declared, "{texts:?} at {place:?} to {name}: {after:?}");
                }
            }
        }
    }
    assert!(usable > 40 && granted > 300 && taken > 50, "{usable} sets, {granted} and {taken} renamings");
}
