//! What every rule says: a decision, and why.

use super::super::call::Call;
use crate::check::{empty_justification, unknown_decision};
use crate::rules::Decision;

/// The decision given for the parameter at `index`; `deny` is another word for forbidden where `deny` says so.
pub(super) fn decision(call: &mut Call<'_, '_>, index: usize, deny: bool) -> Option<Decision> {
    let given = call.string(index)?;
    if deny && given == "deny" {
        return Some(Decision::Forbidden);
    }
    let decision = Decision::from_name(given);
    if decision.is_none() {
        let parameter = call.parameter(index);
        let part = call.part(&[parameter]);
        let known = Decision::ALL.map(Decision::name);
        call.mistake(unknown_decision::diagnostic(&part.site, given, &known, part.literal));
    }
    decision
}

/// The justification given for the parameter at `index`.
pub(super) fn justification(call: &mut Call<'_, '_>, index: usize) -> Option<String> {
    let given = call.string(index)?;
    if given.trim().is_empty() {
        let parameter = call.parameter(index);
        let site = call.part(&[parameter]).site;
        let left_out = call.left_out(index);
        call.mistake(empty_justification::diagnostic(&site, left_out));
    }
    Some(given.to_owned())
}
