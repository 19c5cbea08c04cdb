//! The places of a name within its file.

use super::bonds::Bonds;
use super::references::Access;
use crate::source::{PolicySet, SourceFile, Span};

/// A place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The name.
    pub span: Span,
    /// What it is there for.
    pub access: Access,
}

/// The places in the file of what stands at `offset`, by position; of a builtin as well.
#[must_use]
pub fn highlights(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Vec<Highlight> {
    let bonds = Bonds { db, set };
    let names = bonds.names(file);
    let Some(asked) = names.at(offset).and_then(|index| names.occurrences.get(index)) else { return Vec::new() };
    let text = file.text(db);
    let same = |span: Span| span.of(text) == asked.span.of(text);
    let Some(bound) = bonds.bound(file, asked) else {
        let unbound = names.occurrences.iter().filter(|other| other.symbol.is_none() && same(other.span));
        let alike = unbound.filter(|other| std::mem::discriminant(&other.role) == std::mem::discriminant(&asked.role));
        return alike.map(|other| Highlight { span: other.span, access: Access::Read }).collect();
    };
    let source = bonds.source(bound);
    let own = names
        .occurrences
        .iter()
        .filter(|other| bonds.bound(file, other).is_some_and(|other| other == bound || bonds.source(other) == source));
    own.map(|other| Highlight { span: other.span, access: Access::of(other.role) }).collect()
}

#[cfg(test)]
mod tests {
    use super::highlights;
    use crate::ide::fixture::fixture;
    use crate::ide::references::Access;

    fn marked(text: &str) -> String {
        let fixture = fixture(text);
        let mut text = fixture.file.text(&fixture.db).clone();
        for found in highlights(&fixture.db, fixture.set, fixture.file, fixture.offset).into_iter().rev() {
            let mark = match found.access {
                Access::Definition => "!",
                Access::Write => "+",
                Access::Read => "*",
            };
            text.insert_str(found.span.end as usize, mark);
        }
        text
    }

    #[test]
    fn reads_and_writes_are_told_apart() {
        assert_eq!(marked("A = 1\n<cursor>A += A\n"), "A! = 1\nA+ += A*\n");
        assert_eq!(marked("def f(a):\n  a\nf(a = <cursor>a)\n"), "def f(a):\n  a\nf(a = a*)\n");
        assert_eq!(marked("def f(<cursor>a):\n  a\nf(a = a)\n"), "def f(a!):\n  a*\nf(a* = a)\n");
        assert_eq!(marked("<cursor>glob('a')\nglob('b')\n"), "glob*('a')\nglob*('b')\n");
        let loaded = "//- b.rules loaded\nA = 1\n//- a.rules\nload('./b.rules', '<cursor>A', B = 'A')\nA + B\n";
        assert_eq!(marked(loaded), "load('./b.rules', 'A!', B! = 'A*')\nA* + B*\n");
    }
}
