//! Lists, pipelines and simple commands.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::atoms::{Atom, ends_token, is_bare};
use crate::constants::{Constant, Kind};
use crate::parser::{Parsed, Parser};
use crate::passing::{SHELL_NUMBERS, is_number, is_unknown_value};
use crate::redirects::looks_like_descriptor;
use crate::words::{Role, is_identifier};
use crate::{Assignment, BlockKind, Nesting, Piece, ProblemKind, SimpleCommand, Span, Word};

/// A word of the grammar, where one may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reserved {
    Bang,
    Brace,
    CloseBrace,
    Condition,
    CloseCondition,
    Case,
    Coproc,
    Do,
    Done,
    Elif,
    Else,
    Esac,
    Fi,
    For,
    Function,
    If,
    In,
    Select,
    Then,
    Time,
    Until,
    While,
}

impl Reserved {
    /// Whether a compound command begins with it.
    pub(crate) const fn opens(self) -> bool {
        use Reserved::{Brace, Case, Condition, For, If, Select, Until, While};
        matches!(self, Brace | Case | Condition | For | If | Select | Until | While)
    }

    /// The reserved word of that spelling.
    pub(crate) fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"!" => Self::Bang,
            b"{" => Self::Brace,
            b"}" => Self::CloseBrace,
            b"[[" => Self::Condition,
            b"]]" => Self::CloseCondition,
            b"case" => Self::Case,
            b"coproc" => Self::Coproc,
            b"do" => Self::Do,
            b"done" => Self::Done,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"esac" => Self::Esac,
            b"fi" => Self::Fi,
            b"for" => Self::For,
            b"function" => Self::Function,
            b"if" => Self::If,
            b"in" => Self::In,
            b"select" => Self::Select,
            b"then" => Self::Then,
            b"time" => Self::Time,
            b"until" => Self::Until,
            b"while" => Self::While,
            _ => return None,
        })
    }

    /// The length of the longest.
    const LONGEST: usize = 8;
}

/// What may close a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closers(u16);

