//! Everything that starts with `$` or a backquote.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use crate::atoms::{Atom, Expansion, Meaning, push_bare};
use crate::commands::Closers;
use crate::parser::{Parsed, Parser};
use crate::passing::{flatten, is_unknown, is_unknown_value};
use crate::quoting::Quoted;
use crate::words::Role;
use crate::{Assignment, BlockKind, Nesting, Piece, ProblemKind, Span, Word};

/// What stands after a parameter's name in `${…}`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    /// `-` and `=`, with or without a colon: a default.
    Default,
    /// The same for a variable that keeps the default.
    Assign,
    /// `+`: a text for variables that are set.
    Alternative,
    /// Anything else with an operand that is a word.
    Other,
}

/// The parameter in `${…}`.
struct Parameter<'t> {
    name: &'t str,
    /// A number, `@`, `*`, or a name with its subscript: what is known by itself, with nothing derived from it.
    element: &'t str,
    /// Whether it may be several words even in double quotes.
    several: bool,
    /// Whether there is more than the name: a length, an indirection, a subscript.
    derived: bool,
    /// Whether the name is the value of the variable.
    indirect: bool,
    /// Whether it is the length of what follows.
    counts: bool,
}

impl<'t> Parser<'t> {
    /// The `$` here, outside of quotes.
    pub(crate) fn dollar(&mut self, atoms: &mut Vec<Atom<'t>>) -> Parsed {
        match self.at(1) {
            Some(b'\'') => self.escape_quoted(atoms),
            Some(b'"') => {
                self.pos += 1;
                self.double_quoted(atoms)
            }
            _ => self.expansion(atoms, None),
        }
    }

    /// The `$` here, in quotes or the like.
    pub(crate) fn quoted_dollar(&mut self, atoms: &mut Vec<Atom<'t>>, place: Quoted) -> Parsed {
        self.expansion(atoms, Some(place))
    }

    fn expansion(&mut self, atoms: &mut Vec<Atom<'t>>, place: Option<Quoted>) -> Parsed {
        let bare = place.is_none();
        let start = self.pos;
        match self.at(1) {
            Some(b'(') if self.at(2) == Some(b'(') => {
                self.pos += 3;
                match self.arithmetic_ends_ahead() {
                    Some((_, false)) => {
                        self.grouped_substitution(start)?;
                        atoms.push(Atom::unknown(bare, bare));
                    }
                    _ => {
                        self.deeper(|parser| parser.arithmetic(start))?;
                        atoms.push(Atom::number(bare));
                    }
                }
            }
            Some(b'(') => {
                self.pos += 2;
                self.substitution()?;
                atoms.push(Atom::unknown(bare, bare));
            }
            Some(b'{') => {
                let expansion = self.deeper(|parser| parser.parameter_expansion(place))?;
                // When braces are expanded, only braces count in it, and quotes in another way.
                let inside = self.slice(start + 2..self.pos - 1);
                if !bare && inside.contains('"') && inside.contains('{') {
                    return self.stop(start, ProblemKind::NotUnderstood);
                }
                if inside.contains(['{', '}', '\\', '\'', '"', '`', '(']) {
                    self.brittle_until = self.pos;
                }
                atoms.push(Atom::Any(expansion));
            }
            Some(b'[') => {
                self.pos += 2;
                self.deeper(|parser| parser.bracketed_arithmetic(start))?;
                atoms.push(Atom::number(bare));
            }
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                self.pos += 1;
                let name = self.identifier();
                self.no_continuation(start)?;
                // The expansion of braces comes first and may lengthen the name.
                if matches!(self.peek(), Some(b'{' | b',' | b'}')) {
                    self.brittle_until = self.pos;
                }
                let meaning = self.variable(name, bare);
                atoms.push(Atom::Any(Expansion { bare, splits: bare, meaning }));
            }
            Some(byte @ (b'@' | b'*')) => {
                self.pos += 2;
                self.no_second_dollar(start)?;
                let joins = byte == b'*';
                let meaning = Meaning::List { name: Cow::Borrowed(PARAMETERS), joins, skip: 0, take: usize::MAX };
                atoms.push(Atom::Any(Expansion { bare, splits: bare || !joins, meaning }));
            }
            Some(b'0'..=b'9') => {
                self.pos += 2;
                self.no_second_dollar(start)?;
                let meaning = Meaning::Variable(Cow::Borrowed(self.slice(start + 1..self.pos)));
                atoms.push(Atom::Any(Expansion { bare, splits: bare, meaning }));
            }
            Some(byte @ (b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.pos += 2;
                self.no_second_dollar(start)?;
                // Of these two one may be letters, the other nothing.
                let number = !matches!(byte, b'-' | b'!');
                atoms.push(if number { Atom::number(bare) } else { Atom::unknown(bare, bare) });
            }
            _ => {
                self.pos += 1;
                self.no_continuation(start)?;
                match place {
                    None => push_bare(atoms, "$"),
                    Some(_) => atoms.push(Atom::Quoted(Cow::Borrowed("$"))),
                }
            }
        }
        Ok(())
    }

