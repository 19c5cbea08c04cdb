//! The part of a table's validation that is about effects.

use crate::effects::Effects;
use crate::format::{CONDITIONED, MOST_CAPABILITIES, MOST_TOOL_PARAMETERS, NONE, capability, parameter, piece, tool};
use crate::record::Record;
use crate::table::Table;
use crate::tools::{Cost, Role};

impl Table<'_> {
    pub(crate) fn capabilities_valid(&self) -> bool {
        use capability::{CLAIM, READ, UNDECLARED};
        self.capabilities.len() <= MOST_CAPABILITIES
            && self.capabilities.iter().all(|record| {
                self.has_text(record.field(0), record.field(1))
                    && record.field(2) <= READ | CLAIM | UNDECLARED
                    && self.has_source(record.field(3))
            })
    }

    /// There is a vocabulary where there are capabilities, and its masks say what they do.
    pub(crate) fn vocabulary_valid(&self) -> bool {
        if self.capabilities.len() == 0 {
            return self.vocabulary.len() == 0;
        }
        let Some(record) = self.vocabulary.only() else { return false };
        let known = |number: u32| (number as usize) < self.capabilities.len();
        let all = |wanted: fn(Record<'_, 32>) -> bool| {
            let numbered = (0..).zip(self.capabilities.iter()).filter(|(_, record)| wanted(*record));
            numbered.fold(Effects::NONE, |all, (number, _)| all.and(Effects::of(number)))
        };
        let mask = |field| self.masks.get(record.field(field)).map(|_| self.effects(record.field(field)));
        known(record.field(0))
            && [1, 2].into_iter().all(|field| record.field(field) == NONE || known(record.field(field)))
            && mask(3) == Some(all(|record| record.field(2) & (capability::READ | capability::CLAIM) == 0))
            && mask(4) == Some(all(|record| record.field(2) & capability::CLAIM != 0))
    }

    pub(crate) fn masks_valid(&self) -> bool {
        let known = |number: u32| (number as usize) < self.capabilities.len();
        (0..self.masks.len()).all(|place| self.effects(place as u32).numbers().all(known))
    }

    /// Whether this is a mask, all of claims or without any.
    fn is_mask(&self, place: u32, of_claims: bool) -> bool {
        let claims = self.vocabulary().map_or(Effects::NONE, |vocabulary| vocabulary.claims);
        let mask = self.effects(place);
        self.masks.get(place).is_some()
            && if of_claims { mask.without(claims).is_empty() } else { mask.among(claims).is_empty() }
    }

    /// Whether this is an element, or none where that may be.
    fn is_element(&self, start: u32, may_lack: bool) -> bool {
        if start == NONE { may_lack } else { self.has_elements(start, 1) }
    }

    pub(crate) fn commands_valid(&self) -> bool {
        self.commands.iter().all(|row| {
            self.is_term(row.field(0))
                && self.has_elements(row.field(1), row.field(2))
                && row.field(3) & 0xff & !CONDITIONED == 0
                && self.has_source(row.field(3))
                && self.is_mask(row.field(6), false)
        })
    }

    pub(crate) fn tools_valid(&self) -> bool {
        let mut previous = None;
        self.tools.iter().all(|record| {
            let name = self.text_at(record.field(0), record.field(1));
            let sorted = name.is_some() && previous < name;
            previous = name;
            let flags = record.field(3) & 0xff;
            sorted
                && self.is_mask(record.field(2), false)
                && flags & !(tool::COST | tool::LOCKED | tool::IDEMPOTENT) == 0
                && (flags & tool::COST) as usize <= Cost::ALL.len()
                && self.has_source(record.field(3))
                && self.is_mask(record.field(6), true)
                && record.field(8) as usize <= MOST_TOOL_PARAMETERS
                && self.tool_parameters.range(record.field(7), record.field(8)).is_some()
                && (record.field(9) == NONE || record.field(9) < record.field(8))
                && self.pieces.range(record.field(10), record.field(11)).is_some()
        })
    }

    pub(crate) fn tool_parameters_valid(&self) -> bool {
        self.tool_parameters.iter().all(|record| {
            let flags = record.field(2);
            self.has_text(record.field(0), record.field(1))
                && flags & !(parameter::ROLE | parameter::OPTIONAL) == 0
                && ((flags & parameter::ROLE) as usize) < Role::ALL.len()
        })
    }

    pub(crate) fn pieces_valid(&self) -> bool {
        self.pieces
            .iter()
            .all(|record| record.field(0) <= piece::TARGET && self.has_text(record.field(1), record.field(2)))
    }

    pub(crate) fn requirements_valid(&self) -> bool {
        self.requirements.iter().all(|record| {
            self.is_mask(record.field(0), false)
                && self.is_mask(record.field(1), true)
                && self.pieces.range(record.field(2), record.field(6)).is_some()
                && self.has_source(record.field(3))
        })
    }

    pub(crate) fn profiles_valid(&self) -> bool {
        let mut previous = None;
        self.profiles.iter().all(|record| {
            let name = self.text_at(record.field(0), record.field(1));
            let sorted = name.is_some() && previous < name;
            previous = name;
            let unlisted = self.vocabulary().is_some_and(|vocabulary| {
                let listed = self.effects(record.field(2)).and(self.effects(record.field(6)));
                !listed.has(vocabulary.unknown_process)
            });
            sorted
                && unlisted
                && self.is_mask(record.field(2), false)
                && self.is_mask(record.field(6), false)
                && self.has_source(record.field(3))
                && self.is_element(record.field(7), true)
        })
    }

    pub(crate) fn tool_rules_valid(&self) -> bool {
        self.tool_rules.iter().all(|record| {
            self.is_element(record.field(0), false)
                && self.tool_arguments.range(record.field(1), record.field(2)).is_some()
                && self.is_declaration(record)
                && self.tool_exceptions.range(record.field(8), record.field(9)).is_some()
        })
    }

    pub(crate) fn tool_arguments_valid(&self) -> bool {
        self.tool_arguments
            .iter()
            .all(|record| self.has_text(record.field(0), record.field(1)) && self.is_element(record.field(2), false))
    }

    pub(crate) fn tool_exceptions_valid(&self) -> bool {
        self.tool_exceptions.iter().all(|record| {
            self.is_element(record.field(0), true)
                && self.tool_arguments.range(record.field(1), record.field(2)).is_some()
        })
    }

    pub(crate) fn grants_valid(&self) -> bool {
        self.grants.iter().all(|record| self.is_element(record.field(2), true) && self.has_source(record.field(3)))
    }
}
