//! `policyc trace`: reads what hosts have recorded.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use policyc_host::trace::{self, Event, Verified};
use serde_json::json;

use super::question::{Question, Source};
use super::{FAILED, escape, output};

/// Read what was decided and done
#[derive(Args)]
pub(super) struct Trace {
    #[command(subcommand)]
    subcommand: Traces,
}

#[derive(Subcommand)]
enum Traces {
    /// Find out whether a trace is what was written
    Verify(Verify),
    /// Make every decision of a trace again, without looking at any file that it is about
    Replay(Replay),
    /// Show a trace as a timeline
    Show(Show),
}

#[derive(Args)]
struct Verify {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// The digest of the last event that is known from elsewhere: only with it is it found that the end was cut off
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// The trace
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Args)]
struct Replay {
    #[command(flatten)]
    source: Source,
    /// Ask the policy, too; without this, what was recorded is enough
    #[arg(long)]
    ask: bool,
    /// The trace
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

#[derive(Args)]
struct Show {
    /// The trace
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Trace {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        match self.subcommand {
            Traces::Verify(verify) => verify.run(),
            Traces::Replay(replay) => replay.run(),
            Traces::Show(show) => show.run(),
        }
    }
}

impl Verify {
    fn run(self) -> anyhow::Result<u8> {
        let mut heads = self.head.iter().map(String::as_str);
        let mut known = self.head.is_none();
        let head = heads.next();
        let verified = {
            let (events, verified) = events(&self.file)?;
            // The head is the digest that the next event was written behind, or the last.
            known |=
                head.is_some_and(|head| verified.head == head || events.iter().any(|event| event.previous == head));
            verified
        };
        let sound = verified.broken.is_none() && known;
        if self.json {
            let answer = json!({
                "sound": sound,
                "events": verified.events,
                "head": verified.head,
                "tornBytes": verified.torn,
                "repaired": verified.repaired,
                "unfinished": verified.unfinished,
                "broken": verified.broken.as_ref().map(|(line, report)| json!({ "line": line, "problem": report.to_string() })),
                "headKnown": known,
            });
            output::print(format!("{answer}\n").as_bytes())?;
        } else {
            output::print(told(&verified, known).as_bytes())?;
        }
        Ok(if sound { 0 } else { FAILED })
    }
}

fn told(verified: &Verified, known: bool) -> String {
    let mut told = String::new();
    match &verified.broken {
        Some((line, report)) => told.push_str(&format!("broken: line {line}: {report}\n")),
        None => told.push_str(&format!("sound: {} events, the last is {}\n", verified.events, verified.head)),
    }
    if !known {
        told.push_str("broken: the event of `--head` is not there: the end was cut off, or it is another trace\n");
    }
    if verified.torn > 0 {
        told.push_str(&format!("torn: {} bytes of a line that was never finished\n", verified.torn));
    }
    if verified.repaired > 0 {
        told.push_str(&format!("repaired: {} times, a line that a crash had left was cut off\n", verified.repaired));
    }
    for sequence in &verified.unfinished {
        told.push_str(&format!("unfinished: what event {sequence} allowed was started and has no end\n"));
    }
    told
}

impl Replay {
    fn run(mut self) -> anyhow::Result<u8> {
        let (events, verified) = events(&self.file)?;
        let ask = self.ask || self.source.is_given();
        let question = Question::of(std::mem::take(&mut self.source));
        let made = if ask { question.table_bytes("trace")? } else { None };
        let table = made.as_ref().map(|made| question.open(&made.bytes)).transpose()?;
        let replay = trace::replay(&events, table.as_ref());
        let mut told = String::new();
        let name = |decision: &Option<String>| decision.clone().unwrap_or_else(|| "no decision".to_owned());
        for one in replay.decisions.iter().filter(|one| !one.agrees()) {
            let again = match (&one.again, &one.asked) {
                (Err(problem), _) => escape::line(problem).into_owned(),
                (Ok(again), _) if *again != one.recorded => format!("again {}", name(again)),
                (_, Some(asked)) => format!("the policy says {}", name(asked)),
                _ => String::new(),
            };
            told.push_str(&format!("differs: event {}: recorded {}, {again}\n", one.sequence, name(&one.recorded)));
        }
        let asked = replay.decisions.iter().filter(|one| one.asked.is_some()).count();
        let agree = replay.decisions.iter().filter(|one| one.agrees()).count();
        told.push_str(&format!("{agree} of {} decisions are as recorded", replay.decisions.len()));
        told.push_str(&if ask { format!("; the policy was asked {asked}\n") } else { "\n".to_owned() });
        if let Some((line, report)) = &verified.broken {
            told.push_str(&format!("broken: line {line}: {report}\n"));
        }
        output::print(told.as_bytes())?;
        Ok(if replay.agrees() && verified.broken.is_none() { 0 } else { FAILED })
    }
}

impl Show {
    fn run(self) -> anyhow::Result<u8> {
        let (events, verified) = events(&self.file)?;
        output::print(trace::show(&events).as_bytes())?;
        if let Some((line, report)) = &verified.broken {
            output::complain(format!("broken: line {line}: {report}; nothing behind it is shown\n").as_bytes());
            return Ok(FAILED);
        }
        Ok(0)
    }
}

fn events(path: &Path) -> anyhow::Result<(Vec<Event>, Verified)> {
    let name = || escape::line(&path.to_string_lossy()).into_owned();
    let unreadable = |error: std::io::Error| anyhow!("cannot read `{}`: {}", name(), output::reason(&error));
    let file = File::open(path).map_err(unreadable)?;
    trace::events(BufReader::with_capacity(1 << 20, file)).map_err(unreadable)
}
