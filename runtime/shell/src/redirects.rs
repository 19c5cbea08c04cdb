//! Redirects: of a simple command in any position, of a compound command behind it.

use alloc::vec::Vec;
use core::ops::Range;

use crate::atoms::ends_token;
use crate::parser::{Parsed, Parser};
use crate::words::Role;
use crate::{ProblemKind, Redirect, RedirectKind, Word};

/// How many redirects of compound commands are handed down to the commands in them, in one text.
const MAX_HANDED_DOWN: usize = 200_000;

impl<'t> Parser<'t> {
    /// The redirect that starts here, if one does. `commands` are those it is for: a here-document's body comes later.
    pub(crate) fn redirect(&mut self, commands: Range<usize>) -> Parsed<Option<Redirect<'t>>> {
        let start = self.pos;
        let descriptor = match self.peek() {
            Some(b'<' | b'>' | b'&') => 0,
            Some(b'0'..=b'9') => self.digits_here(),
            Some(b'{') => self.variable_in_braces_here(),
            _ => return Ok(None),
        };
        let kind = match (self.at(descriptor), self.at(descriptor + 1), self.at(descriptor + 2)) {
            (Some(b'<' | b'>'), Some(b'('), _) => return Ok(None),
            (Some(b'<'), Some(b'<'), Some(b'<')) => (3, RedirectKind::HereString),
            (Some(b'<'), Some(b'<'), Some(b'-')) => (3, RedirectKind::HereDocument),
            (Some(b'<'), Some(b'<'), _) => (2, RedirectKind::HereDocument),
            (Some(b'<' | b'>'), Some(b'&'), _) => (2, RedirectKind::Duplicate),
            (Some(b'<'), Some(b'>'), _) => (2, RedirectKind::ReadWrite),
            (Some(b'<'), _, _) => (1, RedirectKind::Read),
            (Some(b'>'), Some(b'>' | b'|'), _) => (2, RedirectKind::Write),
            (Some(b'>'), _, _) => (1, RedirectKind::Write),
            (Some(b'&'), Some(b'>'), Some(b'>')) if descriptor == 0 => (3, RedirectKind::Write),
            (Some(b'&'), Some(b'>'), _) if descriptor == 0 => (2, RedirectKind::Write),
            _ => return Ok(None),
        };
        if descriptor > 9 && self.peek() != Some(b'{') {
            return self.stop_here(ProblemKind::NotUnderstood);
        }
        let (length, kind) = kind;
        let variable = (self.peek() == Some(b'{')).then(|| self.slice(start + 1..start + descriptor - 1));
        self.pos += descriptor + length;
        // What comes next might still belong to the operator.
        self.no_continuation(start)?;
        let strips = kind == RedirectKind::HereDocument && length == 3;
        let writes = self.bytes.get(start + descriptor) == Some(&b'>');
        let number = match self.slice(start..start + descriptor) {
            "" => Some(u32::from(self.bytes.get(start) != Some(&b'<'))),
            digits => digits.parse().ok(),
        };
        self.blanks();
        if matches!(self.peek(), None | Some(b'#')) || (ends_token(self.peek()) && self.at(1) != Some(b'(')) {
            return self.stop(start, ProblemKind::MissingTarget);
        }
        let (kind, target) = match kind {
            RedirectKind::HereDocument => {
                self.here_document(start, strips, commands)?;
                (kind, Word::default())
            }
            RedirectKind::HereString => (kind, self.word(Role::Single)?),
            RedirectKind::Duplicate => self.duplicate(writes)?,
            _ => (kind, self.word(Role::Argument)?),
        };
        // Only a descriptor that is closed must have been in the variable before.
        let closes = kind == RedirectKind::Duplicate && target.known() == Some("-");
        if let Some(name) = variable
            && !closes
        {
            self.sets_name(start, name)?;
        }
        Ok(Some(Redirect { span: self.span_from(start), descriptor: number, kind, target }))
    }

    /// The target of `>&` or `<&`: a descriptor, or a file.
    fn duplicate(&mut self, writes: bool) -> Parsed<(RedirectKind, Word<'t>)> {
        let start = self.pos;
        // The dash is a token of its own, whatever follows.
        if self.peek() == Some(b'-') {
            self.pos += 1;
            return Ok((RedirectKind::Duplicate, Word::fixed(self.span_from(start), "-")));
        }
        let digits = self.digits_here();
        if digits > 0 && ends_token(self.at(digits)) {
            let word = Word::fixed(crate::Span::new(start, start + digits), self.slice(start..start + digits));
            if self.at(digits + 1) != Some(b'(') || !matches!(self.at(digits), Some(b'<' | b'>')) {
                self.pos += digits;
                return Ok((RedirectKind::Duplicate, word));
            }
        }
        let word = self.word(Role::Argument)?;
        let moves = |text: &str| {
            text.strip_suffix('-').is_some_and(|fd| !fd.is_empty() && fd.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let duplicates = !writes || word.known().is_some_and(|text| moves(text) || is_number(text));
        Ok((if duplicates { RedirectKind::Duplicate } else { RedirectKind::Write }, word))
    }

    fn digits_here(&self) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
    }

    /// The length of `{name}` here; zero if that is not what is here.
    fn variable_in_braces_here(&self) -> usize {
        let rest = self.bytes.get(self.pos + 1..).unwrap_or_default();
        let name = rest.iter().position(|&byte| byte != b'_' && !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let starts_well = rest.first().is_some_and(|byte| !byte.is_ascii_digit());
        if name > 0 && starts_well && rest.get(name) == Some(&b'}') { name + 2 } else { usize::MAX / 2 }
    }

    /// The redirects behind a compound command, for all the commands in it.
    pub(crate) fn compound_redirects(&mut self, commands: Range<usize>) -> Parsed {
        let mut redirects = Vec::new();
        let result = loop {
            let end = self.pos;
            self.blanks();
            match self.redirect(commands.clone()) {
                Ok(Some(redirect)) => redirects.push(redirect),
                Ok(None) => {
                    self.pos = end;
                    break Ok(());
                }
                Err(stopped) => break Err(stopped),
            }
        };
        if redirects.is_empty() {
            return result;
        }
        self.redirected_until = self.pos;
        if commands.is_empty() && result.is_ok() {
            // The shell opens the files all the same.
            let start = redirects.first().map_or(self.pos, |redirect| redirect.span.start as usize);
            self.opens(start, redirects)?;
            return result;
        }
        self.handed_down += redirects.len() * commands.len();
        if self.handed_down > MAX_HANDED_DOWN {
            return self.stop_here(ProblemKind::TooManyReadings);
        }
        for command in self.commands.get_mut(commands).unwrap_or_default() {
            command.redirects.extend(redirects.iter().cloned());
        }
        result
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word that looks like the descriptor of the operator behind it, which only a line continuation can hide.
pub(crate) fn looks_like_descriptor(word: &str) -> bool {
    is_number(word) || (word.starts_with('{') && word.ends_with('}'))
}
