//! Where a name comes from, through every `load`, and which file a path names.

use super::Place;
use super::bonds::Bonds;
use super::links::link_at;
use super::names::Role;
use crate::source::{PolicySet, SourceFile, Span};

/// Where the definition of something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What is defined: a name or a path of a `load`.
    pub asked: Span,
    /// The places where it is defined, which are several if it is defined under conditions; the start of a loaded file.
    pub targets: Vec<Target>,
}

/// One place where something is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name.
    pub name: Place,
    /// The statement or clause around it.
    pub whole: Span,
}

/// Where what stands at `offset` is defined; nothing for builtins and words.
#[must_use]
pub fn definition(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Option<Definition> {
    let bonds = Bonds { db, set };
    if let Some(link) = link_at(db, set, file, offset) {
        let start = Target { name: Place { file: link.target?, span: Span::default() }, whole: Span::default() };
        return Some(Definition { asked: link.span, targets: vec![start] });
    }
    let names = bonds.names(file);
    let occurrence = names.occurrences.get(names.at(offset)?)?;
    let bound = bonds.source(bonds.bound(file, occurrence)?);
    let definitions = bonds.names(bound.file).definitions(bound.symbol).map(|definition| {
        let whole = match definition.role {
            Role::Variable(whole) | Role::Function(whole, _) => whole,
            _ => definition.span,
        };
        Target { name: Place { file: bound.file, span: definition.span }, whole }
    });
    let targets: Vec<Target> = definitions.collect();
    (!targets.is_empty()).then_some(Definition { asked: occurrence.span, targets })
}

#[cfg(test)]
mod tests {
    use super::definition;
    use crate::ide::fixture::fixture;

    fn defined(text: &str) -> Vec<String> {
        let fixture = fixture(text);
        let found = definition(&fixture.db, fixture.set, fixture.file, fixture.offset);
        let targets = found.into_iter().flat_map(|found| found.targets);
        targets.map(|target| fixture.shown(target.name)).collect()
    }

    #[test]
    fn names_lead_to_what_binds_them() {
        for (text, expected) in [
            ("A = 1\nprefix_rule([<cursor>A])\n", vec!["a.rules:1 A"]),
            ("A = 1\nprefix_rule([A<cursor>])\n", vec!["a.rules:1 A"]),
            ("if X:\n  A = 1\nelse:\n  A = 2\n<cursor>A\n", vec!["a.rules:2 A", "a.rules:4 A"]),
            ("a = 1\ndef f(a):\n  return <cursor>a\n", vec!["a.rules:2 a"]),
            ("def f(a):\n  return a\nf(<cursor>a = 1)\n", vec!["a.rules:1 a"]),
            ("<cursor>prefix_rule(['a'])\n", vec![]),
            ("de<cursor>f f():\n  pass\n", vec![]),
            ("f(<cursor>b = 1)\n", vec![]),
            ("prefix_rule(['gi<cursor>t'])\n", vec![]),
        ] {
            assert_eq!(defined(text), expected, "{text}");
        }
    }

    #[test]
    fn loads_are_followed_to_the_end() {
        let files = "//- c.rules loaded\nX = 1\ndef f(p):\n  pass\n//- b.rules loaded\nload('./c.rules', 'f', Y = 'X')\n//- a.rules\n";
        for (text, expected) in [
            ("load('./b.rules', Z = 'Y')\n<cursor>Z\n", vec!["c.rules:1 X"]),
            ("load('./b.rules', Z = '<cursor>Y')\n", vec!["c.rules:1 X"]),
            ("load('./b.rules', '<cursor>Y')\n", vec!["c.rules:1 X"]),
            ("load('./b.rules', 'f')\nf(<cursor>p = 1)\n", vec!["c.rules:2 p"]),
            ("load('./<cursor>b.rules', 'f')\n", vec!["b.rules:1 "]),
            ("load('./no.rules', 'f')\n<cursor>f\n", vec!["a.rules:1 f"]),
            ("load('./<cursor>no.rules', 'f')\n", vec![]),
            ("load('@std//<cursor>git.rules', 'f')\n", vec!["@std//git.rules:1 "]),
        ] {
            assert_eq!(defined(&format!("{files}{text}")), expected, "{text}");
        }
    }
}
