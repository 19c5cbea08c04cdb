//! Trie → bytes, as `policyc_runtime::format` lays them out.

use std::collections::BTreeMap;

use policyc_runtime::format::{
    ACCEPTING_DECISION_SHIFT, CANONICAL_RULE, CHECKSUM, CONDITIONED, INERT_ROOT, JUSTIFIED, LEAF, MAGIC, NONE,
    Parameters, SINGLE, SOURCE_SHIFT, Section, VERSION, WIDE, computed_checksum, edge_hash, matcher, piece, tag,
    word_hash,
};
use policyc_runtime::{Decision, ResolvedProgram};

use super::conditions::RuleConditions;
use super::effects::{Effects, LoweredTool};
use super::intern::{Numbers, Texts, number};
use super::programs::Knowledge;
use super::slots::Slots;
use super::trie::{HeadRule, Trie, is_matcher};
use super::{Place, RuleSet};
use crate::rules::effects::Piece;
use crate::rules::{HostExecutable, Matcher, NetworkRule, Origin, Protocol};

/// A search that is longer than this is a reason to try another seed.
const LONG_SEARCH: u32 = 64;

/// How many seeds are tried before the best of them is taken.
const SEEDS: u32 = 8;

pub(super) fn emit<'a>(rules: &RuleSet<'a>, place: impl Fn(&Origin) -> Place<'a>) -> Vec<u8> {
    let mut trie = Trie::new(&rules.prefix_rules, &rules.commands);
    let conditions = RuleConditions::new(&mut trie);
    let knowledge = match rules.prepared {
        Some(prepared) => prepared.join(&mut trie),
        None => Knowledge::new(&mut trie, rules),
    };
    let effects = Effects::new(&mut trie, rules);
    let paths = folded_paths(&rules.host_executables);
    let mut emitter =
        Emitter { place, texts: Texts::default(), sources: Numbers::default(), sections: Sections::default() };
    emitter.trie(&trie, &effects);
    for row in &conditions.rows {
        emitter.sections.add(Section::Conditions, *row);
    }
    for row in &conditions.patterns {
        emitter.sections.add(Section::Patterns, *row);
    }
    for row in &knowledge.programs {
        emitter.sections.add(Section::Programs, *row);
    }
    for row in &knowledge.options {
        emitter.sections.add(Section::Options, *row);
    }
    for layer in rules.layers {
        emitter.layer(&layer.name, layer.trusted);
    }
    if rules.layers.is_empty() {
        emitter.layer("", true);
    }
    for default in &rules.default_decisions {
        let declaration = emitter.declaration(default.decision, 0, default.justification.as_deref(), &default.origin);
        emitter.sections.add(Section::Defaults, [0; 3]);
        emitter.sections.add(Section::Defaults, declaration);
    }
    emitter.host_executables(&paths);
    for rule in &rules.network_rules {
        emitter.network_rule(rule);
    }
    emitter.effects(&effects);
    emitter.finish()
}

/// The paths of each host executable as a table compares them; the last declaration of a name wins.
fn folded_paths<'a>(executables: &[&'a HostExecutable]) -> BTreeMap<&'a str, Vec<String>> {
    // A path of Windows is folded where it is compared.
    let folded =
        |path: &String| if path.starts_with('/') { ResolvedProgram::absolute(path).to_string() } else { path.clone() };
    let by_name =
        executables.iter().map(|executable| (executable.name.as_str(), executable.paths.iter().map(folded).collect()));
    by_name.collect()
}

struct Emitter<'t, P> {
    place: P,
    texts: Texts<'t>,
    /// Each file with its layer.
    sources: Numbers<(&'t str, u32)>,
    sections: Sections,
}

