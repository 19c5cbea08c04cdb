//! The one decide function.

use crate::Decision;
use crate::accepting::single;
use crate::evaluation::{Evaluation, Found, Hits};
#[cfg(feature = "canonical")]
use crate::format::{CANONICAL_ROOT, FOLDED_ROOT};
use crate::format::{LEAF, ROOT};
use crate::guarded;
use crate::lookup;
use crate::path::{Folders, ResolvedProgram};
use crate::request::{Context, Matching, Request, Words};
use crate::table::Table;
use crate::terms::Terms;
use crate::weigh::account;
#[cfg(feature = "canonical")]
use crate::word::Folded;
use crate::word::{Exact, Word};

impl<'t> Table<'t> {
    /// Judges a command or a text: the strictest decision of all rules that match it.
    ///
    /// Takes time in the number of words that rules look at, however many rules there are. A plain command needs no
    /// heap (but for rules under canonical matching whose words have more than four combining characters in a row);
    /// a text, and a command that runs others, are read on the heap.
    #[inline]
    pub fn decide<'q, W: AsRef<str>>(
        &self,
        request: impl Into<Request<'q, W>>,
        context: &Context<'q>,
    ) -> Evaluation<'_, 'q, W> {
        let request = request.into();
        let found = match (context.matching, request) {
            _ if context.terms.is_some() || matches!(request, Request::Tool { .. } | Request::Network { .. }) => {
                Found::Guarded(self.weighed(request, context))
            }
            (Matching::Guarded, _) => Found::Guarded(guarded::decide(self, context.folders.as_ref(), request)),
            (Matching::Reference, Request::Command(command)) => self.as_typed(command, context),
            (Matching::Reference, _) => self.as_typed(&[], context),
        };
        Evaluation { table: self, request, context: *context, found }
    }

    /// Judges what a request does.
    #[inline(never)]
    fn weighed<'q, W: AsRef<str>>(&self, request: Request<'q, W>, context: &Context<'q>) -> Option<Decision> {
        account(self, context, context.terms.unwrap_or(&Terms::NONE), request, false).decision
    }

    /// Judges a command word by word.
    #[inline(always)]
    fn as_typed<'q, W: AsRef<str>>(&self, command: &'q [W], context: &Context<'q>) -> Found<'q, W> {
        let program = command.first().map_or("", AsRef::as_ref);
        let mut words = Words { program, command };
        let mut hits = Hits::default();
        if command.is_empty() {
            return Found::Reference { words, resolved: None, hits };
        }
        self.walk(words, context.folders.as_ref(), None, &mut |hit| hits.add(hit));
        let mut resolved = None;
        if hits.decision().is_none()
            && context.resolve_host_executables
            && let Some(folders) = &context.folders
        {
            let path = ResolvedProgram::new(program, folders);
            if let Some(name) = path.base_name().filter(|name| self.lists(name, &path)) {
                words.program = name;
                self.walk(words, context.folders.as_ref(), Some(&path), &mut |hit| hits.add(hit));
                resolved = hits.decision().map(|_| path);
            }
        }
        Found::Reference { words, resolved, hits }
    }

    /// Whether `path` may stand for `name`.
    pub(crate) fn lists(&self, name: &str, path: &ResolvedProgram<'_>) -> bool {
        let executable = self.host_executable(name);
        executable
            .is_none_or(|executable| executable.paths().any(|listed| path.same(&ResolvedProgram::absolute(listed))))
    }

    /// Finds every state that accepts the command. With `resolved`, the program is a base name, and heads spelt
    /// otherwise must list that path as well.
    #[inline(always)]
    pub(crate) fn walk<W: AsRef<str>>(
        &self,
        words: Words<'_, W>,
        folders: Option<&Folders<'_>>,
        resolved: Option<&ResolvedProgram<'_>>,
        visit: &mut impl FnMut(Hit),
    ) {
        if self.parameters.matchers != 0 || self.parameters.conditions != 0 {
            return self.walk_extended(words, folders, resolved, visit);
        }
        if let Some(head) = self.edge(ROOT, Exact(words.program)) {
            self.follow(head, |place| words.get(place).map(Exact), &mut |accepting| visit(Hit { group: 0, accepting }));
        }
        // Without the feature, tables with such rules are refused when they are read.
        #[cfg(feature = "canonical")]
        if self.parameters.canonical != 0 {
            self.walk_canonical(words, resolved, visit);
        }
        #[cfg(not(feature = "canonical"))]
        let _ = resolved;
    }

    /// The same for rules under canonical matching: first those whose head is spelt as the program is, then each
    /// other spelling in order of its first definition.
    #[cfg(feature = "canonical")]
    #[cold]
    fn walk_canonical<W: AsRef<str>>(
        &self,
        words: Words<'_, W>,
        resolved: Option<&ResolvedProgram<'_>>,
        visit: &mut impl FnMut(Hit),
    ) {
        let word = |place| words.get(place).map(Folded);
        if let Some(head) = self.edge(CANONICAL_ROOT, Exact(words.program)) {
            self.follow(head, word, &mut |accepting| visit(Hit { group: 0, accepting }));
        }
        let Some(found) = self.edge(FOLDED_ROOT, Folded(words.program)) else { return };
        for (name, group) in self.spellings(found.accepting & !LEAF).zip(1..) {
            if name == words.program || resolved.is_some_and(|path| !self.lists(name, path)) {
                continue;
            }
            if let Some(head) = self.edge(CANONICAL_ROOT, Exact(name)) {
                self.follow(head, word, &mut |accepting| visit(Hit { group, accepting }));
            }
        }
    }

    /// Follows the trie from a head for as long as the words agree.
    #[inline(always)]
    fn follow<T: Word>(&self, head: lookup::Found, word: impl Fn(usize) -> Option<T>, visit: &mut impl FnMut(u32)) {
        if self.parameters.wide != 0 {
            self.visit_wide(head, &word, visit);
        }
        let mut at = head;
        let mut place = 1;
        loop {
            if at.accepting & !LEAF != 0 {
                visit(at.accepting);
            }
            if at.is_leaf() {
                return;
            }
            let Some(next) = word(place).and_then(|word| self.edge(at.state, word)) else { return };
            at = next;
            place += 1;
        }
    }

    /// Compares the wide rules of a head one by one.
    #[cold]
    fn visit_wide<T: Word>(
        &self,
        head: lookup::Found,
        word: &impl Fn(usize) -> Option<T>,
        visit: &mut impl FnMut(u32),
    ) {
        let Some(wide) = self.wide_edge(head.state) else { return };
        for rule in self.accepting(wide.accepting).ids().filter_map(|id| self.rule(id)) {
            let mut elements = rule.pattern().zip(0..).skip(1);
            let agree = elements.all(|(element, place)| {
                word(place).is_some_and(|word| element.words().any(|known| word.is(known.as_bytes())))
            });
            if agree {
                visit(single(rule.id(), rule.decision()));
            }
        }
    }
}

/// A state that accepts the command.
#[derive(Clone, Copy, Default)]
pub(crate) struct Hit {
    /// Where its rules stand among all matches: 0 for heads spelt as the program is, then one group a spelling.
    pub(crate) group: u32,
    /// The reference to its list of rules.
    pub(crate) accepting: u32,
}
