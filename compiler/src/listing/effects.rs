//! What a table says that requests do, as a part of its listing.

use std::fmt::{Error, Write};

use policyc_runtime::{ArgumentWord, CommandRow, Effects, Layer, Table, Tool, ToolPattern, ToolRule};

use super::{Place, alternative, elements, manner, pattern};
use crate::count::count;
use crate::escape;
use crate::paint::Paint;

/// Capabilities, commands, tools, facts, profiles, rules for tool calls and limits of grants; nothing of what there is none.
pub(crate) fn listing(text: &mut String, table: &Table<'_>, paint: Paint) -> Result<(), Error> {
    capabilities(text, table, paint)?;
    if table.commands().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.commands().len(), "command")))?;
        for row in table.commands() {
            let rule = row.rule;
            writeln!(text, "  {}", row_of(table, &row))?;
            place(rule.file(), rule.line(), rule.column(), rule.layer()).detail(text, None, paint)?;
        }
    }
    if table.tools().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.tools().len(), "tool")))?;
        for tool in table.tools() {
            writeln!(text, "  {}: {}", escape::word(tool.name()), names(table, tool.effects()))?;
            details(text, &facts_of(table, &tool))?;
            place(tool.file(), tool.line(), tool.column(), tool.layer()).detail(text, None, paint)?;
        }
    }
    if table.requirements().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.requirements().len(), "requirement")))?;
        for requirement in table.requirements() {
            let unless = match requirement.unless() {
                claims if claims.is_empty() => String::new(),
                claims => format!("  (unless {})", names(table, claims)),
            };
            let fact = requirement.fact().to_string();
            writeln!(text, "  {}: {}{unless}", names(table, requirement.effects()), escape::line(&fact))?;
            place(requirement.file(), requirement.line(), requirement.column(), requirement.layer())
                .detail(text, None, paint)?;
        }
    }
    if table.profiles().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.profiles().len(), "profile")))?;
        for profile in table.profiles() {
            writeln!(text, "  {}", escape::word(profile.name()))?;
            let tools = profile.tools().map(tools).unwrap_or_default();
            details(
                text,
                &[
                    ("allow", names(table, profile.allows())),
                    ("prompt", names(table, profile.prompts())),
                    ("tools", tools),
                ],
            )?;
            place(profile.file(), profile.line(), profile.column(), profile.layer()).detail(text, None, paint)?;
        }
    }
    if table.tool_rules().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.tool_rules().len(), "tool rule")))?;
        for rule in table.tool_rules() {
            let decision = paint.decision(rule.decision(), format!("{:<9}", rule.decision()));
            writeln!(text, "      {decision}  {}", asked(&rule))?;
            place(rule.file(), rule.line(), rule.column(), rule.layer()).detail(text, rule.justification(), paint)?;
        }
    }
    if table.grants().len() > 0 {
        writeln!(text, "\n{}", paint.strong("limits of grants"))?;
        for limits in table.grants() {
            let mut said = vec![format!("at most {}", count(limits.max_ttl() as usize, "second"))];
            said.extend(limits.max_open().map(|most| format!("{} open", count(most as usize, "request"))));
            let reserved: Vec<_> = limits.reserved().map(escape::word).collect();
            if !reserved.is_empty() {
                said.push(format!("never decided by {}", reserved.join(", ")));
            }
            writeln!(text, "  {}", said.join("; "))?;
            place(limits.file(), limits.line(), limits.column(), limits.layer()).detail(text, None, paint)?;
        }
    }
    Ok(())
}

fn capabilities(text: &mut String, table: &Table<'_>, paint: Paint) -> Result<(), Error> {
    if table.capabilities().len() == 0 {
        return Ok(());
    }
    writeln!(text, "\n{}", paint.strong(many(table.capabilities().len(), "capability", "capabilities")))?;
    for capability in table.capabilities() {
        let what = match (capability.is_claim(), capability.writes()) {
            (true, _) => "claim",
            (false, true) => "writes",
            (false, false) => "reads",
        };
        let declared = match capability.place() {
            Some((file, line, column)) => paint.place(format!("{}:{line}:{column}", escape::line(file))).to_string(),
            None => "there anyway".to_owned(),
        };
        writeln!(text, "  {what:<6}  {}  {declared}", escape::word(capability.name()))?;
    }
    Ok(())
}

