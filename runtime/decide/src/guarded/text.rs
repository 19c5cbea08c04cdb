//! Text of a shell: every simple command of it, and all of it where it is not understood.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Piece, Redirect, RedirectKind, ShellKind, SimpleCommand, Span, Variable, Word, parse_given};

use super::conditions::{CONNECTIONS, connects, is_harmless};
use super::line::Line;
use super::rows::is_flat;
use super::setting::{Mode, Setting};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};

impl Judge<'_, '_> {
    /// Judges a text, which `setting` surrounds: its mode, depth and variables hold for every command in it.
    pub(super) fn text(&mut self, text: &str, kind: ShellKind, setting: &Setting<'_>) -> Answer {
        if setting.depth > DEEPEST {
            self.uncovered(setting);
            self.doubt(|| Doubt::TooDeep);
            return self.raw(text, setting).max(Answer::Prompt);
        }
        self.step(text.len() / 8 + 1);
        self.dots |= text.contains(['*', '?', '[']) && super::mentions(text, &super::DOTS);
        self.cuts |= text.contains('$') && super::mentions(text, &super::SEPARATORS);
        let script = parse_given(text, kind, setting.parameters, setting.variables);
        let record = self.record_text(text, kind, script.problem);
        let doubtful = script.problem.is_some() || may_connect(text, &script.commands);
        let mode = if doubtful { setting.mode.and(Mode::Doubtful) } else { setting.mode };
        let mut evaluable: Vec<&str> = setting.evaluable.to_vec();
        evaluable.extend(script.evaluable.iter().map(|text| &**text));
        let variables = variables(&script.commands, setting.variables);
        let outer = setting.variables;
        let setting = Setting {
            mode,
            variables: &variables,
            evaluable: &evaluable,
            text: record,
            inside: self.current(),
            script: &script.commands,
            windows: kind.is_windows(),
            depth: setting.depth + 1,
            ..*setting
        };
        if self.gathered.is_some()
            && (script.problem.is_some() || script.commands.is_empty() || !is_flat(text, &script.commands))
        {
            self.uncovered(&setting);
        }
        let mut answer = Answer::Allow;
        let moved = self.moved.len();
        let given = self.parameters.len();
        let before = self.state();
        let mut found = self.commands(&script, &setting);
        // Parameters that the text itself sets are given to all of it.
        if self.parameters.len() > given && !self.is_exhausted() {
            let mut parameters = setting.parameters.to_vec();
            parameters.extend(self.parameters.iter().skip(given).cloned());
            let given = parse_given(text, kind, &parameters, outer);
            let setting = Setting { parameters: &parameters, script: &given.commands, ..setting };
            self.restore(before);
            found = found.max(self.commands(&given, &setting));
        }
        answer = answer.max(found);
        if script.problem.is_some() {
            let line = Line::parsed(&script.scan);
            let whole = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
            let before = self.open(&line, Some(whole), &setting);
            answer = answer.max(self.scan(&line, 0, &setting).restriction());
            answer = self.unknown(answer, &setting, Doubt::NotUnderstood);
            self.close(before, answer, false);
        }
        if setting.reading.scanned {
            self.moved.truncate(moved);
        }
        answer
    }

