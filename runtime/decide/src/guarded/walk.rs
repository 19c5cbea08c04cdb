//! The rules that the readings of a command reach in the trie.

use alloc::collections::BTreeSet;
use core::cell::Cell;

use super::Judge;
use super::conditions::{Hit, suspicious};
use super::grammar::{Grammar, Role};
use super::line::Line;
use super::setting::{Mode, Setting};
use crate::accepting::strictest;
use crate::answers::Reading;
use crate::decision::Decision;
use crate::declarations::Rule;
#[cfg(feature = "canonical")]
use crate::format::{CANONICAL_ROOT, FOLDED_ROOT};
use crate::format::{CASELESS_ROOT, COMMAND_CASELESS_ROOT, COMMAND_ROOT, LEAF, MATCHER, ROOT};
use crate::lookup::Found;
use crate::signature::{ANY_WORD, of_written};
use crate::word::Exact;
#[cfg(feature = "canonical")]
use crate::word::Folded;

/// From so many steps on, a walk remembers where it was: options that may hold values lead to one place in many ways.
const REMEMBER: u32 = 128;

/// What the rules say of one simple command, as they are found.
#[derive(Default)]
pub(super) struct Own {
    /// The strictest prompt or forbidden.
    pub(super) restrictive: Option<Decision>,
    /// How many words the longest pattern reaches over that allows it.
    pub(super) allowed: Option<usize>,
    /// Whether an allow was kept from counting.
    pub(super) doubted: bool,
    /// Whether a pattern goes on where a word stands that only the run can know.
    pub(super) depends: bool,
}

impl Own {
    pub(super) fn restrict(&mut self, decision: Decision) {
        self.restrictive = self.restrictive.max(Some(decision));
    }
}

/// The name by which rules for the program are looked up.
#[derive(Clone, Copy)]
pub(super) struct Head<'h> {
    pub(super) name: &'h str,
    /// Whether the program is surely the one of that name.
    pub(super) certain: bool,
    pub(super) base_name: bool,
    /// Whether letter case makes no difference.
    pub(super) caseless: bool,
    /// Whether rules about every command are asked, too, whose patterns are no more than `any_word()`.
    pub(super) any: bool,
}

/// A simple command while its rules are looked for.
pub(super) struct Walk<'w> {
    pub(super) line: Line<'w>,
    pub(super) grammar: &'w Grammar<'w>,
    pub(super) setting: &'w Setting<'w>,
    pub(super) head: Head<'w>,
    pub(super) reading: Reading,
    pub(super) own: Own,
    /// Whether rows of what commands do are looked for, instead of rules.
    pub(super) rows: bool,
    /// The places of the words that the pattern took so far.
    pub(super) places: Places,
    /// The [signature](crate::signature) of all words behind the program, once it is asked for.
    signature: Cell<Option<u64>>,
    /// The states and places that were looked at, once there are many.
    seen: BTreeSet<(u32, usize, bool)>,
    steps: u32,
}

/// Places of words by the elements that took them, for the first few elements.
#[derive(Clone, Copy, Default)]
pub(super) struct Places([u32; 12]);

impl Places {
    pub(super) fn set(&mut self, element: usize, place: usize) {
        if let Some(kept) = self.0.get_mut(element) {
            *kept = place as u32;
        }
    }

    /// The places that the first `elements` took, as far as they are kept.
    pub(super) fn first(&self, elements: usize) -> impl Iterator<Item = usize> {
        self.0.iter().take(elements).map(|place| *place as usize)
    }
}

/// Where a walk through the trie is.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) found: Found,
    /// The next word.
    pub(super) place: usize,
    /// How many elements of the pattern are behind.
    pub(super) taken: usize,
    pub(super) certain: bool,
    pub(super) reading: Reading,
}

impl<'w> Walk<'w> {
    pub(super) fn new(line: Line<'w>, grammar: &'w Grammar<'w>, setting: &'w Setting<'w>, head: Head<'w>) -> Self {
        Self {
            line,
            grammar,
            setting,
            head,
            reading: Reading { base_name: head.base_name, ..setting.reading },
            own: Own::default(),
            rows: false,
            places: Places::default(),
            signature: Cell::new(None),
            seen: BTreeSet::new(),
            steps: 0,
        }
    }

