//! What was meant: the declarations of a policy, as plain data.

pub mod effects;

pub use policyc_runtime::Decision;

use crate::source::{SourceFile, Span};
use effects::{Capability, Command, Grants, Profile, Requirement, Tool, ToolCall, ToolRule};

/// What running one file declared, each kind in order of definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// Every `prefix_rule`.
    pub prefix_rules: Vec<PrefixRule>,
    /// Every `host_executable`; the last for a name wins.
    pub host_executables: Vec<HostExecutable>,
    /// Every `network_rule`.
    pub network_rules: Vec<NetworkRule>,
    /// Every `program`; the last for a path counts, with what it inherits.
    pub programs: Vec<Program>,
    /// Every `inert_env`.
    pub inert_env: Vec<InertEnv>,
    /// Every `default_decision`; the strictest wins.
    pub default_decisions: Vec<DefaultDecision>,
    /// Every `expect`.
    pub expectations: Vec<Expectation>,
    /// Every `capability`.
    pub capabilities: Vec<Capability>,
    /// Every `command`.
    pub commands: Vec<Command>,
    /// Every `tool`.
    pub tools: Vec<Tool>,
    /// Every `requires`.
    pub requirements: Vec<Requirement>,
    /// Every `profile`.
    pub profiles: Vec<Profile>,
    /// Every `tool_rule`.
    pub tool_rules: Vec<ToolRule>,
    /// Every `grants`; the tightest limit of each kind holds.
    pub grants: Vec<Grants>,
}

/// One call of `prefix_rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrefixRule {
    /// At least one element.
    pub pattern: Vec<Element>,
    /// What the rule says of a command that it matches.
    pub decision: Decision,
    /// Why, in the author's words; never blank.
    pub justification: Option<String>,
    /// Whether words are compared under Unicode canonical caseless matching.
    pub canonical_matching: bool,
    /// Commands that the rule must match.
    pub examples: Vec<Example>,
    /// Commands that the rule must not match.
    pub counterexamples: Vec<Example>,
    /// What else a command that begins with the pattern must satisfy.
    pub conditions: Conditions,
    /// The call that made the rule.
    pub origin: Origin,
}

/// One place of a pattern: what may stand there. Never empty; one word for a plain element.
/// In the first element the order and repetitions count (one rule a head, words before matchers); in later ones they
/// do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// The alternatives that are words.
    pub words: Vec<String>,
    /// The alternatives that stand for more than one word.
    pub matchers: Vec<Matcher>,
}

impl Element {
    /// An element of plain words.
    #[must_use]
    pub const fn of(words: Vec<String>) -> Self {
        Self { words, matchers: Vec::new() }
    }

    /// How many alternatives it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.words.len() + self.matchers.len()
    }

    /// Whether nothing may stand there.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An alternative that stands for more than one word.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Matcher {
    /// `any_word()`: every word.
    AnyWord,
    /// `glob("describe-*")`: words that the pattern describes from end to end.
    Glob(String),
    /// `path("~/.ssh/**")`: words that name such a place.
    Path(String),
}

/// An element as an author would write it.
impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.words.iter().map(|word| quoted(word));
        let alternatives: Vec<String> = words.chain(self.matchers.iter().map(Matcher::to_string)).collect();
        match alternatives.as_slice() {
            [only] => f.write_str(only),
            _ => write!(f, "[{}]", alternatives.join(", ")),
        }
    }
}

/// A matcher as an author would write it.
impl std::fmt::Display for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AnyWord => f.write_str("any_word()"),
            Self::Glob(pattern) => write!(f, "glob({})", quoted(pattern)),
            Self::Path(pattern) => write!(f, "path({})", quoted(pattern)),
        }
    }
}

/// A string literal that stands for `text`.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_debug())
}

