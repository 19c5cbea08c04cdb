//! Everything that a table says of effects, read once: what a damaged table must survive.

use policyc_runtime::{
    Access, ArgumentWord, Context, Element, FactPiece, Folders, Grant, Request, ShellKind, Table, Terms,
};

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
    read + judge(table)
}

/// Puts requests to a few profiles of the table, and returns how many causes they gave.
fn judge(table: &Table<'_>) -> usize {
    let folders = Some(Folders { working: "/work", home: Some("/home/dev") });
    let grants = [Grant {
        capability: table.capabilities().next().map_or("", |capability| capability.name()),
        target: None,
        parameters: &[],
        access: Access::Write,
        expires: 9,
        remaining: Some(1),
    }];
    let mut read = 0;
    for profile in table.profiles().map(|profile| profile.name()).take(3).chain(["unheard-of"]) {
        let terms = Terms { profile: Some(profile), facts: &["read:/work/a"], grants: &grants, time: 1, ..Terms::NONE };
        let context = Context { folders, terms: Some(&terms), ..Context::default() };
        let mut ask = |request: Request<'_>| {
            let evaluation = table.decide(request, &context);
            let account = evaluation.account();
            // The quick way and the full account are to say the same of any table.
            read +=
                account.causes.len() + account.sources.len() + usize::from(account.decision == evaluation.decision());
        };
        for tool in table.tools().take(3) {
            for arguments in ["{}", "{\"path\":\"a\",\"unit\":\"x\",\"content\":\"\"}", "["] {
                ask(Request::Tool { tool: tool.name(), arguments, target: None });
            }
        }
        ask(Request::Tool { tool: "a/b", arguments: "{\"a\":[1]}", target: Some("a") });
        ask(Request::Network { protocol: "https", host: "example.com" });
        ask(Request::text("cd sub && git push x > out < in", ShellKind::Bash));
    }
    read
}
