//! `policyc inspect`: a table as a listing or as a graph.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use policyc::listing::{alternative, knowledge, listing};
use policyc_runtime::{Decision, Edge, Rule, State, Table};

use super::paint::{OnTerminal, Paint};
use super::{output, tables};

const EXAMPLES: &str = "\
Examples:
  policyc inspect policy.table
  policyc inspect policy.table --programs
  policyc inspect policy.table --dot | dot -Tsvg > policy.svg";

/// List what a decision table holds, or draw it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Inspect {
    /// The table
    table: PathBuf,
    /// Print the graph of its states in the language of Graphviz
    #[arg(long)]
    dot: bool,
    /// List the programs that it knows, with their options, and the variables that change nothing
    #[arg(long, conflicts_with = "dot")]
    programs: bool,
}

impl Inspect {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        let bytes = tables::read(&self.table)?;
        let table = tables::open(&bytes, &self.table)?;
        let paint = Paint::for_stdout();
        let text = match self {
            Self { dot: true, .. } => graph(&table)?,
            Self { programs: true, .. } => knowledge(&table, paint)?,
            _ => listing(&table, paint)?,
        };
        output::print(text.as_bytes())?;
        Ok(0)
    }
}

/// States as circles, double where rules end; the rules that end in a state are written in it. States are numbered and
/// edges sorted by their words, so that the graph does not tell where the table happens to keep them.
fn graph(table: &Table<'_>) -> Result<String, std::fmt::Error> {
    let mut leaving: BTreeMap<State, Vec<Edge<'_>>> = BTreeMap::new();
    for edge in table.edges() {
        leaving.entry(edge.from).or_default().push(edge);
    }
    leaving.values_mut().for_each(|edges| edges.sort_by_key(|edge| (edge.label.map(alternative), edge.to)));

    let mut text = String::from("digraph policy {\n  rankdir=LR;\n  node [shape=circle, fontname=\"monospace\"];\n");
    let mut states = VecDeque::from([(State::Root, "start".to_owned())]);
    text.push_str("  start;\n");
    if leaving.contains_key(&State::CanonicalRoot) {
        states.push_back((State::CanonicalRoot, "canonical".to_owned()));
        text.push_str("  canonical [label=\"start\\n(canonical)\"];\n");
    }
    let mut number = 0_usize;
    while let Some((state, name)) = states.pop_front() {
        for edge in leaving.remove(&state).unwrap_or_default() {
            number += 1;
            let to = format!("s{number}");
            writeln!(text, "  {to} [{}];", ending(table, &edge))?;
            let label = edge.label.map_or("(alternatives)".to_owned(), |label| quoted(&alternative(label)));
            writeln!(text, "  {name} -> {to} [label=\"{label}\"];")?;
            states.push_back((State::After(edge.to), to));
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// How the state at the end of an edge looks.
fn ending(table: &Table<'_>, edge: &Edge<'_>) -> String {
    let rules: Vec<_> = edge.rules().filter_map(|id| table.rule(id)).collect();
    let Some(strictest) = rules.iter().map(Rule::decision).max() else { return "label=\"\"".to_owned() };
    let colour = match strictest {
        Decision::Forbidden => "red3",
        Decision::Prompt => "orange3",
        Decision::Allow => "green4",
    };
    let lines: Vec<_> = rules.iter().map(|rule| format!("{} {}", rule.id(), rule.decision())).collect();
    format!("shape=doublecircle, color={colour}, label=\"{}\"", lines.join("\\n"))
}

/// Text inside a Graphviz string.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