/// The keywords of `prefix_rule` beyond the reference dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// No words may follow the pattern.
    pub exact: bool,
    /// Each occurs among the words after the pattern.
    pub having: Vec<Element>,
    /// None occurs among them.
    pub without: Vec<Element>,
    /// Patterns of commands that the rule is not about.
    pub unless: Vec<Vec<Element>>,
    /// Environment variables that an allowed command may be given.
    pub env: Vec<String>,
    /// Path patterns of files that an allowed command may redirect to.
    pub writes: Vec<String>,
}

impl Element {
    /// The texts of the words and matchers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        let matchers = self.matchers.iter().filter_map(|matcher| match matcher {
            Matcher::AnyWord => None,
            Matcher::Glob(pattern) | Matcher::Path(pattern) => Some(pattern),
        });
        self.words.iter().chain(matchers)
    }
}

impl Conditions {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A command given with a rule to prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The words of the command; at least one.
    pub words: Vec<String>,
}

/// One call of `host_executable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostExecutable {
    /// The bare name.
    pub name: String,
    /// The absolute paths that may stand for it, as written.
    pub paths: Vec<String>,
    /// The call.
    pub origin: Origin,
}

/// One call of `program`: how the words of a program, or of one of its subcommands, are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program's name and the subcommands after it; plain words only.
    pub path: Vec<Element>,
    /// The options that it knows.
    pub options: Vec<ProgramOption>,
    /// What its operands are.
    pub operands: Operands,
    /// How many operands come before those that `operands` is about.
    pub skip: u32,
    /// Whether `NAME=value` may stand before the operands, as with `env`.
    pub assignments: bool,
    /// Whether running it does nothing by itself: as a wrapper it needs no rule of its own.
    pub harmless: bool,
    /// Whether what it is told to run is given further words at run time.
    pub extends: bool,
    /// Whether its first operand is the folder of the commands that follow: the home folder, if it has none.
    pub moves: bool,
    /// Whether its first word may be letters of options without a hyphen, as with `tar xf`.
    pub letters: bool,
    /// What stands for such a word in what it is told to run, as in `{}`.
    pub placeholder: Option<String>,
    /// What it makes of its standard input.
    pub stdin: Option<Stdin>,
    /// Whether its text for a shell is for a POSIX shell; otherwise for one that is near to them.
    pub posix: bool,
    /// Absolute paths at which it is this program, for its knowledge alone: rules stay with `host_executable`.
    pub paths: Vec<String>,
    /// Whether its name and a subcommand, with a hyphen between, are a program that does the same.
    pub hyphenated: bool,
    /// Whether it adds its options and paths to what was declared before it, and says nothing else.
    pub inherit: bool,
    /// The call.
    pub origin: Origin,
}

/// What the operands of a program are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operands {
    /// Nothing that runs.
    #[default]
    Data,
    /// A command: its program and words.
    Command,
    /// Text of a shell, joined by blanks.
    Joined(Text),
    /// The first is text of a shell, the others are its parameters.
    First(Text),
    /// `NAME=value`, set for the commands that follow.
    Assignments,
    /// The positional parameters of the commands that follow.
    Parameters,
    /// `NAME=text`, where text stands for the name in the commands that follow.
    Aliases,
    /// A name, and what stands for it in the commands that follow.
    Definition,
    /// How many positional parameters the commands that follow no longer have; one without an operand.
    Shift,
    /// The name of a script, a file or a program, and its arguments.
    Script,
    /// Arithmetic, which sets variables and evaluates their values.
    Arithmetic,
    /// Code in some other language, or files with code.
    Code,
}

/// What a program makes of its standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Text that it runs when it has no operands.
    Text(Text),
    /// Code in some other language, whatever its operands are.
    Code,
    /// Further operands.
    Operands,
}

/// The language of a text that a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// POSIX shells and their kin.
    Shell,
    /// PowerShell.
    PowerShell,
    /// The command interpreter of Windows.
    Cmd,
}

