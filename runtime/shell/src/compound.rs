//! Groups, conditions, loops, `case`, functions and `coproc`.

use alloc::borrow::Cow;

use crate::atoms::ends_token;
use crate::commands::{Closers, Reserved};
use crate::constants::{Constant, Kind};
use crate::parser::{Parsed, Parser};
use crate::passing::is_number;
use crate::words::{Role, is_identifier};
use crate::{Assignment, BlockKind, Piece, ProblemKind, Span, Word};

impl<'t> Parser<'t> {
    /// The compound command that this reserved word starts, and its redirects.
    pub(crate) fn compound_command(&mut self, word: Reserved, length: usize) -> Parsed {
        let start = self.commands.len();
        match word {
            Reserved::Function => {
                self.pos += length;
                // A function's redirects are part of it.
                return self.function_keyword();
            }
            Reserved::Coproc => {
                self.pos += length;
                return self.coproc();
            }
            _ => self.compound_without_redirects(word, length)?,
        }
        self.compound_redirects(start..self.commands.len())
    }

    pub(crate) fn compound_without_redirects(&mut self, word: Reserved, length: usize) -> Parsed {
        let start = self.pos;
        self.pos += length;
        match word {
            Reserved::Brace => self.list(Closers::BRACE, false).map(|_| ()),
            Reserved::If => self.if_clauses(),
            Reserved::While | Reserved::Until => {
                self.list(Closers::DO, false)?;
                self.list(Closers::DONE, false)?;
                self.block(start, BlockKind::Loop);
                Ok(())
            }
            Reserved::For => {
                self.for_loop()?;
                self.block(start, BlockKind::Loop);
                Ok(())
            }
            Reserved::Select => {
                self.loop_over_words()?;
                self.block(start, BlockKind::Loop);
                Ok(())
            }
            Reserved::Case => self.deeper(Self::case),
            Reserved::Condition => self.deeper(Self::condition),
            _ => {
                self.pos = start;
                self.stop_here(ProblemKind::Unexpected)
            }
        }
    }

    /// A subshell, or arithmetic in two parentheses.
    pub(crate) fn parenthesized(&mut self) -> Parsed {
        let start = self.pos;
        self.pos += 1;
        self.no_continuation(start)?;
        let twice = self.peek() == Some(b'(');
        if twice {
            self.pos = start + 2;
            let end = self.arithmetic_ends_ahead();
            match end {
                Some((_, true)) => return self.deeper(|parser| parser.arithmetic(start)),
                // The shell reads such text twice, and not quite alike.
                Some((end, false)) if self.is_line_end(end + 1) || is_read_otherwise_again(self.slice(start..end)) => {
                    self.note(start, start + 2, ProblemKind::NotUnderstood);
                }
                Some(_) => {}
                None => self.note(start, start + 2, ProblemKind::UnclosedCommand),
            }
            self.pos = start + 1;
        }
        self.list(Closers::PAREN, false)?;
        self.block(start, BlockKind::Apart);
        // Where the first of the groups ends is a matter of counting, which here-documents confuse.
        let text = self.slice(start..self.pos);
        if twice && text.contains('\n') && text.contains("<<") {
            self.note(start, start + 2, ProblemKind::NotUnderstood);
        }
        Ok(())
    }

    /// Whether a line ends at this place, in a continuation or not.
    fn is_line_end(&self, place: usize) -> bool {
        matches!(self.bytes.get(place), None | Some(b'\n' | b'\\'))
    }

    fn if_clauses(&mut self) -> Parsed {
        self.list(Closers::THEN, false)?;
        loop {
            let closer = self.list(Closers::ELIF.or(Closers::ELSE).or(Closers::FI), false)?;
            if closer == Closers::FI {
                return Ok(());
            }
            if closer == Closers::ELSE {
                return self.list(Closers::FI, false).map(|_| ());
            }
            self.list(Closers::THEN, false)?;
        }
    }