    /// The second `$` of `$$` looks like the start of an expansion in quotes, in operands, and to braces.
    fn no_second_dollar(&mut self, start: usize) -> Parsed {
        let follows = matches!(self.peek(), Some(b'(' | b'{' | b'['));
        if follows { self.stop(start, ProblemKind::NotUnderstood) } else { Ok(()) }
    }

    fn variable(&self, name: &'t str, bare: bool) -> Meaning<'t> {
        match name {
            "IFS" if bare => Meaning::Separator,
            _ => Meaning::Variable(Cow::Borrowed(name)),
        }
    }

    /// A name here, possibly empty.
    pub(crate) fn identifier(&mut self) -> &'t str {
        let start = self.pos;
        while self.peek().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
            self.pos += 1;
        }
        self.slice(start..self.pos)
    }

    /// A line continuation within a name or an operator joins what this reading keeps apart.
    pub(crate) fn no_continuation(&mut self, start: usize) -> Parsed {
        if self.looking_at(b"\\\n") { self.stop(start, ProblemKind::NotUnderstood) } else { Ok(()) }
    }

    /// The commands after `$(`, `<(` or `>(`, and the parenthesis that closes them.
    pub(crate) fn substitution(&mut self) -> Parsed {
        self.isolated(Nesting::Substitution, |parser| parser.list(Closers::PAREN, true).map(|_| ()))
    }

    /// The substitution that starts here with a group, which only looked like arithmetic.
    fn grouped_substitution(&mut self, start: usize) -> Parsed {
        self.pos = start + 2;
        let end = self.counted_end(b'(', b')');
        self.substitution()?;
        // The shell finds the end by counting too, and reads here-documents in it twice.
        if end.is_some_and(|end| end + 1 == self.pos) && !self.slice(start..self.pos).contains("<<") {
            return Ok(());
        }
        self.stop(start, ProblemKind::NotUnderstood)
    }

    /// Reads commands that have here-documents and pipes of their own.
    pub(crate) fn isolated(&mut self, nesting: Nesting, read: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        let start = self.pos;
        let outer = (mem::take(&mut self.pending), self.last.take(), mem::replace(&mut self.nesting, nesting));
        read(self)?;
        if !self.pending.is_empty() {
            return self.stop(start, ProblemKind::UnclosedHereDocument);
        }
        (self.pending, self.last, self.nesting) = outer;
        self.block(start, BlockKind::Apart);
        Ok(())
    }

    /// What stands between the backquote here and the next one, with its own rules for backslashes.
    pub(crate) fn backquoted(&mut self, in_double_quotes: bool) -> Parsed {
        let start = self.pos + 1;
        let mut end = start;
        let mut escapes = false;
        loop {
            match self.bytes.get(end) {
                Some(b'\\') => {
                    escapes = true;
                    end += 2;
                }
                Some(b'`') => break,
                Some(_) => end += 1,
                None => return self.unclosed(ProblemKind::UnclosedExpansion),
            }
        }
        // When braces are expanded, a quote in it counts for the quotes around it.
        let content = self.slice(start..end);
        if in_double_quotes && content.contains('"') {
            self.brittle_until = end;
            if has_brace_that_counts(content) {
                self.pos = end;
                return self.stop(start, ProblemKind::NotUnderstood);
            }
        }
        if escapes {
            let (whole, content) = (crate::Span::new(start - 1, end + 1), self.slice(start..end));
            self.pos = end + 1;
            if content.contains("\\\n") {
                self.note(start, end, ProblemKind::NotUnderstood);
            }
            return self.deeper(|parser| {
                let content = without_backquote_escapes(content, in_double_quotes);
                let mut copy = parser.for_copy(&content);
                copy.read_all();
                copy.calculates |= parser.calculates;
                parser.adopt(copy, whole)
            });
        }
        let outer = self.bytes;
        self.pos = start;
        self.bytes = outer.get(..end).unwrap_or_default();
        self.isolated(Nesting::Substitution, Self::program)?;
        self.bytes = outer;
        self.pos = end + 1;
        Ok(())
    }

    /// The `${…}` here.
    fn parameter_expansion(&mut self, place: Option<Quoted>) -> Parsed<Expansion<'t>> {
        let (start, bare) = (self.pos, place.is_none());
        self.pos += 2;
        let parameter = self.parameter(start)?;
        let mut meaning = Meaning::Unknown;
        let mut splits = bare || parameter.several;
        match self.peek() {
            Some(b'}') if !parameter.derived => meaning = self.variable(parameter.name, bare),
            Some(b'}') if !parameter.element.is_empty() => meaning = element(parameter.element),
            Some(b'}') if parameter.counts => meaning = Meaning::Number,
            Some(b'}') => {}
            Some(b':') if !matches!(self.at(1), Some(b'-' | b'=' | b'?' | b'+')) => {
                self.pos += 1;
                let operand = self.operand(place)?;
                let mut flat = String::new();
                flatten(&operand, &mut flat);
                if is_unknown(&operand) {
                    self.evaluates_unknown(start);
                }
                meaning = part(parameter.element, &flat);
                self.calculates(start, &flat)?;
            }
            Some(byte @ (b':' | b'-' | b'=' | b'?' | b'+')) => {
                self.pos += if byte == b':' { 2 } else { 1 };
                let operator = match if byte == b':' { self.bytes.get(self.pos - 1) } else { Some(&byte) } {
                    Some(b'-') => Operator::Default,
                    Some(b'=') => Operator::Assign,
                    Some(b'+') => Operator::Alternative,
                    _ => Operator::Other,
                };
                let operand = self.operand(place)?;
                splits |= operand.iter().any(|atom| matches!(atom, Atom::Any(expansion) if expansion.splits));
                meaning = self.default(start, &parameter, operator, operand)?;
            }
            Some(b'#' | b'%' | b'/' | b'^' | b',') => {
                self.pos += 1;
                self.operand(place)?;
            }
            // `@P` runs the substitutions in the variable's value.
            Some(b'@') if matches!(self.at(1), Some(b'U' | b'u' | b'L' | b'Q' | b'E' | b'A' | b'a' | b'K' | b'k')) => {
                self.pos += 2;
            }
            None => return self.unclosed_expansion(start),
            _ => return self.stop(start, ProblemKind::InvalidExpansion),
        }
        match self.peek() {
            Some(b'}') => self.pos += 1,
            None => return self.unclosed_expansion(start),
            _ => return self.stop(start, ProblemKind::InvalidExpansion),
        }
        Ok(Expansion { bare, splits, meaning })
    }

    /// The parameter after `${`, with what stands before its name and its subscript.
    fn parameter(&mut self, start: usize) -> Parsed<Parameter<'t>> {
        let mut parameter =
            Parameter { name: "", element: "", several: false, derived: false, indirect: false, counts: false };
        let special = |byte: Option<u8>| matches!(byte, Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!'));
        match self.peek() {
            Some(b'#') if self.at(1) != Some(b'}') => {
                self.pos += 1;
                parameter.derived = true;
                parameter.counts = true;
                if special(self.peek()) && self.at(1) == Some(b'}') {
                    self.pos += 1;
                    return Ok(parameter);
                }
                if !self.peek().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                    return self.stop(start, ProblemKind::InvalidExpansion);
                }
            }
            // Whatever name the value holds is evaluated, with its subscript.
            Some(b'!') if self.at(1) != Some(b'}') => {
                self.pos += 1;
                self.calculates = true;
                parameter = Parameter { several: true, derived: true, indirect: true, ..parameter };
            }
            _ => {}
        }
        match self.peek() {
            Some(b'0'..=b'9') => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.pos += 1;
                }
                parameter.element = if parameter.derived { "" } else { self.slice(start + 2..self.pos) };
                parameter.derived = true;
            }
            Some(byte) if byte == b'_' || byte.is_ascii_alphabetic() => {
                parameter.name = self.identifier();
                let keys = matches!(
                    self.bytes.get(self.pos..),
                    Some([b'[', b'@' | b'*', b']', b'}', ..] | [b'@' | b'*', b'}', ..])
                );
                if parameter.indirect && !keys {
                    self.mentions(parameter.name, self.span_from(start), self.nesting);
                }
                if self.peek() == Some(b'[') {
                    self.pos += 1;
                    let subscript = self.pos;
                    self.subscript()?;
                    let subscript = self.slice(subscript..self.pos - 1);
                    parameter.several |= subscript == "@";
                    parameter.element = if parameter.derived { "" } else { self.slice(start + 2..self.pos) };
                    parameter.derived = true;
                } else if parameter.several && matches!(self.peek(), Some(b'*' | b'@')) && self.at(1) == Some(b'}') {
                    self.pos += 1;
                }
            }
            byte if special(byte) && !parameter.derived => {
                parameter.several = byte == Some(b'@');
                parameter.derived = true;
                self.pos += 1;
                if matches!(byte, Some(b'@' | b'*')) {
                    parameter.element = self.slice(start + 2..self.pos);
                }
            }
            None => return self.unclosed_expansion(start),
            _ => return self.stop(start, ProblemKind::InvalidExpansion),
        }
        Ok(parameter)
    }

    /// What a default says about the value of the expansion that starts at `start`, and the variable that keeps it.
    fn default(
        &mut self,
        start: usize,
        parameter: &Parameter<'t>,
        operator: Operator,
        operand: Vec<Atom<'t>>,
    ) -> Parsed<Meaning<'t>> {
        if operator == Operator::Assign && !parameter.name.is_empty() {
            self.default_that_stays(start, parameter, &operand)?;
        }
        if operator == Operator::Other || operand.iter().any(|atom| atom.text().is_none()) {
            return Ok(Meaning::Unknown);
        }
        let name = if operator == Operator::Alternative { "" } else { parameter.name };
        Ok(Meaning::Default(Cow::Borrowed(name), Box::from(operand)))
    }

    fn default_that_stays(&mut self, start: usize, parameter: &Parameter<'t>, operand: &[Atom<'t>]) -> Parsed {
        // The closing brace belongs to it.
        let span = Span::new(start, self.pos + 1);
        if parameter.indirect {
            let name = ["$", parameter.name].concat();
            let value = Word { span, text: "".into(), pieces: [Piece::Any { splits: false }].into() };
            return self.sets(start, [Assignment { span, name: Cow::Owned(name), value }].into());
        }
        let mut words = Vec::new();
        self.finish(span, operand.to_vec(), Role::Value, None, &mut words)?;
        let value = words.pop().unwrap_or_else(|| Word::fixed(span, ""));
        if operand.iter().all(|atom| atom.text().is_some()) {
            let value: String = operand.iter().filter_map(Atom::text).collect();
            self.values.push((Cow::Borrowed(parameter.name), Cow::Owned(value)));
        } else if is_unknown_value(operand) {
            self.unknown.push(Cow::Borrowed(parameter.name));
        }
        self.sets(start, [Assignment { span, name: Cow::Borrowed(parameter.name), value }].into())
    }

    /// The word in a `${…}`, up to its closing brace.
    fn operand(&mut self, place: Option<Quoted>) -> Parsed<Vec<Atom<'t>>> {
        let mut atoms = Vec::new();
        loop {
            let start = self.pos;
            let rest = self.bytes.get(start..).unwrap_or_default();
            let special = |byte: &u8| matches!(byte, b'}' | b'\\' | b'\'' | b'"' | b'$' | b'`' | b'<' | b'>');
            self.pos = start + rest.iter().position(special).unwrap_or(rest.len());
            if self.pos > start {
                let text = Cow::Borrowed(self.slice(start..self.pos));
                atoms.push(if place.is_none() { Atom::Bare(text) } else { Atom::Quoted(text) });
            }
            match (self.peek(), place) {
                (Some(b'}'), _) => return Ok(atoms),
                (None, _) => return self.unclosed_expansion(start),
                (Some(b'\\'), _) if self.at(1) == Some(b'\n') => self.pos += 2,
                (Some(b'\\'), Some(_)) if !matches!(self.at(1), Some(b'$' | b'`' | b'\\' | b'"' | b'}')) => {
                    atoms.push(Atom::Quoted(Cow::Borrowed("\\")));
                    self.pos += 1;
                }
                (Some(b'\\'), _) => self.escaped_character(&mut atoms)?,
                (Some(b'\''), None) => {
                    let text = self.single_quoted()?;
                    atoms.push(Atom::Quoted(Cow::Borrowed(text)));
                }
                (Some(b'"'), None | Some(Quoted::Double)) => self.double_quoted(&mut atoms)?,
                // Whether these quote here depends on the operator, the shell and its version.
                (Some(b'\'' | b'"'), Some(_)) => return self.stop_here(ProblemKind::NotUnderstood),
                (Some(b'`'), _) => {
                    self.backquoted(place == Some(Quoted::Double))?;
                    atoms.push(Atom::unknown(place.is_none(), place.is_none()));
                }
                (Some(b'$'), None) => self.dollar(&mut atoms)?,
                (Some(b'$'), Some(place)) => self.quoted_dollar(&mut atoms, place)?,
                (Some(_), None) if self.at(1) == Some(b'(') => {
                    self.pos += 2;
                    self.substitution()?;
                    atoms.push(Atom::unknown(true, true));
                }
                (Some(_), _) => {
                    let text = Cow::Borrowed(self.slice(self.pos..self.pos + 1));
                    atoms.push(if place.is_none() { Atom::Bare(text) } else { Atom::Quoted(text) });
                    self.pos += 1;
                }
            }
        }
    }

    #[cold]
    pub(crate) fn unclosed_expansion<T>(&mut self, start: usize) -> Parsed<T> {
        self.note(start, start + 1, ProblemKind::UnclosedExpansion);
        Err(crate::parser::Stopped)
    }
}

