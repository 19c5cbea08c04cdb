//! Any bytes are a table or are refused; and what is a table answers, whatever it holds.
//!
//! The first half of the runs gets a checksum that fits, so that the structure alone must hold up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policyc_runtime::{Context, Folders, Matching, Request, ShellKind, Table, format};

fuzz_target!(|bytes: &[u8]| {
    let Some((&mode, bytes)) = bytes.split_first() else { return };
    let mut bytes = bytes.to_vec();
    if mode < 128 && bytes.len() >= format::HEADER {
        let checksum = format::computed_checksum(&bytes);
        bytes[format::CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    }
    let Ok(table) = Table::from_bytes(&bytes) else { return };
    let mut commands: Vec<Vec<&str>> = table
        .rules()
        .take(8)
        .map(|rule| rule.pattern().take(64).filter_map(|element| element.words().last()).collect())
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    commands.push(text.split(['\0', '/']).filter(|word| !word.is_empty()).take(8).collect());
    commands.push(vec!["/usr/bin/git", "status"]);
    commands.push(Vec::new());
    let folders = Folders { working: "/oracle", home: Some("/home/dev") };
    for command in &commands {
        for (matching, resolve_host_executables) in
            [(Matching::Reference, false), (Matching::Reference, true), (Matching::Guarded, false)]
        {
            let context = Context { matching, resolve_host_executables, folders: Some(folders), terms: None };
            let evaluation = table.decide(command, &context);
            // A hostile table may call a rule's decision one thing and the state's another; neither may panic or hang.
            let matches = evaluation.matches().take(100_000).map(|found| found.rule.decision()).max();
            std::hint::black_box((evaluation.decision(), matches, evaluation.words().count()));
            std::hint::black_box(evaluation.resolved_program().map(|program| program.to_string()));
        }
    }
    let context = Context { folders: Some(folders), ..Context::default() };
    let evaluation = table.decide::<&str>(Request::text(&text, ShellKind::Bash), &context);
    std::hint::black_box((evaluation.decision(), evaluation.answers().commands.len()));
    for rule in table.rules() {
        let words: usize = rule.pattern().map(|element| element.words().map(str::len).sum::<usize>()).sum();
        std::hint::black_box((words, rule.decision(), rule.justification(), rule.file(), rule.line(), rule.column()));
    }
    std::hint::black_box(policyc_tests::effects::read_all(&table));
    let paths: usize = table.host_executables().map(|executable| executable.name().len() + executable.paths().count()).sum();
    let hosts: usize = table.network_rules().map(|rule| rule.host().len() + rule.justification().map_or(0, str::len)).sum();
    let edges: usize = table.edges().map(|edge| edge.rules().count()).sum();
    std::hint::black_box((paths, hosts, edges, table.sources().map(str::len).sum::<usize>()));
});
