//! Words and values that are evaluated: names of variables, arithmetic, code.

use alloc::vec::Vec;

use policyc_shell::ShellKind;

use super::grammar::{Effect, Grammar, Mark};
use super::line::Line;
use super::setting::Setting;
use super::simple::TEXT;
use super::supplied::is_text;
use super::walk::{Head, Own};
use super::{Answer, Judge};
use crate::answers::Doubt;
use crate::format::option;

impl Judge<'_, '_> {
    /// What options and operands with code, which cannot be looked into, make of the answer.
    pub(super) fn effects<'h>(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        own: &Own,
        mut heads: impl Iterator<Item = Head<'h>>,
        setting: &Setting<'_>,
    ) -> Answer {
        let mut answer = Answer::Allow;
        let code = grammar.effects.iter().find(|effect| self.runs_code(effect));
        let places = grammar
            .effects
            .iter()
            .filter_map(|effect| effect.value)
            .chain(grammar.code.iter().map(|place| (*place, 0)));
        for (place, offset) in places {
            let Some(word) = line.word(place).filter(|word| !word.is_dynamic()) else { continue };
            let text = word.text.get(offset..).unwrap_or_default();
            if text.contains(|one: char| !one.is_ascii_alphanumeric()) && self.hides(text, setting) {
                answer = self.unknown(answer, setting, Doubt::Tail { word: place });
            }
        }
        if let Some(place) = grammar.script
            && self.scan_words(&line.range(place, line.len()), 0, &Setting { weak: true, ..*setting }) > Answer::None
        {
            answer = self.unknown(answer, setting, Doubt::Tail { word: place });
        }
        if let Some(effect) = code
            && own.restrictive.is_none()
            && own.allowed.is_none()
            && heads.any(|head| self.restricts(head.name))
        {
            let word = effect.word;
            answer = self.unknown(answer, setting, Doubt::Runs { word });
        }
        answer
    }

    /// Whether an option's value is code.
    fn runs_code(&self, effect: &Effect) -> bool {
        let flags = self.table.options.get(effect.option).map_or(0, |record| record.field(0));
        flags >> option::RUNS_SHIFT & 7 == option::CODE
    }

    /// What runs because names with subscripts and arithmetic are evaluated, and values of variables on the way.
    pub(super) fn evaluated(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let runs_code = |effect: &Effect| self.runs_code(effect);
        let mut evaluates = !setting.evaluable.is_empty() && grammar.effects.iter().any(runs_code);
        for mark in &grammar.marks {
            let (place, arithmetic) = match mark {
                Mark::Name(place) => (*place, false),
                Mark::Arithmetic(place) => (*place, true),
                _ => continue,
            };
            evaluates = true;
            let Some(word) = line.word(place) else { continue };
            if word.is_dynamic() {
                answer = self.unknown(answer, setting, Doubt::Dynamic { word: place });
                continue;
            }
            let subscript = word.text.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']'));
            let text = if arithmetic { word.text } else { subscript.map_or(word.text, |(subscript, _)| subscript) };
            answer = answer.max(self.arithmetic(text, setting));
        }
        if evaluates {
            answer = answer.max(self.evaluable(setting));
        }
        answer
    }

    /// What literal texts run if they are evaluated as the value of a variable.
    pub(super) fn evaluable(&mut self, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        for text in setting.evaluable {
            let found = self.arithmetic(text, &setting.restrictive(setting.reading)).restriction();
            answer = self.unknown(answer.max(found), setting, Doubt::Surroundings);
        }
        answer
    }

    /// Judges a text that is evaluated as arithmetic.
    pub(super) fn arithmetic(&mut self, text: &str, setting: &Setting<'_>) -> Answer {
        let surroundings = Setting { redirects: &[], feeders: &[], covered: None, evaluable: &[], ..*setting };
        self.text(&["(( ", text, " ))"].concat(), ShellKind::Bash, &surroundings)
    }

    /// Whether a text in an unknown language has the words of a command that a rule restricts.
    pub(super) fn hides(&mut self, text: &str, setting: &Setting<'_>) -> bool {
        self.step(text.len() / 4);
        let separators = |one: char| !one.is_alphanumeric() && !"-_.+@%:~".contains(one);
        let words: Vec<&str> = text.split(separators).filter(|word| !word.is_empty()).collect();
        let setting = Setting { origin: None, weak: true, ..*setting };
        self.scan_words(&Line::typed(&super::line::Command(&words)), 0, &setting) > Answer::None
    }

    /// What code in an unknown language looks like that a program is given as its standard input: it may run commands.
    pub(super) fn fed_code(&mut self, grammar: &Grammar<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let texts = setting.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|one| &one.target);
        let feeders = if grammar.known { setting.feeders } else { &[] };
        let printed = feeders.iter().flat_map(|feeder| feeder.words.iter().skip(1));
        for word in texts.chain(printed) {
            if word.text.contains(TEXT) && self.hides(&word.text, setting) {
                answer = self.unknown(answer, setting, Doubt::StandardInput);
            }
        }
        answer
    }
}