    fn for_loop(&mut self) -> Parsed {
        self.blanks();
        if !self.looking_at(b"((") {
            return self.loop_over_words();
        }
        let construct = self.pos;
        self.pos += 2;
        let start = self.pos;
        self.deeper(|parser| parser.arithmetic(construct))?;
        if self.slice(start..self.pos).bytes().filter(|&byte| byte == b';').count() != 2 {
            return self.stop(start, ProblemKind::Unexpected);
        }
        self.blanks();
        if self.peek() == Some(b';') {
            self.pos += 1;
        }
        self.newlines()?;
        self.loop_body()
    }

    /// `for` or `select`, behind the word: a name, its words if any, and the body.
    fn loop_over_words(&mut self) -> Parsed {
        self.blanks();
        let start = self.pos;
        let name = self.identifier();
        if !is_identifier(name) || !ends_token(self.peek()) || matches!(self.peek(), Some(b'<' | b'>' | b'(')) {
            return self.stop_here(ProblemKind::Unexpected);
        }
        let place = self.place_for_command()?;
        let name_span = self.span_from(start);
        let mut value = Word { span: name_span, text: "".into(), pieces: [Piece::Any { splits: false }].into() };
        let mut span = name_span;
        let mut values = alloc::vec::Vec::new();
        self.blanks();
        if self.peek() == Some(b';') {
            self.pos += 1;
            self.newlines()?;
        } else {
            self.newlines()?;
            if let Some((Reserved::In, length)) = self.reserved() {
                self.pos += length;
                self.blanks();
                let words_start = self.pos;
                let mut end = self.pos;
                let mut words = alloc::vec::Vec::new();
                while !matches!(self.peek(), None | Some(b'\n' | b';' | b'#' | b'&' | b'|' | b'(' | b')')) {
                    let start = self.pos;
                    let mut atoms = alloc::vec::Vec::new();
                    self.atoms(&mut atoms)?;
                    if self.pos == start {
                        return self.stop_here(ProblemKind::Unexpected);
                    }
                    if matches!(self.peek(), Some(b'<' | b'>')) {
                        return self.stop_here(ProblemKind::Unexpected);
                    }
                    let span = self.span_from(start);
                    if !atoms.is_empty() {
                        self.finish(span, atoms, Role::Argument, None, &mut words)?;
                    }
                    end = self.pos;
                    self.blanks();
                }
                span = Span::new(start, end);
                value.span = Span::new(words_start, end);
                value.text = Cow::Borrowed(self.slice(words_start..end));
                if words.iter().any(Word::is_dynamic)
                    || words.iter().skip(crate::MAX_GUESSES).any(|word| !is_number(word))
                {
                    self.unknown.push(Cow::Borrowed(name));
                }
                if words.len() <= crate::MAX_GUESSES {
                    values.clone_from(&words);
                }
                let known = words.into_iter().filter(|word| !word.is_dynamic()).take(crate::MAX_GUESSES);
                self.values.extend(known.map(|word| (Cow::Borrowed(name), word.text)));
                if self.peek() == Some(b'#') {
                    self.comment();
                }
                match self.peek() {
                    Some(b';') => self.pos += 1,
                    Some(b'\n') => {}
                    _ => return self.stop_here(ProblemKind::Unexpected),
                }
                self.newlines()?;
            }
        }
        if value.text.is_empty() {
            self.unknown.push(Cow::Borrowed(name));
        }
        if let Some(command) = self.commands.get_mut(place) {
            command.span = span;
            command.assignments.push(Assignment { span, name: Cow::Borrowed(name), value });
        }
        let from = self.pos;
        self.loop_body()?;
        if !values.is_empty() {
            self.keep_constant(Constant { name, place: start, values, kind: Kind::Loop, from, to: self.pos });
        }
        Ok(())
    }

    /// `do … done` or `{ … }`.
    fn loop_body(&mut self) -> Parsed {
        match self.reserved() {
            Some((Reserved::Do, length)) => {
                self.pos += length;
                self.list(Closers::DONE, false).map(|_| ())
            }
            Some((Reserved::Brace, length)) => {
                self.pos += length;
                self.list(Closers::BRACE, false).map(|_| ())
            }
            _ => self.stop_here(ProblemKind::Unexpected),
        }
    }

