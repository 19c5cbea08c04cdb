//! Giving something another name, in every file that loads it, without changing what any name stands for.

use std::collections::{BTreeMap, HashMap};

use super::Place;
use super::bonds::{Bonds, Bound};
use super::names::{Names, Role};
use crate::diagnostics::Edit;
use crate::eval::{can_be_bound, is_builtin};
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::line_index;
use crate::syntax::token::{TokenKind, tokens};
use crate::syntax::tree::parse;

/// What can be renamed: where it stands, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// The name that was asked about.
    pub span: Span,
    /// What it is called now.
    pub name: String,
}

/// Why something cannot be renamed, or not so: a sentence for the author, lower case, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

/// What stands at `offset`, if it can be renamed.
///
/// # Errors
///
/// If nothing there has a name, or one that is not the author's to change.
pub fn prepare_rename(
    db: &dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    offset: u32,
) -> Result<Renamable, Refusal> {
    subject(Bonds { db, set }, file, offset).map(|(renamable, _)| renamable)
}

/// The edits that call what stands at `offset` by `name`, by file and position.
///
/// # Errors
///
/// If it cannot be renamed, `name` is not a name, or some name would come to stand for something else.
pub fn rename(
    db: &dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    offset: u32,
    name: &str,
) -> Result<Vec<Edit>, Refusal> {
    let bonds = Bonds { db, set };
    let (renamable, bound) = subject(bonds, file, offset)?;
    valid(name)?;
    if renamable.name == name {
        return Ok(Vec::new());
    }
    let places = bonds.places(bound, false);
    if name.starts_with('_')
        && let Some((place, _)) = places.iter().find(|(_, role)| matches!(role, Role::Loaded(_) | Role::Original(_)))
        && place.file != bonds.source(bound).file
    {
        let loader = place.file.label(db);
        return refuse(format!("`{name}` would be private to its file, and {loader} loads it"));
    }
    unescaped(bonds, bound)?;
    let mut spans: BTreeMap<&str, (SourceFile, Vec<Span>)> = BTreeMap::new();
    for (Place { file, span }, _) in places {
        spans.entry(file.label(db)).or_insert_with(|| (file, Vec::new())).1.push(span);
    }
    let mut edits = Vec::new();
    for (file, mut spans) in spans.into_values() {
        spans.sort_unstable();
        spans.dedup();
        harmless(bonds, file, &spans, name)?;
        edits.extend(spans.into_iter().map(|span| Edit { file, span, text: name.to_owned() }));
    }
    Ok(edits)
}

fn refuse<T>(reason: String) -> Result<T, Refusal> {
    Err(Refusal(reason))
}

/// What stands at an offset, and what it is.
fn subject(bonds: Bonds<'_>, file: SourceFile, offset: u32) -> Result<(Renamable, Bound), Refusal> {
    let names = bonds.names(file);
    let Some(occurrence) = names.at(offset).and_then(|index| names.occurrences.get(index)) else {
        return refuse("there is no name here".to_owned());
    };
    let span = occurrence.span;
    let name = span.of(file.text(bonds.db)).to_owned();
    let Some(bound) = bonds.bound(file, occurrence) else {
        return refuse(match occurrence.role {
            Role::Keyword(_) => format!("`{name}` is an argument of something that no file of the policy defines"),
            Role::Original(_) => format!("`{name}` is defined in no file of the policy"),
            _ if is_builtin(&name) => format!("`{name}` is a builtin"),
            _ => format!("`{name}` is not defined"),
        });
    };
    let (kin, _) = bonds.kin(bound, false);
    let whole = Renamable { span, name };
    match kin.first().filter(|kin| bonds.is_shipped(kin.file)) {
        Some(shipped) => {
            let label = shipped.file.label(bonds.db);
            refuse(format!(
                "`{}` comes from {label}, which ships with the compiler: load it under another name",
                whole.name
            ))
        }
        None if bonds.is_shipped(file) => refuse("the file ships with the compiler".to_owned()),
        None => Ok((whole, bound)),
    }
}

/// Whether `name` can be given to something.
fn valid(name: &str) -> Result<(), Refusal> {
    let mut all = tokens(name);
    let word = match (all.next(), all.next()) {
        (Some(token), None) => Some(token.kind),
        _ => None,
    };
    let first = name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit());
    let letters = first && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !letters || word.is_none() {
        refuse(format!("`{}` is not a name: letters, digits and `_`, not beginning with a digit", name.escape_debug()))
    } else if word != Some(TokenKind::Name) || is_constant(name) || !can_be_bound(name) {
        refuse(format!("`{name}` is a keyword"))
    } else if is_builtin(name) {
        refuse(format!("`{name}` is a builtin"))
    } else {
        Ok(())
    }
}

