//! The one validation of a table's bytes, after which nothing that reads them can go wrong.

use crate::Protocol;
use crate::error::TableError;
use crate::format::matcher::PATH;
use crate::format::{
    ACCEPTING_DECISION_SHIFT, ACCEPTING_LIMIT, CANONICAL_ROOT, CASELESS_ROOT, COMMAND_CASELESS_ROOT, COMMAND_ROOT,
    FOLDED_ROOT, INERT_ROOT, JUSTIFIED, KNOWLEDGE, LAST, LEAF, MATCHER, NONE, OPTIONS, PROGRAM_ROOT, Parameters, ROOT,
    SINGLE, SOURCE_SHIFT, Section, WIDE,
};
use crate::record::Record;
use crate::table::Table;

impl<'t> Table<'t> {
    /// Checks every reference of every section, in time linear in their size.
    pub(crate) fn validate(&self) -> Result<(), TableError> {
        type Check<'t> = fn(&Table<'t>) -> bool;
        let checks: [(Section, Check<'t>); 31] = [
            (Section::Parameters, Self::parameters_valid),
            (Section::Words, Self::words_valid),
            (Section::Matchers, Self::matchers_valid),
            (Section::Accepting, Self::accepting_valid),
            (Section::Edges, Self::edges_valid),
            (Section::Spellings, Self::spellings_valid),
            (Section::Elements, Self::elements_valid),
            (Section::Patterns, Self::patterns_valid),
            (Section::Rules, Self::rules_valid),
            (Section::Conditions, Self::conditions_valid),
            (Section::Sources, Self::sources_valid),
            (Section::Layers, Self::layers_valid),
            (Section::HostExecutables, Self::host_executables_valid),
            (Section::HostPaths, Self::host_paths_valid),
            (Section::NetworkRules, Self::network_rules_valid),
            (Section::Programs, Self::programs_valid),
            (Section::Options, Self::options_valid),
            (Section::Defaults, Self::defaults_valid),
            (Section::Capabilities, Self::capabilities_valid),
            (Section::Vocabulary, Self::vocabulary_valid),
            (Section::Masks, Self::masks_valid),
            (Section::Commands, Self::commands_valid),
            (Section::Tools, Self::tools_valid),
            (Section::ToolParameters, Self::tool_parameters_valid),
            (Section::Pieces, Self::pieces_valid),
            (Section::Requirements, Self::requirements_valid),
            (Section::Profiles, Self::profiles_valid),
            (Section::ToolRules, Self::tool_rules_valid),
            (Section::ToolArguments, Self::tool_arguments_valid),
            (Section::ToolExceptions, Self::tool_exceptions_valid),
            (Section::Grants, Self::grants_valid),
        ];
        match checks.into_iter().find(|(_, valid)| !valid(self)) {
            Some((section, _)) => Err(TableError::Malformed(section)),
            None => Ok(()),
        }
    }

    pub(crate) fn has_text(&self, offset: u32, length: u32) -> bool {
        self.text_at(offset, length).is_some()
    }

    fn parameters_valid(&self) -> bool {
        let Parameters { edge_capacity, edge_probes, wide, canonical, matchers, conditions, .. } = self.parameters;
        let Parameters { command_matchers, command_conditions, .. } = self.parameters;
        let slots = u64::from(edge_capacity) + u64::from(edge_probes.saturating_sub(1));
        self.edges.len() as u64 == slots
            && self.words.len() < MATCHER as usize
            && self.matchers.len() < MATCHER as usize
            && [wide, canonical, matchers, conditions, command_matchers, command_conditions]
                .into_iter()
                .all(|flag| flag <= 1)
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
        let states = self.edges.len();
        self.edges.iter().all(|edge| {
            let (state, word, accepting) = (edge.field(1), edge.field(2), edge.field(3));
            let known = match state {
                FOLDED_ROOT | CASELESS_ROOT | COMMAND_CASELESS_ROOT => self.spellings.get(accepting & !LEAF).is_some(),
                ROOT | CANONICAL_ROOT | PROGRAM_ROOT | INERT_ROOT | COMMAND_ROOT => {
                    self.is_accepting(accepting & !LEAF)
                }
                OPTIONS.. => self.options.get(state - OPTIONS).is_some() && self.is_accepting(accepting & !LEAF),
                _ => (state as usize) < states && self.is_accepting(accepting & !LEAF),
            };
            word == NONE || known && (word == WIDE || self.is_term(word))
        })
    }