/// One `option(…)` of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOption {
    /// Its spellings, as in `-C`, `--git-dir`, `-exec`; with `=` at the end, what a word begins with, as in `SHELL=`.
    pub names: Vec<String>,
    /// What value it takes.
    pub value: OptionValue,
    /// Whether it changes nothing that a rule could care about.
    pub harmless: Harmless,
    /// What runs because of it: its value, or without one the program's first operand.
    pub runs: Option<Runs>,
    /// Whether the program writes to a file because of it: its value, if it takes one.
    pub writes: bool,
    /// Whether its value is the program's [placeholder](Program::placeholder).
    pub placeholder: bool,
    /// Whether its value is the folder that the command works in; if it runs something, whether that may run in any.
    pub moves: bool,
}

/// What value an option takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OptionValue {
    /// None.
    #[default]
    None,
    /// The next word, or what is attached: `-Cdir`, `--git-dir=dir`.
    Required,
    /// The next word alone: what is attached are letters of further options.
    Next,
    /// Only what is attached: `--color=auto`, `-i.bak`.
    Attached,
    /// All words that follow.
    Rest,
    /// The words up to one of these.
    Until(Vec<String>),
}

/// When an option is harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Harmless {
    /// Never.
    #[default]
    No,
    /// With any value.
    Yes,
    /// With a value that one of these globs describes.
    Values(Vec<String>),
}

/// What runs because of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// A command: its program and words.
    Command,
    /// Text of a shell.
    Text(Text),
    /// Code that cannot be looked into.
    Code,
    /// Words that stand in its place, as if they were written there.
    Words,
    /// The program's standard input, whatever its operands are.
    StandardInput,
}

/// One call of `inert_env`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InertEnv {
    /// Names of variables; `*` stands for any characters.
    pub names: Vec<String>,
    /// The call.
    pub origin: Origin,
}

/// One call of `default_decision`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefaultDecision {
    /// What no match means: prompt or forbidden.
    pub decision: Decision,
    /// Why; never blank.
    pub justification: Option<String>,
    /// The call.
    pub origin: Origin,
}

/// One call of `expect`: what the whole policy set must answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is asked.
    pub request: Request,
    /// The answer; none if no rule may match.
    pub decision: Option<Decision>,
    /// The profile under which it is asked.
    pub profile: Option<String>,
    /// The call.
    pub origin: Origin,
}

impl Expectation {
    /// Whether the rules alone answer it, command by command.
    #[must_use]
    pub const fn is_of_rules(&self) -> bool {
        self.profile.is_none() && matches!(self.request, Request::Text(_) | Request::Command(_))
    }
}

/// What an expectation asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Shell text.
    Text(String),
    /// The words of a command; at least one.
    Command(Vec<String>),
    /// A tool call.
    Tool(ToolCall),
    /// A network destination: how it is reached, and the host, normalised.
    Network(Protocol, String),
}

/// One call of `network_rule`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkRule {
    /// The host, normalised: lower case, no port, no brackets, no trailing dot.
    pub host: String,
    /// How the host is reached.
    pub protocol: Protocol,
    /// What the rule says.
    pub decision: Decision,
    /// Why; never blank.
    pub justification: Option<String>,
    /// The call.
    pub origin: Origin,
}

pub use policyc_runtime::Protocol;

/// Where a declaration was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file that holds the call.
    pub file: SourceFile,
    /// The call, from the name of the builtin to its closing parenthesis.
    pub span: Span,
    /// How the run came there, outermost first: the calls of functions that led to `span`; empty at top level.
    pub stack: Vec<Frame>,
}

impl Origin {
    /// The file whose run declared it, which is not the file that holds the call if a loaded function made it.
    #[must_use]
    pub fn run(&self) -> SourceFile {
        self.stack.first().map_or(self.file, |frame| frame.file)
    }
}

/// A call on the way to a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function that was called.
    pub function: String,
    /// The file that holds the call.
    pub file: SourceFile,
    /// The call.
    pub span: Span,
}
