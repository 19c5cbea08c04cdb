//! The answer to one command.

use crate::Decision;
use crate::accepting::strictest;
use crate::decide::Hit;
use crate::declarations::Rule;
use crate::path::ResolvedProgram;
use crate::request::Words;
use crate::table::Table;

/// What a table says of a command, and why.
pub struct Evaluation<'a, 'q, W> {
    pub(crate) table: &'a Table<'a>,
    pub(crate) words: Words<'q, W>,
    pub(crate) resolved: Option<ResolvedProgram<'q>>,
    pub(crate) hits: Hits,
}

impl<'a, 'q, W: AsRef<str>> Evaluation<'a, 'q, W> {
    /// The strictest decision of all matches; none if nothing matched: then the host's default speaks.
    ///
    /// Compare it with `==`, as in `decision() == Some(Decision::Allow)`. As to `<`, `None` is less than every decision:
    /// `decision() <= Some(Decision::Allow)` holds of a command that no rule allows.
    #[inline]
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        self.hits.decision()
    }

    /// Every rule that matched, in order of definition. Rules under canonical matching whose head is spelt otherwise
    /// than the program come after all others, one spelling after the other.
    pub fn matches(&self) -> impl Iterator<Item = RuleMatch<'a>> {
        let mut next = (0, 0);
        core::iter::from_fn(move || {
            let (group, id) = self.first_match(next)?;
            next = (group, id + 1);
            let rule = self.table.rule(id)?;
            Some(RuleMatch { rule, length: rule.length() })
        })
    }

    /// The first match, by group and id, from `least` on.
    fn first_match(&self, least: (u32, u32)) -> Option<(u32, u32)> {
        let mut first = None;
        let mut consider = |hit: Hit| {
            if hit.group < least.0 {
                return;
            }
            let least_id = if hit.group == least.0 { least.1 } else { 0 };
            let id = self.table.accepting(hit.accepting).at_least(least_id);
            let candidate = id.map(|id| (hit.group, id));
            if candidate.is_some() && (first.is_none() || candidate < first) {
                first = candidate;
            }
        };
        match self.hits.kept() {
            Some(hits) => hits.iter().copied().for_each(&mut consider),
            None => self.table.walk(self.words, self.resolved.as_ref(), &mut consider),
        }
        first
    }

    /// The absolute path of the program, if the rules were found by its base name.
    #[must_use]
    pub const fn resolved_program(&self) -> Option<ResolvedProgram<'q>> {
        self.resolved
    }

    /// The words as they were judged: the first is the base name if the program was looked up by it.
    pub fn words(&self) -> impl Iterator<Item = &'q str> {
        let words = self.words;
        (0..words.command.len()).filter_map(move |place| words.get(place))
    }
}

impl<W: AsRef<str>> core::fmt::Debug for Evaluation<'_, '_, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        struct Matches<'e, 'a, 'q, W>(&'e Evaluation<'a, 'q, W>);
        impl<W: AsRef<str>> core::fmt::Debug for Matches<'_, '_, '_, W> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_list().entries(self.0.matches()).finish()
            }
        }
        f.debug_struct("Evaluation")
            .field("decision", &self.decision())
            .field("matches", &Matches(self))
            .finish_non_exhaustive()
    }
}

/// One rule that matched.
#[derive(Clone, Copy, Debug)]
pub struct RuleMatch<'a> {
    /// The rule.
    pub rule: Rule<'a>,
    /// How many words of the command its pattern took.
    pub length: usize,
}

/// The accepting states of a command: as many as fit, and whether that is all. An answer with more is read off the
/// table again, match by match, so that no command needs heap.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hits {
    /// The reference to a list with the strictest decision of all, which stands in its highest bits.
    strictest: u32,
    hits: [Hit; 6],
    number: usize,
}

impl Hits {
    #[inline(always)]
    pub(crate) fn add(&mut self, hit: Hit) {
        self.strictest = self.strictest.max(hit.accepting);
        if let Some(free) = self.hits.get_mut(self.number) {
            *free = hit;
        }
        self.number += 1;
    }

    #[inline(always)]
    pub(crate) fn decision(&self) -> Option<Decision> {
        strictest(self.strictest)
    }

    /// All hits, if all were kept.
    fn kept(&self) -> Option<&[Hit]> {
        self.hits.get(..self.number)
    }
}
