//! A table as a listing, for people.

pub mod effects;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use policyc_runtime::format::{HEADER, Section, VERSION};
use policyc_runtime::{Alternative, Edge, Element, Layer, Matcher, Program, ProgramOption, Rule, State, Table};

use crate::count::count;
use crate::escape;
use crate::paint::Paint;

/// What a table holds but what it knows of programs: sizes, files and rules.
///
/// # Errors
/// None: text always has room.
pub fn listing(table: &Table<'_>, paint: Paint) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let size = count(table.size(), "byte");
    writeln!(text, "{}, format {VERSION}, {size}, checksum {:016x}", paint.strong("decision table"), table.checksum())?;

    writeln!(text, "\n{}", paint.strong("sections"))?;
    let sections = Section::ALL.map(|section| (section.name(), table.section_size(section)));
    for (name, size) in std::iter::once(("header", HEADER)).chain(sections).filter(|(_, size)| *size > 0) {
        writeln!(text, "  {name:<18}{:>20}", count(size, "byte"))?;
    }

    let longest = table.rules().map(|rule| rule.length()).max().unwrap_or_default();
    let edges = rule_edges(table);
    let words: BTreeSet<_> = edges
        .iter()
        .filter_map(|edge| match edge.label? {
            Alternative::Word(word) => Some(word),
            Alternative::Matcher(_) => None,
        })
        .collect();
    writeln!(text, "\n{}", paint.strong("trie"))?;
    let words = count(words.len(), "different word");
    writeln!(
        text,
        "  {}, {words} on them; the longest pattern has {}",
        count(edges.len(), "edge"),
        count(longest, "word")
    )?;

    writeln!(text, "\n{}", paint.strong(count(table.sources().len(), "policy file")))?;
    for source in table.sources() {
        writeln!(text, "  {}", escape::line(source))?;
    }
    if table.layers().any(|layer| !layer.name.is_empty()) {
        writeln!(text, "\n{}", paint.strong(count(table.layers().len(), "layer")))?;
        for layer in table.layers() {
            let name = if layer.name.is_empty() { "(without a name)".into() } else { escape::line(layer.name) };
            let trust = if layer.trusted { "trusted" } else { "untrusted: it only restricts" };
            writeln!(text, "  {name}  {trust}")?;
        }
    }

    writeln!(text, "\n{}", paint.strong(count(table.rules().len(), "rule")))?;
    for rule in table.rules() {
        let number = format!("{:>4}", rule.id());
        let decision = paint.decision(rule.decision(), format!("{:<9}", rule.decision()));
        writeln!(
            text,
            "{}  {decision}  {}{}",
            paint.faint(number),
            pattern(&rule, usize::MAX),
            manner(&rule, usize::MAX)
        )?;
        let place = Place { file: rule.file(), line: rule.line(), column: rule.column(), layer: rule.layer() };
        place.detail(&mut text, rule.justification(), paint)?;
    }

    if table.default_decisions().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.default_decisions().len(), "default decision")))?;
        for default in table.default_decisions() {
            writeln!(text, "      {}", paint.decision(default.decision(), default.decision()))?;
            let (line, column) = (default.line(), default.column());
            let place = Place { file: default.file(), line, column, layer: default.layer() };
            place.detail(&mut text, default.justification(), paint)?;
        }
    }

    if table.host_executables().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.host_executables().len(), "host executable")))?;
        for executable in table.host_executables() {
            let mut paths = escape::words(executable.paths());
            if paths.is_empty() {
                paths.push_str("no path at all");
            }
            writeln!(text, "  {}  {paths}", escape::word(executable.name()))?;
        }
    }
    if table.network_rules().len() > 0 {
        writeln!(text, "\n{}", paint.strong(count(table.network_rules().len(), "network rule")))?;
        for rule in table.network_rules() {
            let decision = paint.decision(rule.decision(), format!("{:<9}", rule.decision()));
            writeln!(text, "      {decision}  {} {}", rule.protocol(), escape::word(rule.host()))?;
            let place = Place { file: rule.file(), line: rule.line(), column: rule.column(), layer: Layer::default() };
            place.detail(&mut text, rule.justification(), paint)?;
        }
    }

    effects::listing(&mut text, table, paint)?;

    let (variables, programs) = (table.inert_variables().count(), table.programs().len());
    if variables + programs > 0 {
        let known = format!("{}, {}", count(programs, "known program"), count(variables, "inert variable"));
        writeln!(text, "\n{}  (`--programs` lists them)", paint.strong(known))?;
    }
    Ok(text)
}

/// The edges that rules are found by. What is known of programs stands in the same trie, below a root of its own.
fn rule_edges<'t>(table: &'t Table<'_>) -> Vec<Edge<'t>> {
    let mut leaving: BTreeMap<State, Vec<Edge<'_>>> = BTreeMap::new();
    for edge in table.edges() {
        leaving.entry(edge.from).or_default().push(edge);
    }
    let mut states = vec![State::Root, State::CanonicalRoot];
    let mut reached = Vec::new();
    while let Some(state) = states.pop() {
        let edges = leaving.remove(&state).unwrap_or_default();
        states.extend(edges.iter().map(|edge| State::After(edge.to)));
        reached.extend(edges);
    }
    reached
}

