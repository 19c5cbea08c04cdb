//! What a command runs because of its words.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::ShellKind;

use super::grammar::{Grammar, Inner, assigned};
use super::line::Line;
use super::setting::{Mode, Setting};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};

impl Judge<'_, '_> {
    /// Judges what the command runs. An allow that reaches into it holds for it, too.
    pub(super) fn inner(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        permitted: bool,
        reach: Option<usize>,
        setting: &Setting<'_>,
    ) -> Answer {
        let mut answer = Answer::Allow;
        if grammar.inner.is_empty() && grammar.assignments.is_empty() {
            return answer;
        }
        let mut foreign: Vec<&str> = setting.foreign.to_vec();
        let assignments = grammar.assignments.iter().filter_map(|place| {
            let text = line.word(*place)?.beginning();
            assigned(text).or_else(|| text.split('=').next())
        });
        foreign.extend(assignments.filter(|name| !self.is_inert(name)));
        let certain = permitted && !grammar.ambiguous;
        let mode = if certain { setting.mode } else { setting.mode.and(Mode::Doubtful) };
        for inner in &grammar.inner {
            let covered = reach.and_then(|reach| reach.checked_sub(inner.start())).filter(|words| *words > 0);
            // The rule names the very text: that is all of it.
            let named = covered.is_some() && matches!(inner, Inner::Text { .. });
            let setting = Setting {
                mode: if named { Mode::Restrictive } else { mode },
                foreign: if covered.is_some() { &[] } else { &foreign },
                covered,
                depth: setting.depth + 1,
                parted: false,
                inside: self.current(),
                ..*setting
            };
            let mark = self.mark();
            let found = self.run(line, grammar, *inner, &setting);
            self.list(mark);
            if !certain && found == Answer::Prompt {
                self.doubt_option(grammar, inner.start().min(line.len()));
            }
            answer = answer.max(if named && found == Answer::None { Answer::Allow } else { found });
        }
        if let Some(place) = grammar.inputs {
            answer = answer.max(self.inputs(line, grammar, place, setting));
        }
        if grammar.ambiguous
            && let Some(start) = grammar.inner.iter().map(Inner::start).min().filter(|start| *start < line.len())
        {
            answer = answer.max(self.scan(line, start, setting));
        }
        answer
    }

    /// Whether an allow that takes so many of the words, being about what runs them, also covers what their program
    /// does because of its options.
    pub(super) fn covers(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, covered: usize) -> bool {
        let mut covers = true;
        for effect in grammar.effects.iter().filter(|effect| effect.word >= covered || line.word(effect.word).is_none())
        {
            let word = effect.word;
            self.doubt(|| Doubt::Runs { word });
            covers = false;
        }
        covers
    }

    pub(super) fn run(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        inner: Inner,
        setting: &Setting<'_>,
    ) -> Answer {
        let placeholder = line.placeholder(grammar.placeholder);
        let placeholders = line.placeholders(placeholder.as_ref());
        match inner {
            Inner::Words { start, end } => {
                let until_plus = line.word(end).is_some_and(|word| word.text == "+");
                let words = line.range(start, end);
                let words = words.replacing(placeholders, words.extended || grammar.extends || until_plus);
                if setting.depth > DEEPEST {
                    self.uncovered(setting);
                    self.doubt(|| Doubt::TooDeep);
                    return self.scan(&words, 0, setting).max(Answer::Prompt);
                }
                let answer = self.simple(&words, None, false, setting);
                answer.max(self.text_as_program(&words, setting))
            }
            Inner::Text { kind, start, end, offset, given } => {
                let words = line.replacing(placeholders, line.extended || grammar.extends);
                let (text, known) = words.text(start, end, offset);
                self.dots |= line.words().take(start).any(|word| super::mentions(word.text, &super::DOTS));
                let mode = if known { setting.mode } else { setting.mode.and(Mode::Doubtful) };
                let behind = (end..line.len()).filter_map(|place| words.word(place));
                let behind = behind.map(|word| (!word.is_dynamic()).then(|| word.text.into()));
                let own = [behind.collect()];
                let parameters = if given { &own[..] } else { setting.parameters };
                let mut answer = self.text(&text, kind, &Setting { mode, parameters, ..*setting });
                if end - start > 1 && setting.depth <= DEEPEST {
                    answer = answer.max(self.unjoined(&words.range(start, end), setting));
                }
                if !known {
                    for span in (start..end).filter(|place| line.word(*place).is_some_and(|word| word.is_dynamic())) {
                        answer = answer.max(self.printed_within(kind, line.span(span), setting));
                    }
                }
                if known && !words.extended {
                    answer
                } else {
                    self.unknown(answer, setting, Doubt::Dynamic { word: start })
                }
            }
            Inner::Respelt { start, end, offset, stays } => {
                let (value, known) = line.text(start, end, offset);
                let mut text = String::new();
                if let Some(program) = line.word(0).filter(|_| stays) {
                    program.push_word(&mut text);
                }
                text.push(' ');
                super::respelt::push(&mut text, &value);
                (end..line.len()).filter_map(|place| line.word(place)).for_each(|word| word.push_word(&mut text));
                let mode = if known { setting.mode } else { setting.mode.and(Mode::Doubtful) };
                let answer = self.text(&text, ShellKind::Bash, &Setting { mode, covered: None, ..*setting });
                if known && !line.extended {
                    answer
                } else {
                    self.unknown(answer, setting, Doubt::Dynamic { word: start })
                }
            }
            Inner::StandardInput { kind, descriptor } => self.standard_input(kind, descriptor, setting),
            Inner::Supplied => {
                let answer = self.standard_input(ShellKind::Bash, 0, setting);
                self.unknown(answer, setting, Doubt::Inner)
            }
        }
    }

    /// Restrictions on words that are joined to a text, should they be passed on as they are.
    fn unjoined(&mut self, words: &Line<'_>, setting: &Setting<'_>) -> Answer {
        // As a rule the text is read as the very same words.
        let plain = |one: char| one.is_alphanumeric() || "-_./:+".contains(one);
        if setting.reading.guessed || words.words().all(|word| !word.is_dynamic() && word.text.chars().all(plain)) {
            return Answer::Allow;
        }
        let reading = Reading { guessed: true, ..setting.reading };
        self.simple(words, None, false, &setting.restrictive(reading)).restriction()
    }

    /// The text that stands where a program should: no program has blanks in its name, but some hand to a shell what they
    /// are given.
    fn text_as_program(&mut self, words: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let text = words.word(0).filter(|word| !word.is_dynamic() && word.text.contains(char::is_whitespace));
        let Some(text) = text else { return Answer::Allow };
        let restrictive = Setting { covered: None, ..setting.restrictive(setting.reading) };
        self.text(text.text, ShellKind::Bash, &restrictive).restriction()
    }
}
