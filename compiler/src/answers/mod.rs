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
    answer_without(&[], table, context, asked, serializer)
}

/// The same by a table that was made without what the `failing` policy files allow.
///
/// # Errors
/// Those of the serializer.
pub fn answer_without<S: Serializer>(
    failing: &[String],
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
            answer::Answer::new(table, context, asked, &answers, (decision, failing)).serialize(serializer)?
        }
    };
    Ok(decision)
}