impl<'t, 'a: 't, P: Fn(&Origin) -> Place<'a>> Emitter<'t, P> {
    fn trie(&mut self, trie: &'t Trie<'a>, effects: &Effects<'a>) {
        for word in trie.words.things() {
            let range = self.texts.add(word);
            self.sections.add(Section::Words, range);
        }
        for matcher in trie.matchers.things() {
            self.matcher(matcher);
        }
        let (seed, edges) = self.edges(trie);
        let (rules, rows) = trie.rules.split_at(trie.number_of_rules());
        let below_commands = trie.edges_of_commands();
        let matchers = |of_commands: bool| {
            let edges = trie.edges.iter().zip(&below_commands).filter(|(_, below)| **below == of_commands);
            u32::from(edges.into_iter().any(|(edge, _)| is_matcher(edge.term) && edge.from != INERT_ROOT))
        };
        let conditions = |rules: &[HeadRule<'_>]| u32::from(rules.iter().any(|head| !head.rule.conditions.is_empty()));
        let parameters = Parameters {
            seed,
            edge_capacity: edges.capacity(),
            edge_probes: edges.probes(),
            wide: u32::from(trie.edges.iter().any(|edge| edge.term == WIDE)),
            canonical: u32::from(trie.rules.iter().any(|head| head.rule.canonical_matching)),
            matchers: matchers(false),
            conditions: conditions(rules),
            command_matchers: matchers(true),
            command_conditions: conditions(rows),
        };
        self.sections.add(Section::Parameters, parameters.to_fields());
        for edge in edges.into_slots() {
            self.sections.add(Section::Edges, edge.unwrap_or([0, 0, NONE, 0]));
        }
        for word in &trie.elements {
            self.sections.add(Section::Elements, [*word]);
        }
        for rule in rules {
            self.rule(rule);
        }
        for (row, said) in rows.iter().zip(&effects.rows) {
            self.row(row, *said);
        }
    }

    /// Places the edges under the first seed that needs no long search, or else the best.
    fn edges(&mut self, trie: &Trie<'_>) -> (u32, Slots<[u32; 4]>) {
        let accepting = self.accepting(trie);
        let spellings = self.spellings(trie);
        let mut best = (0, place_edges(trie, &accepting, &spellings, 0));
        for seed in 1..SEEDS {
            if best.1.probes() <= LONG_SEARCH {
                break;
            }
            let edges = place_edges(trie, &accepting, &spellings, seed);
            if edges.probes() < best.1.probes() {
                best = (seed, edges);
            }
        }
        best
    }

    /// For each folded head, where the list of its spellings starts.
    fn spellings(&mut self, trie: &Trie<'_>) -> Vec<u32> {
        let mut places = Vec::with_capacity(trie.spellings.len());
        for (_, _, spellings) in &trie.spellings {
            places.push(self.sections.number_of_fields(Section::Spellings));
            self.sections.add(Section::Spellings, [number(spellings.len())]);
            for spelling in spellings {
                self.sections.add(Section::Spellings, [*spelling]);
            }
        }
        places
    }

    /// For each edge, the reference to the list of rules that end after it.
    fn accepting(&mut self, trie: &Trie<'_>) -> Vec<u32> {
        let mut ends = trie.accepting.clone();
        ends.sort_by_key(|(edge, _)| *edge);
        let mut references = vec![0; trie.edges.len()];
        for list in ends.chunk_by(|(a, _), (b, _)| a == b) {
            let decisions = list.iter().filter_map(|(_, id)| Some(trie.rules.get(*id as usize)?.rule.decision));
            let strictest = decisions.max().unwrap_or(Decision::Allow) as u32 + 1;
            let place = match list {
                [(_, id)] => SINGLE | id,
                _ => {
                    let place = self.sections.number_of_fields(Section::Accepting);
                    self.sections.add(Section::Accepting, [number(list.len())]);
                    for (_, id) in list {
                        self.sections.add(Section::Accepting, [*id]);
                    }
                    place
                }
            };
            if let Some((edge, _)) = list.first()
                && let Some(reference) = references.get_mut(*edge as usize)
            {
                *reference = place | strictest << ACCEPTING_DECISION_SHIFT;
            }
        }
        references
    }

    fn matcher(&mut self, matcher: &'t Matcher) {
        let (kind, pattern) = match matcher {
            Matcher::AnyWord => (matcher::ANY_WORD, ""),
            Matcher::Glob(pattern) => (matcher::GLOB, pattern.as_str()),
            Matcher::Path(pattern) => (matcher::PATH, pattern.as_str()),
        };
        let [offset, length] = self.texts.add(pattern);
        self.sections.add(Section::Matchers, [kind, offset, length]);
    }

    fn layer(&mut self, name: &'a str, trusted: bool) {
        let [offset, length] = self.texts.add(name);
        self.sections.add(Section::Layers, [offset, length, u32::from(trusted)]);
    }

    fn rule(&mut self, HeadRule { rule, head, elements }: &HeadRule<'a>) {
        let canonical = if rule.canonical_matching { CANONICAL_RULE } else { 0 };
        let conditioned = if rule.conditions.is_empty() { 0 } else { CONDITIONED };
        let declaration =
            self.declaration(rule.decision, canonical | conditioned, rule.justification.as_deref(), &rule.origin);
        self.sections.add(Section::Rules, [*head, *elements, number(rule.pattern.len() - 1)]);
        self.sections.add(Section::Rules, declaration);
    }

    fn row(&mut self, HeadRule { rule, head, elements }: &HeadRule<'a>, [mask, paths_from]: [u32; 2]) {
        let conditioned = if rule.conditions.is_empty() { 0 } else { CONDITIONED };
        let [flags, line, column] = self.place(conditioned, &rule.origin);
        let length = number(rule.pattern.len() - 1);
        self.sections.add(Section::Commands, [*head, *elements, length, flags, line, column, mask, paths_from]);
    }

    fn network_rule(&mut self, rule: &'a NetworkRule) {
        let [offset, length] = self.texts.add(&rule.host);
        let protocol = Protocol::ALL.iter().position(|protocol| *protocol == rule.protocol).unwrap_or(0);
        let declaration = self.declaration(rule.decision, 0, rule.justification.as_deref(), &rule.origin);
        self.sections.add(Section::NetworkRules, [offset, length, number(protocol)]);
        self.sections.add(Section::NetworkRules, declaration);
    }

    /// The fields that rules of all kinds end with.
    fn declaration(
        &mut self,
        decision: Decision,
        flags: u32,
        justification: Option<&'a str>,
        origin: &Origin,
    ) -> [u32; 5] {
        let [flags, line, column] = self.place(decision as u32 | flags, origin);
        let (flags, [offset, length]) = match justification {
            Some(justification) => (flags | JUSTIFIED, self.texts.add(justification)),
            None => (flags, [0, 0]),
        };
        [flags, line, column, offset, length]
    }

    /// The flags with the source of a declaration, its line and its column.
    fn place(&mut self, flags: u32, origin: &Origin) -> [u32; 3] {
        let Place { file, position, layer } = (self.place)(origin);
        let source = self.sources.number((file, number(layer)));
        [flags | source << SOURCE_SHIFT, position.line, position.column]
    }

    fn effects(&mut self, effects: &Effects<'a>) {
        for (name, flags, origin) in &effects.capabilities {
            let [offset, length] = self.texts.add(name);
            let [source, line, column] = origin.map_or([0; 3], |origin| self.place(0, origin));
            self.sections.add(Section::Capabilities, [offset, length, *flags, source, line, column, 0, 0]);
        }
        if let Some(vocabulary) = effects.vocabulary {
            self.sections.add(Section::Vocabulary, vocabulary);
        }
        for mask in effects.masks.things() {
            self.sections.add(Section::Masks, [0, 32, 64, 96].map(|shift| (*mask >> shift) as u32));
        }
        for LoweredTool { tool, flags, effects, claims, parameters, target, pieces } in &effects.tools {
            let [offset, length] = self.texts.add(&tool.name);
            let [flags, line, column] = self.place(*flags, &tool.origin);
            let ([parameter, parameters], [piece, pieces]) = (*parameters, *pieces);
            let [effects, claims, target] = [*effects, *claims, *target];
            let timeout = tool.timeout.unwrap_or(0);
            self.sections.add(
                Section::Tools,
                [
                    offset, length, effects, flags, line, column, claims, parameter, parameters, target, piece, pieces,
                    timeout,
                ],
            );
        }
        for (name, flags) in &effects.parameters {
            let [offset, length] = self.texts.add(name);
            self.sections.add(Section::ToolParameters, [offset, length, *flags]);
        }
        for piece in &effects.pieces {
            let (kind, text) = match piece {
                Piece::Literal(text) => (piece::LITERAL, text.as_str()),
                Piece::Parameter(name) => (piece::PARAMETER, name.as_str()),
                Piece::Target => (piece::TARGET, ""),
            };
            let [offset, length] = self.texts.add(text);
            self.sections.add(Section::Pieces, [kind, offset, length]);
        }
        for (requirement, [mask, unless, piece, pieces]) in &effects.requirements {
            let [source, line, column] = self.place(0, &requirement.origin);
            self.sections.add(Section::Requirements, [*mask, *unless, *piece, source, line, column, *pieces, 0]);
        }
        for (profile, [allow, prompt, tools]) in &effects.profiles {
            let [offset, length] = self.texts.add(&profile.name);
            let [source, line, column] = self.place(0, &profile.origin);
            self.sections.add(Section::Profiles, [offset, length, *allow, source, line, column, *prompt, *tools]);
        }
        for (rule, [tool, argument, arguments, exception, exceptions]) in &effects.tool_rules {
            let declaration = self.declaration(rule.decision, 0, rule.justification.as_deref(), &rule.origin);
            self.sections.add(Section::ToolRules, [*tool, *argument, *arguments]);
            self.sections.add(Section::ToolRules, declaration);
            self.sections.add(Section::ToolRules, [*exception, *exceptions]);
        }
        for (pointer, element) in &effects.arguments {
            let [offset, length] = self.texts.add(pointer);
            self.sections.add(Section::ToolArguments, [offset, length, *element]);
        }
        for exception in &effects.exceptions {
            self.sections.add(Section::ToolExceptions, *exception);
        }
        for (grants, reserved) in &effects.grants {
            let [source, line, column] = self.place(0, &grants.origin);
            let most = grants.max_open.unwrap_or(NONE);
            self.sections.add(Section::Grants, [grants.max_ttl, most, *reserved, source, line, column, 0, 0]);
        }
    }

    fn host_executables(&mut self, executables: &'t BTreeMap<&'a str, Vec<String>>) {
        let mut first = 0;
        for (name, paths) in executables {
            let [offset, length] = self.texts.add(name);
            self.sections.add(Section::HostExecutables, [offset, length, first, number(paths.len())]);
            first += number(paths.len());
            for path in paths {
                let range = self.texts.add(path);
                self.sections.add(Section::HostPaths, range);
            }
        }
    }

    fn finish(mut self) -> Vec<u8> {
        for (source, layer) in std::mem::take(&mut self.sources).things() {
            let [offset, length] = self.texts.add(source);
            self.sections.add(Section::Sources, [offset, length, *layer]);
        }
        *self.sections.bytes_mut(Section::Text) = self.texts.into_bytes();
        self.sections.into_table()
    }
}

