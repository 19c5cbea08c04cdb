//! What a rule asks beyond its pattern, and what keeps an allow from counting.
//!
//! Under the one law, a restrictive rule gives the command no benefit of the doubt, and an allow rule takes none.

use policyc_shell::{Piece, Redirect, RedirectKind, Word};

use super::Judge;
use super::grammar::{Effect, Role};
use super::line::{Judged, Line};
use super::walk::{At, Walk};
use crate::answers::Doubt;
use crate::declarations::{Alternative, Conditions, Element, Rule};
use crate::format::{INERT_ROOT, option};
use crate::matcher::{Matcher, glob, quoted, word_meets};
use crate::option_word::{looks_like_option, names_option};
use crate::word::{Exact, is_same};

/// What takes an option back that it is the value of.
const DENIALS: [&str; 3] = ["no", "off", "0"];

/// Values of a variable, of each kind that rules tell apart: what all of them lead to, any does.
const SAMPLES: [&str; 4] = ["", "a", "/b/c/d", "-e.f g"];

/// Where a shell opens connections instead of files.
pub(super) const CONNECTIONS: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];

/// Where output may go without harm.
const HARMLESS_FILES: [&str; 5] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul"];

/// Whether what is looked for is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hit {
    No,
    /// It may be, for all that is known of a word: nothing.
    Unknown,
    Yes,
}