/// The name under which the parameters are known together.
pub(crate) const PARAMETERS: &str = "@";

/// What a parameter by its number, all of them, or an element of an array or all of them, may be.
fn element(name: &str) -> Meaning<'_> {
    match name.strip_suffix(']').unwrap_or(name).as_bytes() {
        [.., b'@'] => Meaning::List { name: list(name), joins: false, skip: 0, take: usize::MAX },
        [.., b'*'] => Meaning::List { name: list(name), joins: true, skip: 0, take: usize::MAX },
        _ => Meaning::Variable(Cow::Borrowed(name)),
    }
}

/// What a part of an array or of the parameters may be, by the number of the first and how many there are.
fn part<'t>(name: &'t str, range: &str) -> Meaning<'t> {
    let (skip, take) = range.split_once(':').map_or((range, None), |(skip, take)| (skip, Some(take)));
    let number = |text: &str| text.trim().parse::<usize>().ok();
    match (element(name), number(skip), take.map(number)) {
        (Meaning::List { name, joins, .. }, Some(skip), None | Some(Some(_))) => {
            // The first parameter has the number one.
            let skip = if name == PARAMETERS { skip.saturating_sub(1) } else { skip };
            Meaning::List { name, joins, skip, take: take.and_then(number).unwrap_or(usize::MAX) }
        }
        _ => Meaning::Unknown,
    }
}

/// The name of a list, however all of it is meant.
fn list(name: &str) -> Cow<'_, str> {
    match name.split_once('[') {
        Some((array, _)) => Cow::Borrowed(array),
        None => Cow::Borrowed(PARAMETERS),
    }
}

/// Whether a brace stands where an expansion of braces might begin: one between blanks never does.
fn has_brace_that_counts(text: &str) -> bool {
    let bytes = text.as_bytes();
    let blank = |index: usize| matches!(bytes.get(index), Some(b' ' | b'\t' | b'\n'));
    text.match_indices('{').any(|(index, _)| !blank(index + 1) || !index.checked_sub(1).is_some_and(blank))
}

/// The text between backquotes as the inner shell gets it.
fn without_backquote_escapes(content: &str, in_double_quotes: bool) -> String {
    let mut text = String::with_capacity(content.len());
    let mut characters = content.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some(escaped @ ('`' | '\\' | '$')) => text.push(escaped),
            Some('"') if in_double_quotes => text.push('"'),
            other => {
                text.push('\\');
                text.extend(other);
            }
        }
    }
    text
}
