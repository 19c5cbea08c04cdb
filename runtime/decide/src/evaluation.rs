//! The answer to one request.

use alloc::vec::Vec;

use crate::Decision;
use crate::accepting::strictest;
use crate::account::Account;
use crate::answers::Answers;
use crate::decide::Hit;
use crate::declarations::Rule;
use crate::guarded;
use crate::path::ResolvedProgram;
use crate::request::{Context, Request, Words};
use crate::table::Table;
use crate::terms::Terms;
use crate::weigh::account;

/// What a table says of a request, and why.
pub struct Evaluation<'a, 'q, W> {
    pub(crate) table: &'a Table<'a>,
    pub(crate) request: Request<'q, W>,
    pub(crate) context: Context<'q>,
    pub(crate) found: Found<'q, W>,
}

/// What was found, by the kind of matching.
pub(crate) enum Found<'q, W> {
    Guarded(Option<Decision>),
    Reference { words: Words<'q, W>, resolved: Option<ResolvedProgram<'q>>, hits: Hits },
}

impl<'a, 'q, W: AsRef<str>> Evaluation<'a, 'q, W> {
    /// The strictest decision of all matches; none if nothing matched: then the host's default speaks.
    ///
    /// Compare it with `==`, as in `decision() == Some(Decision::Allow)`. As to `<`, `None` is less than every decision:
    /// `decision() <= Some(Decision::Allow)` holds of a command that no rule allows.
    #[inline]
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        match &self.found {
            Found::Guarded(decision) => *decision,
            Found::Reference { hits, .. } => hits.decision(),
        }
    }

    /// The answer in full: every simple command, what matched it and what kept an allow from counting. It judges the
    /// request once more, and keeps what it finds on the heap. Under reference matching there is nothing in it but the
    /// decision: [`Evaluation::matches`] says all.
    #[must_use]
    pub fn answers(&self) -> Answers<'a> {
        match self.found {
            Found::Guarded(decision) => {
                let answers = guarded::answers(self.table, self.context.folders.as_ref(), self.request);
                let commands = matches!(self.request, Request::Command(_) | Request::Text { .. });
                if commands && self.context.terms.is_none() {
                    answers
                } else {
                    Answers { decision, default: None, ..answers }
                }
            }
            Found::Reference { .. } => Answers {
                decision: self.decision(),
                texts: Vec::new(),
                commands: Vec::new(),
                left_out: 0,
                steps: 0,
                exhausted: false,
                default: None,
            },
        }
    }

    /// What the request does, and what decides over it. It judges the request once more, and keeps what it finds on the
    /// heap.
    #[must_use]
    pub fn account(&self) -> Account<'a> {
        account(self.table, &self.context, self.context.terms.unwrap_or(&Terms::NONE), self.request, true)
    }

    /// Every rule that matched and counts, in order of definition. Under reference matching, rules under canonical
    /// matching whose head is spelt otherwise than the program come after all others, one spelling after the other.
    pub fn matches(&self) -> impl Iterator<Item = RuleMatch<'a>> {
        let mut next = (0, 0);
        let mut guarded = matches!(self.found, Found::Guarded(_)).then(|| counting(&self.answers()).into_iter());
        core::iter::from_fn(move || {
            if let Some(guarded) = &mut guarded {
                return guarded.next();
            }
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
        if let Found::Reference { words, resolved, hits } = &self.found {
            match hits.kept() {
                Some(hits) => hits.iter().copied().for_each(&mut consider),
                None => self.table.walk(*words, self.context.folders.as_ref(), resolved.as_ref(), &mut consider),
            }
        }
        first
    }

    /// Under reference matching, the absolute path of the program if the rules were found by its base name.
    #[must_use]
    pub const fn resolved_program(&self) -> Option<ResolvedProgram<'q>> {
        match self.found {
            Found::Guarded(_) => None,
            Found::Reference { resolved, .. } => resolved,
        }
    }

    /// The words of a command as they were judged: under reference matching, the first is the base name if the program
    /// was looked up by it.
    pub fn words(&self) -> impl Iterator<Item = &'q str> {
        let words = match (&self.found, self.request) {
            (Found::Reference { words, .. }, _) => *words,
            (Found::Guarded(_), Request::Command(command)) => {
                Words { program: command.first().map_or("", AsRef::as_ref), command }
            }
            (Found::Guarded(_), _) => Words { program: "", command: &[] },
        };
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

/// The rules that count, each once.
fn counting<'a>(answers: &Answers<'a>) -> Vec<RuleMatch<'a>> {
    let matches = answers.commands.iter().flat_map(|command| &command.matches);
    let mut rules: Vec<_> = matches.filter(|found| found.counts).map(|found| found.rule).collect();
    rules.sort_by_key(Rule::id);
    rules.dedup_by_key(|rule| rule.id());
    rules.into_iter().map(|rule| RuleMatch { rule, length: rule.length() }).collect()
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
