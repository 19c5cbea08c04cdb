//! The state of a reading: where it stands, what it found, what still has to be put together.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::atoms::Atom;
use crate::constants::Constant;
use crate::heredocs::PendingHereDocument;
use crate::passing::Mention;
use crate::{
    Block, BlockKind, MAX_COMMANDS, MAX_DEPTH, MAX_GUESSES, Nesting, Parameters, Piece, Problem, ProblemKind, Redirect,
    Script, SimpleCommand, Span, Variable, Word,
};

/// The reading cannot go on here; the reason is already recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// What a part of the grammar yields, or that it stopped.
pub(crate) type Parsed<T = ()> = Result<T, Stopped>;

/// A word of a command whose expansions the text itself may explain.
#[derive(Debug)]
pub(crate) struct ExplainedWord<'t> {
    pub(crate) command: usize,
    pub(crate) word: usize,
    pub(crate) atoms: Vec<Atom<'t>>,
}

/// Reads one text. Everything found is kept when a part of the grammar stops.
#[derive(Debug)]
pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    /// The bytes up to where the reading may go: all of the text, or the body of a here-document.
    pub(crate) bytes: &'t [u8],
    pub(crate) pos: usize,
    pub(crate) depth: u32,
    pub(crate) nesting: Nesting,
    pub(crate) commands: Vec<SimpleCommand<'t>>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) problem: Option<Problem>,
    pub(crate) pending: Vec<PendingHereDocument<'t>>,
    /// The last simple command that ended at this level, substitutions aside: what a pipe after it reads.
    pub(crate) last: Option<usize>,
    /// Where the redirects of a compound command ended: no reserved word may follow directly.
    pub(crate) redirected_until: usize,
    /// How many bytes were looked at to find the ends of arithmetic.
    pub(crate) looked_ahead: usize,
    /// How many words braces became.
    pub(crate) braced: usize,
    /// Where the last expansion ended that braces around it are not sure to leave alone.
    pub(crate) brittle_until: usize,
    pub(crate) functions: Vec<Cow<'t, str>>,
    /// Variables that the text sets, with a value it knows.
    pub(crate) values: Vec<(Cow<'t, str>, Cow<'t, str>)>,
    /// Lists of words that the text sets: arrays by their names, parameters by `@`.
    pub(crate) lists: Vec<(Cow<'t, str>, Vec<Word<'t>>)>,
    pub(crate) explained: Vec<ExplainedWord<'t>>,
    /// Variables that may have values which the text knows, and no others.
    pub(crate) constants: Vec<Constant<'t>>,
    /// How many redirects of compound commands were handed down to the commands in them.
    pub(crate) handed_down: usize,
    /// What is set in passing, not yet between the commands.
    pub(crate) passing: Vec<SimpleCommand<'t>>,
    /// The variables whose values are evaluated.
    pub(crate) mentioned: Vec<Mention<'t>>,
    /// Whether something is evaluated as arithmetic, which runs substitutions in the subscripts of what it reads.
    pub(crate) calculates: bool,
    /// The first literal text that arithmetic would run.
    pub(crate) literal_substitution: Option<Span>,
    /// Such texts themselves.
    pub(crate) evaluable: Vec<Cow<'t, str>>,
    /// Variables that the text gives a value that it does not know.
    pub(crate) unknown: Vec<Cow<'t, str>>,
    /// Variables that the text gives some number.
    pub(crate) numbers: Vec<Cow<'t, str>>,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            depth: 0,
            nesting: Nesting::Plain,
            commands: Vec::new(),
            blocks: Vec::new(),
            problem: None,
            pending: Vec::new(),
            last: None,
            redirected_until: usize::MAX,
            looked_ahead: 0,
            braced: 0,
            brittle_until: 0,
            functions: Vec::new(),
            values: Vec::new(),
            lists: Vec::new(),
            explained: Vec::new(),
            constants: Vec::new(),
            handed_down: 0,
            passing: Vec::new(),
            mentioned: Vec::new(),
            calculates: false,
            literal_substitution: None,
            evaluable: Vec::new(),
            unknown: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The same, given parameters and variables. What these are is never sure.
    pub(crate) fn given(mut self, parameters: &[Parameters], variables: &[Variable]) -> Self {
        for (name, value) in variables {
            self.values.push((Cow::Owned(name.clone()), Cow::Owned(value.clone())));
            self.unknown.push(Cow::Owned(name.clone()));
        }
        let word = |word: &Option<String>| match word {
            Some(known) => Word::fixed(Span::default(), known.clone()),
            None => Word { pieces: [Piece::Any { splits: false }].into(), ..Word::default() },
        };
        for words in parameters.iter().take(MAX_GUESSES) {
            self.keep_parameters(words.iter().map(word).collect());
        }
        self
    }

    /// The whole text as a script.
    pub(crate) fn script(mut self) -> Script<'t> {
        self.read_all();
        if let (true, Some(span)) = (self.calculates, self.literal_substitution) {
            self.note(span.start as usize, span.end as usize, ProblemKind::QuotedSubstitution);
        }
        self.put_together();
        self.blocks.sort_unstable_by_key(|block| (block.span.start, core::cmp::Reverse(block.span.end)));
        let Self { commands, blocks, problem, evaluable, .. } = self;
        Script { commands, blocks, problem, evaluable, scan: Vec::new() }
    }

    /// Reads to the end of the text; after a problem, on behind the next operator or newline.
    pub(crate) fn read_all(&mut self) {
        while self.program().is_err() {
            if self.problem.is_some_and(|problem| problem.kind == ProblemKind::TooManyCommands) {
                return;
            }
            self.depth = 0;
            self.nesting = Nesting::Plain;
            self.pending.clear();
            self.last = None;
            self.bytes = self.text.as_bytes();
            let rest = self.bytes.get(self.pos..).unwrap_or_default();
            let operator = |byte: &u8| matches!(byte, b'\n' | b';' | b'&' | b'|' | b'(' | b')');
            let Some(skipped) = rest.iter().position(operator) else { return };
            let operators = rest.iter().skip(skipped).take_while(|byte| operator(byte)).count();
            self.pos += skipped + operators;
        }
    }

    /// The byte here.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// The byte `distance` further on.
    #[inline]
    pub(crate) fn at(&self, distance: usize) -> Option<u8> {
        self.bytes.get(self.pos + distance).copied()
    }

    /// Whether the text goes on with these bytes.
    pub(crate) fn looking_at(&self, what: &[u8]) -> bool {
        self.bytes.get(self.pos..).is_some_and(|rest| rest.starts_with(what))
    }

    /// The source text of a range.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or_default()
    }

    /// The span from `start` to here.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.pos)
    }

    /// Notes that what stands from `start` to here runs apart, or again.
    pub(crate) fn block(&mut self, start: usize, kind: BlockKind) {
        self.blocks.push(Block { span: self.span_from(start), kind });
    }

    /// Records a problem with whole characters of the text; the first one stays.
    pub(crate) fn note(&mut self, start: usize, end: usize, kind: ProblemKind) {
        let span = Span::new(self.text.floor_char_boundary(start), self.text.ceil_char_boundary(end));
        self.problem.get_or_insert(Problem { span, kind });
    }

    /// Stops because of the text from `start` to here.
    #[cold]
    pub(crate) fn stop<T>(&mut self, start: usize, kind: ProblemKind) -> Parsed<T> {
        self.note(start, self.pos.max(start), kind);
        Err(Stopped)
    }

    /// Stops because of the character here.
    #[cold]
    pub(crate) fn stop_here<T>(&mut self, kind: ProblemKind) -> Parsed<T> {
        let length = self.text.get(self.pos..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        self.note(self.pos, self.pos + length, kind);
        Err(Stopped)
    }

    /// One level deeper, for as long as `read` runs. After a problem the depth is of no use to anybody, so it stays.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.stop_here(ProblemKind::TooDeep);
        }
        self.depth += 1;
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    /// A place for a command that starts here, so that those nested in it come after it.
    pub(crate) fn place_for_command(&mut self) -> Parsed<usize> {
        if self.commands.len() + self.passing.len() >= MAX_COMMANDS {
            return self.stop_here(ProblemKind::TooManyCommands);
        }
        let command =
            SimpleCommand { nesting: self.nesting, span: self.span_from(self.pos), ..SimpleCommand::default() };
        self.commands.push(command);
        Ok(self.commands.len() - 1)
    }

    /// Blanks and line continuations.
    #[inline]
    pub(crate) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.pos += 1,
                Some(b'\\') if self.at(1) == Some(b'\n') => self.pos += 2,
                _ => return,
            }
        }
    }

    /// A comment, up to the newline that ends it.
    pub(crate) fn comment(&mut self) {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    /// Blanks, comments and newlines, with the here-documents that begin after them.
    pub(crate) fn newlines(&mut self) -> Parsed {
        loop {
            self.blanks();
            match self.peek() {
                Some(b'\n') => self.newline()?,
                Some(b'#') => self.comment(),
                _ => return Ok(()),
            }
        }
    }

    /// A newline that ends a line of commands.
    pub(crate) fn newline(&mut self) -> Parsed {
        self.pos += 1;
        if self.pending.is_empty() { Ok(()) } else { self.here_document_bodies() }
    }

    /// What a copy of a part of this text was read as, for text whose escapes had to be undone first: everything in it
    /// has the span of that part.
    pub(crate) fn adopt(&mut self, copy: Parser<'_>, part: Span) -> Parsed {
        let first = self.commands.len();
        if first + self.passing.len() + copy.commands.len() + copy.passing.len() > MAX_COMMANDS {
            return self.stop_here(ProblemKind::TooManyCommands);
        }
        let owner = Owner { part, first };
        self.blocks.push(Block { span: part, kind: BlockKind::Apart });
        self.commands.extend(copy.commands.into_iter().map(|command| owner.command(command)));
        self.passing.extend(copy.passing.into_iter().map(|command| owner.command(command)));
        self.mentioned.extend(copy.mentioned.into_iter().map(|mention| Mention {
            name: owned(mention.name),
            span: part,
            nesting: mention.nesting,
        }));
        self.functions.extend(copy.functions.into_iter().map(owned));
        self.values.extend(copy.values.into_iter().map(|(name, value)| (owned(name), owned(value))));
        for (name, words) in copy.lists {
            let words = words.into_iter().map(|word| owner.word(word)).collect();
            self.lists.push((owned(name), words));
        }
        self.explained.extend(copy.explained.into_iter().map(|word| ExplainedWord {
            command: word.command + first,
            word: word.word,
            atoms: word.atoms.into_iter().map(Atom::into_owned).collect(),
        }));
        self.evaluable.extend(copy.evaluable.into_iter().map(owned));
        self.unknown.extend(copy.unknown.into_iter().map(owned));
        self.numbers.extend(copy.numbers.into_iter().map(owned));
        self.calculates |= copy.calculates;
        self.handed_down += copy.handed_down;
        self.braced += copy.braced;
        self.looked_ahead += copy.looked_ahead;
        if copy.literal_substitution.is_some() {
            self.literal_substitution.get_or_insert(part);
        }
        match copy.problem {
            Some(problem) => {
                self.note(part.start as usize, part.end as usize, problem.kind);
                Err(Stopped)
            }
            None => Ok(()),
        }
    }

    /// A parser for a copy of a part of this text, as deep as this one.
    pub(crate) fn for_copy<'c>(&self, copy: &'c str) -> Parser<'c> {
        Parser { depth: self.depth, nesting: Nesting::Substitution, handed_down: 0, ..Parser::new(copy) }
    }
}