    /// Whether `reference` is 0, or names a list whose strictest decision it tells, or what is known of a program.
    fn is_accepting(&self, reference: u32) -> bool {
        let place = reference & (ACCEPTING_LIMIT - 1);
        if reference >> ACCEPTING_DECISION_SHIFT == 0 {
            return match reference.checked_sub(KNOWLEDGE) {
                None => reference == 0,
                Some(place) if place & 1 == 0 => self.programs.get(place >> 1).is_some(),
                Some(place) => self.options.get(place >> 1).is_some(),
            };
        }
        if reference & SINGLE != 0 { self.is_rule(place) } else { self.accepting.get(place).is_some() }
    }

    /// Whether this is a rule, or a row of what commands do.
    fn is_rule(&self, id: u32) -> bool {
        id < ACCEPTING_LIMIT && (id as usize) < self.rules.len() + self.commands.len()
    }

    fn is_word(&self, word: u32) -> bool {
        (word as usize) < self.words.len()
    }

    /// Whether this is a word or a matcher.
    pub(crate) fn is_term(&self, term: u32) -> bool {
        let place = (term & !MATCHER) as usize;
        place < if term & MATCHER == 0 { self.words.len() } else { self.matchers.len() }
    }

    fn matchers_valid(&self) -> bool {
        self.matchers
            .iter()
            .all(|matcher| matcher.field(0) <= PATH && self.has_text(matcher.field(1), matcher.field(2)))
    }

    /// Whether so many elements can start there.
    pub(crate) fn has_elements(&self, start: u32, number: u32) -> bool {
        (start as usize).checked_add(number as usize).is_some_and(|end| end <= self.elements.len())
    }

    fn patterns_valid(&self) -> bool {
        self.patterns.iter().all(|pattern| self.has_elements(pattern.field(0), pattern.field(1)))
    }

    fn conditions_valid(&self) -> bool {
        let mut previous = None;
        self.conditions.iter().all(|condition| {
            let rule = condition.field(0);
            let sorted = previous.is_none_or(|previous| previous < rule) && self.is_rule(rule);
            previous = Some(rule);
            let elements = |field| self.has_elements(condition.field(field), condition.field(field + 1));
            sorted
                && [2, 4, 8, 10].into_iter().all(elements)
                && self.patterns.range(condition.field(6), condition.field(7)).is_some()
        })
    }

    fn layers_valid(&self) -> bool {
        self.layers.iter().all(|layer| self.has_text(layer.field(0), layer.field(1)) && layer.field(2) <= 1)
    }

    fn programs_valid(&self) -> bool {
        self.programs.iter().all(|program| {
            self.options.range(program.field(2), program.field(3)).is_some()
                && (program.field(4) == NONE || self.is_word(program.field(4)))
                && self.has_elements(program.field(5), program.field(6))
        })
    }

    fn options_valid(&self) -> bool {
        self.options.iter().all(|option| {
            self.is_word(option.field(1))
                && self.has_elements(option.field(2), option.field(3))
                && self.has_elements(option.field(4), option.field(5))
        })
    }

    fn defaults_valid(&self) -> bool {
        self.defaults.iter().all(|default| self.is_declaration(default))
    }

    fn elements_valid(&self) -> bool {
        self.elements.iter().all(|term| self.is_term(term.field(0) & !LAST))
            && self.elements.iter().next_back().is_none_or(|last| last.field(0) & LAST != 0)
    }

    fn rules_valid(&self) -> bool {
        self.rules.iter().all(|rule| {
            self.is_term(rule.field(0)) && self.has_elements(rule.field(1), rule.field(2)) && self.is_declaration(rule)
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
    pub(crate) fn is_declaration<const BYTES: usize>(&self, record: Record<'_, BYTES>) -> bool {
        let flags = record.field(3);
        (flags & 3) < 3
            && self.has_source(flags)
            && (flags & JUSTIFIED == 0 || self.has_text(record.field(6), record.field(7)))
    }

    pub(crate) fn has_source(&self, flags: u32) -> bool {
        ((flags >> SOURCE_SHIFT) as usize) < self.sources.len()
    }

    fn sources_valid(&self) -> bool {
        self.sources.iter().all(|source| {
            self.has_text(source.field(0), source.field(1)) && (source.field(2) as usize) < self.layers.len()
        })
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
