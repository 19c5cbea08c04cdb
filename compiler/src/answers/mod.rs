//! What is said of a command or a text: the JSON of `policyc eval`, and the words for people in it.

mod answer;
pub mod asked;
pub mod literal;
pub mod reasons;
mod reference;
pub mod suggestion;

pub use asked::Asked;

use policyc_runtime::{Context, Decision, Matching, Table};
use serde::{Serialize, Serializer};

/// Writes the answer to what is asked, and returns its decision.
///
/// # Errors
/// Those of the serializer.
pub fn answer<S: Serializer>(
    table: &Table<'_>,
    context: &Context<'_>,
    asked: &Asked,
    serializer: S,
) -> Result<Option<Decision>, S::Error> {
    let evaluation = table.decide(asked.request(), context);
    let decision = asked.answered(evaluation.decision());
    match context.matching {
        Matching::Reference => reference::Answer(&evaluation).serialize(serializer)?,
        _ => {
            let answers = evaluation.answers();
            answer::Answer::new(table, context, asked, &answers, decision).serialize(serializer)?
        }
    };
    Ok(decision)
}