    fn case(&mut self) -> Parsed {
        self.blanks();
        self.word(Role::Single)?;
        self.newlines()?;
        match self.reserved() {
            Some((Reserved::In, length)) => self.pos += length,
            _ => return self.stop_here(ProblemKind::Unexpected),
        }
        loop {
            self.newlines()?;
            if let Some((Reserved::Esac, length)) = self.reserved() {
                self.pos += length;
                return Ok(());
            }
            if self.peek() == Some(b'(') {
                self.pos += 1;
                self.blanks();
                if matches!(self.reserved(), Some((Reserved::Esac, _))) {
                    return self.stop_here(ProblemKind::NotUnderstood);
                }
            }
            loop {
                self.word(Role::Single)?;
                self.blanks();
                match self.peek() {
                    Some(b'|') if self.at(1) != Some(b'|') => {
                        self.pos += 1;
                        self.blanks();
                    }
                    Some(b')') => {
                        self.pos += 1;
                        break;
                    }
                    None => return self.stop_here(ProblemKind::UnclosedCommand),
                    _ => return self.stop_here(ProblemKind::Unexpected),
                }
            }
            if self.list(Closers::ARM.or(Closers::ESAC), true)? == Closers::ESAC {
                return Ok(());
            }
        }
    }

    /// A function behind the word `function`.
    fn function_keyword(&mut self) -> Parsed {
        self.blanks();
        let start = self.pos;
        let name = self.word(Role::Argument)?;
        if name.is_dynamic() || name.span.of(self.text) != Some(&*name.text) {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        self.functions.push(name.text);
        self.blanks();
        let mut any_body = self.peek() == Some(b'\n');
        if self.peek() == Some(b'(') {
            let parenthesis = self.pos;
            self.pos += 1;
            self.blanks();
            if self.peek() == Some(b')') {
                self.pos += 1;
                any_body = true;
            } else {
                self.pos = parenthesis;
                if self.at(1) == Some(b'(') {
                    return self.stop_here(ProblemKind::NotUnderstood);
                }
            }
        }
        self.newlines()?;
        let short = self.peek() == Some(b'(') || matches!(self.reserved(), Some((Reserved::Brace, _)));
        if any_body || short { self.function_body() } else { self.stop_here(ProblemKind::NotUnderstood) }
    }

    /// What runs beside the shell: a compound command, named or not, or a simple one.
    fn coproc(&mut self) -> Parsed {
        self.blanks();
        let start = self.pos;
        if self.starts_compound() {
            return self.command();
        }
        let name = self.identifier();
        if is_identifier(name) && matches!(self.peek(), Some(b' ' | b'\t' | b'(')) {
            self.blanks();
            if self.starts_compound() {
                let process = [name, "_PID"].concat();
                self.command()?;
                self.sets_name(start, name)?;
                return self.sets_name(start, process);
            }
            if !matches!(self.reserved(), None | Some((Reserved::Time, _))) {
                return self.stop_here(ProblemKind::Unexpected);
            }
        }
        self.pos = start;
        match self.reserved() {
            None | Some((Reserved::Time, _)) => {
                let place = self.commands.len();
                let functions = self.functions.len();
                match self.peek() {
                    None | Some(b')' | b'|' | b';' | b'\n' | b'#' | b'(') => {
                        return self.stop_here(ProblemKind::MissingCommand);
                    }
                    _ => self.simple_command()?,
                }
                // Its first word may also be a name for the compound command that a reserved word behind it starts.
                let reserved = |word: &Word<'_>| Reserved::of(word.text.as_bytes()).is_some();
                let words = self.commands.get(place).map_or(&[][..], |command| &command.words);
                if words.iter().any(reserved) || self.functions.len() > functions || self.commands.len() == place {
                    return self.stop(start, ProblemKind::NotUnderstood);
                }
                Ok(())
            }
            Some(_) => self.stop_here(ProblemKind::Unexpected),
        }
    }

    fn starts_compound(&self) -> bool {
        self.peek() == Some(b'(') || self.reserved().is_some_and(|(word, _)| word.opens())
    }
}

/// Whether the shell may take text for something else when it reads it again: comments on one of several lines, and the
/// control characters that it marks quotes with.
fn is_read_otherwise_again(text: &str) -> bool {
    text.contains(['\u{1}', '\u{7f}']) || text.contains("$'") || (text.contains('\n') && text.contains('#'))
}
