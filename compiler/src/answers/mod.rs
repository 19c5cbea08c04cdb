//! What is said of a command or a text: the JSON of `policyc eval`, and the words for people in it.

mod account;
mod answer;
pub mod asked;
pub mod causes;
pub mod literal;
pub mod reasons;
mod reference;
pub mod suggestion;

pub use asked::Asked;

use policyc_runtime::{Context, Decision, Matching, Table, Terms};
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
    /// Writes the answer in the words of another system, which knows `Allow`, `RequireApproval` and `Deny`.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn answer_as_qre<S: Serializer>(&self, asked: &Asked, serializer: S) -> Result<Option<Decision>, S::Error> {
        let Self { table, context, .. } = *self;
        let evaluation = table.decide(asked.request(), context);
        let decision = asked.answered(evaluation.decision());
        let (account, answers) = (evaluation.account(), evaluation.answers());
        let terms = context.terms.unwrap_or(&Terms::NONE);
        account::Qre::new(table, terms, asked.request(), &account, (&answers, decision)).serialize(serializer)?;
        Ok(decision)
    }

    /// Writes the answer to what is asked, and returns its decision.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn answer<S: Serializer>(&self, asked: &Asked, serializer: S) -> Result<Option<Decision>, S::Error> {
        let Self { table, context, failing } = *self;
        let evaluation = table.decide(asked.request(), context);
        let decision = asked.answered(evaluation.decision());
        match context.matching {
            Matching::Reference if context.terms.is_none() => reference::Answer(&evaluation).serialize(serializer)?,
            _ => {
                let answers = evaluation.answers();
                let weighed = context.terms.is_some() || !asked.is_commands();
                let account = weighed.then(|| evaluation.account());
                let terms = context.terms.unwrap_or(&Terms::NONE);
                let accounted = account
                    .as_ref()
                    .map(|account| account::Accounted::new(table, terms, asked.request(), account, &answers));
                answer::Answer::new(table, context, asked, &answers, (decision, failing, accounted))
                    .serialize(serializer)?
            }
        };
        Ok(decision)
    }
}
