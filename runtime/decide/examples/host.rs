//! A host in thirty lines: `cargo run -p policyc-runtime --example host -- TABLE WORD...` runs the command or refuses.

use std::process::{Command, ExitCode};

use policyc_runtime::{Context, Decision, Table};

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: host TABLE WORD...")?;
    let command: Vec<String> = arguments.collect();
    let (program, operands) = command.split_first().ok_or("usage: host TABLE WORD...")?;

    let bytes = std::fs::read(path)?;
    let table = Table::from_bytes(&bytes)?;
    let evaluation = table.decide(&command, &Context::default());

    // No rule, no permission: what no match means is the host's to say, and this host says no.
    if evaluation.decision() == Some(Decision::Allow) {
        let status = Command::new(program).args(operands).status()?;
        return Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    eprintln!("refused: {}", evaluation.decision().map_or("no rule allows it", Decision::name));
    for matched in evaluation.matches() {
        let rule = matched.rule;
        let reason = rule.justification().unwrap_or("no reason is given");
        eprintln!("  {} by {}:{}: {reason}", rule.decision(), rule.file(), rule.line());
    }
    Ok(ExitCode::FAILURE)
}