    /// Judges one simple command of a text.
    pub(super) fn command(
        &mut self,
        command: &SimpleCommand<'_>,
        feeders: &[SimpleCommand<'_>],
        setting: &Setting<'_>,
    ) -> Answer {
        if self.is_exhausted() {
            return Answer::Prompt;
        }
        if command.words.is_empty() {
            // No rule can be about a statement without words, so only what is harmless is allowed.
            let mut harmless = command.redirects.iter().all(is_harmless);
            for assignment in &command.assignments {
                harmless &= self.is_inert(&assignment.name);
                self.assign(&assignment.name);
            }
            self.redirects(&command.redirects);
            if command.evaluates || !command.assignments.iter().all(|assignment| self.is_inert(&assignment.name)) {
                self.uncovered(setting);
            }
            let mut answer = if harmless { Answer::Allow } else { Answer::None };
            if let Some(redirect) = command.redirects.iter().find(|redirect| connects(&redirect.target)) {
                let target = || redirect.target.text.as_ref().into();
                answer = self.unknown(answer, setting, Doubt::Connection { target: target() });
            }
            if command.evaluates {
                answer = answer.max(self.evaluable(setting));
                answer = self.unknown(answer, setting, Doubt::NotUnderstood);
            }
            return answer.max(self.read_by_shell(command, setting));
        }
        self.step(self.assigned.len() / 8);
        let named: Vec<&str> = command.assignments.iter().map(|assignment| &*assignment.name).collect();
        let assigned = core::mem::take(&mut self.assigned);
        let mut foreign: Vec<&str> = setting.foreign.to_vec();
        foreign.extend(named.into_iter().filter(|name| !self.is_inert(name)));
        foreign.extend(assigned.iter().map(String::as_str));
        // What surrounds the text holds for each of its commands.
        let mut redirects = Vec::new();
        if !setting.redirects.is_empty() {
            redirects.extend(command.redirects.iter().chain(setting.redirects).cloned());
        }
        let redirects = if redirects.is_empty() { &command.redirects } else { &redirects };
        let feeders = if feeders.is_empty() { setting.feeders } else { feeders };
        let inner = Setting { foreign: &foreign, redirects, feeders, covered: None, ..*setting };
        let recorded = self.next_command();
        let mark = self.mark();
        let mut answer = self.simple(&Line::parsed(&command.words), Some(command.span), command.defined, &inner);
        let reading = Reading { guessed: true, ..setting.reading };
        let guessed = Setting { origin: None, ..inner.restrictive(reading) };
        // A file that is read by a redirect is an operand in other clothes.
        let reads = command
            .redirects
            .iter()
            .filter(|redirect| matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite));
        let reads: Vec<Vec<_>> =
            reads.map(|redirect| command.words.iter().chain([&redirect.target]).cloned().collect()).collect();
        let before = self.reopen(recorded);
        for words in command.guesses.iter().chain(&reads) {
            let guess = self.simple(&Line::parsed(words), Some(command.span), command.defined, &guessed);
            answer = answer.max(guess.restriction());
        }
        for redirect in command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Write) {
            answer = answer.max(self.written_to(command, redirect, &guessed));
        }
        self.reclose(before, answer);
        self.list(mark);
        let mut assigned = assigned;
        assigned.append(&mut self.assigned);
        self.assigned = assigned;
        answer
    }

    /// Restrictions on commands that a redirect has a command write to.
    fn written_to(&mut self, command: &SimpleCommand<'_>, redirect: &Redirect<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let feeders = core::slice::from_ref(command);
        let fed = Setting { redirects: &[], feeders, ..*setting };
        if redirect.target.is_dynamic() {
            for reader in self.commands_within(redirect.target.span, setting) {
                answer =
                    answer.max(self.simple(&Line::parsed(&reader.words), None, reader.defined, &fed).restriction());
            }
        }
        answer
    }

    /// Restrictions on files that the shell itself reads for a statement without words, as in `$(< file)`: such a file
    /// is an operand of whatever program.
    fn read_by_shell(&mut self, command: &SimpleCommand<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let reads = |redirect: &&Redirect<'_>| matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite);
        let restrictive = Setting { redirects: &[], ..setting.restrictive(setting.reading) };
        for redirect in command.redirects.iter().filter(reads) {
            let words = [Word::default(), redirect.target.clone()];
            let line = Line::parsed(&words);
            let mark = self.mark();
            let before = self.open(&line, Some(command.span), &restrictive);
            let found = self.rules_of_any_program(&line, &restrictive);
            self.close(before, found, false);
            if found == Answer::Allow {
                self.forget(mark);
            }
            answer = answer.max(found);
        }
        answer
    }

    /// What runs is not known: no allow, and a prompt unless only restrictions are looked for.
    pub(super) fn unknown(&mut self, answer: Answer, setting: &Setting<'_>, doubt: Doubt) -> Answer {
        if matches!(doubt, Doubt::Dynamic { .. } | Doubt::NotUnderstood) {
            self.uncovered(setting);
        }
        self.doubt(|| doubt);
        if setting.mode == Mode::Restrictive { answer.max(Answer::None) } else { answer.max(Answer::Prompt) }
    }

    /// Matches restrictive rules at the position of every word, from `start` on.
    pub(super) fn scan(&mut self, line: &Line<'_>, start: usize, setting: &Setting<'_>) -> Answer {
        let reading = Reading { scanned: true, ..setting.reading };
        let setting = Setting { origin: Some(line.start()), ..setting.apart(reading) };
        let mut answer = Answer::None;
        for place in start..line.len() {
            if self.is_exhausted() {
                break;
            }
            let rest = line.range(place, line.len());
            let Some(word) = rest.word(0) else { break };
            let begins = place == start || line.word(place - 1).is_some_and(|before| before.text == "--");
            answer = answer.max(self.rules_alone(&rest, begins, &setting));
            if word.text.contains(super::simple::TEXT) && !word.is_dynamic() && setting.depth <= DEEPEST {
                answer = answer.max(self.text(word.text, ShellKind::Bash, &setting));
            }
        }
        answer
    }

    /// Matches restrictive rules in a text that is too deep to be read: at every word that blanks and quotes leave.
    fn raw(&mut self, text: &str, setting: &Setting<'_>) -> Answer {
        self.step(text.len());
        let separators = |one: char| one.is_whitespace() || "'\"`\\();&|{}$".contains(one);
        let words: Vec<&str> = text.split(separators).filter(|word| !word.is_empty()).collect();
        self.scan(&Line::typed(&super::line::Command(&words)), 0, setting)
    }
}

/// How many variables are handed on to the texts within a text, and how long their values are.
const MOST_VARIABLES: usize = 32;
const LONGEST_VALUE: usize = 4 << 10;

/// The variables that commands set to what is known, behind those from further out: by assignments, or as words.
fn variables(commands: &[SimpleCommand<'_>], outer: &[Variable]) -> Vec<Variable> {
    let mut variables = outer.to_vec();
    for command in commands {
        let assigned = command.assignments.iter().filter_map(|one| Some((&*one.name, one.value.known()?)));
        let words = command.words.iter().skip(1).filter_map(|word| word.known()?.split_once('='));
        for (name, value) in assigned.chain(words) {
            let is_name = assigned_name(name) && value.len() <= LONGEST_VALUE;
            let known = |(other, text): &Variable| other == name && text == value;
            if is_name && variables.len() < MOST_VARIABLES && !variables.iter().any(known) {
                variables.push((name.into(), value.into()));
            }
        }
    }
    variables
}

fn assigned_name(name: &str) -> bool {
    name.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_')
        && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
}

/// Whether a redirect may open a connection whose name is put together elsewhere in the text.
fn may_connect(text: &str, commands: &[SimpleCommand<'_>]) -> bool {
    let unknown = |redirect: &Redirect<'_>| {
        redirect.kind == RedirectKind::Read && matches!(redirect.target.pieces.first(), Some(Piece::Any { .. }))
    };
    let protocols = CONNECTIONS.map(|place| place.trim_start_matches("/dev").trim_matches('/'));
    commands.iter().flat_map(|command| &command.redirects).any(unknown) && super::mentions(text, &protocols)
}
