//! What an explanation needs, kept while a request is judged again for it.

use alloc::collections::BTreeSet;
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

/// How many commands an answer lists, and how much their words, matches and the texts within them may weigh together:
/// beyond that, only commands that are answered more strictly than all before, or match a rule that none did.
const MOST_COMMANDS: usize = 1000;
const HEAVIEST: usize = 256 << 10;

/// How many words and doubts of one command are listed, and how many bytes of its words.
const MOST_WORDS: usize = 1000;
const MOST_DOUBTS: usize = 16;
const LONGEST_WORDS: usize = 64 << 10;

/// What a command, a word or a match weighs beside its text.
const WEIGHT: usize = 64;

/// The texts and commands so far.
#[derive(Default)]
pub(super) struct Record<'t> {
    pub(super) texts: Vec<TextAnswer>,
    pub(super) commands: Vec<CommandAnswer<'t>>,
    /// The command that matches and doubts belong to.
    pub(super) current: Option<usize>,
    /// How many commands are not listed.
    pub(super) left_out: usize,
    /// What each command weighs once it is answered, and all that is listed.
    weights: Vec<usize>,
    weight: usize,
    said: Said,
}

/// What the first so many commands say.
#[derive(Default)]
struct Said {
    commands: usize,
    strictest: Option<Answer>,
    counted: BTreeSet<u32>,
}

impl Said {
    fn add(&mut self, commands: &[CommandAnswer<'_>]) {
        for command in commands.iter().skip(self.commands) {
            self.strictest = self.strictest.max(Some(command.decision.into()));
            self.counted.extend(counted(command));
            self.commands += 1;
        }
    }

    /// Whether a command is answered more strictly than all of those, or a rule counts for it that did for none.
    fn lacks(&self, command: &CommandAnswer<'_>) -> bool {
        Some(command.decision.into()) > self.strictest || counted(command).any(|rule| !self.counted.contains(&rule))
    }
}

/// The rules that count for a command.
fn counted(command: &CommandAnswer<'_>) -> impl Iterator<Item = u32> {
    command.matches.iter().filter(|found| found.counts).map(|found| found.rule.id())
}

impl Record<'_> {
    fn is_full(&self, commands: usize) -> bool {
        commands >= MOST_COMMANDS || self.weight >= HEAVIEST
    }

    fn forget(&mut self, (texts, commands): (usize, usize)) {
        let texts_gone: usize =
            self.texts.iter().skip(texts).filter(|text| text.of.is_some()).map(|text| text.text.len()).sum();
        let commands_gone: usize = self.weights.iter().skip(commands).sum();
        self.weight = self.weight.saturating_sub(texts_gone + commands_gone);
        self.texts.truncate(texts);
        self.commands.truncate(commands);
        self.weights.truncate(commands);
        if self.said.commands > commands {
            self.said = Said::default();
        }
    }

    /// Weighs a command that is answered.
    fn weigh(&mut self, place: usize) {
        let Some(command) = self.commands.get(place) else { return };
        let words: usize = command.words.iter().map(|word| word.text.len() + WEIGHT).sum();
        let weight = words + (1 + command.matches.len()) * WEIGHT;
        if let Some(known) = self.weights.get_mut(place) {
            self.weight = self.weight.saturating_sub(*known) + weight;
            *known = weight;
        }
    }
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
        let mut length = 0;
        let words = line.words().take(MOST_WORDS).enumerate().map_while(|(place, word)| {
            length += word.text.len();
            (place == 0 || length <= LONGEST_WORDS).then(|| AnsweredWord {
                text: word.text.to_string(),
                dynamic: word.is_dynamic(),
                span: line.span(place),
            })
        });
        let words: Vec<_> = words.collect();
        record.current = Some(record.commands.len());
        record.weights.push(0);
        record.commands.push(CommandAnswer {
            place: setting.text.zip(span),
            words_left_out: line.len().saturating_sub(words.len()),
            words,
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
        if let Some(place) = record.current.filter(|place| before != Some(*place)) {
            record.weigh(place);
        }
        record.current = before;
    }

    /// How much was recorded so far.
    pub(super) fn mark(&self) -> (usize, usize) {
        self.record.as_ref().map_or((0, 0), |record| (record.texts.len(), record.commands.len()))
    }

    /// Lists the commands that were recorded since, or leaves them out if enough are listed and these say nothing more.
    pub(super) fn list(&mut self, mark: (usize, usize)) {
        let Some(record) = self.record.as_mut() else { return };
        let (_, first) = mark;
        if !record.is_full(first) || record.commands.len() == first {
            return;
        }
        if record.said.commands > first {
            return;
        }
        record.said.add(record.commands.get(..first).unwrap_or_default());
        if record.commands.iter().skip(first).any(|command| record.said.lacks(command)) {
            record.said.add(&record.commands);
            return;
        }
        record.left_out += record.commands.len() - first;
        record.forget(mark);
    }

    /// Forgets what was recorded since.
    pub(super) fn forget(&mut self, mark: (usize, usize)) {
        if let Some(record) = self.record.as_mut() {
            record.forget(mark);
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
            if command.doubts.len() < MOST_DOUBTS && !command.doubts.contains(&doubt) {
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

    /// Says of which word nothing is known that a restriction may be about.
    pub(super) fn doubt_unknown(&mut self, walk: &Walk<'_>) {
        let mut places = 0..walk.line.len();
        match places.find(|place| walk.line.word(*place).is_some_and(|word| word.is_unknown())) {
            Some(word) => self.doubt(|| Doubt::Dynamic { word }),
            None if walk.line.extended => self.doubt(|| Doubt::Given),
            None => self.doubt(|| Doubt::Folder),
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
        // The request's own text is told anyway.
        if !record.texts.is_empty() || !record.commands.is_empty() {
            if record.weight + text.len() > HEAVIEST {
                return None;
            }
            record.weight += text.len();
        }
        record.texts.push(TextAnswer { text: text.to_string(), kind, problem, of: record.current });
        Some(record.texts.len() - 1)
    }
}