fn is_constant(name: &str) -> bool {
    matches!(name, "None" | "True" | "False")
}

/// That every call which may name the parameter `bound` is known, if it is one.
fn unescaped(bonds: Bonds<'_>, bound: Bound) -> Result<(), Refusal> {
    let names = bonds.names(bound.file);
    let Some(symbol) = names.symbols.get(bound.symbol) else { return Ok(()) };
    if !names.definitions(bound.symbol).any(|definition| definition.role == Role::Parameter) {
        return Ok(());
    }
    let function = names.parameter_of(bound.symbol);
    let known = |file: SourceFile, call: usize| {
        let names = bonds.names(file);
        let callee = names.calls.get(call).and_then(|call| names.occurrences.get(call.callee?));
        callee.is_some_and(|callee| match bonds.bound(file, callee) {
            Some(callee) => {
                let callee = bonds.source(callee);
                let mut definitions = bonds.names(callee.file).definitions(callee.symbol);
                let first = definitions.next().is_some_and(|first| matches!(first.role, Role::Function(..)));
                first && definitions.next().is_none()
            }
            None => is_builtin(callee.span.of(file.text(bonds.db))),
        })
    };
    let own = function.map(|function| bonds.source(Bound { symbol: function, ..bound }));
    for file in bonds.files() {
        let names = bonds.names(file);
        let text = file.text(bonds.db);
        let named = names.occurrences.iter().find(|occurrence| match occurrence.role {
            Role::Keyword(call) => occurrence.span.of(text) == symbol.name && !known(file, call),
            _ => false,
        });
        let spread = names.calls.iter().enumerate().find(|(index, call)| {
            let callee = call.callee.and_then(|callee| bonds.bound(file, names.occurrences.get(callee)?));
            call.spread && (!known(file, *index) || own.is_some() && callee.map(|it| bonds.source(it)) == own)
        });
        let doubtful = named.map(|occurrence| occurrence.span).or_else(|| spread.map(|(_, call)| call.span));
        if let Some(span) = doubtful {
            let place = place(bonds, file, span);
            return refuse(format!("the call at {place} may name the parameter, and cannot be looked into"));
        }
    }
    Ok(())
}

fn place(bonds: Bonds<'_>, file: SourceFile, span: Span) -> String {
    let line = line_index(bonds.db, file).position(span.start).line;
    format!("{}:{line}", file.label(bonds.db))
}

