//! A decision table, validated once.

use crate::declarations::{Alternative, DefaultDecision, Edge, HostExecutable, NetworkRule, Rule, State};
use crate::error::TableError;
use crate::format::{CANONICAL_ROOT, MATCHER, NONE, OPTIONS, Parameters, ROOT, Section, WIDE, matcher};
use crate::header::Sections;
use crate::matcher::Matcher;
use crate::record::{Record, Records};

/// A decision table in the bytes of somebody else: validated, then never copied.
#[derive(Clone, Copy)]
pub struct Table<'t> {
    pub(crate) parameters: Parameters,
    pub(crate) text: &'t str,
    pub(crate) words: Records<'t, 8>,
    pub(crate) matchers: Records<'t, 12>,
    pub(crate) edges: Records<'t, 16>,
    pub(crate) accepting: Records<'t, 4>,
    pub(crate) spellings: Records<'t, 4>,
    pub(crate) elements: Records<'t, 4>,
    pub(crate) patterns: Records<'t, 8>,
    pub(crate) rules: Records<'t, 32>,
    pub(crate) conditions: Records<'t, 64>,
    pub(crate) sources: Records<'t, 12>,
    pub(crate) layers: Records<'t, 12>,
    pub(crate) host_executables: Records<'t, 16>,
    pub(crate) host_paths: Records<'t, 8>,
    pub(crate) network_rules: Records<'t, 32>,
    pub(crate) programs: Records<'t, 28>,
    pub(crate) options: Records<'t, 24>,
    pub(crate) defaults: Records<'t, 32>,
    pub(crate) capabilities: Records<'t, 32>,
    pub(crate) vocabulary: Records<'t, 20>,
    pub(crate) masks: Records<'t, 16>,
    pub(crate) commands: Records<'t, 32>,
    pub(crate) tools: Records<'t, 52>,
    pub(crate) tool_parameters: Records<'t, 12>,
    pub(crate) pieces: Records<'t, 12>,
    pub(crate) requirements: Records<'t, 32>,
    pub(crate) profiles: Records<'t, 32>,
    pub(crate) tool_rules: Records<'t, 40>,
    pub(crate) tool_arguments: Records<'t, 12>,
    pub(crate) tool_exceptions: Records<'t, 12>,
    pub(crate) grants: Records<'t, 32>,
    sections: Sections<'t>,
}

impl<'t> Table<'t> {
    /// Reads a table, in time linear in its size, without copying it. Whatever the bytes, nothing that is done with
    /// the result can panic, loop without end or read outside of them.
    ///
    /// # Errors
    /// When the bytes are not a table of this [version](crate::format::VERSION), complete and undamaged.
    pub fn from_bytes(bytes: &'t [u8]) -> Result<Self, TableError> {
        let table = Self::laid_out(Sections::new(bytes)?)?;
        table.validate()?;
        if table.parameters.canonical != 0 && cfg!(not(feature = "canonical")) {
            return Err(TableError::Canonical);
        }
        Ok(table)
    }

    /// The parts of a table, by their places alone.
    pub(crate) fn laid_out(sections: Sections<'t>) -> Result<Self, TableError> {
        let malformed = TableError::Malformed;
        let parameters = sections.records::<36>(Section::Parameters)?.only().ok_or(malformed(Section::Parameters))?;
        Ok(Self {
            parameters: Parameters::from_fields(core::array::from_fn(|number| parameters.field(number))),
            text: core::str::from_utf8(sections.bytes(Section::Text)).map_err(|_| malformed(Section::Text))?,
            words: sections.records(Section::Words)?,
            matchers: sections.records(Section::Matchers)?,
            edges: sections.records(Section::Edges)?,
            accepting: sections.records(Section::Accepting)?,
            spellings: sections.records(Section::Spellings)?,
            elements: sections.records(Section::Elements)?,
            patterns: sections.records(Section::Patterns)?,
            rules: sections.records(Section::Rules)?,
            conditions: sections.records(Section::Conditions)?,
            sources: sections.records(Section::Sources)?,
            layers: sections.records(Section::Layers)?,
            host_executables: sections.records(Section::HostExecutables)?,
            host_paths: sections.records(Section::HostPaths)?,
            network_rules: sections.records(Section::NetworkRules)?,
            programs: sections.records(Section::Programs)?,
            options: sections.records(Section::Options)?,
            defaults: sections.records(Section::Defaults)?,
            capabilities: sections.records(Section::Capabilities)?,
            vocabulary: sections.records(Section::Vocabulary)?,
            masks: sections.records(Section::Masks)?,
            commands: sections.records(Section::Commands)?,
            tools: sections.records(Section::Tools)?,
            tool_parameters: sections.records(Section::ToolParameters)?,
            pieces: sections.records(Section::Pieces)?,
            requirements: sections.records(Section::Requirements)?,
            profiles: sections.records(Section::Profiles)?,
            tool_rules: sections.records(Section::ToolRules)?,
            tool_arguments: sections.records(Section::ToolArguments)?,
            tool_exceptions: sections.records(Section::ToolExceptions)?,
            grants: sections.records(Section::Grants)?,
            sections,
        })
    }