/// Text that outlives what it was read from.
pub(crate) fn owned<'o>(text: Cow<'_, str>) -> Cow<'o, str> {
    Cow::Owned(String::from(text))
}

/// Makes what was read from a copy a part of the whole.
struct Owner {
    part: Span,
    first: usize,
}

impl Owner {
    fn command<'o>(&self, command: SimpleCommand<'_>) -> SimpleCommand<'o> {
        SimpleCommand {
            span: self.part,
            assignments: command
                .assignments
                .into_iter()
                .map(|assignment| crate::Assignment {
                    span: self.part,
                    name: owned(assignment.name),
                    value: self.word(assignment.value),
                })
                .collect(),
            words: command.words.into_iter().map(|word| self.word(word)).collect(),
            redirects: command.redirects.into_iter().map(|redirect| self.redirect(redirect)).collect(),
            fed_by: command.fed_by.map(|index| index + self.first),
            fed_from: command.fed_from.map(|index| index + self.first),
            defined: command.defined,
            evaluates: command.evaluates,
            guesses: Vec::new(),
            nesting: command.nesting,
        }
    }

    fn redirect<'o>(&self, redirect: Redirect<'_>) -> Redirect<'o> {
        Redirect {
            span: self.part,
            descriptor: redirect.descriptor,
            kind: redirect.kind,
            target: self.word(redirect.target),
        }
    }

    fn word<'o>(&self, word: Word<'_>) -> Word<'o> {
        Word { span: self.part, text: owned(word.text), pieces: word.pieces.into_iter().map(piece).collect() }
    }
}

fn piece<'o>(whole: Piece<'_>) -> Piece<'o> {
    match whole {
        Piece::Text(text) => Piece::Text(owned(text)),
        Piece::Home => Piece::Home,
        Piece::Any { splits } => Piece::Any { splits },
        Piece::Known { values, several } => {
            let value = |word: Word<'_>| Word {
                span: word.span,
                text: owned(word.text),
                pieces: word.pieces.into_iter().map(piece).collect(),
            };
            Piece::Known { values: values.into_iter().map(value).collect(), several }
        }
        Piece::Number { splits } => Piece::Number { splits },
        Piece::Glob(token) => Piece::Glob(owned(token)),
    }
}
