//! What an explanation needs, kept while a request is judged again for it.

use alloc::string::ToString;
use alloc::vec::Vec;

use policyc_shell::{Problem, ShellKind, Span};

use super::grammar::{Grammar, Role};
use super::line::Line;
use super::setting::{Mode, Setting};
use super::walk::{At, Walk};
use super::{Answer, Judge};
use crate::answers::{AnsweredWord, CommandAnswer, CommandMatch, Doubt, TextAnswer};
use crate::declarations::Rule;

/// The texts and commands so far.
#[derive(Default)]
pub(super) struct Record<'t> {
    pub(super) texts: Vec<TextAnswer>,
    pub(super) commands: Vec<CommandAnswer<'t>>,
    /// The command that matches and doubts belong to.
    pub(super) current: Option<usize>,
}

impl<'t> Judge<'t, '_> {
    /// Begins a command, unless its words are only looked at for what they may be. Returns the one before it.
    pub(super) fn open(&mut self, line: &Line<'_>, span: Option<Span>, setting: &Setting<'_>) -> Option<usize> {
        let record = self.record.as_mut()?;
        let before = record.current;
        if setting.mode == Mode::Restrictive && before.is_some() && (setting.reading.scanned || setting.reading.guessed)
        {
            return before;
        }
        let words = line.words().enumerate().map(|(place, word)| AnsweredWord {
            text: word.text.to_string(),
            dynamic: word.is_dynamic(),
            span: line.span(place),
        });
        record.current = Some(record.commands.len());
        record.commands.push(CommandAnswer {
            place: setting.text.zip(span),
            words: words.collect(),
            inside: setting.inside,
            decision: None,
            matches: Vec::new(),
            doubts: Vec::new(),
            harmless: false,
        });
        before
    }

    /// Ends the command that began with [`Judge::open`], which returned `before`.
    pub(super) fn close(&mut self, before: Option<usize>, answer: Answer, harmless: bool) {
        let Some(record) = self.record.as_mut() else { return };
        if record.current != before
            && let Some(command) = record.current.and_then(|place| record.commands.get_mut(place))
        {
            command.decision = answer.decision();
            command.harmless = harmless;
            command.matches.sort_by_key(|found| (found.rule.id(), !found.counts, found.reading));
            command.matches.dedup_by_key(|found| found.rule.id());
        }
        record.current = before;
    }

    /// How much was recorded so far.
    pub(super) fn mark(&self) -> (usize, usize) {
        self.record.as_ref().map_or((0, 0), |record| (record.texts.len(), record.commands.len()))
    }

    /// Forgets what was recorded since.
    pub(super) fn forget(&mut self, (texts, commands): (usize, usize)) {
        if let Some(record) = self.record.as_mut() {
            record.texts.truncate(texts);
            record.commands.truncate(commands);
        }
    }

    /// The place that the next command will have.
    pub(super) fn next_command(&self) -> Option<usize> {
        self.record.as_ref().map(|record| record.commands.len())
    }

    /// Lets matches and doubts belong once more to a command that was closed. Returns the one before it.
    pub(super) fn reopen(&mut self, command: Option<usize>) -> Option<usize> {
        let record = self.record.as_mut()?;
        core::mem::replace(&mut record.current, command)
    }

    /// Ends what began with [`Judge::reopen`], which returned `before`.
    pub(super) fn reclose(&mut self, before: Option<usize>, answer: Answer) {
        let Some(record) = self.record.as_ref() else { return };
        let harmless =
            record.current.and_then(|place| record.commands.get(place)).is_some_and(|command| command.harmless);
        self.close(before, answer, harmless);
    }

    /// The command that is being judged.
    pub(super) fn current(&self) -> Option<usize> {
        self.record.as_ref()?.current
    }

    pub(super) fn record_match(&mut self, walk: &Walk<'_>, rule: Rule<'t>, at: At, counts: bool) {
        let Some(record) = self.record.as_mut() else { return };
        if let Some(command) = record.current.and_then(|place| record.commands.get_mut(place)) {
            let start = walk.setting.origin.and_then(|origin| walk.line.start().checked_sub(origin));
            let words =
                start.map_or(Vec::new(), |start| walk.places.first(at.taken).map(|place| start + place).collect());
            let counts = counts && !walk.setting.weak;
            command.matches.push(CommandMatch { rule, reading: at.reading, words, counts });
        }
    }

    /// Keeps a doubt about the current command, once.
    pub(super) fn doubt(&mut self, doubt: impl FnOnce() -> Doubt) {
        let Some(record) = self.record.as_mut() else { return };
        if let Some(command) = record.current.and_then(|place| record.commands.get_mut(place)) {
            let doubt = doubt();
            if !command.doubts.contains(&doubt) {
                command.doubts.push(doubt);
            }
        }
    }

    /// Says which option before that place may keep what runs there from being allowed.
    pub(super) fn doubt_option(&mut self, grammar: &Grammar<'_>, before: usize) {
        if self.record.is_some()
            && let Some(word) =
                (1..before).find(|place| matches!(grammar.roles.get(*place), Role::Option | Role::Unknown))
        {
            self.doubt(|| Doubt::Option { word });
        }
    }

    /// Says why a reading that an allow matched is not certain.
    pub(super) fn doubt_reading(&mut self, walk: &Walk<'_>, at: At) {
        if self.record.is_none() {
            return;
        }
        if !walk.head.certain {
            let name = walk.head.name;
            self.doubt(|| Doubt::Path { name: name.into() });
        }
        if at.reading.skipped_options {
            let option = |place: &usize| {
                !matches!(walk.grammar.roles.get(*place), Role::Word | Role::Harmless | Role::HarmlessValue)
            };
            if let Some(word) = (1..at.place).find(option) {
                self.doubt(|| Doubt::Option { word });
            }
        }
        if walk.setting.mode == Mode::Doubtful {
            self.doubt(|| Doubt::Surroundings);
        }
        if walk.setting.mode == Mode::Certain
            && walk.head.certain
            && !at.reading.skipped_options
            && !self.moved.is_empty()
        {
            self.doubt(|| Doubt::Folder);
        }
    }

    pub(super) fn record_text(&mut self, text: &str, kind: ShellKind, problem: Option<Problem>) -> Option<usize> {
        let record = self.record.as_mut()?;
        record.texts.push(TextAnswer { text: text.to_string(), kind, problem, of: record.current });
        Some(record.texts.len() - 1)
    }
}