impl Closers {
    pub(crate) const END: Self = Self(1);
    pub(crate) const PAREN: Self = Self(2);
    pub(crate) const BRACE: Self = Self(4);
    pub(crate) const THEN: Self = Self(8);
    pub(crate) const DO: Self = Self(16);
    pub(crate) const DONE: Self = Self(32);
    pub(crate) const ELIF: Self = Self(64);
    pub(crate) const ELSE: Self = Self(128);
    pub(crate) const FI: Self = Self(256);
    pub(crate) const ARM: Self = Self(512);
    pub(crate) const ESAC: Self = Self(1024);

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it is a word.
    const fn is_reserved(self) -> bool {
        self.0 & (1 | 2 | 512) == 0
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl<'t> Parser<'t> {
    /// The commands up to the end of what may be read.
    pub(crate) fn program(&mut self) -> Parsed {
        self.list(Closers::END, true)?;
        match self.pending.first() {
            Some(_) => self.stop(self.pos, ProblemKind::UnclosedHereDocument),
            None => Ok(()),
        }
    }

    /// Commands up to and with what closes them.
    pub(crate) fn list(&mut self, closers: Closers, may_be_empty: bool) -> Parsed<Closers> {
        self.deeper(|parser| parser.list_here(closers, may_be_empty))
    }

    fn list_here(&mut self, closers: Closers, may_be_empty: bool) -> Parsed<Closers> {
        let mut empty = !may_be_empty;
        loop {
            self.newlines()?;
            if let Some(closer) = self.closer(closers, empty)? {
                return Ok(closer);
            }
            self.and_or()?;
            empty = false;
            let redirected = self.redirected_until == self.pos;
            self.blanks();
            match self.peek() {
                Some(b';') if !matches!(self.at(1), Some(b';' | b'&')) => {
                    let start = self.pos;
                    self.pos += 1;
                    self.no_continuation(start)?;
                }
                Some(b'&') if !matches!(self.at(1), Some(b'&' | b'>')) => {
                    let start = self.pos;
                    self.pos += 1;
                    self.no_continuation(start)?;
                }
                Some(b'\n') => self.newline()?,
                Some(b'#') => self.comment(),
                _ => match self.closer(closers, false)? {
                    Some(closer) if redirected && closer.is_reserved() => {
                        return self.stop_here(ProblemKind::NotUnderstood);
                    }
                    Some(closer) => return Ok(closer),
                    None => return self.stop_here(ProblemKind::Unexpected),
                },
            }
        }
    }

    /// What closes the list, if it stands here. At the end of the text something always must.
    fn closer(&mut self, closers: Closers, empty: bool) -> Parsed<Option<Closers>> {
        let (closer, length) = match self.peek() {
            None => (Closers::END, 0),
            Some(b')') => (Closers::PAREN, 1),
            Some(b';') if matches!(self.at(1), Some(b';' | b'&')) => {
                let long = self.at(1) == Some(b';') && self.at(2) == Some(b'&');
                (Closers::ARM, if long { 3 } else { 2 })
            }
            Some(_) => match self.reserved() {
                Some((Reserved::CloseBrace, length)) => (Closers::BRACE, length),
                Some((Reserved::Then, length)) => (Closers::THEN, length),
                Some((Reserved::Do, length)) => (Closers::DO, length),
                Some((Reserved::Done, length)) => (Closers::DONE, length),
                Some((Reserved::Elif, length)) => (Closers::ELIF, length),
                Some((Reserved::Else, length)) => (Closers::ELSE, length),
                Some((Reserved::Fi, length)) => (Closers::FI, length),
                Some((Reserved::Esac, length)) => (Closers::ESAC, length),
                _ => return Ok(None),
            },
        };
        if !closers.has(closer) {
            let kind = if closer == Closers::END { ProblemKind::UnclosedCommand } else { ProblemKind::Unexpected };
            return self.stop_here(kind);
        }
        if empty {
            return self.stop_here(ProblemKind::MissingCommand);
        }
        let start = self.pos;
        self.pos += length;
        if closer == Closers::ARM {
            self.no_continuation(start)?;
        }
        Ok(Some(closer))
    }

    /// The reserved word here, and its length.
    pub(crate) fn reserved(&self) -> Option<(Reserved, usize)> {
        let rest = self.bytes.get(self.pos..)?;
        if !matches!(rest.first()?, b'a'..=b'z' | b'{' | b'}' | b'!' | b'[' | b']') {
            return None;
        }
        let length = rest
            .iter()
            .take(Reserved::LONGEST + 1)
            .position(|&byte| ends_token(Some(byte)))
            .or((rest.len() <= Reserved::LONGEST).then_some(rest.len()))?;
        // A process substitution goes on with the word before it.
        if matches!(rest.get(length..length + 2), Some(b"<(" | b">(")) {
            return None;
        }
        Some((Reserved::of(rest.get(..length)?)?, length))
    }

    fn and_or(&mut self) -> Parsed {
        loop {
            self.pipeline()?;
            let end = self.pos;
            self.blanks();
            if !self.looking_at(b"&&") && !self.looking_at(b"||") {
                self.pos = end;
                return Ok(());
            }
            self.pos += 2;
            self.newlines()?;
        }
    }

    fn pipeline(&mut self) -> Parsed {
        let mut prefixed = false;
        while let Some((word @ (Reserved::Bang | Reserved::Time), length)) = self.reserved() {
            self.pos += length;
            self.blanks();
            prefixed = true;
            if word == Reserved::Time {
                self.time_options();
            }
        }
        if prefixed {
            // Either may stand alone.
            let alone = match self.peek() {
                None => self.depth == 1,
                Some(b';') => !matches!(self.at(1), Some(b';' | b'&')),
                Some(b'\n') => true,
                _ => false,
            };
            if alone {
                return Ok(());
            }
        }
        self.last = None;
        let first = self.commands.len();
        self.command()?;
        loop {
            let end = self.pos;
            self.blanks();
            if self.peek() != Some(b'|') || self.at(1) == Some(b'|') {
                self.pos = end;
                return Ok(());
            }
            let operator = self.pos;
            self.pos += if self.at(1) == Some(b'&') { 2 } else { 1 };
            self.no_continuation(operator)?;
            self.newlines()?;
            let feeder = self.last;
            let start = self.commands.len();
            self.last = None;
            self.command()?;
            for command in self.commands.get_mut(start..).unwrap_or_default() {
                if command.fed_by.is_none() {
                    command.fed_by = feeder;
                    command.fed_from = feeder.map(|feeder| first.min(feeder));
                }
            }
        }
    }

    /// `-p` and `--` behind `time`.
    fn time_options(&mut self) {
        for option in [b"-p".as_slice(), b"--"] {
            if self.looking_at(option) && ends_token(self.at(option.len())) {
                self.pos += option.len();
                self.blanks();
            }
        }
    }

    /// One simple or compound command, or a function.
    pub(crate) fn command(&mut self) -> Parsed {
        match self.peek() {
            None | Some(b')' | b'|' | b';' | b'\n' | b'#') => self.stop_here(ProblemKind::MissingCommand),
            Some(b'&') if self.at(1) != Some(b'>') => self.stop_here(ProblemKind::MissingCommand),
            Some(b'(') => {
                let start = self.commands.len();
                self.parenthesized()?;
                self.compound_redirects(start..self.commands.len())
            }
            _ => match self.reserved() {
                // Only at the start of a pipeline is it reserved, and that is dealt with.
                None | Some((Reserved::Time, _)) => self.simple_command(),
                Some((word, length)) => self.compound_command(word, length),
            },
        }
    }

    /// A simple command, or the function that one word and two parentheses start.
    pub(crate) fn simple_command(&mut self) -> Parsed {
        let place = self.place_for_command()?;
        let mut command = SimpleCommand { nesting: self.nesting, ..SimpleCommand::default() };
        let start = self.pos;
        let mut end = start;
        let read = self.simple_command_elements(place, &mut command, &mut end);
        if let Ok(Some(name)) = &read {
            // What looked like a command was the name of a function.
            if self.commands.len() == place + 1 {
                self.commands.pop();
            }
            return self.function_behind_name(name.clone());
        }
        command.span = Span::new(start, end);
        if let Some(slot) = self.commands.get_mut(place) {
            *slot = command;
        }
        read?;
        self.last = Some(place);
        Ok(())
    }

    /// The assignments, words and redirects. A parenthesis behind the first word makes it the name of a function.
    fn simple_command_elements(
        &mut self,
        place: usize,
        command: &mut SimpleCommand<'t>,
        end: &mut usize,
    ) -> Parsed<Option<Cow<'t, str>>> {
        let start = self.pos;
        // A word may also become nothing, and what follows it is still no assignment.
        let mut named = false;
        loop {
            let start = self.pos;
            // The usual word has nothing special in it.
            while self.peek().is_some_and(is_plain) {
                self.pos += 1;
            }
            if self.pos > start && matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';' | b'|' | b'&' | b')'))
            {
                let text = self.slice(start..self.pos);
                let assigns = !named && text.contains('=');
                if !assigns && !text.starts_with('#') {
                    command.words.push(Word::fixed(self.span_from(start), text));
                    named = true;
                    *end = self.pos;
                    self.blanks();
                    continue;
                }
            }
            self.pos = start;
            match self.peek() {
                None | Some(b'\n' | b';' | b'|' | b')') => break,
                Some(b'&') if self.at(1) != Some(b'>') => break,
                Some(b'#') => {
                    self.comment();
                    break;
                }
                Some(b'(') => return self.function_name(start, command).map(Some),
                _ => {}
            }
            if let Some(redirect) = self.redirect(place..place + 1)? {
                command.redirects.push(redirect);
            } else if !named && let Some(assignment) = self.assignment(command)? {
                command.assignments.push(assignment);
            } else {
                named |= self.command_word(start, place, named, command)?;
            }
            *end = self.pos;
            self.blanks();
        }
        // The shell takes such a word for a job.
        if let Some(word) = command.words.first()
            && word.text.starts_with('%')
        {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        if !named && command.assignments.is_empty() && command.redirects.is_empty() {
            return self.stop_here(ProblemKind::MissingCommand);
        }
        Ok(None)
    }

