//! An answer in full: every simple command, what matched it in which reading, and what kept an allow from counting.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Problem, ShellKind, Span};

use crate::Decision;
use crate::declarations::{DefaultDecision, Rule};

/// What was judged, piece by piece.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answers<'a> {
    /// The answer to the whole.
    pub decision: Option<Decision>,
    /// The texts that were read: the first is the request's own if it is a text; others were found in commands.
    pub texts: Vec<TextAnswer>,
    /// The simple commands, each after the one that it was found in.
    pub commands: Vec<CommandAnswer<'a>>,
    /// How many more there are that are not listed: beyond a bound, only those that are answered more strictly than all
    /// before, or that a rule is about which counted for none.
    pub left_out: usize,
    /// How many steps it took to answer, in full and once.
    pub steps: usize,
    /// Whether the request takes more steps than any honest one; it is then answered as strictly as the table can.
    pub exhausted: bool,
    /// What the policy says no match means, if that decided.
    pub default: Option<DefaultDecision<'a>>,
}

/// A text of a shell.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TextAnswer {
    /// The whole text.
    pub text: String,
    /// Its language.
    pub kind: ShellKind,
    /// Why it is not understood, if it is not: then nothing in it is allowed.
    pub problem: Option<Problem>,
    /// The command that runs it, by its place among [`Answers::commands`]; none for the request's own.
    pub of: Option<usize>,
}

/// A simple command.
#[derive(Debug)]
#[non_exhaustive]
pub struct CommandAnswer<'a> {
    /// Where it stands: the text by its place among [`Answers::texts`], and the bytes of it. None if it is a command of
    /// words, or part of one.
    pub place: Option<(usize, Span)>,
    /// Its words.
    pub words: Vec<AnsweredWord>,
    /// How many more words there are that are not listed.
    pub words_left_out: usize,
    /// The command that it was found in, by its place among [`Answers::commands`].
    pub inside: Option<usize>,
    /// The answer to it alone, with all that it runs.
    pub decision: Option<Decision>,
    /// The rules that matched one of its readings, in order of definition.
    pub matches: Vec<CommandMatch<'a>>,
    /// What kept an allow from counting, or made a prompt of no match.
    pub doubts: Vec<Doubt>,
    /// Whether it needs no rule: a harmless wrapper, or the call of a function whose commands are judged.
    pub harmless: bool,
}

/// A word of a simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnsweredWord {
    /// What the program receives, or the source text if only the run can know.
    pub text: String,
    /// Whether only the run can know it.
    pub dynamic: bool,
    /// Its bytes in the text that the command stands in.
    pub span: Option<Span>,
}

/// A rule that matched one reading of a simple command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CommandMatch<'a> {
    /// The rule.
    pub rule: Rule<'a>,
    /// How the command was read.
    pub reading: Reading,
    /// The words that the rule's pattern took, by their places.
    pub words: Vec<usize>,
    /// Whether the match counts: an allow that does not is kept from it by a [`Doubt`].
    pub counts: bool,
}

/// How a command was read to match: what differs from its words as written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reading {
    /// The program was taken by the base name of its path.
    pub base_name: bool,
    /// Options in front of a word were skipped.
    pub skipped_options: bool,
    /// A word that only the run can know was taken for one of the pattern's.
    pub expanded: bool,
    /// The words of an unknown program, or of a text that is not understood, were taken for a command.
    pub scanned: bool,
    /// An expansion was put in for the words that it may well become.
    pub guessed: bool,
}

/// What kept an allow from counting, or made a prompt of no match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// The program is given by a path that no `host_executable` lists for its name.
    Path {
        /// The base name.
        name: String,
    },
    /// An option in front of the subcommand or inner command is not declared harmless.
    Option {
        /// The place of the option's word.
        word: usize,
    },
    /// A variable is set that is not inert and not among the rule's `env`.
    Variable {
        /// Its name.
        name: String,
    },
    /// Output is redirected to a file that is not among the rule's `writes`.
    Write {
        /// The file as written.
        target: String,
    },
    /// A redirect opens a connection.
    Connection {
        /// Its place as written.
        target: String,
    },
    /// Only the run can know this word, and a rule depends on it.
    Dynamic {
        /// Its place.
        word: usize,
    },
    /// It is given further words when it runs, and a rule depends on them.
    Given,
    /// An option that runs code which cannot be looked into.
    Runs {
        /// The place of the option's word.
        word: usize,
    },
    /// An option that writes to a file.
    WritesOption {
        /// The place of the option's word.
        word: usize,
    },
    /// It may run in another folder, where a relative path is another place.
    Folder,
    /// What the command runs is not allowed.
    Inner,
    /// The words of a program that nothing is known of look like a command that a rule restricts.
    Tail {
        /// The place of the first of those words.
        word: usize,
    },
    /// What the program reads from its standard input runs, and only the run can know it.
    StandardInput,
    /// The text is not understood.
    NotUnderstood,
    /// A word has invisible or bidirectional characters.
    Invisible {
        /// Its place.
        word: usize,
    },
    /// A word is longer than a system passes to a program.
    TooLong {
        /// Its place.
        word: usize,
    },
    /// It is run by something that leaves doubt about what it is given.
    Surroundings,
    /// Commands run one another too deeply to be looked into.
    TooDeep,
}
