//! What a table says of grants: how long, how many, by whom, and for what.

use std::collections::BTreeMap;

use policyc_runtime::Table;

use super::{GrantRequest, StoreProblem};

/// The longest that a grant lasts, in seconds: seven days.
const LONGEST: u64 = 7 * 24 * 60 * 60;

/// How many requests of one requester may wait for an answer if no table says it.
const MOST_OPEN: u32 = 16;

/// What a table says of grants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRules {
    longest: u64,
    most_open: u32,
    reserved: Vec<String>,
    /// The effects, whether each changes something, and whether some profile asks about it.
    effects: BTreeMap<String, (bool, bool)>,
}

impl GrantRules {
    /// What this table says.
    #[must_use]
    pub fn of(table: &Table<'_>) -> Self {
        let asked = |number| table.profiles().any(|profile| profile.prompts().has(number));
        let effects = table.capabilities().filter(|effect| !effect.is_claim());
        Self {
            longest: table.grants().map(|limits| u64::from(limits.max_ttl())).fold(LONGEST, u64::min),
            most_open: table.grants().filter_map(|limits| limits.max_open()).min().unwrap_or(MOST_OPEN),
            reserved: table.grants().flat_map(|limits| limits.reserved()).map(str::to_owned).collect(),
            effects: effects
                .map(|effect| (effect.name().to_owned(), (effect.writes(), asked(effect.number()))))
                .collect(),
        }
    }

    /// How many requests of one requester may wait for an answer.
    #[must_use]
    pub const fn most_open(&self) -> u32 {
        self.most_open
    }

    /// How long a grant may last, in seconds.
    #[must_use]
    pub const fn longest(&self) -> u64 {
        self.longest
    }

    /// Whether an effect changes something; what is not declared may.
    #[must_use]
    pub fn writes(&self, capability: &str) -> bool {
        self.effects.get(capability).is_none_or(|(writes, _)| *writes)
    }

    /// Whether a request asks for what a grant can give.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, request: &GrantRequest) -> Result<(), StoreProblem> {
        let refused = |reason: String| Err(StoreProblem::Refused(reason));
        let (name, asked) = (request.capability.escape_debug(), &request.asked);
        let Some((writes, prompts)) = self.effects.get(&request.capability) else {
            return refused(format!("the policy declares no effect `{name}`"));
        };
        if !prompts {
            return refused(format!(
                "no profile of the policy asks about `{name}`, and a grant changes only what is asked about"
            ));
        }
        if *writes && !request.writes {
            return refused(format!("`{name}` changes something, so that a grant for reading would never be used"));
        }
        if asked.seconds > self.longest {
            let longest = self.longest;
            return refused(format!("a grant lasts at most {longest} seconds, and {} are asked for", asked.seconds));
        }
        self.check_name(&request.requester, "a grant")
    }

    /// Whether a name is that of a person, not of a component.
    ///
    /// # Errors
    /// What is wrong with it; `what` it is the name for.
    pub fn check_name(&self, name: &str, what: &str) -> Result<(), StoreProblem> {
        if name.trim().is_empty() {
            return Err(StoreProblem::Refused(format!("{what} needs somebody's name")));
        }
        if self.reserved.iter().any(|reserved| is_same_name(reserved, name)) {
            let name = name.escape_debug();
            return Err(StoreProblem::Refused(format!("`{name}` is the name of a component, not of a person")));
        }
        Ok(())
    }
}

/// Names are one whatever their letter case, and blanks around them.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}
