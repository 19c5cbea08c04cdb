//! `policyc matrix`: what each profile says of each effect, tool and command.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use policyc_runtime::{ArgumentWord, Context, Decision, Effects, Profile, Table, Terms};
use serde::Serialize;

use super::check;
use super::compile::Compiled;
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::sources::{Policies, Repeats};
use super::{escape, output, usage_error};
use policyc::count::count;
use policyc::listing::effects::commands;

const EXAMPLES: &str = "\
A tool that a profile does not offer is forbidden under it. A command may have more
effects than its row says, if other rows match it as well; then the strictest holds.

Exit codes: 0 printed, 1 the policy has errors, 2 wrong usage.

Examples:
  policyc matrix policies
  policyc matrix policies --profile readonly --profile verify
  policyc matrix policies --format csv > matrix.csv";

const JSON: &str = "\
JSON (keys may be added, none is taken away or changed):
  {\"profiles\": [name],
   \"capabilities\": [{\"name\", \"writes\", \"decisions\": [decision]}],   one a profile, in order
   \"tools\": [{\"name\", \"effects\": [name], \"decisions\"}],
   \"commands\": [{\"pattern\", \"file\", \"line\", \"effects\", \"decisions\"}]}";

/// Show what each profile says of each effect, tool and command of a policy
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{JSON}"))]
pub(super) struct Matrix {
    #[command(flatten)]
    policies: Policies,
    /// Show this profile; give the option again for each further one. Without it, all of them
    #[arg(long, value_name = "NAME")]
    profile: Vec<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// How a matrix is printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For sheets
    Csv,
    /// For programs
    Json,
}

impl Matrix {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        let progress = Progress::on_terminal();
        let Policies { paths, options } = &self.policies;
        let compiled = Compiled::new(&options.chosen("matrix", paths, Repeats::Refused)?, &progress);
        drop(progress);
        let Some(bytes) = compiled.table() else {
            let report = check::report(&compiled, check::Format::Text, None)?;
            output::complain(&report.stderr);
            return Ok(report.code);
        };
        let table = Table::from_bytes(bytes).expect("a table that was just made is valid");
        let mut profiles = Vec::new();
        for name in &self.profile {
            let Some(profile) = table.profile(name) else {
                let known: Vec<_> = table.profiles().map(|profile| profile.name()).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!("there is no profile '{}'; the policy has {known}", escape::line(name));
                return Err(usage_error("matrix", message));
            };
            profiles.push(profile);
        }
        if self.profile.is_empty() {
            profiles.extend(table.profiles());
        }
        let cells = Cells::new(&table, &profiles);
        let text = match self.format {
            Format::Text => cells.text(Paint::for_stdout())?,
            Format::Csv => cells.csv(),
            Format::Json => serde_json::to_string(&cells)? + "\n",
        };
        output::print(text.as_bytes())?;
        Ok(0)
    }
}

/// All that is known, each decision under its name.
#[derive(Serialize)]
struct Cells {
    profiles: Vec<String>,
    capabilities: Vec<Capability>,
    tools: Vec<Tool>,
    commands: Vec<Command>,
}

#[derive(Serialize)]
struct Capability {
    name: String,
    writes: bool,
    decisions: Vec<&'static str>,
}

#[derive(Serialize)]
struct Tool {
    name: String,
    effects: Vec<String>,
    decisions: Vec<&'static str>,
}

#[derive(Serialize)]
struct Command {
    pattern: String,
    file: String,
    line: u32,
    effects: Vec<String>,
    decisions: Vec<&'static str>,
}