    /// A word that needs a closer look; whether there is one.
    fn command_word(
        &mut self,
        start: usize,
        place: usize,
        named: bool,
        command: &mut SimpleCommand<'t>,
    ) -> Parsed<bool> {
        let mut atoms = Vec::new();
        self.atoms(&mut atoms)?;
        let span = self.span_from(start);
        if self.pos == start {
            return self.stop_here(ProblemKind::Unexpected);
        }
        if self.slice(start..self.pos).contains("\\\n")
            && let Some(Atom::Bare(text)) = atoms.first()
        {
            // A joined line may make a reserved word, a name or a descriptor of what this reading keeps apart.
            let operator = atoms.len() == 1 && matches!(self.peek(), Some(b'<' | b'>')) && looks_like_descriptor(text);
            let first = !named && (Reserved::of(text.as_bytes()).is_some() || text.contains(['=', '[']));
            if operator || first {
                return self.stop(start, ProblemKind::NotUnderstood);
            }
        }
        if atoms.is_empty() {
            return Ok(false);
        }
        // The element of an array may be given a descriptor too.
        if matches!(self.peek(), Some(b'<' | b'>')) && looks_like_element_in_braces(self.slice(start..self.pos)) {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        self.finish(span, atoms, Role::Argument, Some(place), &mut command.words)?;
        Ok(true)
    }

    /// The name of the function whose parentheses start here.
    fn function_name(&mut self, start: usize, command: &SimpleCommand<'t>) -> Parsed<Cow<'t, str>> {
        let [name] = &*command.words else { return self.stop_here(ProblemKind::Unexpected) };
        let plain = name.known().is_some() && name.span.of(self.text) == Some(&*name.text);
        if !plain || !command.assignments.is_empty() || !command.redirects.is_empty() {
            return self.stop_here(ProblemKind::Unexpected);
        }
        self.pos += 1;
        self.blanks();
        if self.peek() != Some(b')') {
            self.pos = start;
            return self.stop_here(ProblemKind::Unexpected);
        }
        self.pos += 1;
        Ok(name.text.clone())
    }

    /// The assignment here, if one is here.
    fn assignment(&mut self, command: &SimpleCommand<'t>) -> Parsed<Option<Assignment<'t>>> {
        let start = self.pos;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = rest.iter().position(|&byte| byte != b'_' && !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let name = self.slice(start..start + length);
        if !is_identifier(name) {
            return Ok(None);
        }
        let mut subscripted = false;
        let mut number = None;
        let appends = rest.get(length) == Some(&b'+');
        match (rest.get(length), rest.get(length + 1)) {
            (Some(b'='), _) => self.pos += length + 1,
            (Some(b'+'), Some(b'=')) => self.pos += length + 2,
            (Some(b'['), _) => {
                self.pos += length + 1;
                let (inside, passing) = (self.pos, self.passing.len());
                self.subscript()?;
                let subscript = self.slice(inside..self.pos - 1);
                match (self.peek(), self.at(1)) {
                    (Some(b'='), _) => self.pos += 1,
                    (Some(b'+'), Some(b'=')) => self.pos += 2,
                    // A pattern that starts like an assignment, unless it holds what would end a word elsewhere.
                    _ if subscript.bytes().all(is_bare) => {
                        self.passing.truncate(passing);
                        self.pos = start;
                        return Ok(None);
                    }
                    _ => return self.stop(start, ProblemKind::NotUnderstood),
                }
                // Behind a redirect the shell takes subscripts for words.
                if !command.redirects.is_empty() && !subscript.bytes().all(is_bare) {
                    return self.stop(start, ProblemKind::NotUnderstood);
                }
                subscripted = true;
                number = subscript.parse::<usize>().ok();
            }
            _ => return Ok(None),
        }
        self.no_continuation(start)?;
        let value_start = self.pos;
        let value = if self.peek() == Some(b'(') {
            if subscripted || !command.redirects.is_empty() {
                return self.stop_here(ProblemKind::Unexpected);
            }
            self.pos += 1;
            let elements = self.deeper(Self::array)?;
            if elements.iter().any(|element| !is_number(element)) {
                self.unknown.push(Cow::Borrowed(name));
            }
            if !appends && self.bytes.get(value_start + 1) != Some(&b'[') {
                let values = elements.clone();
                let (from, to) = (self.pos, self.text.len());
                self.keep_constant(Constant { name, place: start, values, kind: Kind::Array, from, to });
            }
            let mut list = Vec::new();
            if appends && let Some((_, before)) = self.lists.iter().rfind(|(other, _)| other == name) {
                list.clone_from(before);
            }
            list.extend(elements);
            self.keep_list(Cow::Borrowed(name), list);
            // A process substitution goes on with the word before it.
            if !ends_token(self.peek()) || self.looking_at(b"<(") || self.looking_at(b">(") {
                return self.stop(start, ProblemKind::NotUnderstood);
            }
            let span = self.span_from(value_start);
            Word { span, text: self.slice(value_start..self.pos).into(), pieces: [Piece::Any { splits: false }].into() }
        } else {
            let mut atoms = Vec::new();
            self.atoms(&mut atoms)?;
            let span = self.span_from(value_start);
            let mut words = Vec::new();
            if is_unknown_value(&atoms) {
                self.unknown.push(Cow::Borrowed(name));
            } else if atoms.iter().any(|atom| atom.text().is_none()) {
                self.numbers.push(Cow::Borrowed(name));
            }
            self.finish(span, atoms, Role::Value, None, &mut words)?;
            words.pop().unwrap_or_else(|| Word::fixed(span, ""))
        };
        if value.known().is_some() {
            self.values.push((Cow::Borrowed(name), value.text.clone()));
            if let Some(number) = number {
                self.keep_element(name, number, &value);
            } else if !appends && !subscripted {
                let (values, from, to) = ([value.clone()].into(), self.pos, self.text.len());
                self.keep_constant(Constant { name, place: start, values, kind: Kind::Value, from, to });
            }
        }
        if SHELL_NUMBERS.contains(&name) && !is_number(&value) {
            self.calculates = true;
            self.evaluates_unknown(start);
        }
        Ok(Some(Assignment { span: self.span_from(start), name: Cow::Borrowed(name), value }))
    }

    /// The elements of an array behind its parenthesis, and the one that closes it.
    fn array(&mut self) -> Parsed<Vec<Word<'t>>> {
        let mut elements = Vec::new();
        loop {
            self.newlines()?;
            match self.peek() {
                Some(b')') => {
                    self.pos += 1;
                    return Ok(elements);
                }
                None => return self.stop_here(ProblemKind::UnclosedCommand),
                Some(b'[') => {
                    self.pos += 1;
                    self.subscript()?;
                    match (self.peek(), self.at(1)) {
                        (Some(b'='), _) => self.pos += 1,
                        (Some(b'+'), Some(b'=')) => self.pos += 2,
                        _ => return self.stop_here(ProblemKind::NotUnderstood),
                    }
                    if !ends_token(self.peek()) {
                        elements.push(self.word(Role::Single)?);
                    }
                }
                _ => elements.push(self.word(Role::Single)?),
            }
            if self.peek() == Some(b'(') {
                return self.stop_here(ProblemKind::Unexpected);
            }
        }
    }

    /// The compound command that is a function's body.
    pub(crate) fn function_behind_name(&mut self, name: Cow<'t, str>) -> Parsed {
        self.newlines()?;
        self.functions.push(name);
        self.function_body()
    }

    /// The compound command here, as the body of a function.
    pub(crate) fn function_body(&mut self) -> Parsed {
        let (nesting, start) = (self.nesting, self.commands.len());
        let (last, begin) = (self.last, self.pos);
        self.nesting = Nesting::Function;
        match (self.peek(), self.reserved()) {
            (Some(b'('), _) => self.parenthesized()?,
            (_, Some((word, length))) if word.opens() => self.compound_without_redirects(word, length)?,
            _ => return self.stop_here(ProblemKind::Unexpected),
        }
        self.compound_redirects(start..self.commands.len())?;
        (self.nesting, self.last) = (nesting, last);
        self.block(begin, BlockKind::Function);
        Ok(())
    }
}

/// Whether it is the name of a variable with a subscript, between braces.
fn looks_like_element_in_braces(word: &str) -> bool {
    let inside = word.strip_prefix('{').and_then(|rest| rest.strip_suffix("]}"));
    inside.and_then(|inside| inside.split_once('[')).is_some_and(|(name, _)| is_identifier(name))
}

/// Whether a byte of an argument means nothing but itself wherever it stands, a leading `#` aside.
#[inline]
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b',' | b':' | b'=' | b'+' | b'@'
        | b'%' | b'^' | b'!' | b'#' | b']' | b'}' | 0x80..)
}