/// What is known of programs and variables.
pub fn knowledge(table: &Table<'_>, paint: Paint) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let mut variables: Vec<_> = table.inert_variables().map(|name| escape::line(name).into_owned()).collect();
    variables.sort_unstable();
    writeln!(text, "{}", paint.strong(count(variables.len(), "inert variable")))?;
    in_lines(&mut text, &variables, 2)?;
    let programs = table.programs();
    writeln!(text, "\n{}", paint.strong(count(programs.len(), "known program")))?;
    programs.iter().try_for_each(|known| program(&mut text, known, paint))?;
    Ok(text)
}

/// Where a declaration stands.
pub(crate) struct Place<'t> {
    pub(crate) file: &'t str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) layer: Layer<'t>,
}

impl Place<'_> {
    pub(crate) fn detail(&self, text: &mut String, justification: Option<&str>, paint: Paint) -> std::fmt::Result {
        let place = paint.place(format!("{}:{}:{}", escape::line(self.file), self.line, self.column));
        let layer = match self.layer.name {
            "" => String::new(),
            name => format!(", layer {}", escape::line(name)),
        };
        writeln!(text, "                 {place}{layer}")?;
        match justification {
            Some(justification) => writeln!(text, "                 {}", escape::line(justification)),
            None => Ok(()),
        }
    }
}

/// What is known of one program, in the words of policies.
fn program(text: &mut String, program: &Program<'_>, paint: Paint) -> std::fmt::Result {
    let names: Vec<_> = program.names.iter().map(|path| escape::words(path.iter().copied())).collect();
    let mut facts = Vec::new();
    if program.harmless() {
        facts.push("harmless".to_owned());
    }
    if program.moves() {
        facts.push("its first operand is the folder of what follows".to_owned());
    }
    if program.operands() != "data" {
        facts.push(format!("its operands are {}", program.operands()));
    }
    if program.hyphenated() {
        facts.push("a subcommand may stand behind its name and a hyphen".to_owned());
    }
    if let Some(language) = program.stdin() {
        facts.push(format!("its standard input is {language}"));
    }
    text.push('\n');
    in_lines(text, &names, 2)?;
    if !facts.is_empty() {
        writeln!(text, "    {}", paint.place(facts.join("; ")))?;
    }
    let option = |option: ProgramOption<'_>| {
        let name = escape::word(option.name()).into_owned();
        let facts = [
            (option.takes_value() && !name.ends_with('='), "=…".to_owned()),
            (option.harmless(), " harmless".to_owned()),
            (option.runs().is_some(), format!(" runs {}", option.runs().unwrap_or_default())),
            (option.writes(), " writes".to_owned()),
            (option.moves(), " moves".to_owned()),
        ];
        facts.into_iter().filter(|(holds, _)| *holds).fold(name, |name, (_, fact)| name + &fact)
    };
    let options: Vec<_> = program.options().map(option).collect();
    in_lines(text, &options, 6)
}

/// Items one after the other, in lines that a terminal holds.
fn in_lines(text: &mut String, items: &[String], columns: usize) -> std::fmt::Result {
    let mut line = String::new();
    for (place, item) in items.iter().enumerate() {
        let item = if place + 1 < items.len() { format!("{item},") } else { item.clone() };
        if !line.is_empty() && columns + line.chars().count() + 1 + item.chars().count() > 80 {
            writeln!(text, "{:columns$}{line}", "")?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&item);
    }
    if line.is_empty() { Ok(()) } else { writeln!(text, "{:columns$}{line}", "") }
}

/// A pattern as one would type it, alternatives in brackets, at most `most` of each element.
pub fn pattern(rule: &Rule<'_>, most: usize) -> String {
    elements(rule.pattern(), most)
}

fn elements<'t>(elements: impl Iterator<Item = Element<'t>>, most: usize) -> String {
    let element = |element: Element<'t>| {
        let mut words: Vec<_> = element.alternatives().take(most).map(alternative).collect();
        let rest = element.alternatives().skip(most).count();
        if rest > 0 {
            words.push(format!("… {rest} more"));
        }
        if words.len() == 1 { words.concat() } else { format!("[{}]", words.join(" | ")) }
    };
    elements.map(element).collect::<Vec<_>>().join(" ")
}

/// How a rule compares, and what else it asks, in brackets; nothing if there is nothing.
pub fn manner(rule: &Rule<'_>, most: usize) -> String {
    let mut said = Vec::new();
    if rule.canonical_matching() {
        said.push("canonical matching".to_owned());
    }
    if let Some(conditions) = rule.conditions() {
        if conditions.exact() {
            said.push("exact".to_owned());
        }
        let patterns = conditions.unless().map(|pattern| elements(pattern.elements(), most)).collect::<Vec<_>>();
        let alternatives = |words: Vec<String>| words.join(", ");
        let lists = [
            ("having", elements(conditions.having(), most)),
            ("without", elements(conditions.without(), most)),
            ("unless", patterns.join(", ")),
            ("env", alternatives(conditions.env().map(alternative).collect())),
            ("writes", alternatives(conditions.writes().map(alternative).collect())),
        ];
        said.extend(
            lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(name, list)| format!("{name} {list}")),
        );
    }
    if said.is_empty() { String::new() } else { format!("  ({})", said.join("; ")) }
}

/// A word as one would type it, or what stands for more than one.
pub fn alternative(alternative: Alternative<'_>) -> String {
    match alternative {
        Alternative::Word(word) => escape::word(word).into_owned(),
        Alternative::Matcher(Matcher::Glob(pattern)) => format!("glob({})", escape::word(pattern)),
        Alternative::Matcher(Matcher::Path(pattern)) => format!("path({})", escape::word(pattern)),
        Alternative::Matcher(_) => "any_word()".to_owned(),
    }
}