impl<'t> Judge<'t, '_> {
    /// Whether the conditions of a rule whose pattern agrees hold: as far as they may, if it is `restrictive`.
    pub(super) fn holds(&mut self, walk: &Walk<'_>, rule: Rule<'t>, at: At, restrictive: bool) -> bool {
        self.hit(walk, rule, at, restrictive) != Hit::No
    }

    /// The same, and whether only words of which nothing is known may make it so.
    pub(super) fn hit(&mut self, walk: &Walk<'_>, rule: Rule<'t>, at: At, restrictive: bool) -> Hit {
        let Some(conditions) = rule.conditions() else { return Hit::Yes };
        let line = &walk.line;
        self.step(line.len());
        let mut following = (at.place..line.len()).filter_map(|place| line.word(place));
        if conditions.exact()
            && (following.any(|word| !(restrictive && word.vanishes())) || !restrictive && line.extended)
        {
            return Hit::No;
        }
        let canonical = rule.canonical_matching();
        let [having, without] = conditions.signatures();
        let written = walk.signature();
        if having != 0 && having & written == 0 {
            return Hit::No;
        }
        let mut hit = Hit::Yes;
        for element in conditions.having() {
            hit = hit.min(self.occurs(walk, (element, conditions), at, restrictive, canonical));
            if hit == Hit::No {
                return hit;
            }
        }
        let occurs = |element| self.occurs(walk, (element, conditions), at, !restrictive, canonical) != Hit::No;
        if without & written != 0 && conditions.without().any(occurs) {
            return Hit::No;
        }
        let excepted = conditions.unless().any(|pattern| {
            let (certain, head) = (restrictive, walk.head);
            let mut elements = pattern.elements();
            let about = elements.next().is_some_and(|first| self.element_describes(first, head.name, !certain));
            (!certain || head.certain && walk.setting.is_certain())
                && about
                && self.aligned(line, walk.grammar, elements, canonical, certain, 1).is_some()
        });
        if excepted { Hit::No } else { hit }
    }

    /// Whether one of the alternatives occurs among the words behind the pattern; with `generous`, whether it may, among
    /// the words that were skipped as well.
    fn occurs(
        &self,
        walk: &Walk<'_>,
        (element, conditions): (Element<'t>, Conditions<'t>),
        at: At,
        generous: bool,
        canonical: bool,
    ) -> Hit {
        let line = &walk.line;
        let from = if generous { 1 } else { at.place };
        let mut hit = Hit::No;
        if generous && line.extended {
            hit = element.alternatives().map(unknown_is).max().unwrap_or(Hit::No);
        }
        let mut options = true;
        for place in from..line.len() {
            if hit == Hit::Yes {
                break;
            }
            let Some(word) = line.word(place) else { break };
            if place < at.place && walk.took(place, at.taken) {
                continue;
            }
            // The value of an option is no option, whatever it looks like.
            if !generous && walk.grammar.roles.get(place).is_value() {
                continue;
            }
            if word.is_dynamic() {
                if generous {
                    hit = hit.max(self.may_occur(word, element, options));
                }
                continue;
            }
            if walk.grammar.roles.get(place) == Role::Terminator || word.text == "--" && options {
                options = false;
                if element.words().any(|known| known == word.text) {
                    return Hit::Yes;
                }
                continue;
            }
            let letters = generous && walk.grammar.has_letters(place);
            let may_name = options && (word.text.starts_with('-') || letters);
            // Most words are no options, and most of what conditions name are.
            let likely = |known: &[u8]| match known {
                [b'-', _, ..] => may_name && (letters || looks_like_option(word.text.as_bytes(), known)),
                _ => canonical || known.len() == word.text.len(),
            };
            let found = element.alternatives_if(likely).map(|alternative| match alternative {
                Alternative::Word(known) if is_option(known) => yes(self
                    .is_option(walk, place, word.text, known, generous)
                    && (generous || self.surely_names(walk, place, word.text, known, conditions))),
                Alternative::Word(known) => yes(is_same(known, word.text, canonical)),
                Alternative::Matcher(matcher) if !self.describes(matcher, word.text, generous) => Hit::No,
                Alternative::Matcher(matcher) if generous && !self.describes_because_of(matcher, word.text) => {
                    Hit::Unknown
                }
                Alternative::Matcher(_) => Hit::Yes,
            });
            hit = hit.max(found.max().unwrap_or(Hit::No));
        }
        hit
    }

    /// Whether a word that only the run can know may be split into words of any kind.
    pub(super) fn splits(&self, word: Judged<'_>) -> bool {
        word.splits() || self.cuts && word.has_number()
    }

    /// Whether a word that only the run can know may become one of the alternatives.
    fn may_occur(&self, word: Judged<'_>, element: Element<'t>, options: bool) -> Hit {
        let patterns = word.globs(self.folders, self.dots);
        let may_be = |one: Alternative<'t>| {
            let is_option = matches!(one, Alternative::Word(known) if is_option(known));
            let may_be = (options || !is_option)
                && (self.splits(word) || patterns.iter().any(|pattern| self.may_be(pattern, word, one)));
            match may_be {
                true if word.is_unknown() || word.varies() && !self.surely_becomes(word, one) => unknown_is(one),
                may_be => yes(may_be),
            }
        };
        element.alternatives().map(may_be).max().unwrap_or(Hit::No)
    }

    /// Whether a word becomes what an alternative stands for whatever its variables are, or if they are the home folder,
    /// as scripts name it in many ways.
    fn surely_becomes(&self, word: Judged<'_>, alternative: Alternative<'_>) -> bool {
        let becomes = |value: &str| {
            let pattern = word.glob_with(value, self.folders, self.dots);
            self.may_be(&pattern, word, alternative)
        };
        let home = self.folders.and_then(|folders| folders.home);
        home.is_some_and(becomes) || SAMPLES.iter().all(|sample| becomes(sample))
    }

    /// Whether a word names an option, for a `generous` comparison in any way. The whole name of another option is not the
    /// beginning of this one.
    fn is_option(&self, walk: &Walk<'_>, place: usize, word: &str, known: &str, generous: bool) -> bool {
        if !generous {
            return names_option(word, known, false);
        }
        if walk.grammar.has_letters(place) {
            return names_option(&["-", word].concat(), known, true);
        }
        names_option(word, known, true) && {
            let name = word.split_once('=').map_or(word, |(name, _)| name);
            name == known || !known.starts_with("--") || !walk.grammar.has_option(self.table, name)
        }
    }

    /// Whether a word that names an option surely does: in a bundle, only flags stand before its letter, and nothing
    /// behind takes it back.
    fn surely_names(&self, walk: &Walk<'_>, place: usize, word: &str, known: &str, conditions: Conditions<'t>) -> bool {
        let mut letters = known.chars().skip(1);
        if let (Some(letter), None) = (letters.next(), letters.next())
            && !word.starts_with("--")
        {
            let before = word.chars().skip(1).take_while(|one| *one != letter);
            if !before.into_iter().all(|one| walk.grammar.is_flag(self.table, one)) {
                return false;
            }
        }
        // What is said of one spelling holds for the others that the rule has.
        let named = || conditions.having().chain(conditions.without()).flat_map(|element| element.words());
        let is_false = |value: &str| value.eq_ignore_ascii_case("false");
        let denied = |value: &str| is_false(value) || DENIALS.iter().any(|denial| denial.eq_ignore_ascii_case(value));
        let opposite = |name: &str| {
            named().filter_map(|long| long.strip_prefix("--")).any(|long| {
                name.strip_prefix("no-").is_some_and(|name| long.starts_with(name))
                    || long.strip_prefix("no-") == Some(name)
            })
        };
        let takes_back = |word: &str| {
            let is_named = |name: &str| named().any(|known| known == name);
            word.strip_prefix("--").is_some_and(opposite) && !is_named(word)
                || word.split_once(['=', ':']).is_some_and(|(name, value)| denied(value) && is_named(name))
        };
        let mut behind = (place..walk.line.len()).filter_map(|place| walk.line.word(place)).map(|word| word.text);
        let value = behind.clone().nth(1);
        !value.is_some_and(is_false) && !behind.any(takes_back)
    }

    /// Whether a word that only the run can know, described by a glob, may become what an alternative stands for.
    pub(super) fn may_be(&self, pattern: &str, word: Judged<'_>, alternative: Alternative<'_>) -> bool {
        match alternative {
            Alternative::Word(known) => {
                known == word.text
                    || word_meets(&quoted(known), pattern, word.is_deep())
                    || is_option(known) && (pattern.starts_with(['*', '?', '[']) || word.text.starts_with('-'))
            }
            Alternative::Matcher(Matcher::AnyWord) => true,
            Alternative::Matcher(Matcher::Glob(theirs)) => word_meets(theirs, pattern, word.is_deep()),
            Alternative::Matcher(Matcher::Path(theirs)) => self.may_name(theirs, pattern, word.is_deep()),
        }
    }

    /// Whether nothing around the words keeps this allow from counting.
    pub(super) fn nothing_voids(&mut self, walk: &mut Walk<'_>, rule: Rule<'t>, at: At) -> bool {
        if walk.setting.is_plain() && walk.grammar.effects.is_empty() && !suspicious(&walk.line) {
            return true;
        }
        let mut doubts = 0;
        let conditions = rule.conditions();
        self.step(walk.setting.foreign.len() / 4);
        for name in walk.setting.foreign {
            let permitted = |alternative: Alternative<'_>| alternative == Alternative::Word(name);
            if !conditions.is_some_and(|conditions| conditions.env().any(permitted)) {
                self.doubt(|| Doubt::Variable { name: (*name).into() });
                doubts += 1;
            }
        }
        let may_write = |judge: &Self, target: &str| {
            conditions.is_some_and(|conditions| {
                conditions.writes().any(|alternative| match alternative {
                    Alternative::Matcher(matcher) => judge.describes(matcher, target, false),
                    Alternative::Word(word) => word == target,
                })
            })
        };
        for redirect in walk.setting.redirects {
            if !is_harmless(redirect)
                && !self.known_target(&redirect.target).is_some_and(|target| may_write(self, target))
            {
                let target = || redirect.target.text.as_ref().into();
                self.doubt(|| match connects(&redirect.target) {
                    true => Doubt::Connection { target: target() },
                    false => Doubt::Write { target: target() },
                });
                doubts += 1;
            }
        }
        for effect in &walk.grammar.effects {
            if self.is_named(walk, rule, at, effect) {
                continue;
            }
            let flags = self.table.options.get(effect.option).map_or(0, |record| record.field(0));
            let writes = flags & option::WRITES != 0 && flags >> option::RUNS_SHIFT & 7 == 0;
            let value = effect.value.and_then(|(place, offset)| {
                walk.line.word(place).filter(|word| !word.is_dynamic())?.text.get(offset..)
            });
            if writes && value.is_some_and(|value| may_write(self, value)) {
                continue;
            }
            let word = effect.word;
            self.doubt(|| if writes { Doubt::WritesOption { word } } else { Doubt::Runs { word } });
            doubts += 1;
        }
        for (place, word) in walk.line.words().enumerate() {
            if super::is_disguised(word.text) {
                self.doubt(|| Doubt::Invisible { word: place });
                doubts += 1;
            }
            if word.text.len() > super::LONGEST_WORD {
                self.doubt(|| Doubt::TooLong { word: place });
                doubts += 1;
            }
        }
        doubts == 0
    }

    /// Whether the rule itself names the option.
    fn is_named(&self, walk: &Walk<'_>, rule: Rule<'t>, at: At, effect: &Effect) -> bool {
        let name = self.table.options.get(effect.option).map_or("", |record| self.table.word(record.field(1)));
        let Some(written) = walk.line.word(effect.word) else { return false };
        let named = |word: &str| word == name || word == written.text;
        (effect.word < at.place && rule.pattern().any(|element| element.words().any(named)))
            || rule.conditions().is_some_and(|conditions| conditions.having().any(|element| element.words().any(named)))
    }

    /// The file that a redirect names, if it is known before the run.
    fn known_target<'x>(&self, target: &'x policyc_shell::Word<'x>) -> Option<&'x str> {
        match target.pieces.as_slice() {
            [] => Some(&target.text),
            [Piece::Home] | [Piece::Home, Piece::Text(_)] => Some(&target.text),
            _ => None,
        }
    }

    /// Whether a variable changes nothing for any allowed command.
    pub(super) fn is_inert(&self, name: &str) -> bool {
        self.table.edge(INERT_ROOT, Exact(name)).is_some()
            || self.table.matcher_edges(INERT_ROOT).any(|(matcher, _)| match matcher {
                Matcher::Glob(pattern) => glob(pattern, name, false),
                _ => false,
            })
    }
}

