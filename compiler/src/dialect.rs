//! What a policy uses beyond the dialect of the reference engine.

use std::collections::HashSet;

use crate::check::invalid_dialect;
use crate::db::run_order;
use crate::diagnostics::{Diagnostic, Site};
use crate::eval::{evaluate, extensions};
use crate::shipped::PREFIX;
use crate::source::PolicySet;
use crate::syntax::{Step, locate, outline};

/// Every use of an extension in the set's files, each an error, file by file and by position. Shipped files are not looked
/// into: to load one is a use by itself.
pub fn uses(db: &dyn salsa::Database, set: PolicySet) -> Vec<Diagnostic> {
    let mut uses = Vec::new();
    for file in run_order(db, set).iter().copied().filter(|file| !file.label(db).starts_with(PREFIX)) {
        let start = uses.len();
        let loads = outline(db, file).loads.iter();
        uses.extend(loads.map(|load| invalid_dialect::load(&Site::new(file, load.span))));
        let names = extensions(db, file).iter();
        uses.extend(names.map(|span| invalid_dialect::builtin(&Site::new(file, *span), span.of(file.text(db)))));
        // A function may be called many times from many places.
        let mut told = HashSet::new();
        for (origin, keyword) in &evaluate(db, set, file).extended {
            if told.insert((origin.file, origin.span, *keyword)) {
                let located = locate(origin.file.text(db), origin.span, &[Step::Keyword(keyword)]);
                uses.push(invalid_dialect::keyword(&Site::within(origin, located.span), keyword));
            }
        }
        let unsorted = uses.get_mut(start..).unwrap_or_default();
        unsorted.sort_by_key(|diagnostic| (diagnostic.primary.file != file, diagnostic.primary.span));
    }
    uses
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::uses;
    use crate::db::Database;
    use crate::source::{PolicySet, SourceFile};

    #[test]
    fn every_use_is_found_and_nothing_else() {
        let db = Database::default();
        let text = "load('@std//a.rules', 'A')\n\
                    path = 1\n\
                    def f(program, **more):\n    option = program\n    prefix_rule([program], **more)\n\
                    prefix_rule(['a', glob('b')], 'prompt', [], exact = False, without = [any_word()])\n\
                    f(program = 'c', env = ['D'])\n\
                    f('d', env = ['E'])\n\
                    expect('a', None) if path else inert_env\n";
        let file = SourceFile::new(&db, "a.rules".to_owned(), text.replace("load('@std//a.rules', 'A')", ""));
        let set = PolicySet::new(&db, vec![file], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
        let found: Vec<_> = uses(&db, set).iter().map(|it| it.primary.span.of(file.text(&db)).to_owned()).collect();
        assert_eq!(found, ["more", "glob", "exact", "without", "any_word", "expect", "inert_env"]);
        let loading = SourceFile::new(&db, "b.rules".to_owned(), text.to_owned());
        let set = PolicySet::new(&db, vec![loading], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
        assert_eq!(uses(&db, set)[0].message, "the dialect `codex` does not have `load`");
    }
}