/// Places each edge after the edge before it, whose slot is the state that it leaves.
fn place_edges(trie: &Trie<'_>, accepting: &[u32], spellings: &[u32], seed: u32) -> Slots<[u32; 4]> {
    let mut slots = Slots::new(trie.edges.len() + trie.spellings.len());
    // A word stands on many edges.
    let hashes: Vec<u64> = trie.words.things().iter().map(|text| word_hash(text.as_bytes(), seed)).collect();
    let mut place = |from: u32, term: u32, number: u32, ends: u32| {
        let hash = edge_hash(from, hashes.get(term as usize).copied().unwrap_or(u64::from(number)));
        slots.place(hash, [tag(hash), from, term, ends])
    };
    let mut states: Vec<u32> = Vec::with_capacity(trie.edges.len());
    for (edge, ends) in trie.edges.iter().zip(accepting) {
        let from = states.get(edge.from as usize).copied().unwrap_or(edge.from);
        let leaf = if edge.continued { 0 } else { LEAF };
        states.push(place(from, edge.term, edge.number, ends | edge.knowledge | leaf));
    }
    for ((root, common, _), list) in trie.spellings.iter().zip(spellings) {
        place(*root, *common, 0, list | LEAF);
    }
    slots
}

/// The sections as they grow.
#[derive(Default)]
struct Sections([Vec<u8>; Section::ALL.len()]);

impl Sections {
    fn bytes_mut(&mut self, section: Section) -> &mut Vec<u8> {
        self.0.get_mut(section as usize).expect("there is a place for each section")
    }

    fn add<const FIELDS: usize>(&mut self, section: Section, fields: [u32; FIELDS]) {
        let bytes = self.bytes_mut(section);
        for field in fields {
            bytes.extend(field.to_le_bytes());
        }
    }

    fn number_of_fields(&mut self, section: Section) -> u32 {
        number(self.bytes_mut(section).len() / 4)
    }

    fn into_table(self) -> Vec<u8> {
        let mut table = Vec::with_capacity(self.0.iter().map(Vec::len).sum::<usize>() + 128);
        table.extend(MAGIC);
        table.extend(VERSION.to_le_bytes());
        table.extend(number(Section::ALL.len()).to_le_bytes());
        table.extend([0; CHECKSUM.end - CHECKSUM.start]);
        for section in &self.0 {
            table.extend(number(section.len()).to_le_bytes());
        }
        for section in &self.0 {
            table.extend(section);
        }
        let checksum = computed_checksum(&table).to_le_bytes();
        table.splice(CHECKSUM, checksum);
        table
    }
}
