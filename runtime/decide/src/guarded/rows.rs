//! What commands do: the rows that describe them, in any reading, and whether one surely does.

use alloc::string::ToString;
use alloc::vec::Vec;

use policyc_shell::{Redirect, RedirectKind, SimpleCommand};

use super::conditions::{connects, is_harmless};
use super::folders::Folder;
use super::grammar::{Grammar, Inner, Role};
use super::line::Line;
use super::parts::{has_parts, parts};
use super::setting::{Mode, Setting};
use super::walk::{At, Head, Walk};
use super::{Judge, dynamic::Name};
use crate::account::{EffectOrigin, EffectSource};
use crate::answers::Reading;
use crate::declarations::Rule;
use crate::effects::{Effects, Vocabulary};
use crate::format::NONE;
use crate::jail::Jail;
use crate::lookup::Found;

/// What can be read from without looking at anybody's files.
const HARMLESS_SOURCES: [&str; 4] = ["/dev/null", "/dev/stdin", "/dev/zero", "/dev/tty"];

/// What programs write before paths that are no words of their own: revisions, and what is special about a path.
const BEFORE_PATHS: [char; 2] = [':', ')'];

/// The effects of a request as they are found.
pub(super) struct Gathered<'t, 'q> {
    pub(super) effects: Effects,
    pub(super) vocabulary: Vocabulary,
    pub(super) sources: Vec<EffectSource<'t>>,
    jail: Jail<'q>,
}

impl<'q> Gathered<'_, 'q> {
    pub(super) const fn new(vocabulary: Vocabulary, jail: Jail<'q>) -> Self {
        Self { effects: Effects::NONE, vocabulary, sources: Vec::new(), jail }
    }
}