impl Cells {
    fn new(table: &Table<'_>, profiles: &[Profile<'_>]) -> Self {
        let decisions = |effects: Effects, offered: &dyn Fn(&Profile<'_>) -> bool| -> Vec<&'static str> {
            let decision = |profile: &Profile<'_>| {
                if offered(profile) { profile.decision(effects) } else { Decision::Forbidden }
            };
            profiles.iter().map(|profile| decision(profile).name()).collect()
        };
        let names = |effects: Effects| -> Vec<String> {
            let known = effects.numbers().filter_map(|number| table.capability(number));
            known.map(|capability| capability.name().to_owned()).collect()
        };
        // What a tool does is what it says, and what the command does that it runs.
        let effects_of = |tool: &policyc_runtime::Tool<'_>| {
            let word = |word: ArgumentWord<'_>| match word {
                ArgumentWord::Literal(word) => word.to_owned(),
                ArgumentWord::Parameter(name) => name.to_owned(),
            };
            let command: Vec<String> = tool.command().map(word).collect();
            if command.is_empty() {
                return tool.effects();
            }
            let context = Context { terms: Some(&Terms::NONE), ..Context::default() };
            tool.effects().and(table.decide(&command, &context).account().effects)
        };
        let effects = table.capabilities().filter(|capability| !capability.is_claim());
        Self {
            profiles: profiles.iter().map(|profile| profile.name().to_owned()).collect(),
            capabilities: effects
                .map(|capability| Capability {
                    name: capability.name().to_owned(),
                    writes: capability.writes(),
                    decisions: decisions(Effects::of(capability.number()), &|_| true),
                })
                .collect(),
            tools: table
                .tools()
                .map(|tool| Tool {
                    name: tool.name().to_owned(),
                    effects: names(effects_of(&tool)),
                    decisions: decisions(effects_of(&tool), &|profile| profile.offers(tool.name())),
                })
                .collect(),
            commands: table
                .commands()
                .map(|row| Command {
                    pattern: commands(&row),
                    file: row.rule.file().to_owned(),
                    line: row.rule.line(),
                    effects: names(row.effects()),
                    decisions: decisions(row.effects(), &|_| true),
                })
                .collect(),
        }
    }

    /// The parts, each with its rows: a name, what it does, decisions.
    fn parts(&self) -> [(&'static str, Vec<Row<'_>>); 3] {
        let capabilities = self.capabilities.iter().map(|it| Row {
            name: &it.name,
            effects: if it.writes { "writes".to_owned() } else { "reads".to_owned() },
            decisions: &it.decisions,
        });
        let tools =
            self.tools.iter().map(|it| Row { name: &it.name, effects: it.effects.join(" "), decisions: &it.decisions });
        let commands = self.commands.iter().map(|it| Row {
            name: &it.pattern,
            effects: it.effects.join(" "),
            decisions: &it.decisions,
        });
        [("capability", capabilities.collect()), ("tool", tools.collect()), ("command", commands.collect())]
    }

    fn text(&self, paint: Paint) -> Result<String, std::fmt::Error> {
        let parts = self.parts();
        let rows = || parts.iter().flat_map(|(_, rows)| rows);
        let shown = |name: &str| escape::shortened(&escape::line(name), WIDEST).into_owned();
        let width = rows().map(|row| shown(row.name).chars().count()).max().unwrap_or_default();
        let width_of = |profile: &String| profile.chars().count().max("forbidden".len());
        let mut text = String::new();
        for (kind, rows) in parts.iter().filter(|(_, rows)| !rows.is_empty()) {
            if !text.is_empty() {
                text.push('\n');
            }
            let title = match *kind {
                "capability" if rows.len() != 1 => format!("{} capabilities", rows.len()),
                kind => count(rows.len(), kind),
            };
            let mut head = format!("{title:<0$}", width + 2);
            for profile in &self.profiles {
                write!(head, "  {:<1$}", shown(profile), width_of(profile))?;
            }
            writeln!(text, "{}", paint.strong(head.trim_end()))?;
            for row in rows {
                let name = shown(row.name);
                let blanks = width - name.chars().count();
                let blanks = if self.profiles.is_empty() { 0 } else { blanks };
                write!(text, "  {name}{:blanks$}", "")?;
                for (place, (profile, decision)) in self.profiles.iter().zip(row.decisions).enumerate() {
                    let last = place + 1 == self.profiles.len();
                    let padded = format!("{decision:<0$}", if last { 0 } else { width_of(profile) });
                    let decision = Decision::from_name(decision).unwrap_or(Decision::Forbidden);
                    write!(text, "  {}", paint.decision(decision, padded))?;
                }
                text.push('\n');
            }
        }
        if self.profiles.is_empty() {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str("the policy has no profiles\n");
        }
        Ok(text)
    }

    fn csv(&self) -> String {
        let mut text = String::new();
        let fixed = ["kind", "name", "effects"].into_iter();
        push_line(&mut text, fixed.chain(self.profiles.iter().map(String::as_str)));
        for (kind, rows) in self.parts() {
            for row in rows {
                let fixed = [kind, row.name, &row.effects].into_iter();
                push_line(&mut text, fixed.chain(row.decisions.iter().copied()));
            }
        }
        text
    }
}

/// How wide the names of rows are for people; sheets and programs get all of them.
const WIDEST: usize = 60;

struct Row<'a> {
    name: &'a str,
    effects: String,
    decisions: &'a [&'static str],
}

/// One record of RFC 4180.
fn push_line<'a>(text: &mut String, fields: impl Iterator<Item = &'a str>) {
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(',');
        }
        if field.contains(['"', ',', '\n', '\r']) {
            text.push('"');
            text.push_str(&field.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(field);
        }
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::push_line;

    #[test]
    fn fields_of_sheets_are_quoted() {
        let mut text = String::new();
        push_line(&mut text, ["a", "b,c", "d\"e"].into_iter());
        assert_eq!(text, "a,\"b,c\",\"d\"\"e\"\r\n");
    }
}
