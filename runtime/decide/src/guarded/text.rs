//! Text of a shell: every simple command of it, and all of it where it is not understood.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Nesting, Redirect, RedirectKind, ShellKind, SimpleCommand, Span, Word, parse_with};

use super::conditions::is_harmless;
use super::line::Line;
use super::setting::{Mode, Setting};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};

impl Judge<'_, '_> {
    /// Judges a text, which `setting` surrounds: its mode, depth and variables hold for every command in it.
    pub(super) fn text(&mut self, text: &str, kind: ShellKind, setting: &Setting<'_>) -> Answer {
        if setting.depth > DEEPEST {
            self.doubt(|| Doubt::TooDeep);
            return self.raw(text, setting).max(Answer::Prompt);
        }
        self.step(text.len() / 8 + 1);
        let script = parse_with(text, kind, setting.parameters);
        let record = self.record_text(text, kind, script.problem);
        let mode = if script.problem.is_some() { setting.mode.and(Mode::Doubtful) } else { setting.mode };
        let mut evaluable: Vec<&str> = setting.evaluable.to_vec();
        evaluable.extend(script.evaluable.iter().map(|text| &**text));
        let setting = Setting {
            mode,
            evaluable: &evaluable,
            text: record,
            inside: self.current(),
            script: &script.commands,
            windows: kind.is_windows(),
            depth: setting.depth + 1,
            ..*setting
        };
        let mut answer = Answer::Allow;
        let moved = self.moved.len();
        let given = self.parameters.len();
        let before = self.state();
        let mut found = self.commands(&script, &setting);
        // Parameters that the text itself sets are given to all of it.
        if self.parameters.len() > given && !self.is_exhausted() {
            let mut parameters = setting.parameters.to_vec();
            parameters.extend(self.parameters.iter().skip(given).cloned());
            let given = parse_with(text, kind, &parameters);
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
        if command.words.is_empty() {
            // No rule can be about a statement without words, so only what is harmless is allowed.
            let mut harmless = command.redirects.iter().all(is_harmless);
            for assignment in &command.assignments {
                harmless &= self.is_inert(&assignment.name);
                self.assign(&assignment.name);
            }
            let mut answer = if harmless { Answer::Allow } else { Answer::None };
            if command.evaluates {
                answer = answer.max(self.evaluable(setting));
                answer = self.unknown(answer, setting, Doubt::NotUnderstood);
            }
            return answer.max(self.read_by_shell(command, setting));
        }
        let named: Vec<&str> = command.assignments.iter().map(|assignment| &*assignment.name).collect();
        let assigned = core::mem::take(&mut self.assigned);
        let mut foreign: Vec<&str> = setting.foreign.to_vec();
        let more = named.into_iter().chain(assigned.iter().map(String::as_str)).filter(|name| !self.is_inert(name));
        foreign.extend(more);
        // What surrounds the text holds for each of its commands.
        let mut redirects = Vec::new();
        if !setting.redirects.is_empty() {
            redirects.extend(command.redirects.iter().chain(setting.redirects).cloned());
        }
        let redirects = if redirects.is_empty() { &command.redirects } else { &redirects };
        let feeders = if feeders.is_empty() { setting.feeders } else { feeders };
        let inner = Setting { foreign: &foreign, redirects, feeders, covered: None, ..*setting };
        let recorded = self.next_command();
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
        self.reclose(before, answer);
        let mut assigned = assigned;
        assigned.append(&mut self.assigned);
        self.assigned = assigned;
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

    /// Judges what a program runs that reads a text from a descriptor, as a rule from its standard input.
    pub(super) fn standard_input(&mut self, kind: ShellKind, descriptor: u32, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let feeds = |redirect: &Redirect<'_>| redirect.descriptor.is_none_or(|number| number == descriptor);
        // A text for another descriptor may get to this one; that it is the one which is read is not sure then.
        let mut feeding = setting.redirects.iter().filter(|redirect| feeds(redirect)).peekable();
        let fed = feeding.peek().is_some() && feeding.all(|redirect| is_text(redirect.kind));
        let writes: Vec<_> = setting.redirects.iter().filter(|redirect| !is_harmless(redirect)).cloned().collect();
        for redirect in setting.redirects {
            if !is_text(redirect.kind) {
                match redirect.kind {
                    RedirectKind::Read if feeds(redirect) => {
                        answer = answer.max(self.printed_within(kind, Some(redirect.span), setting));
                    }
                    RedirectKind::Duplicate if feeds(redirect) => {
                        let copied = redirect.target.known().and_then(|target| target.parse().ok());
                        answer = copied.map_or(answer, |copied| answer.max(self.opened_before(kind, copied, setting)));
                    }
                    _ => {}
                }
                continue;
            }
            let (text, known) = Line::parsed(core::slice::from_ref(&redirect.target)).text(0, 1, 0);
            let mode = if known && fed { setting.mode } else { setting.mode.and(Mode::Doubtful) };
            let inner = Setting { mode, redirects: &writes, feeders: &[], covered: None, ..*setting };
            answer = answer.max(self.text(&text, kind, &inner));
            if !known {
                answer = answer.max(self.printed_within(kind, Some(redirect.span), setting));
                answer = self.unknown(answer, setting, Doubt::StandardInput);
            }
        }
        if fed {
            return answer;
        }
        for feeder in setting.feeders {
            answer = answer.max(self.printed(feeder, kind, setting));
            // What a function prints is what the commands in it print.
            let bodies = setting.script.iter().filter(|command| feeder.defined && command.nesting == Nesting::Function);
            for command in bodies {
                answer = answer.max(self.printed(command, kind, setting));
            }
        }
        if descriptor > 0 {
            answer = answer.max(self.opened_before(kind, descriptor, setting));
        }
        self.unknown(answer, setting, Doubt::StandardInput)
    }

    /// Restrictions on the texts that other commands have given to a descriptor, if one of them stays for this one.
    fn opened_before(&mut self, kind: ShellKind, descriptor: u32, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let restrictive =
            Setting { redirects: &[], feeders: &[], covered: None, ..setting.restrictive(setting.reading) };
        for redirect in setting.script.iter().flat_map(|command| &command.redirects) {
            if redirect.descriptor.is_some_and(|number| number != descriptor) {
                continue;
            }
            if is_text(redirect.kind) {
                let (text, _) = Line::parsed(core::slice::from_ref(&redirect.target)).text(0, 1, 0);
                answer = answer.max(self.text(&text, kind, &restrictive).restriction());
            } else {
                answer = answer.max(self.printed_within(kind, Some(redirect.span), setting));
            }
        }
        answer
    }

    /// Judges what a program runs that reads a text from a file whose name stands in `span`: a substitution there may
    /// write it.
    pub(super) fn written_file(&mut self, kind: ShellKind, span: Option<Span>, setting: &Setting<'_>) -> Answer {
        let answer = self.printed_within(kind, span, setting);
        self.unknown(answer, setting, Doubt::StandardInput)
    }

    /// Restrictions on what the substitutions in `span` may print, if that runs.
    pub(super) fn printed_within(&mut self, kind: ShellKind, span: Option<Span>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let within = |command: &&SimpleCommand<'_>| {
            span.is_some_and(|span| span.start <= command.span.start && command.span.end <= span.end)
        };
        for command in setting.script.iter().filter(within) {
            answer = answer.max(self.printed(command, kind, setting));
        }
        answer
    }

    /// Restrictions on what a command may print, if that runs: on its words, together and each, or on what it is given.
    fn printed(&mut self, feeder: &SimpleCommand<'_>, kind: ShellKind, setting: &Setting<'_>) -> Answer {
        let inner = Setting {
            redirects: &[],
            feeders: &[],
            covered: None,
            depth: setting.depth + 1,
            ..setting.restrictive(setting.reading)
        };
        let words = Line::parsed(&feeder.words);
        let (joined, _) = words.text(1.min(words.len()), words.len(), 0);
        let mut answer = self.text(&joined, kind, &inner).restriction();
        for word in feeder.words.iter().skip(1).filter(|_| feeder.words.len() > 2) {
            answer = answer.max(self.text(&word.text, kind, &inner).restriction());
            if let Some(text) = unescaped(&word.text) {
                answer = answer.max(self.text(&text, kind, &inner).restriction());
            }
        }
        for text in formatted(&words).iter().chain(&unescaped(&joined)) {
            answer = answer.max(self.text(text, kind, &inner).restriction());
        }
        for redirect in &feeder.redirects {
            if is_text(redirect.kind) {
                let (text, _) = Line::parsed(core::slice::from_ref(&redirect.target)).text(0, 1, 0);
                answer = answer.max(self.text(&text, kind, &inner).restriction());
            }
        }
        answer
    }

    /// What runs is not known: no allow, and a prompt unless only restrictions are looked for.
    pub(super) fn unknown(&mut self, answer: Answer, setting: &Setting<'_>, doubt: Doubt) -> Answer {
        self.doubt(|| doubt);
        if setting.mode == Mode::Restrictive { answer.max(Answer::None) } else { answer.max(Answer::Prompt) }
    }

    /// Matches restrictive rules at the position of every word, from `start` on.
    pub(super) fn scan(&mut self, line: &Line<'_>, start: usize, setting: &Setting<'_>) -> Answer {
        let reading = Reading { scanned: true, ..setting.reading };
        let setting =
            Setting { redirects: &[], feeders: &[], origin: Some(line.start()), ..setting.restrictive(reading) };
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

/// Whether the target of a redirect is the text that is read.
pub(super) const fn is_text(kind: RedirectKind) -> bool {
    matches!(kind, RedirectKind::HereDocument | RedirectKind::HereString)
}

/// What the words behind the first become if the second says how they are printed: each in the place of a directive.
fn formatted(words: &Line<'_>) -> Option<String> {
    let format = words.word(1).filter(|word| word.text.contains('%'))?.text;
    let mut text = String::new();
    let mut place = 2;
    loop {
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('%') {
            text.push_str(before);
            let length = after.find(|one: char| one.is_ascii_alphabetic() || one == '%').map_or(0, |at| at + 1);
            let (directive, behind) = after.split_at(length);
            match words.word(place).filter(|word| directive != "%" && !word.is_dynamic()) {
                Some(word) => text.push_str(word.text),
                None => text.push_str(directive.strip_prefix('%').unwrap_or("${_}")),
            }
            place += usize::from(directive != "%");
            rest = behind;
        }
        text.push_str(rest);
        // The format is used again until no words are left.
        if place == 2 || place >= words.len() || text.len() > MOST_FORMATTED {
            return Some(unescaped(&text).unwrap_or(text));
        }
    }
}

/// How many bytes a format may become.
const MOST_FORMATTED: usize = 4 << 10;

/// A text with what backslashes stand for when it is printed; none if there are none.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return None;
    }
    let mut printed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        printed.push_str(before);
        let number = |start: usize, most: usize, radix: u32| {
            let digits = after.get(start..).unwrap_or_default();
            let length = digits.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
            let value = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
            Some((char::from_u32(value)?, start + length))
        };
        let (one, length) = match after.as_bytes().first() {
            Some(b'n' | b'r') => ('\n', 1),
            Some(b't' | b'v' | b'f') => ('\t', 1),
            Some(b'\\') => ('\\', 1),
            Some(b'x') => number(1, 2, 16).unwrap_or(('\\', 0)),
            Some(b'u') => number(1, 4, 16).unwrap_or(('\\', 0)),
            Some(b'U') => number(1, 8, 16).unwrap_or(('\\', 0)),
            Some(b'0') => number(0, 4, 8).unwrap_or(('\\', 0)),
            Some(b'1'..=b'7') => number(0, 3, 8).unwrap_or(('\\', 0)),
            _ => ('\\', 0),
        };
        printed.push(one);
        rest = after.get(length..).unwrap_or_default();
    }
    printed.push_str(rest);
    Some(printed)
}
