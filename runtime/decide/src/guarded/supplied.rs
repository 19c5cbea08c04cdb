//! What a program runs that no word of its own says: what it reads, and what commands print.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Nesting, Redirect, RedirectKind, ShellKind, SimpleCommand, Span, Word};

use super::conditions::is_harmless;
use super::line::Line;
use super::setting::{Mode, Setting};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};

impl Judge<'_, '_> {
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
            let (text, known) = text_of(redirect);
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
            let script = if feeder.defined { self.script(setting) } else { &[] };
            for command in script.iter().filter(|command| command.nesting == Nesting::Function) {
                answer = answer.max(self.printed(command, kind, setting));
            }
        }
        if descriptor > 0 {
            answer = answer.max(self.opened_before(kind, descriptor, setting));
        }
        self.unknown(answer, setting, Doubt::StandardInput)
    }

    /// Restrictions on a command whose program is put in from what is read: each line of that, and each word.
    pub(super) fn fed_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        if setting.depth > DEEPEST || line.replaced(0, "").is_none() {
            return answer;
        }
        let texts = setting.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
        let printed = setting.feeders.iter().flat_map(|feeder| feeder.words.iter().skip(1));
        let fed: Vec<&str> = texts.chain(printed).filter_map(Word::known).flat_map(str::lines).take(MOST_FED).collect();
        let reading = Reading { guessed: true, ..setting.reading };
        let restrictive = Setting { depth: setting.depth + 1, origin: None, ..setting.apart(reading) };
        for item in fed {
            let word = |place: usize| {
                let word = line.word(place)?;
                Some(match line.replaced(place, item) {
                    Some(text) => Word { text: Cow::Owned(text), ..Word::default() },
                    None => Word { text: Cow::Borrowed(word.text), pieces: word.pieces.to_vec(), ..Word::default() },
                })
            };
            let words: Vec<Word<'_>> = (0..line.len()).filter_map(word).collect();
            answer = answer.max(self.simple(&Line::parsed(&words), None, false, &restrictive).restriction());
        }
        answer
    }

    /// Restrictions on a command that is given what it reads from its standard input as further operands, a line each.
    pub(super) fn fed_operands(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        if setting.depth > DEEPEST {
            return Answer::Allow;
        }
        let texts = setting.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|redirect| &redirect.target);
        let printed = setting.feeders.iter().flat_map(|feeder| feeder.words.iter().skip(1));
        let fed: Vec<&Word<'_>> = texts.chain(printed).collect();
        if fed.is_empty() {
            return Answer::Allow;
        }
        let known = |text: String| Word { text: Cow::Owned(text), ..Word::default() };
        let mut words: Vec<Word<'_>> = line
            .words()
            .map(|word| Word { text: Cow::Borrowed(word.text), pieces: word.pieces.to_vec(), ..Word::default() })
            .collect();
        for word in fed {
            match word.known() {
                Some(text) => {
                    let items = text.split(['\n', '\0']).filter(|item| !item.is_empty());
                    words.extend(items.flat_map(|item| [Some(item.into()), unescaped(item)]).flatten().map(known));
                }
                None => words.push(word.clone()),
            }
        }
        let reading = Reading { guessed: true, ..setting.reading };
        let restrictive = Setting { depth: setting.depth + 1, origin: None, ..setting.apart(reading) };
        self.simple(&Line::parsed(&words), None, false, &restrictive).restriction()
    }

    /// Restrictions on the texts that other commands have given to a descriptor, if one of them stays for this one.
    fn opened_before(&mut self, kind: ShellKind, descriptor: u32, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let restrictive = setting.apart(setting.reading);
        for redirect in self.script(setting).iter().flat_map(|command| &command.redirects) {
            if redirect.descriptor.is_some_and(|number| number != descriptor) {
                continue;
            }
            if is_text(redirect.kind) {
                answer = answer.max(self.text(&text_of(redirect).0, kind, &restrictive).restriction());
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
        let Some(span) = span else { return answer };
        for command in self.commands_within(span, setting) {
            answer = answer.max(self.printed(command, kind, setting));
            // Without operands, it may print what it reads, and that is what the command around it is given.
            let operand = |word: &Word<'_>| word.known().is_none_or(|text| !text.starts_with('-'));
            if !command.words.iter().skip(1).any(operand) {
                let restrictive = setting.apart(setting.reading);
                for redirect in setting.redirects.iter().filter(|redirect| is_text(redirect.kind)) {
                    answer = answer.max(self.text(&text_of(redirect).0, kind, &restrictive).restriction());
                }
            }
        }
        answer
    }

    /// The commands of the text that stand in `span`, as those of a substitution.
    pub(super) fn commands_within<'s>(
        &self,
        span: Span,
        setting: &Setting<'s>,
    ) -> impl Iterator<Item = &'s SimpleCommand<'s>> + use<'s> {
        let script =
            if span.end.saturating_sub(span.start) < SHORTEST_SUBSTITUTION { &[] } else { self.script(setting) };
        script.iter().filter(move |command| span.start <= command.span.start && command.span.end <= span.end)
    }

    /// All commands of the text, to be looked through; none if there were too many of them too often.
    fn script<'s>(&self, setting: &Setting<'s>) -> &'s [SimpleCommand<'s>] {
        self.step(setting.script.len() / 8);
        if self.is_exhausted() { &[] } else { setting.script }
    }

    /// Restrictions on what a command may print, if that runs: on its words, together and each, or on what it is given.
    pub(super) fn printed(&mut self, feeder: &SimpleCommand<'_>, kind: ShellKind, setting: &Setting<'_>) -> Answer {
        let inner = Setting { depth: setting.depth + 1, ..setting.apart(setting.reading) };
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
                answer = answer.max(self.text(&text_of(redirect).0, kind, &inner).restriction());
            }
        }
        answer
    }
}

/// How many lines of what is read are put in for a program.
const MOST_FED: usize = 16;

/// As many bytes as a substitution takes.
const SHORTEST_SUBSTITUTION: u32 = 3;

/// Whether the target of a redirect is the text that is read.
pub(super) const fn is_text(kind: RedirectKind) -> bool {
    matches!(kind, RedirectKind::HereDocument | RedirectKind::HereString)
}

/// The text that a redirect holds, and whether all of it is known.
fn text_of<'r>(redirect: &'r Redirect<'r>) -> (Cow<'r, str>, bool) {
    Line::parsed(core::slice::from_ref(&redirect.target)).text(0, 1, 0)
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
