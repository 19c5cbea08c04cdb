//! What the readers of plain commands share: where they are in the text, and the command that they are reading.

use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::{MAX_COMMANDS, Problem, ProblemKind, Redirect, RedirectKind, Script, SimpleCommand, Span, Word};

/// Reads one text of the language `L`; a problem does not end it.
pub(crate) struct Plain<'t, L> {
    pub(crate) text: &'t str,
    pub(crate) pos: usize,
    pub(crate) commands: Vec<SimpleCommand<'t>>,
    /// The command that is being read.
    pub(crate) command: SimpleCommand<'t>,
    /// The command whose output is piped into it.
    feeder: Option<usize>,
    /// Whether an operator before it needs it.
    pub(crate) expected: bool,
    problem: Option<Problem>,
    language: PhantomData<L>,
}

impl<'t, L> Plain<'t, L> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            pos: 0,
            commands: Vec::new(),
            command: SimpleCommand::default(),
            feeder: None,
            expected: false,
            problem: None,
            language: PhantomData,
        }
    }

    /// What was read, once nothing is left.
    pub(crate) fn finish(mut self) -> Script<'t> {
        self.end_command(0, self.expected);
        Script { commands: self.commands, problem: self.problem, ..Script::default() }
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn note(&mut self, start: usize, end: usize, kind: ProblemKind) {
        self.problem.get_or_insert(Problem { span: Span::new(start, end), kind });
    }

    /// Notes that the character here is not understood, and goes on behind it.
    pub(crate) fn refuse(&mut self) {
        let length = self.peek().map_or(0, char::len_utf8);
        self.note(self.pos, self.pos + length, ProblemKind::NotUnderstood);
        self.pos += length;
    }

    /// Whether there are more commands than are read, which is then noted.
    pub(crate) fn is_full(&mut self) -> bool {
        let full = self.commands.len() > MAX_COMMANDS;
        if full {
            self.note(self.pos, self.pos, ProblemKind::TooManyCommands);
        }
        full
    }

    /// Whether nothing of the command was read yet.
    pub(crate) fn is_new(&self) -> bool {
        self.command.words.is_empty() && self.command.redirects.is_empty() && self.command.assignments.is_empty()
    }

    /// Reads an operator that needs a command on both sides.
    pub(crate) fn operator(&mut self, length: usize) {
        self.end_command(length, true);
        self.expected = true;
    }

    /// Reads a pipe.
    pub(crate) fn pipe(&mut self) {
        self.operator(1);
        self.feeder = self.commands.len().checked_sub(1);
    }

    /// Ends the command before an operator of that length, or before the end.
    pub(crate) fn end_command(&mut self, length: usize, needed: bool) {
        if !self.is_new() {
            let command = core::mem::take(&mut self.command);
            self.commands.push(SimpleCommand { fed_by: self.feeder, ..command });
            (self.feeder, self.expected) = (None, false);
        } else if needed {
            self.note(self.pos, self.pos + length, ProblemKind::MissingCommand);
        }
        self.pos += length;
    }

    pub(crate) fn push_redirect(&mut self, start: usize, kind: RedirectKind, target: Word<'t>) {
        self.extend_span(start);
        let descriptor = match kind {
            RedirectKind::Read => Some(0),
            RedirectKind::Write => Some(1),
            _ => None,
        };
        self.command.redirects.push(Redirect { span: Span::new(start, self.pos), descriptor, kind, target });
    }

    /// Lets the command reach from `start`, if that is its first part, to here.
    pub(crate) fn extend_span(&mut self, start: usize) {
        if self.is_new() {
            self.command.span.start = Span::new(start, start).start;
        }
        self.command.span.end = Span::new(self.pos, self.pos).end;
    }
}
