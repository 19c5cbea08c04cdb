//! The rules that end in a state, in the one number that an edge keeps of them.

use crate::Decision;
use crate::format::{ACCEPTING_DECISION_SHIFT, ACCEPTING_LIMIT, SINGLE};
use crate::record::Records;
use crate::table::Table;

/// A list of rule ids in order of definition.
#[derive(Clone, Copy)]
pub(crate) enum Accepting<'t> {
    None,
    Single(u32),
    List(Records<'t, 4>),
}

impl Table<'_> {
    /// The list that `reference` stands for.
    pub(crate) fn accepting(&self, reference: u32) -> Accepting<'_> {
        let place = reference & (ACCEPTING_LIMIT - 1);
        if reference & SINGLE != 0 {
            return Accepting::Single(place);
        }
        let length = if strictest(reference).is_none() { None } else { self.accepting.get(place) };
        let list = length.and_then(|length| self.accepting.range(place + 1, length.field(0)));
        list.map_or(Accepting::None, Accepting::List)
    }
}

impl<'t> Accepting<'t> {
    /// The first id from `least` on.
    pub(crate) fn at_least(self, least: u32) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Single(id) => (id >= least).then_some(id),
            Self::List(ids) => {
                let before = ids.partition_point(|id| id.field(0) < least);
                Some(ids.get(before as u32)?.field(0))
            }
        }
    }

    pub(crate) fn ids(self) -> impl Iterator<Item = u32> + use<'t> {
        let (single, list) = match self {
            Self::None => (None, None),
            Self::Single(id) => (Some(id), None),
            Self::List(ids) => (None, Some(ids)),
        };
        single.into_iter().chain(list.into_iter().flat_map(|ids| ids.iter()).map(|id| id.field(0)))
    }
}

/// The reference to a list of one rule.
pub(crate) fn single(id: u32, decision: Decision) -> u32 {
    SINGLE | id | (decision as u32 + 1) << ACCEPTING_DECISION_SHIFT
}

/// The strictest decision of the list that `reference` stands for.
#[inline(always)]
pub(crate) fn strictest(reference: u32) -> Option<Decision> {
    match reference >> ACCEPTING_DECISION_SHIFT {
        0 => None,
        bits => Some(Decision::from_bits(bits - 1)),
    }
}