    /// The text at an offset and length; empty if there is none, which validation rules out.
    pub(crate) fn text(&self, offset: u32, length: u32) -> &'t str {
        self.text_at(offset, length).unwrap_or_default()
    }

    pub(crate) fn text_at(&self, offset: u32, length: u32) -> Option<&'t str> {
        let start = offset as usize;
        self.text.get(start..start.checked_add(length as usize)?)
    }

    /// The table's size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.sections.size()
    }

    pub(crate) const fn bytes(&self) -> &'t [u8] {
        self.sections.bytes_of_all()
    }

    /// The size of one section in bytes.
    #[must_use]
    pub fn section_size(&self, section: Section) -> usize {
        self.sections.length(section)
    }

    /// The checksum, as good a name for the table as any that is not a signature.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.sections.checksum()
    }

    /// The rules in order of definition, a rule with alternative heads once for each head.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = Rule<'_>> {
        self.rules.iter().enumerate().map(|(id, record)| Rule { table: self, id: id as u32, record })
    }

    /// The rule with this id, or from where the ids of rules end on a row of what commands do.
    #[must_use]
    pub fn rule(&self, id: u32) -> Option<Rule<'_>> {
        let row = || self.commands.get(id.checked_sub(self.rules.len() as u32)?);
        Some(Rule { table: self, id, record: self.rules.get(id).or_else(row)? })
    }

    /// The labels of the policy files that the rules come from.
    pub fn sources(&self) -> impl ExactSizeIterator<Item = &'t str> {
        let table = *self;
        self.sources.iter().map(move |source| table.text(source.field(0), source.field(1)))
    }

    /// The host executables, sorted by name.
    pub fn host_executables(&self) -> impl ExactSizeIterator<Item = HostExecutable<'_>> {
        self.host_executables.iter().map(|record| HostExecutable { table: self, record })
    }

    /// The host executable of this name.
    pub(crate) fn host_executable(&self, name: &str) -> Option<HostExecutable<'_>> {
        let before = |record: Record<'_, 16>| self.text(record.field(0), record.field(1)) < name;
        let record = self.host_executables.get(self.host_executables.partition_point(before) as u32)?;
        Some(HostExecutable { table: self, record }).filter(|executable| executable.name() == name)
    }

    /// The network rules in order of definition.
    pub fn network_rules(&self) -> impl ExactSizeIterator<Item = NetworkRule<'_>> {
        self.network_rules.iter().map(|record| NetworkRule { table: self, record })
    }

    /// What no match means: every declaration, of which the strictest counts.
    pub fn default_decisions(&self) -> impl ExactSizeIterator<Item = DefaultDecision<'_>> {
        self.defaults.iter().map(|record| DefaultDecision { table: self, record })
    }

    /// The edges of the trie of rules, in no particular order.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> {
        self.edges.iter().enumerate().filter_map(|(to, record)| {
            let word = record.field(2);
            let from = match record.field(1) {
                ROOT => State::Root,
                CANONICAL_ROOT => State::CanonicalRoot,
                OPTIONS.. => return None,
                state => State::After(state),
            };
            let label = match word {
                NONE => return None,
                WIDE => None,
                _ if word & MATCHER != 0 => Some(Alternative::Matcher(self.matcher(word & !MATCHER))),
                _ => Some(Alternative::Word(self.word(word))),
            };
            Some(Edge { from, to: to as u32, label, table: self, accepting: record.field(3) })
        })
    }

    /// The matcher at this place.
    pub(crate) fn matcher(&self, place: u32) -> Matcher<'t> {
        let Some(record) = self.matchers.get(place) else { return Matcher::AnyWord };
        let pattern = self.text(record.field(1), record.field(2));
        match record.field(0) {
            matcher::GLOB => Matcher::Glob(pattern),
            matcher::PATH => Matcher::Path(pattern),
            _ => Matcher::AnyWord,
        }
    }

    /// The spellings of a folded head.
    pub(crate) fn spellings(&self, place: u32) -> impl Iterator<Item = &'t str> {
        let length = self.spellings.get(place).map_or(0, |length| length.field(0));
        let list = self.spellings.range(place.saturating_add(1), length);
        list.into_iter().flat_map(|words| words.iter()).map(|word| self.word(word.field(0)))
    }

    /// The bytes of a word: without the search for the borders of characters that a text costs.
    #[inline(always)]
    pub(crate) fn word_bytes(&self, word: u32) -> &'t [u8] {
        let Some(word) = self.words.get(word) else { return &[] };
        let start = word.field(0) as usize;
        self.text.as_bytes().get(start..start.saturating_add(word.field(1) as usize)).unwrap_or_default()
    }

    pub(crate) fn word(&self, word: u32) -> &'t str {
        self.words.get(word).map_or("", |word| self.text(word.field(0), word.field(1)))
    }
}

impl core::fmt::Debug for Table<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").field("size", &self.size()).field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}
