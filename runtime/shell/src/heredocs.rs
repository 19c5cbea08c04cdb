//! Here-documents, whose bodies start on the line after the one that names them.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::atoms::Atom;
use crate::parser::{Parsed, Parser};
use crate::quoting::Quoted;
use crate::words::{Role, pieces};
use crate::{Piece, ProblemKind, RedirectKind, Span, Word};

/// A here-document whose body is not yet read.
#[derive(Debug)]
pub(crate) struct PendingHereDocument<'t> {
    /// The redirect.
    span: Span,
    delimiter: Cow<'t, str>,
    /// A delimiter with any quote in it: the body is literal.
    literal: bool,
    /// `<<-`: tabs at the start of lines are not part of the body.
    strips: bool,
    /// Who gets it.
    commands: Range<usize>,
}

impl<'t> Parser<'t> {
    /// The delimiter of the here-document whose operator started at `start`.
    pub(crate) fn here_document(&mut self, start: usize, strips: bool, commands: Range<usize>) -> Parsed {
        let (word, first_command) = (self.pos, self.commands.len());
        let mut atoms = Vec::new();
        self.atoms(&mut atoms)?;
        let source = self.slice(word..self.pos);
        // Substitutions are not run here, and what remains of them differs between shells.
        if source.contains(['$', '`', '\n']) || self.commands.len() > first_command {
            return self.stop(word, ProblemKind::NotUnderstood);
        }
        let delimiter = match &mut *atoms {
            [Atom::Bare(text) | Atom::Quoted(text)] => mem::take(text),
            atoms => Cow::Owned(atoms.iter().filter_map(Atom::text).collect::<String>()),
        };
        let literal = atoms.iter().any(|atom| !matches!(atom, Atom::Bare(_)));
        let span = self.span_from(start);
        self.pending.push(PendingHereDocument { span, delimiter, literal, strips, commands });
        Ok(())
    }

    /// The bodies of all pending here-documents, at the start of the line after.
    pub(crate) fn here_document_bodies(&mut self) -> Parsed {
        let pending = mem::take(&mut self.pending);
        let start = pending.first().map_or(self.pos, |document| document.span.start as usize);
        // Where a body starts is a matter of the shell's version if the line that names it goes on in a quote.
        let line = self.slice(start..self.pos - 1);
        if line.bytes().zip(line.bytes().skip(1)).any(|(before, byte)| byte == b'\n' && before != b'\\') {
            return self.stop(start, ProblemKind::NotUnderstood);
        }
        for document in pending {
            self.here_document_body(document)?;
        }
        Ok(())
    }

    fn here_document_body(&mut self, document: PendingHereDocument<'t>) -> Parsed {
        let start = self.pos;
        let mut tabs = false;
        // Whether the line before ended in a line continuation.
        let mut joined = false;
        let end = loop {
            let rest = self.bytes.get(self.pos..).unwrap_or_default();
            if rest.is_empty() {
                self.note(document.span.start as usize, document.span.end as usize, ProblemKind::UnclosedHereDocument);
                return Err(crate::parser::Stopped);
            }
            let line_start = self.pos;
            let length = rest.iter().position(|&byte| byte == b'\n');
            let line = self.slice(line_start..line_start + length.unwrap_or(rest.len()));
            let stripped = if document.strips && !joined { line.trim_start_matches('\t') } else { line };
            tabs |= stripped.len() < line.len();
            self.pos = line_start + length.map_or(rest.len(), |length| length + 1);
            if !joined && stripped == document.delimiter {
                break line_start;
            }
            let ends_in_group = self.depth > 1 && stripped.contains(')') && stripped.starts_with(&*document.delimiter);
            if ends_in_group || (joined && document.delimiter.ends_with(line.trim_start_matches('\t'))) {
                return self.stop(line_start, ProblemKind::NotUnderstood);
            }
            let backslashes = line.bytes().rev().take_while(|&byte| byte == b'\\').count();
            joined = !document.literal && backslashes % 2 == 1;
        };
        let after = self.pos;
        let body = self.slice(start..end);
        let target = match (document.literal, document.strips && tabs) {
            (true, false) => Word::fixed(Span::new(start, end), body),
            (true, true) => Word::fixed(Span::new(start, end), without_tabs(body)),
            (false, false) => {
                let mut atoms = Vec::new();
                let outer = self.bytes;
                self.pos = start;
                self.bytes = outer.get(..end).unwrap_or_default();
                self.deeper(|parser| parser.expanding_text(&mut atoms, Quoted::HereDocument))?;
                self.bytes = outer;
                self.body(start, end, &atoms)
            }
            (false, true) => {
                let text = without_tabs(body);
                let mut copy = self.for_copy(&text);
                copy.nesting = self.nesting;
                let mut atoms = Vec::new();
                let read = copy.deeper(|parser| parser.expanding_text(&mut atoms, Quoted::HereDocument));
                let atoms: Vec<Atom<'t>> = atoms.into_iter().map(Atom::into_owned).collect();
                self.adopt(copy, Span::new(start, end))?;
                read?;
                self.body(start, end, &atoms)
            }
        };
        self.pos = after;
        for command in self.commands.get_mut(document.commands).unwrap_or_default() {
            for redirect in &mut command.redirects {
                if redirect.kind == RedirectKind::HereDocument && redirect.span == document.span {
                    redirect.target = target.clone();
                }
            }
        }
        Ok(())
    }

    fn body(&self, start: usize, end: usize, atoms: &[Atom<'t>]) -> Word<'t> {
        let span = Span::new(start, end);
        let mut pieces = pieces(atoms, Role::Single);
        match &mut *pieces {
            [] => Word::fixed(span, ""),
            [Piece::Text(text)] => Word::fixed(span, mem::take(text)),
            _ => Word { span, text: Cow::Borrowed(self.slice(start..end)), pieces },
        }
    }
}

/// A body whose lines have lost the tabs in front of them.
fn without_tabs(body: &str) -> String {
    body.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}
