//! The one validation of a table's bytes, after which nothing that reads them can go wrong.

use crate::Protocol;
use crate::error::TableError;
use crate::format::{
    ACCEPTING_DECISION_SHIFT, ACCEPTING_LIMIT, CANONICAL_ROOT, FOLDED_ROOT, JUSTIFIED, LAST, LEAF, NONE, Parameters,
    ROOT, SINGLE, SOURCE_SHIFT, Section, WIDE,
};
use crate::record::Record;
use crate::table::Table;

impl<'t> Table<'t> {
    /// Checks every reference of every section, in time linear in their size.
    pub(crate) fn validate(&self) -> Result<(), TableError> {
        type Check<'t> = fn(&Table<'t>) -> bool;
        let checks: [(Section, Check<'t>); 11] = [
            (Section::Parameters, Self::parameters_valid),
            (Section::Words, Self::words_valid),
            (Section::Accepting, Self::accepting_valid),
            (Section::Edges, Self::edges_valid),
            (Section::Spellings, Self::spellings_valid),
            (Section::Elements, Self::elements_valid),
            (Section::Rules, Self::rules_valid),
            (Section::Sources, Self::sources_valid),
            (Section::HostExecutables, Self::host_executables_valid),
            (Section::HostPaths, Self::host_paths_valid),
            (Section::NetworkRules, Self::network_rules_valid),
        ];
        match checks.into_iter().find(|(_, valid)| !valid(self)) {
            Some((section, _)) => Err(TableError::Malformed(section)),
            None => Ok(()),
        }
    }

    fn has_text(&self, offset: u32, length: u32) -> bool {
        self.text_at(offset, length).is_some()
    }

    fn parameters_valid(&self) -> bool {
        let Parameters { edge_capacity, edge_probes, wide, canonical, .. } = self.parameters;
        let slots = u64::from(edge_capacity) + u64::from(edge_probes.saturating_sub(1));
        self.edges.len() as u64 == slots && self.words.len() < LAST as usize && wide <= 1 && canonical <= 1
    }

    fn words_valid(&self) -> bool {
        self.words.iter().all(|word| self.has_text(word.field(0), word.field(1)))
    }

    /// Lists follow each other without gaps, each in order of definition.
    fn accepting_valid(&self) -> bool {
        let mut fields = self.accepting.iter().map(|record| record.field(0));
        while let Some(length) = fields.next() {
            let mut previous = None;
            for _ in 0..length {
                let Some(id) = fields.next() else { return false };
                if previous.is_some_and(|previous| previous >= id) || !self.is_rule(id) {
                    return false;
                }
                previous = Some(id);
            }
        }
        true
    }

    /// A number here is a word of the table or the length of a list; both stay inside.
    fn spellings_valid(&self) -> bool {
        self.spellings.iter().all(|number| (number.field(0) as usize) < self.words.len().max(self.spellings.len()))
    }

    fn edges_valid(&self) -> bool {
        let words = self.words.len();
        let states = self.edges.len();
        self.edges.iter().all(|edge| {
            let (state, word, accepting) = (edge.field(1), edge.field(2), edge.field(3));
            let known = match state {
                FOLDED_ROOT => self.spellings.get(accepting & !LEAF).is_some(),
                ROOT | CANONICAL_ROOT => self.is_accepting(accepting & !LEAF),
                _ => (state as usize) < states && self.is_accepting(accepting & !LEAF),
            };
            word == NONE || known && (word == WIDE || (word as usize) < words)
        })
    }

    /// Whether `reference` is 0 or names a list whose strictest decision it tells.
    fn is_accepting(&self, reference: u32) -> bool {
        if reference == 0 {
            return true;
        }
        let place = reference & (ACCEPTING_LIMIT - 1);
        reference >> ACCEPTING_DECISION_SHIFT != 0
            && if reference & SINGLE != 0 { self.is_rule(place) } else { self.accepting.get(place).is_some() }
    }

    fn is_rule(&self, id: u32) -> bool {
        id < ACCEPTING_LIMIT && (id as usize) < self.rules.len()
    }

    fn is_word(&self, word: u32) -> bool {
        (word as usize) < self.words.len()
    }

    fn elements_valid(&self) -> bool {
        self.elements.iter().all(|word| self.is_word(word.field(0) & !LAST))
            && self.elements.iter().next_back().is_none_or(|last| last.field(0) & LAST != 0)
    }

    fn rules_valid(&self) -> bool {
        self.rules.iter().all(|rule| {
            self.is_word(rule.field(0))
                && (rule.field(1) as usize)
                    .checked_add(rule.field(2) as usize)
                    .is_some_and(|end| end <= self.elements.len())
                && self.is_declaration(rule)
        })
    }

    fn network_rules_valid(&self) -> bool {
        self.network_rules.iter().all(|rule| {
            self.has_text(rule.field(0), rule.field(1))
                && Protocol::ALL.get(rule.field(2) as usize).is_some()
                && self.is_declaration(rule)
        })
    }

    /// What rules of all kinds share: fields 3 to 7.
    fn is_declaration(&self, record: Record<'_, 32>) -> bool {
        let flags = record.field(3);
        (flags & 3) < 3
            && ((flags >> SOURCE_SHIFT) as usize) < self.sources.len()
            && (flags & JUSTIFIED == 0 || self.has_text(record.field(6), record.field(7)))
    }

    fn sources_valid(&self) -> bool {
        self.sources.iter().all(|source| self.has_text(source.field(0), source.field(1)))
    }

    fn host_executables_valid(&self) -> bool {
        let mut previous = None;
        self.host_executables.iter().all(|executable| {
            let name = self.text_at(executable.field(0), executable.field(1));
            let sorted = name.is_some() && previous < name;
            previous = name;
            sorted && self.host_paths.range(executable.field(2), executable.field(3)).is_some()
        })
    }

    fn host_paths_valid(&self) -> bool {
        self.host_paths.iter().all(|path| self.has_text(path.field(0), path.field(1)))
    }
}