impl<'t> Judge<'t, '_> {
    /// Adds the effects of a simple command. It is covered if a row describes it for certain, if an allow counts, or if it
    /// is harmless by itself; else nobody knows what it does. Returns whether a row does.
    pub(super) fn gather<'h>(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        heads: impl Iterator<Item = Head<'h>>,
        (allowed, harmless): (bool, bool),
        setting: &Setting<'_>,
    ) -> bool {
        if self.gathered.is_none() {
            return false;
        }
        let alone = Setting { redirects: &[], ..*setting };
        let (mut covered, mut described) = (false, false);
        for head in heads {
            let mut walk = Walk::new(*line, grammar, &alone, head);
            walk.rows = true;
            self.walk(&mut walk);
            covered |= walk.own.allowed.is_some();
            described |= walk.own.doubted;
            if walk.own.depends {
                self.scan_rows(&mut walk, &Name::Known(head.name));
            }
        }
        self.redirects(setting.redirects);
        // What a text runs is seen, but whoever takes it for one says nothing of itself. What rows are about, one must cover.
        let texts = grammar.inner.iter().any(|inner| !matches!(inner, Inner::Words { .. }));
        let harmless = harmless && !texts && !described && grammar.effects.is_empty() && grammar.code.is_empty();
        if covered || harmless || setting.mode == Mode::Restrictive {
            return covered;
        }
        let listed = self.gathered.as_ref().and_then(|gathered| gathered.vocabulary.listed);
        match listed {
            Some(listed) if allowed => self.add(Effects::of(listed), || EffectOrigin::Allowed),
            _ => self.uncovered(setting),
        }
        false
    }

    /// Rows that may describe the command because some words are known only when it runs.
    fn scan_rows(&mut self, walk: &mut Walk<'_>, name: &Name<'_>) {
        let table = self.table;
        self.step(table.commands.len());
        let reading = Reading { expanded: true, ..walk.reading };
        for row in table.commands() {
            if self.is_exhausted() {
                return;
            }
            let mut elements = row.rule.pattern();
            let about = elements.next().is_some_and(|head| self.may_be_about(row.rule, head, name, walk.head.any));
            if !about {
                continue;
            }
            if let Some(place) = self.aligned(&walk.line, walk.grammar, elements, false, false, 1) {
                let nowhere = Found { state: NONE, accepting: 0 };
                walk.places.set(0, 0);
                self.row(walk, row.rule, At { found: nowhere, place, taken: 1, certain: false, reading });
            }
        }
    }

    /// A row's pattern agrees with the command.
    pub(super) fn row(&mut self, walk: &mut Walk<'_>, rule: Rule<'t>, at: At) {
        let Some(row) = self.table.command(rule.id()) else { return };
        // Words that only the run can know may be any of those that the row is not about.
        let known = !walk.line.extended && !walk.line.words().any(|word| word.is_dynamic());
        let certain = known && at.certain && walk.setting.mode == Mode::Certain && self.holds(walk, rule, at, false);
        // What is certain may be.
        if !certain && !self.holds(walk, rule, at, true) {
            return;
        }
        self.add(row.effects(), || EffectOrigin::Row(row));
        walk.own.doubted = true;
        if certain
            && row.paths_from().is_none_or(|operands| self.stays_inside(walk, at, operands))
            && self.nothing_voids(walk, rule, at)
        {
            walk.own.allowed = walk.own.allowed.max(Some(at.place));
        }
    }

    /// Whether all that may be paths behind the pattern, but for some operands before them, lies where it may be read.
    fn stays_inside(&self, walk: &Walk<'_>, at: At, before: u32) -> bool {
        if !self.entered_inside() {
            return false;
        }
        let mut operands = 0;
        (at.place..walk.line.len()).filter_map(|place| Some((place, walk.line.word(place)?))).all(|(place, word)| {
            self.step(1 + word.text.len() / 8);
            if walk.grammar.roles.get(place) == Role::Word {
                operands += 1;
                if operands <= before {
                    return true;
                }
            }
            if is_short_option(word.text) {
                return true;
            }
            let behind = word.text.contains(BEFORE_PATHS);
            self.is_inside(word.text)
                && (!has_parts(word.text) || parts(word.text).all(|part| self.is_inside(&part)))
                && !(behind && word.text.split(BEFORE_PATHS).any(|part| Jail::is_secret(part) || !self.is_inside(part)))
        })
    }

    /// Whether a path leads to what may be read, from each folder that the command may run in: from another folder of the
    /// workspace, what only goes down stays in it.
    fn is_inside(&self, path: &str) -> bool {
        let down = || !path.split(['/', '\\']).any(|component| component == "..");
        self.gathered.as_ref().is_some_and(|gathered| gathered.jail.lets_read(path))
            && (self.moved.is_empty() || down())
    }

    /// Whether the command runs in the workspace, wherever those before it have moved to.
    fn entered_inside(&self) -> bool {
        let Some(gathered) = &self.gathered else { return false };
        self.moved.iter().all(|folder| matches!(folder, Folder::At(folder) if gathered.jail.lets_read(folder)))
    }

    /// What redirects do, whatever the command.
    pub(super) fn redirects(&mut self, redirects: &[Redirect<'_>]) {
        let Some(gathered) = &self.gathered else { return };
        let (vocabulary, jail) = (gathered.vocabulary, gathered.jail);
        let unknown = Effects::of(vocabulary.unknown_process);
        for redirect in redirects {
            let target = &*redirect.target.text;
            let origin = || EffectOrigin::Redirect(target.to_string());
            let known = redirect.target.pieces.is_empty();
            if connects(&redirect.target) {
                self.add(unknown, origin);
                continue;
            }
            if is_harmless(redirect) {
                let reads = redirect.kind == RedirectKind::Read && !HARMLESS_SOURCES.contains(&target);
                if reads && !(known && self.entered_inside() && self.is_inside(target)) {
                    self.add(unknown, origin);
                }
                continue;
            }
            if let Some(writes) = vocabulary.write_workspace {
                self.add(Effects::of(writes), origin);
            }
            let inside = known && self.moved.is_empty() && jail.resolve(target, false).is_ok();
            if !inside || vocabulary.write_workspace.is_none() {
                self.add(unknown, origin);
            }
        }
    }

    /// Nobody knows what a command does. Words that only may be a command need not be known.
    pub(super) fn uncovered(&mut self, setting: &Setting<'_>) {
        if setting.mode == Mode::Restrictive {
            return;
        }
        if let Some(unknown) = self.gathered.as_ref().map(|gathered| gathered.vocabulary.unknown_process) {
            self.add(Effects::of(unknown), || EffectOrigin::Uncovered);
        }
    }

    fn add(&mut self, effects: Effects, origin: impl Fn() -> EffectOrigin<'t>) {
        let command = self.current();
        let full = self.record.is_some();
        let Some(gathered) = &mut self.gathered else { return };
        gathered.effects = gathered.effects.and(effects);
        if full {
            let told = |effect: &u32| {
                gathered.sources.iter().any(|known| {
                    let same = match (&known.origin, &origin()) {
                        (EffectOrigin::Row(one), EffectOrigin::Row(other)) => one.rule.id() == other.rule.id(),
                        (one, other) => core::mem::discriminant(one) == core::mem::discriminant(other),
                    };
                    known.effect == *effect && known.command == command && same
                })
            };
            let new: Vec<u32> = effects.numbers().filter(|effect| !told(effect)).collect();
            gathered.sources.extend(new.into_iter().map(|effect| EffectSource { effect, command, origin: origin() }));
        }
    }
}

/// Whether a word is a letter or a few behind a hyphen: too few to name a folder above, or what is protected.
fn is_short_option(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| letters.len() < 3);
    letters.is_some_and(|letters| letters.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether a text is no more than its simple commands, one after the other: what stands between them separates them, or is
/// a comment. All else decides what runs, and how often.
pub(super) fn is_flat(text: &str, commands: &[SimpleCommand<'_>]) -> bool {
    let mut from = 0;
    let separates = |gap: &str| {
        let code = gap.lines().map(|line| line.split('#').next().unwrap_or_default());
        code.flat_map(str::chars).all(|one| one.is_ascii_whitespace() || ";&|".contains(one))
    };
    let mut flat = true;
    for command in commands {
        let (start, end) = (command.span.start as usize, command.span.end as usize);
        if start >= from {
            flat &= text.get(from..start).is_some_and(separates);
        }
        from = from.max(end);
    }
    flat && text.get(from..).is_some_and(separates)
}
