//! The one law of guarded matching, as far as an answer can be held to it alone.
//!
//! > Uncertainty may turn `allow` into `prompt`. It never weakens `prompt` or `forbidden`.

use policyc_runtime::{Answers, CommandAnswer, Decision};

/// How strict a guarded answer is: no match is stricter than allow, for the host's default may be anything.
#[must_use]
pub const fn strictness(decision: Option<Decision>) -> u8 {
    match decision {
        Some(Decision::Allow) => 0,
        None => 1,
        Some(Decision::Prompt) => 2,
        Some(Decision::Forbidden) => 3,
    }
}

/// That whatever is allowed is allowed piece by piece: each simple command needs no rule or has one that counts, every
/// text is understood, nothing is left in doubt.
///
/// # Errors
/// A sentence that says which piece is not allowed.
pub fn all_allowed(answers: &Answers<'_>) -> Result<(), String> {
    if answers.decision != Some(Decision::Allow) {
        return Ok(());
    }
    if answers.exhausted {
        return Err("the judgement was given up".to_owned());
    }
    if let Some(text) = answers.texts.iter().find(|text| text.problem.is_some()) {
        return Err(format!("the text {:?} is not understood: {:?}", text.text, text.problem));
    }
    for command in &answers.commands {
        let permitted = command.harmless || counts(command) || covered(answers, command);
        if !permitted {
            return Err(format!("nothing allows {}", shown(command)));
        }
        if let Some(strict) = command.matches.iter().find(|found| found.rule.decision() > Decision::Allow) {
            return Err(format!("{:?} restricts {}", strict.rule, shown(command)));
        }
        if command.words.first().is_some_and(|program| program.dynamic) {
            return Err(format!("only the run can know what {} runs", shown(command)));
        }
    }
    Ok(())
}

/// Whether an allow rule counts for the command.
fn counts(command: &CommandAnswer<'_>) -> bool {
    command.matches.iter().any(|found| found.counts && found.rule.decision() == Decision::Allow)
}

/// Whether a rule for the command around it reaches into this one.
fn covered(answers: &Answers<'_>, command: &CommandAnswer<'_>) -> bool {
    let Some(outer) = command.inside.and_then(|place| answers.commands.get(place)) else { return false };
    outer.matches.iter().any(|found| found.counts && found.words.len() > 1) || covered(answers, outer)
}

/// The words of a command.
fn shown(command: &CommandAnswer<'_>) -> String {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    format!("{words:?}")
}
