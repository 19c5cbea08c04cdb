//! Every place where a name is used, in all files that load it.

use super::Place;
use super::bonds::Bonds;
use super::names::Role;
use crate::source::{PolicySet, SourceFile};

/// A place where something is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub place: Place,
    /// What it is there for.
    pub access: Access,
}

/// What something is named for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It is defined, or loaded.
    Definition,
    /// Its value is used and changed.
    Write,
    /// Its value is used.
    Read,
}

impl Access {
    pub(super) const fn of(role: Role) -> Self {
        match role {
            role if role.binds() => Self::Definition,
            Role::Write => Self::Write,
            _ => Self::Read,
        }
    }
}

/// All places of what stands at `offset`, whatever it is called where it is loaded, file by file and by position. Of builtins
/// there are none.
#[must_use]
pub fn references(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Vec<Reference> {
    let bonds = Bonds { db, set };
    let names = bonds.names(file);
    let bound = names.at(offset).and_then(|index| bonds.bound(file, names.occurrences.get(index)?));
    let places = bound.map(|bound| bonds.places(bonds.source(bound), true)).unwrap_or_default();
    let references = places.into_iter().map(|(place, role)| Reference { place, access: Access::of(role) });
    let mut references: Vec<Reference> = references.collect();
    references.sort_by_cached_key(|reference| (reference.place.file.label(db).clone(), reference.place.span));
    references.dedup();
    references
}

#[cfg(test)]
mod tests {
    use super::{Access, references};
    use crate::ide::fixture::fixture;

    fn found(text: &str) -> Vec<String> {
        let fixture = fixture(text);
        let found = references(&fixture.db, fixture.set, fixture.file, fixture.offset);
        let mark = |access| match access {
            Access::Definition => "!",
            Access::Write => "+",
            Access::Read => "",
        };
        found.into_iter().map(|it| format!("{}{}", fixture.shown(it.place), mark(it.access))).collect()
    }

    #[test]
    fn a_name_is_found_in_every_file_that_loads_it() {
        let files = [
            "//- c.rules\nX = [1]\nX += [2]\nprefix_rule(X)\n",
            "//- b.rules\nload('./c.rules', 'X')\n[X for X in X]\n",
            "//- a.rules\nload('./b.rules', Y = 'X')\nprint(Y)\ndef f(X):\n  X\n",
        ];
        let all = [
            "a.rules:1 Y!",
            "a.rules:1 X",
            "a.rules:2 Y",
            "b.rules:1 X!",
            "b.rules:2 X",
            "c.rules:1 X!",
            "c.rules:2 X+",
            "c.rules:3 X",
        ];
        for (from, to) in
            [("X = [1]", "<cursor>X = [1]"), ("print(Y)", "print(<cursor>Y)"), ("'X')\n[", "'<cursor>X')\n[")]
        {
            assert_eq!(found(&files.concat().replace(from, to)), all, "{to}");
        }
        assert_eq!(found("prefix_rule(<cursor>glob('a'))\n"), [""; 0]);
    }

    #[test]
    fn a_parameter_is_found_in_the_calls_that_name_it() {
        let text = "//- a.rules\ndef f(<cursor>p):\n  prefix_rule([p])\nf(p = 'a')\ng(p = 1)\n//- b.rules\nload('./a.rules', h = 'f')\nh(p = 'b')\n";
        assert_eq!(found(text), ["a.rules:1 p!", "a.rules:2 p", "a.rules:3 p", "b.rules:2 p"]);
    }
}
