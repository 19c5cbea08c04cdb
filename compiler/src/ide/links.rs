//! The paths of `load` statements, and the files that they lead to.

use super::bonds::Bonds;
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::{module_label, outline};

/// A path in a file that leads to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The path, without quotes.
    pub span: Span,
    /// The label of the file; `@std//…` for one that comes with the compiler and is on no disk.
    pub label: String,
    /// The file, if it could be read.
    pub target: Option<SourceFile>,
}

/// The paths of a file's `load` statements, in order; not those that cannot be paths.
#[must_use]
pub fn links(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Link> {
    let links = outline(db, file).loads.iter().filter_map(|load| {
        let label = module_label(file.label(db), &load.path, set.roots(db)).ok()?;
        let quoted = load.span.of(file.text(db));
        let before = quoted.find(load.path.as_str()).filter(|_| !load.path.is_empty());
        let inside = |start: usize| Span::from(start..start + load.path.len()).shifted(load.span.start);
        let target = Bonds { db, set }.loaded_file(file, &load.path);
        Some(Link { span: before.map_or(load.span, inside), label, target })
    });
    links.collect()
}

/// The path at an offset.
pub(super) fn link_at(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Option<Link> {
    // Most places are in no `load`: they need no label.
    let touches = |span: Span| span.start <= offset && offset <= span.end;
    if !outline(db, file).loads.iter().any(|load| touches(load.span)) {
        return None;
    }
    links(db, set, file).into_iter().find(|link| touches(link.span))
}

#[cfg(test)]
mod tests {
    use super::links;
    use crate::ide::fixture::fixture;

    #[test]
    fn paths_lead_to_files() {
        let fixture = fixture(
            "//- x/b.rules loaded\n//- a.rules\nload('./x/b.rules', 'B')\nload(r\"@std//git.rules\", 'G')\n\
             load('./no.rules', 'N')\nload('no.rules', 'N')\nload('../no.rules', 'N')\n",
        );
        let file = fixture.files["a.rules"];
        let found = links(&fixture.db, fixture.set, file);
        let shown: Vec<_> = found
            .iter()
            .map(|link| (link.span.of(file.text(&fixture.db)), link.label.as_str(), link.target.is_some()))
            .collect();
        let expected = [
            ("./x/b.rules", "x/b.rules", true),
            ("@std//git.rules", "@std//git.rules", true),
            ("./no.rules", "no.rules", false),
        ];
        assert_eq!(shown, expected);
    }
}