/// Whether the redirect writes to no file.
pub(super) fn is_harmless(redirect: &Redirect<'_>) -> bool {
    match redirect.kind {
        RedirectKind::Read => !connects(&redirect.target),
        RedirectKind::Duplicate | RedirectKind::HereString | RedirectKind::HereDocument => true,
        _ => redirect.target.pieces.is_empty() && HARMLESS_FILES.contains(&&*redirect.target.text),
    }
}

/// Whether a word may be where a shell opens a connection. One of which nothing is known is taken for a file.
pub(super) fn connects(word: &Word<'_>) -> bool {
    let place = |known: &str, whole: bool| {
        CONNECTIONS
            .iter()
            .any(|place| known.starts_with(place) || !whole && !known.is_empty() && place.starts_with(known))
    };
    match word.pieces.as_slice() {
        [] => place(&word.text, true),
        [Piece::Text(known), ..] => place(known, false),
        _ => false,
    }
}

const fn yes(holds: bool) -> Hit {
    if holds { Hit::Yes } else { Hit::No }
}

/// What a word of which nothing is known is to an alternative: it may well be an option.
fn unknown_is(alternative: Alternative<'_>) -> Hit {
    match alternative {
        Alternative::Word(known) if is_option(known) => Hit::Yes,
        _ => Hit::Unknown,
    }
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// What the words of a line must be for nothing to hide in them.
pub(super) fn suspicious(line: &Line<'_>) -> bool {
    line.words().any(|word| super::is_disguised(word.text) || word.text.len() > super::LONGEST_WORD)
}
