//! `policyc explain`: a decision for a person.

mod account;
mod guarded;
mod layout;
mod reference;
mod rules;
mod sheet;

use clap::Args;
use policyc_runtime::{Decision, Matching};

use super::asked::Asked;
use super::paint::{OnTerminal, Paint};
use super::question::{Question, ShellText, refuse_misspelt_option};
use super::subject::Other;
use super::{FAILED, escape, output};
use layout::{Written, wrap};

const EXAMPLES: &str = "\
Exit codes: 0 explained, 1 the policy or table cannot be used, 2 wrong usage.

Examples:
  policyc explain --rules git.rules git push --force
  policyc explain --rules git.rules --shell 'cd src && sudo git push 2>&1 | tee log'
  policyc explain --table policy.table /usr/bin/git status
  policyc explain --table policy.table --matching reference git status";

/// Judge a command or a text for a shell, and say why
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "policyc explain [OPTIONS] [--rules …|--layer …|--table …] [--] <WORD>...\n       \
        policyc explain [OPTIONS] [--rules …|--layer …|--table …] --shell <TEXT>"
)]
pub(super) struct Explain {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    text: ShellText,
    #[command(flatten)]
    other: Other,
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(value_name = "WORD", required_unless_present_any = ["shell", "tool", "network"], trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Explain {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        refuse_misspelt_option(&self.question, "explain", &self.words)?;
        self.question.terms.check("explain", self.question.is_as_typed(), false)?;
        let asked = self.other.asked(&self.question, "explain", self.text, self.words)?;
        explain(&self.question, "explain", &asked).map(|(code, _)| code)
    }
}

/// Prints why a request is decided as it is; the exit code, and the decision.
pub(super) fn explain(question: &Question, subcommand: &str, asked: &Asked) -> anyhow::Result<(u8, Option<Decision>)> {
    let Some(made) = question.table_bytes(subcommand)? else { return Ok((FAILED, None)) };
    let table = question.open(&made.bytes)?;
    let place = question.place()?;
    let kept = question.terms.kept();
    let terms = question.terms.terms(&kept, Some(asked.request()));
    let context = question.context(place.as_ref(), &terms);
    let paint = Paint::for_stdout();
    let evaluation = table.decide(asked.request(), &context);
    let decision = asked.answered(evaluation.decision());
    let text = match (context.matching, asked.words()) {
        (Matching::Reference, Some(words)) => {
            reference::Explanation { table: &table, words, context, evaluation, paint }.text()?
        }
        _ if context.terms.is_some() || !asked.is_commands() => {
            account::text(&table, &context, asked, (&evaluation.account(), &evaluation.answers(), decision), paint)?
        }
        _ => guarded::text(&table, &context, asked, &evaluation.answers(), decision, paint)?,
    };
    output::print(text.as_bytes())?;
    Ok((0, decision))
}

/// That a first word with a blank in it is one word: most often several were meant.
fn blank(text: &mut String, words: &[String], decision: Option<Decision>) -> Written {
    let blank = |first: &&String| first.contains(char::is_whitespace);
    let Some(first) = words.first().filter(blank) else { return Ok(()) };
    if decision.is_some() {
        return Ok(());
    }
    let shown = escape::word(first);
    let shown = escape::shortened(&shown, 200);
    text.push('\n');
    let note = "is one word with a blank in it. If several words are meant, leave out the quotes around them.";
    wrap(text, 0, &format!("{shown} {note}"))
}