/// That once `name` stands at the `spans` of a file, all its names still stand for what they did.
fn harmless(bonds: Bonds<'_>, file: SourceFile, spans: &[Span], name: &str) -> Result<(), Refusal> {
    let text = file.text(bonds.db);
    let before = bonds.names(file);
    let mut renamed = text.clone();
    for span in spans.iter().rev() {
        renamed.replace_range(span.start as usize..span.end as usize, name);
    }
    let after = Names::of(&parse(&renamed));
    let mut partners: HashMap<Option<usize>, Option<usize>> = HashMap::new();
    let mut back: HashMap<Option<usize>, Option<usize>> = HashMap::new();
    for (index, old) in before.occurrences.iter().enumerate() {
        let new = after.occurrences.get(index);
        let same = new.is_some_and(|new| {
            *partners.entry(old.symbol).or_insert(new.symbol) == new.symbol
                && *back.entry(new.symbol).or_insert(old.symbol) == old.symbol
                && old.symbol.is_some() == new.symbol.is_some()
        });
        if !same {
            // Of two names that would become one, the other is the one to show.
            let other = before.occurrences.iter().find(|other| other.span.of(text) == name).unwrap_or(old);
            let place = place(bonds, file, other.span);
            return refuse(format!("`{name}` already stands for something else at {place}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{prepare_rename, rename};
    use crate::ide::fixture::fixture;

    /// The files that a renaming changes, or why there is none.
    fn renamed(text: &str, name: &str) -> String {
        let fixture = fixture(text);
        let edits = match rename(&fixture.db, fixture.set, fixture.file, fixture.offset, name) {
            Ok(edits) => edits,
            Err(refusal) => return refusal.to_string(),
        };
        let mut shown = String::new();
        for (label, file) in &fixture.files {
            let mut text = file.text(&fixture.db).clone();
            let own = edits.iter().filter(|edit| edit.file == *file);
            for edit in own.clone().rev() {
                text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            }
            if own.count() > 0 {
                shown += &format!("//- {label}\n{text}");
            }
        }
        shown
    }

    #[test]
    fn a_name_changes_wherever_it_is_loaded() {
        let files = "//- c.rules\nX = ['a']\n//- b.rules\nload('./c.rules', 'X')\nprefix_rule(X)\n//- a.rules\nload('./b.rules', Y = 'X')\nprefix_rule(Y)\n";
        let all = "//- a.rules\nload('./b.rules', Y = 'Z')\nprefix_rule(Y)\n//- b.rules\nload('./c.rules', 'Z')\nprefix_rule(Z)\n//- c.rules\nZ = ['a']\n";
        assert_eq!(renamed(&files.replace("X = [", "<cursor>X = ["), "Z"), all);
        assert_eq!(renamed(&files.replace("rule(X", "rule(<cursor>X"), "Z"), all);
        assert_eq!(renamed(&files.replace("Y = 'X", "Y = '<cursor>X"), "Z"), all);
        let alias = "//- a.rules\nload('./b.rules', Z = 'X')\nprefix_rule(Z)\n";
        assert_eq!(renamed(&files.replace("rule(Y", "rule(<cursor>Y"), "Z"), alias);
    }

    #[test]
    fn parameters_change_in_calls() {
        let text = "def f(<cursor>p, q = 1):\n  prefix_rule([p], justification = q)\nf(p = 'a')\nf('b', q = 'p')\n";
        let expected = "//- a.rules\ndef f(word, q = 1):\n  prefix_rule([word], justification = q)\nf(word = 'a')\nf('b', q = 'p')\n";
        assert_eq!(renamed(text, "word"), expected);
        let spread = "def f(<cursor>p):\n  pass\nf(**{'p': 1})\n";
        assert_eq!(renamed(spread, "q"), "the call at a.rules:3 may name the parameter, and cannot be looked into");
        let passed = "def f(<cursor>p):\n  pass\n[g(p = 1) for g in [f]]\n";
        assert_eq!(renamed(passed, "q"), "the call at a.rules:3 may name the parameter, and cannot be looked into");
    }

    #[test]
    fn only_what_keeps_its_meaning_is_renamed() {
        for (text, name, refusal) in [
            ("<cursor>prefix_rule(['a'])\n", "x", "`prefix_rule` is a builtin"),
            ("<cursor>x\n", "y", "`x` is not defined"),
            ("x = '<cursor>a'\n", "y", "there is no name here"),
            ("<cursor>x = 1\n", "for", "`for` is a keyword"),
            ("<cursor>x = 1\n", "None", "`None` is a keyword"),
            ("<cursor>x = 1\n", "while", "`while` is a keyword"),
            ("<cursor>x = 1\n", "return", "`return` is a keyword"),
            ("<cursor>x = 1\n", "a b", "`a b` is not a name: letters, digits and `_`, not beginning with a digit"),
            ("<cursor>x = 1\n", "1x", "`1x` is not a name: letters, digits and `_`, not beginning with a digit"),
            ("<cursor>x = 1\n", "", "`` is not a name: letters, digits and `_`, not beginning with a digit"),
            ("<cursor>x = 1\n", "glob", "`glob` is a builtin"),
            ("<cursor>x = 1\ny = 2\n", "y", "`y` already stands for something else at a.rules:2"),
            ("<cursor>x = 1\ndef f(y):\n  return x\n", "y", "`y` already stands for something else at a.rules:2"),
            ("y = 1\ndef f(<cursor>x):\n  return x + y\n", "y", "`y` already stands for something else at a.rules:1"),
            (
                "load('@std//git.rules', '<cursor>READ_ONLY')\n",
                "x",
                "`READ_ONLY` comes from @std//git.rules, which ships with the compiler: load it under another name",
            ),
            (
                "//- a.rules\n<cursor>x = 1\n//- b.rules\nload('./a.rules', 'x')\ny = x\n",
                "y",
                "`y` already stands for something else at b.rules:2",
            ),
            (
                "//- a.rules\n<cursor>x = 1\n//- b.rules\nload('./a.rules', 'x')\n",
                "_x",
                "`_x` would be private to its file, and b.rules loads it",
            ),
        ] {
            assert_eq!(renamed(text, name), refusal, "{text}");
        }
        let shadowed = "<cursor>x = 1\ndef f(x):\n  return x\ny = x\n";
        assert_eq!(renamed(shadowed, "z"), "//- a.rules\nz = 1\ndef f(x):\n  return x\ny = z\n");
    }

    #[test]
    fn what_can_be_renamed_is_shown_first() {
        let fixture = fixture("READ = 1\nprefix_rule(RE<cursor>AD)\n");
        let prepared = prepare_rename(&fixture.db, fixture.set, fixture.file, fixture.offset).unwrap();
        assert_eq!((prepared.name.as_str(), prepared.span.of(fixture.file.text(&fixture.db))), ("READ", "READ"));
    }
}
