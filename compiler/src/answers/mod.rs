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

/// What answers.
#[derive(Clone, Copy)]
pub struct Judge<'b> {
    /// The rules.
    pub table: &'b Table<'b>,
    /// How to judge by them.
    pub context: &'b Context<'b>,
    /// The policy files that fail, without whose allows the table was made.
    pub failing: &'b [String],
}

impl Judge<'_> {
    /// Writes the answer to what is asked, and returns its decision.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn answer<S: Serializer>(&self, asked: &Asked, serializer: S) -> Result<Option<Decision>, S::Error> {
        let Self { table, context, failing } = *self;
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
}
