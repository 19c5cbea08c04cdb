//! The answer as the reference engine prints it.

use policyc_runtime::Evaluation;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// An evaluation as the reference engine prints it.
pub(super) struct Answer<'e, 'a, 'q, W>(pub(super) &'e Evaluation<'a, 'q, W>);

impl<W: AsRef<str>> Serialize for Answer<'_, '_, '_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("matchedRules", &Matches(self.0))?;
        if let Some(decision) = self.0.decision() {
            map.serialize_entry("decision", decision.name())?;
        }
        map.end()
    }
}

struct Matches<'e, 'a, 'q, W>(&'e Evaluation<'a, 'q, W>);

impl<W: AsRef<str>> Serialize for Matches<'_, '_, '_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<_> = self.0.words().collect();
        let program = self.0.resolved_program().map(|program| program.to_string());
        let mut sequence = serializer.serialize_seq(None)?;
        for rule_match in self.0.matches() {
            let prefix_rule_match = PrefixRuleMatch {
                matched_prefix: words.get(..rule_match.length).unwrap_or(&words),
                decision: rule_match.rule.decision().name(),
                resolved_program: program.as_deref(),
                justification: rule_match.rule.justification(),
            };
            sequence.serialize_element(&RuleMatch { prefix_rule_match })?;
        }
        sequence.end()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleMatch<'e> {
    prefix_rule_match: PrefixRuleMatch<'e>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PrefixRuleMatch<'e> {
    matched_prefix: &'e [&'e str],
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_program: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'e str>,
}
