//! What a text is read as.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::Problem;

/// Which shell a text is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShellKind {
    /// The family of `sh`: dash, bash, ksh and zsh too, read as bash reads them.
    #[default]
    Bash,
    /// Shells of their own that are near to bash, as fish and csh: as far as they agree with it.
    Kin,
    /// PowerShell: plain commands only.
    PowerShell,
    /// The command interpreter of Windows: plain commands only.
    Cmd,
}

impl ShellKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Bash, Self::Kin, Self::PowerShell, Self::Cmd];

    /// What questions and answers call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Kin => "kin",
            Self::PowerShell => "powershell",
            Self::Cmd => "cmd",
        }
    }

    /// Whether it is at home on Windows: programs are found whatever the case of their letters.
    #[must_use]
    pub const fn is_windows(self) -> bool {
        matches!(self, Self::PowerShell | Self::Cmd)
    }
}

/// A range of bytes in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of these offsets; beyond 4 GiB it saturates.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The part of `text` that it covers; none if it is not a part of it.
    #[must_use]
    pub fn of(self, text: &str) -> Option<&str> {
        text.get(self.start as usize..self.end as usize)
    }
}

/// A text as the commands it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script<'t> {
    /// All simple commands, those in substitutions, groups, function bodies and arms too, ordered by where they start.
    pub commands: Vec<SimpleCommand<'t>>,
    /// Why the text is not wholly understood; `None` if it is.
    pub problem: Option<Problem>,
    /// The parts that run apart or again, ordered by where they start, outer ones first.
    pub blocks: Vec<Block>,
    /// Literal texts that arithmetic would run in part if they were the value of a variable, as in `x='a[$(id)]'`.
    pub evaluable: Vec<Cow<'t, str>>,
    /// Only with a problem: the whole text as words, quotes decoded and operators left out, whatever its grammar.
    pub scan: Vec<Word<'t>>,
}

/// One program with its words, or one statement of assignments or redirects alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimpleCommand<'t> {
    /// From its first assignment, word or redirect to its last.
    pub span: Span,
    /// The assignments in front of the words. A loop variable is one without words, and so is what is set in passing: by
    /// `${x:=y}`, arithmetic, `{x}>y` and `coproc x { …; }`.
    pub assignments: Vec<Assignment<'t>>,
    /// The words that are run, after brace expansion.
    pub words: Vec<Word<'t>>,
    /// Its own redirects, then those of every compound command around it, innermost first.
    pub redirects: Vec<Redirect<'t>>,
    /// The command whose output is piped into it, by its place in [`Script::commands`].
    pub fed_by: Option<usize>,
    /// The first command of the pipeline in front of that pipe: all from it to [`SimpleCommand::fed_by`] may feed it.
    pub fed_from: Option<usize>,
    /// Whether its first word is the name of a function that the text defines, anywhere.
    pub defined: bool,
    /// Whether, in passing, a text that only the run can know is evaluated as arithmetic, which may run commands.
    pub evaluates: bool,
    /// Other words that the whole command may well become: defaults, `$IFS` and variables of the text put in.
    pub guesses: Vec<Vec<Word<'t>>>,
    /// The innermost kind of construct that holds it.
    pub nesting: Nesting,
}

/// A part of a text that does not simply run once after what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// All of it.
    pub span: Span,
    /// How it runs.
    pub kind: BlockKind,
}

/// How a part of a text runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// In a shell of its own, a subshell or substitution: what it changes there is gone afterwards.
    Apart,
    /// Again and again, with what it changed the last time.
    Loop,
    /// Whenever it is called: the body of a function.
    Function,
}

/// What holds a command, the innermost kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nesting {
    /// The text itself, through groups and loops if need be.
    #[default]
    Plain,
    /// A command or process substitution, wherever it stands.
    Substitution,
    /// The body of a function.
    Function,
}

/// One word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word<'t> {
    /// Where it is written; words of one brace expansion share it.
    pub span: Span,
    /// Of a static word, exactly what the program receives; of a dynamic one, the source text.
    pub text: Cow<'t, str>,
    /// What a dynamic word is made of; empty if the word is static.
    pub pieces: Vec<Piece<'t>>,
}

impl<'t> Word<'t> {
    /// A word whose text is known.
    pub(crate) fn fixed(span: Span, text: impl Into<Cow<'t, str>>) -> Self {
        Self { span, text: text.into(), pieces: Vec::new() }
    }

    /// Whether only the shell can say what the program receives.
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// What the program receives, if that is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        self.pieces.is_empty().then_some(&*self.text)
    }
}

/// A part of a dynamic word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Text that is known.
    Text(Cow<'t, str>),
    /// The home folder, alone or before a slash: an unquoted `~`, or `$HOME` at the start of a word, unless the text sets
    /// the variable.
    Home,
    /// Digits, perhaps with a sign: arithmetic, the number of parameters, a status, a process, a descriptor.
    Number {
        /// Whether it may become nothing or several words.
        splits: bool,
    },
    /// A variable of which the text knows every value.
    Known {
        /// The values.
        values: Vec<Word<'t>>,
        /// Whether it becomes all of them, as words of their own; otherwise it is one.
        several: bool,
    },
    /// Anything: a variable, a substitution, another's home folder.
    Any {
        /// Whether it may become nothing or several words.
        splits: bool,
    },
    /// One unquoted pattern token, as written: `*`, `?` or `[abc]`.
    Glob(Cow<'t, str>),
}

/// A variable that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment<'t> {
    /// From the name to the end of the value.
    pub span: Span,
    /// The name, without a subscript; with a `$` in it if an expansion is a part of it.
    pub name: Cow<'t, str>,
    /// The value; dynamic for arrays and loop variables, and for what is set in passing if only the shell knows it.
    pub value: Word<'t>,
}

/// Where an input or output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect<'t> {
    /// From the file descriptor or operator to the end of the target; of a here-document, to the end of its delimiter.
    pub span: Span,
    /// The descriptor, if it is known: for `&>` the first of two.
    pub descriptor: Option<u32>,
    /// What is done with the target.
    pub kind: RedirectKind,
    /// The file, the descriptor, or the text itself.
    pub target: Word<'t>,
}

/// What a redirect does with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`: reads the file.
    Read,
    /// `>`, `>>`, `>|`, `&>`, `&>>` and `>&` before a file: writes it.
    Write,
    /// `<>`: opens the file for both.
    ReadWrite,
    /// `2>&1`, `<&3`, `>&-`: copies or closes a descriptor.
    Duplicate,
    /// `<<<`: the target is the text read.
    HereString,
    /// `<<`: the target is the body, decoded.
    HereDocument,
}