    /// The [signature](crate::signature) of all words behind the program.
    pub(super) fn signature(&self) -> u64 {
        if let Some(signature) = self.signature.get() {
            return signature;
        }
        let any = self.line.extended || !self.grammar.marks.is_empty();
        let start = if any { ANY_WORD } else { 0 };
        let signature =
            (1..self.line.len()).filter_map(|place| self.line.word(place)).fold(start, |signature, word| {
                signature | if word.is_dynamic() { ANY_WORD } else { of_written(word.text) }
            });
        self.signature.set(Some(signature));
        signature
    }

    /// Whether one of the first `elements` took the word at `place`.
    pub(super) fn took(&self, place: usize, elements: usize) -> bool {
        self.places.first(elements).any(|taken| taken == place)
    }
}

impl<'t> Judge<'t, '_> {
    /// Finds the rules for the name in the walk's head.
    pub(super) fn walk(&mut self, walk: &mut Walk<'_>) {
        let head = walk.head;
        let (root, caseless) = if walk.rows { (COMMAND_ROOT, COMMAND_CASELESS_ROOT) } else { (ROOT, CASELESS_ROOT) };
        if let Some(found) = self.table.edge(root, Exact(head.name)) {
            self.enter(walk, found, false, head.certain);
        }
        if head.caseless
            && let Some(found) = self.table.edge(caseless, Exact(head.name))
        {
            let table = self.table;
            for name in table.spellings(found.accepting & !LEAF) {
                if let Some(found) = table.edge(root, Exact(name)) {
                    self.enter(walk, found, false, head.certain);
                }
            }
        }
        if self.has_matchers(walk) {
            let table = self.table;
            for (matcher, found) in table.matcher_edges(root) {
                let written = walk.line.word(0).map_or(head.name, |word| word.text);
                let word = if matches!(matcher, crate::Matcher::Path(_)) { written } else { head.name };
                if (head.any || matcher != crate::Matcher::AnyWord || !found.is_leaf())
                    && self.describes(matcher, word, true)
                {
                    let certain = head.certain && self.describes(matcher, word, false);
                    self.enter(walk, found, false, certain);
                }
            }
        }
        #[cfg(feature = "canonical")]
        if self.table.parameters.canonical != 0 && !walk.rows {
            let table = self.table;
            if let Some(found) = table.edge(CANONICAL_ROOT, Exact(head.name)) {
                self.enter(walk, found, true, head.certain);
            }
            let Some(found) = table.edge(FOLDED_ROOT, Folded(head.name)) else { return };
            for name in table.spellings(found.accepting & !LEAF) {
                if name != head.name
                    && let Some(found) = table.edge(CANONICAL_ROOT, Exact(name))
                {
                    self.enter(walk, found, true, head.certain);
                }
            }
        }
    }

    const fn has_matchers(&self, walk: &Walk<'_>) -> bool {
        let parameters = &self.table.parameters;
        if walk.rows { parameters.command_matchers != 0 } else { parameters.matchers != 0 }
    }

    fn enter(&mut self, walk: &mut Walk<'_>, found: Found, canonical: bool, certain: bool) {
        walk.places.set(0, 0);
        let at = At { found, place: 1, taken: 1, certain, reading: walk.reading };
        if self.table.parameters.wide != 0
            && let Some(wide) = self.table.wide_edge(found.state)
        {
            let table = self.table;
            for rule in table.accepting(wide.accepting).ids().filter_map(|id| table.rule(id)) {
                self.wide_rule(walk, rule, at);
            }
        }
        self.follow(walk, canonical, at);
    }

    /// Compares a rule whose alternatives are not spread over the trie.
    #[cold]
    fn wide_rule(&mut self, walk: &mut Walk<'_>, rule: Rule<'t>, at: At) {
        for certain in [true, false] {
            let elements = rule.pattern().skip(1);
            let aligned = self.aligned(&walk.line, walk.grammar, elements, rule.canonical_matching(), certain, 1);
            if let Some(place) = aligned {
                let reading = Reading { skipped_options: !certain, ..at.reading };
                self.matched(walk, rule, At { place, taken: 1, certain: certain && at.certain, reading, ..at });
                return;
            }
        }
    }

    /// Follows the trie for as long as the words agree, over options that may be skipped.
    fn follow(&mut self, walk: &mut Walk<'_>, canonical: bool, at: At) {
        self.step(1);
        walk.steps += 1;
        if self.is_exhausted() || walk.steps > REMEMBER && !walk.seen.insert((at.found.state, at.place, at.certain)) {
            return;
        }
        if at.found.accepting & !LEAF != 0 {
            self.accept(walk, at);
        }
        if at.found.is_leaf() {
            return;
        }
        // The places that skipping reaches: each of the next three, and whether surely so.
        let mut reached = [Some((at.certain, at.reading)), None, None];
        let mut place = at.place;
        while let [here, next, after] = reached
            && (here.is_some() || next.is_some() || after.is_some())
        {
            let (mut next, mut after) = (next, after);
            if let Some((certain, reading)) = here {
                let Some(word) = walk.line.word(place) else {
                    walk.own.depends |= walk.line.extended;
                    break;
                };
                if word.is_dynamic() {
                    walk.own.depends = true;
                    break;
                }
                self.step(1);
                walk.places.set(at.taken, place);
                let onward = At { place: place + 1, taken: at.taken + 1, certain, reading, ..at };
                let role = walk.grammar.roles.get(place);
                // The value of an option that was skipped is no word of the pattern's.
                let takes = place == at.place || !role.is_value();
                if takes && let Some(found) = self.table.edge_of(at.found.state, word.text, canonical) {
                    self.follow(walk, canonical, At { found, ..onward });
                }
                if takes && self.has_matchers(walk) {
                    let table = self.table;
                    for (matcher, found) in table.matcher_edges(at.found.state) {
                        if self.describes(matcher, word.text, true) {
                            let certain = certain && self.describes(matcher, word.text, false);
                            walk.places.set(at.taken, place);
                            self.follow(walk, canonical, At { found, certain, ..onward });
                        }
                    }
                }
                let skipped = Reading { skipped_options: true, ..reading };
                match role {
                    Role::Word => {}
                    Role::Harmless | Role::HarmlessValue => next = next.or(Some((certain, skipped))),
                    Role::Option | Role::Value | Role::Terminator | Role::Assignment => {
                        next = next.or(Some((false, skipped)))
                    }
                    Role::Unknown => {
                        next = next.or(Some((false, skipped)));
                        after = after.or(Some((false, skipped)));
                    }
                }
            }
            reached = [next, after, None];
            place += 1;
        }
    }

    /// The rules that end here match.
    fn accept(&mut self, walk: &mut Walk<'_>, at: At) {
        let table = self.table;
        let plain = table.parameters.conditions == 0 && self.record.is_none() && !walk.rows;
        // What an allow covers is asked for even where a rule restricts.
        let decides = plain && self.gathered.is_none();
        match strictest(at.found.accepting) {
            Some(Decision::Allow) if plain && walk.setting.mode == Mode::Restrictive => {}
            Some(Decision::Allow)
                if plain
                    && at.certain
                    && walk.setting.is_plain()
                    && walk.grammar.effects.is_empty()
                    && !suspicious(&walk.line) =>
            {
                walk.own.allowed = walk.own.allowed.max(Some(at.place));
            }
            Some(decision @ (Decision::Prompt | Decision::Forbidden)) if decides => walk.own.restrict(decision),
            _ => {
                for rule in table.accepting(at.found.accepting).ids().filter_map(|id| table.rule(id)) {
                    self.step(1);
                    self.matched(walk, rule, at);
                }
            }
        }
    }

    /// A rule's pattern agrees with the command: the rest of the rule decides whether it counts.
    pub(super) fn matched(&mut self, walk: &mut Walk<'_>, rule: Rule<'t>, at: At) {
        if walk.rows {
            return self.row(walk, rule, at);
        }
        let restrictive = rule.decision() > Decision::Allow;
        if !restrictive && walk.setting.mode == Mode::Restrictive {
            return;
        }
        let hit = self.hit(walk, rule, at, restrictive);
        let beside = walk.setting.parted
            && rule.length() < 2
            && rule.conditions().is_none_or(|one| one.having().next().is_none());
        if hit == Hit::No || beside {
            return;
        }
        let mut counts = true;
        if restrictive && hit == Hit::Unknown && rule.head() & MATCHER != 0 {
            // A rule for every program would forbid whatever nothing is known of: somebody is asked.
            counts = rule.decision() == Decision::Prompt;
            walk.own.restrict(Decision::Prompt);
            self.doubt_unknown(walk);
        } else if restrictive {
            walk.own.restrict(rule.decision());
        } else {
            counts = at.certain && walk.setting.mode == Mode::Certain;
            if !counts {
                self.doubt_reading(walk, at);
            }
            counts &= self.nothing_voids(walk, rule, at);
            if counts {
                walk.own.allowed = walk.own.allowed.max(Some(at.place));
            } else {
                walk.own.doubted = true;
            }
        }
        self.record_match(walk, rule, at, counts);
    }
}
