//! Arithmetic: opaque text in which only substitutions matter.

use alloc::vec::Vec;

use crate::ProblemKind;
use crate::parser::{Parsed, Parser};
use crate::quoting::Quoted;

impl Parser<'_> {
    /// Arithmetic behind its two opening parentheses, and the two that close it.
    pub(crate) fn arithmetic(&mut self) -> Parsed {
        self.calculates = true;
        let mut open = 0_usize;
        loop {
            match self.opaque(b"()")? {
                b'(' => open += 1,
                _ if open > 0 => open -= 1,
                _ if self.peek() == Some(b')') => {
                    self.pos += 1;
                    return Ok(());
                }
                // A substitution that starts with a group looks like arithmetic until it ends.
                _ => return self.stop(self.pos - 1, ProblemKind::NotUnderstood),
            }
        }
    }

    /// Arithmetic behind `$[`, and the bracket that closes it.
    pub(crate) fn bracketed_arithmetic(&mut self) -> Parsed {
        self.calculates = true;
        let mut open = 0_usize;
        loop {
            match self.opaque(b"[]")? {
                b'[' => open += 1,
                _ if open > 0 => open -= 1,
                _ => return Ok(()),
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
            None => self.deeper(Self::bracketed_arithmetic),
        }
    }

    /// Skips to behind the next of two bytes, and reads the substitutions on the way.
    fn opaque(&mut self, wanted: &[u8; 2]) -> Parsed<u8> {
        let mut ignored = Vec::new();
        let start = self.pos;
        loop {
            match self.peek() {
                None => {
                    self.pos = self.bytes.len();
                    return self.unclosed_expansion(start.min(self.bytes.len().saturating_sub(1)));
                }
                Some(byte) if wanted.contains(&byte) => {
                    self.pos += 1;
                    return Ok(byte);
                }
                Some(b'\\') if self.at(1) == Some(b'\n') => self.pos += 2,
                Some(b'\\' | b'\'') => return self.stop_here(ProblemKind::NotUnderstood),
                Some(b'"') => self.double_quoted(&mut ignored)?,
                Some(b'`') => self.backquoted(false)?,
                Some(b'$') => self.quoted_dollar(&mut ignored, Quoted::Double)?,
                Some(_) => self.pos += 1,
            }
            ignored.clear();
        }
    }

    /// Whether the two parentheses here open arithmetic and not two groups: the parenthesis that closes the inner one
    /// must be followed at once by the other. Only looks, as the shell does; the reading that follows must agree.
    pub(crate) fn arithmetic_ends_ahead(&self) -> bool {
        let mut rest = self.bytes.get(self.pos + 2..).unwrap_or_default();
        let mut open = 0_usize;
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            let quote = match byte {
                b'(' => {
                    open += 1;
                    continue;
                }
                b')' if open == 0 => return rest.first() == Some(&b')'),
                b')' => {
                    open -= 1;
                    continue;
                }
                b'\\' => {
                    rest = rest.get(1..).unwrap_or_default();
                    continue;
                }
                b'\'' | b'"' | b'`' => byte,
                _ => continue,
            };
            loop {
                match rest.split_first() {
                    None => return false,
                    Some((b'\\', after)) if quote != b'\'' => rest = after.get(1..).unwrap_or_default(),
                    Some((&byte, after)) => {
                        rest = after;
                        if byte == quote {
                            break;
                        }
                    }
                }
            }
        }
        false
    }
}
