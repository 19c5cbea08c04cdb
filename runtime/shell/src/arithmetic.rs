//! Arithmetic: opaque text in which only substitutions matter.

use alloc::string::String;
use alloc::vec::Vec;

use crate::ProblemKind;
use crate::atoms::Atom;
use crate::parser::{Parsed, Parser};
use crate::passing::{flatten, is_unknown};
use crate::quoting::Quoted;

/// How many bytes may be looked at to find the ends of arithmetic, in one text.
const MAX_LOOKED_AHEAD: usize = 8 << 20;

impl Parser<'_> {
    /// Arithmetic behind its two opening parentheses, and the two that close it. All of it starts at `construct`.
    pub(crate) fn arithmetic(&mut self, construct: usize) -> Parsed {
        self.calculates = true;
        let start = self.pos;
        let mut flat = String::new();
        let Some(end) = self.counted_end(b'(', b')') else { return self.unclosed_expansion(start) };
        let mut open = 0_usize;
        loop {
            match self.opaque(b"()", &mut flat)? {
                b'(' => open += 1,
                _ if open > 0 => open -= 1,
                _ if self.peek() == Some(b')') => {
                    // The shell finds the end by counting when it runs the text, whatever it found when it read it.
                    if end != self.pos - 1 {
                        return self.stop(start, ProblemKind::NotUnderstood);
                    }
                    self.pos += 1;
                    return self.calculates(construct, &flat);
                }
                // A substitution that starts with a group looks like arithmetic until it ends.
                _ => return self.stop(self.pos - 1, ProblemKind::NotUnderstood),
            }
        }
    }

    /// Arithmetic behind `$[` or `[`, and the bracket that closes it. All of it starts at `construct`.
    pub(crate) fn bracketed_arithmetic(&mut self, construct: usize) -> Parsed {
        self.calculates = true;
        let start = self.pos;
        let mut flat = String::new();
        let Some(end) = self.counted_end(b'[', b']') else { return self.unclosed_expansion(start) };
        let mut open = 0_usize;
        loop {
            match self.opaque(b"[]", &mut flat)? {
                b'[' => open += 1,
                _ if open > 0 => open -= 1,
                _ if end == self.pos - 1 => return self.calculates(construct, &flat),
                _ => return self.stop(start, ProblemKind::NotUnderstood),
            }
        }
    }

    /// A subscript behind its bracket, and the bracket that closes it.
    pub(crate) fn subscript(&mut self) -> Parsed {
        let plain = match self.bytes.get(self.pos..) {
            Some([b'@' | b'*', b']', ..]) => Some(2),
            Some(rest) => rest
                .iter()
                .position(|byte| !byte.is_ascii_digit())
                .filter(|&length| length > 0 && rest.get(length) == Some(&b']'))
                .map(|length| length + 1),
            None => None,
        };
        match plain {
            Some(length) => {
                self.pos += length;
                Ok(())
            }
            None => {
                let construct = self.pos - 1;
                self.deeper(|parser| parser.bracketed_arithmetic(construct))
            }
        }
    }

    /// Skips to behind the next of two bytes, and reads the substitutions on the way. What is skipped is added to `flat`.
    fn opaque(&mut self, wanted: &[u8; 2], flat: &mut String) -> Parsed<u8> {
        let mut atoms = Vec::new();
        let start = self.pos;
        loop {
            let run = self.pos;
            let rest = self.bytes.get(run..).unwrap_or_default();
            let special = |byte: &u8| wanted.contains(byte) || matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$');
            self.pos = run + rest.iter().position(special).unwrap_or(rest.len());
            flat.push_str(self.slice(run..self.pos));
            match self.peek() {
                None => return self.unclosed_expansion(start.min(self.bytes.len().saturating_sub(1))),
                Some(byte) if wanted.contains(&byte) => {
                    flat.push(char::from(byte));
                    self.pos += 1;
                    return Ok(byte);
                }
                Some(b'\\') if self.at(1) == Some(b'\n') => self.pos += 2,
                Some(b'\\' | b'\'') => return self.stop_here(ProblemKind::NotUnderstood),
                Some(b'"') => self.double_quoted(&mut atoms)?,
                Some(b'`') => {
                    self.backquoted(false)?;
                    atoms.push(Atom::unknown(false, false));
                }
                _ => self.quoted_dollar(&mut atoms, Quoted::Double)?,
            }
            flatten(&atoms, flat);
            if is_unknown(&atoms) {
                self.evaluates_unknown(start);
            }
            atoms.clear();
        }
    }

    /// Where the second of the two parentheses before this place is closed, and whether both open arithmetic and not
    /// two groups: then the other is closed at once. Only looks, as the shell does; the reading that follows must agree.
    pub(crate) fn arithmetic_ends_ahead(&mut self) -> Option<(usize, bool)> {
        let end = self.counted_end(b'(', b')')?;
        Some((end, self.bytes.get(end + 1) == Some(&b')')))
    }

    /// Where what is open is closed, if only quotes and nesting count. After a problem nothing is certain, and looking
    /// ahead again and again takes too long.
    pub(crate) fn counted_end(&mut self, opens: u8, closes: u8) -> Option<usize> {
        if self.problem.is_some() || self.looked_ahead > MAX_LOOKED_AHEAD {
            return None;
        }
        let end = self.counted_end_of(opens, closes);
        self.looked_ahead += end.unwrap_or(self.bytes.len()).saturating_sub(self.pos);
        end
    }

    fn counted_end_of(&self, opens: u8, closes: u8) -> Option<usize> {
        let mut index = self.pos;
        let mut open = 0_usize;
        loop {
            let byte = *self.bytes.get(index)?;
            index += 1;
            if byte == closes {
                match open.checked_sub(1) {
                    Some(left) => open = left,
                    None => return Some(index - 1),
                }
            } else if byte == opens {
                open += 1;
            } else if byte == b'\\' {
                index += 1;
            } else if matches!(byte, b'\'' | b'"' | b'`') {
                loop {
                    let quoted = *self.bytes.get(index)?;
                    index += if quoted == b'\\' && byte != b'\'' { 2 } else { 1 };
                    if quoted == byte {
                        break;
                    }
                }
            }
        }
    }
}
