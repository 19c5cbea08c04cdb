//! Who calls whom: the functions that make rules, and the files whose text does.

use super::Place;
use super::bonds::{Bonds, Bound};
use super::names::{Called, Role};
use crate::source::{PolicySet, SourceFile, Span};

/// A function, or the text of a file outside all functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The function's name, or the file's label.
    pub name: String,
    /// Whether it is a function.
    pub function: bool,
    /// The function's name where it is defined; the start of a file.
    pub place: Place,
    /// The whole definition, or the whole file.
    pub whole: Span,
}

/// What calls, or is called, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// Who is at the other end.
    pub other: Caller,
    /// The calls, in the file of whoever calls.
    pub calls: Vec<Span>,
}

/// The functions that the name at `offset` stands for: several if they are defined under conditions.
#[must_use]
pub fn callers(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Vec<Caller> {
    let bonds = Bonds { db, set };
    let names = bonds.names(file);
    let bound = names.at(offset).and_then(|index| bonds.bound(file, names.occurrences.get(index)?));
    bound.map(|bound| functions(bonds, bonds.source(bound))).unwrap_or_default()
}

/// Who calls the function that is defined at `function`, file by file.
#[must_use]
pub fn incoming(db: &dyn salsa::Database, set: PolicySet, function: Place) -> Vec<Calls> {
    let bonds = Bonds { db, set };
    let names = bonds.names(function.file);
    let defined = names.at(function.span.start).and_then(|index| names.occurrences.get(index));
    let Some(bound) = defined.and_then(|defined| bonds.bound(function.file, defined)) else { return Vec::new() };
    let mut incoming: Vec<Calls> = Vec::new();
    for kin in bonds.kin(bonds.source(bound), true).0 {
        let names = bonds.names(kin.file);
        for call in &names.calls {
            let callee = call.callee.and_then(|callee| names.occurrences.get(callee));
            if callee.is_some_and(|callee| callee.symbol == Some(kin.symbol)) {
                add(&mut incoming, around(bonds, kin.file, call), call.span);
            }
        }
    }
    incoming
}

/// What the function that is defined at `function` calls, builtins left out; or the text of a file, if that is its start.
#[must_use]
pub fn outgoing(db: &dyn salsa::Database, set: PolicySet, function: Place) -> Vec<Calls> {
    let bonds = Bonds { db, set };
    let names = bonds.names(function.file);
    let defined = names.at(function.span.start).and_then(|index| names.occurrences.get(index));
    let own = match defined.map(|defined| (defined.span == function.span, defined.role)) {
        Some((true, Role::Function(statement, _))) => Some(statement),
        _ if function.span.start == function.span.end => None,
        _ => return Vec::new(),
    };
    let mut outgoing = Vec::new();
    for call in &names.calls {
        if names.function_of(call.scope).map(|(_, statement)| statement) != own {
            continue;
        }
        let callee = call.callee.and_then(|callee| bonds.bound(function.file, names.occurrences.get(callee)?));
        let callees = callee.map(|callee| functions(bonds, bonds.source(callee))).unwrap_or_default();
        callees.into_iter().for_each(|callee| add(&mut outgoing, callee, call.span));
    }
    outgoing
}

fn add(calls: &mut Vec<Calls>, other: Caller, span: Span) {
    match calls.iter_mut().find(|calls| calls.other == other) {
        Some(known) => known.calls.push(span),
        None => calls.push(Calls { other, calls: vec![span] }),
    }
}

/// The functions that something is defined as.
fn functions(bonds: Bonds<'_>, bound: Bound) -> Vec<Caller> {
    let names = bonds.names(bound.file);
    let definitions = names.definitions(bound.symbol).filter_map(|definition| match definition.role {
        Role::Function(whole, _) => Some(Caller {
            name: definition.span.of(bound.file.text(bonds.db)).to_owned(),
            function: true,
            place: Place { file: bound.file, span: definition.span },
            whole,
        }),
        _ => None,
    });
    definitions.collect()
}

/// The function that a call stands in, or else the file.
fn around(bonds: Bonds<'_>, file: SourceFile, call: &Called) -> Caller {
    let names = bonds.names(file);
    let function = names.function_of(call.scope).and_then(|(symbol, statement)| {
        let all = functions(bonds, Bound { file, symbol });
        all.into_iter().find(|function| function.whole == statement)
    });
    function.unwrap_or_else(|| Caller {
        name: file.label(bonds.db).clone(),
        function: false,
        place: Place { file, span: Span::default() },
        whole: Span::from(0..file.text(bonds.db).len()),
    })
}

#[cfg(test)]
mod tests {
    use super::{Calls, callers, incoming, outgoing};
    use crate::ide::fixture::{Fixture, fixture};

    fn shown(fixture: &Fixture, calls: &[Calls]) -> Vec<String> {
        let line = |calls: &Calls| {
            format!("{} × {} of {}", calls.other.name, calls.calls.len(), fixture.shown(calls.other.place))
        };
        calls.iter().map(line).collect()
    }

    #[test]
    fn calls_are_followed_both_ways() {
        let fixture = fixture(
            "//- lib.rules loaded\ndef one(word):\n  prefix_rule([word])\ndef <cursor>many(words):\n  [one(word) for word in words]\n  \
             one('x')\n//- a.rules\nload('./lib.rules', all = 'many')\nall(['a'])\nall(['b'])\ndef f():\n  all([])\n",
        );
        let found = callers(&fixture.db, fixture.set, fixture.file, fixture.offset);
        assert_eq!(found.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["many"]);
        let ins = incoming(&fixture.db, fixture.set, found[0].place);
        assert_eq!(shown(&fixture, &ins), ["a.rules × 2 of a.rules:1 ", "f × 1 of a.rules:4 f"]);
        let outs = outgoing(&fixture.db, fixture.set, found[0].place);
        assert_eq!(shown(&fixture, &outs), ["one × 2 of lib.rules:1 one"]);
        let file = outgoing(&fixture.db, fixture.set, ins[0].other.place);
        assert_eq!(shown(&fixture, &file), ["many × 2 of lib.rules:3 many"]);
    }
}