/// `1 capability`, `2 capabilities`.
fn many(number: usize, one: &str, several: &str) -> String {
    let counted = count(number, one);
    if number == 1 { counted } else { counted.replace(&format!("{one}s"), several) }
}

fn place<'t>(file: &'t str, line: u32, column: u32, layer: Layer<'t>) -> Place<'t> {
    Place { file, line, column, layer }
}

/// Lines below a declaration: what is said, and of what.
fn details(text: &mut String, said: &[(&str, String)]) -> Result<(), Error> {
    said.iter().filter(|(_, what)| !what.is_empty()).try_for_each(|(of, what)| writeln!(text, "      {of} {what}"))
}

/// Names of capabilities, one after the other.
pub fn names(table: &Table<'_>, effects: Effects) -> String {
    let known = effects.numbers().filter_map(|number| table.capability(number));
    known.map(|capability| escape::word(capability.name()).into_owned()).collect::<Vec<_>>().join(", ")
}

/// The pattern of a row with its conditions.
pub fn commands(row: &CommandRow<'_>) -> String {
    let paths = row.paths_from().map(|operands| format!("  (paths from operand {})", u64::from(operands) + 1));
    format!("{}{}{}", pattern(&row.rule, usize::MAX), manner(&row.rule, usize::MAX), paths.unwrap_or_default())
}

fn row_of(table: &Table<'_>, row: &CommandRow<'_>) -> String {
    format!("{}: {}", commands(row), names(table, row.effects()))
}

fn facts_of(table: &Table<'_>, tool: &Tool<'_>) -> [(&'static str, String); 4] {
    let parameters: Vec<_> = tool
        .parameters()
        .map(|parameter| {
            let optional = if parameter.optional() { "?" } else { "" };
            format!("{}: {}{optional}", escape::word(parameter.name()), parameter.role().name())
        })
        .collect();
    let command: Vec<_> = tool
        .command()
        .map(|word| match word {
            ArgumentWord::Literal(word) => escape::word(word).into_owned(),
            ArgumentWord::Parameter(name) => format!("{{{name}}}"),
        })
        .collect();
    let mut said = Vec::new();
    said.extend(tool.target().map(|target| format!("target {}", target.name())));
    if tool.locked() {
        said.push("locked".to_owned());
    }
    if tool.idempotent() {
        said.push("idempotent".to_owned());
    }
    said.extend(tool.timeout().map(|seconds| format!("at most {}", count(seconds.get() as usize, "second"))));
    said.extend(tool.cost().map(|cost| format!("cost {}", cost.name())));
    [
        ("takes", parameters.join(", ")),
        ("runs", command.join(" ")),
        ("claims", names(table, tool.claims())),
        ("is", said.join(", ")),
    ]
}

/// Names of tools.
fn tools(tools: ToolPattern<'_>) -> String {
    let names: Vec<_> = tools.alternatives().map(alternative).collect();
    names.join(", ")
}

/// What a rule asks of a call.
fn asked(rule: &ToolRule<'_>) -> String {
    let arguments = |arguments: Vec<(&str, policyc_runtime::Element<'_>)>| {
        let said = arguments.into_iter().map(|(pointer, element)| {
            format!("{} {}", escape::word(pointer), elements([element].into_iter(), usize::MAX))
        });
        said.collect::<Vec<_>>().join(", ")
    };
    let mut said = Vec::new();
    let given = arguments(rule.arguments().collect());
    if !given.is_empty() {
        said.push(format!("given {given}"));
    }
    let exceptions: Vec<_> = rule
        .unless()
        .map(|exception| {
            let given = arguments(exception.arguments().collect());
            let named = exception.tool().map(tools).unwrap_or_default();
            if given.is_empty() { named } else { format!("{named}given {given}") }
        })
        .collect();
    if !exceptions.is_empty() {
        said.push(format!("unless {}", exceptions.join(", ")));
    }
    let named = rule.tool().map(tools).unwrap_or_default();
    if said.is_empty() { named } else { format!("{named}  ({})", said.join("; ")) }
}
