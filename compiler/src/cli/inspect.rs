//! `policyc inspect`: a table as a listing or as a graph.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use policyc::listing::{alternative, knowledge, listing};
use policyc_runtime::{Decision, Edge, Rule, State, Table};

use super::compile::Compiled;
use super::paint::{OnTerminal, Paint};
use super::progress::Progress;
use super::sources::{PolicyOptions, Repeats};
use super::{FAILED, draw, output, tables};

const EXAMPLES: &str = "\
Examples:
  policyc inspect policy.table
  policyc inspect policy.table --programs
  policyc inspect policy.table --dot | dot -Tsvg > policy.svg";

/// List what a decision table holds, or draw it
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Inspect {
    /// The table [default: that of the policy which `policyc.toml` names]
    table: Option<PathBuf>,
    /// The configuration [default: the nearest `policyc.toml` at or above the current folder]
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    config: Option<PathBuf>,
    /// Print the graph of its states in the language of Graphviz
    #[arg(long)]
    dot: bool,
    /// List the programs that it knows, with their options, and the variables that change nothing
    #[arg(long, conflicts_with = "dot")]
    programs: bool,
}

impl Inspect {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        let made = Path::new("the table just made");
        let bytes = match &self.table {
            Some(path) => tables::read(path)?,
            None => match self.made()? {
                Some(bytes) => bytes,
                None => return Ok(FAILED),
            },
        };
        let table = tables::open(&bytes, self.table.as_deref().unwrap_or(made))?;
        let paint = Paint::for_stdout();
        let text = match self {
            Self { dot: true, .. } => graph(&table)?,
            Self { programs: true, .. } => knowledge(&table, paint)?,
            _ => listing(&table, paint)?,
        };
        output::print(text.as_bytes())?;
        Ok(0)
    }

    /// The table of the policy that is configured; nothing if that has errors, which are then printed.
    fn made(&self) -> anyhow::Result<Option<Vec<u8>>> {
        let options = PolicyOptions { layer: Vec::new(), config: self.config.clone(), no_prelude: false };
        let progress = Progress::on_terminal();
        let compiled = Compiled::new(&options.chosen("inspect", &[], Repeats::Refused)?, &progress);
        let bytes = compiled.table().map(<[u8]>::to_vec);
        drop(progress);
        if bytes.is_none() {
            draw::diagnostics(&compiled.db, &compiled.diagnostics, Paint::for_stderr());
        }
        Ok(bytes)
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
