//! `policyc explain`: a decision for a person.

mod guarded;
mod layout;
mod reference;
mod rules;
mod sheet;

use clap::Args;
use policyc_runtime::{Decision, Matching};

use super::paint::{OnTerminal, Paint};
use super::question::{Question, ShellText, refuse_misspelt_option};
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
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(value_name = "WORD", required_unless_present = "shell", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Explain {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        refuse_misspelt_option(&self.question, "explain", &self.words)?;
        let asked = self.question.asked("explain", self.text, self.words)?;
        let Some(made) = self.question.table_bytes("explain")? else { return Ok(FAILED) };
        let table = self.question.open(&made.bytes)?;
        let place = self.question.place()?;
        let context = self.question.context(place.as_ref());
        let paint = Paint::for_stdout();
        let evaluation = table.decide(asked.request(), &context);
        let text = match (context.matching, asked.words()) {
            (Matching::Reference, Some(words)) => {
                reference::Explanation { table: &table, words, context, evaluation, paint }.text()?
            }
            _ => {
                let decision = asked.answered(evaluation.decision());
                guarded::text(&table, &context, &asked, &evaluation.answers(), decision, paint)?
            }
        };
        output::print(text.as_bytes())?;
        Ok(0)
    }
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
