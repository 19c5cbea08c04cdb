//! Everything that a table says of effects, read once: what a damaged table must survive.

use policyc_runtime::{ArgumentWord, Element, FactPiece, Table};

/// Reads all of it, and returns how much there was.
pub fn read_all(table: &Table<'_>) -> usize {
    let alternatives = |element: Element<'_>| element.alternatives().count();
    let mut read = 0;
    for capability in table.capabilities() {
        let place = capability.place().map_or(0, |(file, ..)| file.len());
        read += capability.name().len() + place + usize::from(capability.writes() || capability.is_claim());
    }
    let vocabulary = table.vocabulary();
    read += vocabulary.map_or(0, |roles| roles.writes.and(roles.claims).numbers().count());
    for row in table.commands() {
        let conditions = row.rule.conditions();
        let groups = conditions.iter().flat_map(|all| all.having().chain(all.without()));
        read += row.rule.pattern().chain(groups).map(alternatives).sum::<usize>() + row.effects().numbers().count();
        assert!(table.command(row.rule.id()).is_some(), "a row is found by its id");
    }
    for tool in table.tools() {
        let words = tool.command().map(|word| match word {
            ArgumentWord::Literal(word) | ArgumentWord::Parameter(word) => word.len(),
        });
        read += words.sum::<usize>();
        read += tool.parameters().map(|it| it.name().len() + it.role().name().len()).sum::<usize>();
        read += tool.target().map_or(0, |target| target.name().len()) + tool.claims().numbers().count();
        read += usize::from(tool.locked() || tool.idempotent()) + tool.cost().map_or(0, |cost| cost.name().len());
        assert!(table.tool(tool.name()).is_some(), "a tool is found by its name");
        for profile in table.profiles() {
            read += usize::from(profile.offers(tool.name())) + profile.decision(tool.effects()) as usize;
        }
    }
    for requirement in table.requirements() {
        let fact = requirement.fact();
        let pieces = fact.pieces().map(|piece| match piece {
            FactPiece::Literal(text) | FactPiece::Parameter(text) => text.len(),
            FactPiece::Target => 1,
        });
        read += pieces.sum::<usize>() + fact.to_string().len() + requirement.unless().numbers().count();
    }
    for profile in table.profiles() {
        assert!(table.profile(profile.name()).is_some(), "a profile is found by its name");
        read += profile.file().len() + profile.layer().name.len();
    }
    for rule in table.tool_rules() {
        read += rule.tool().map_or(0, |tool| tool.alternatives().count());
        read += rule.arguments().map(|(pointer, element)| pointer.len() + alternatives(element)).sum::<usize>();
        for exception in rule.unless() {
            let given = exception.arguments().map(|(pointer, element)| pointer.len() + alternatives(element));
            read += given.sum::<usize>() + exception.tool().map_or(0, |tool| usize::from(tool.describes("a/b")));
        }
        read += rule.justification().map_or(0, str::len) + rule.decision() as usize;
    }
    for limits in table.grants() {
        read += limits.reserved().map(str::len).sum::<usize>() + limits.max_ttl() as usize;
        read += limits.max_open().unwrap_or_default() as usize;
    }
    read
}
