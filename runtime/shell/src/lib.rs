//! Reads shell text as the simple commands that it runs, with a byte span for everything.
//!
//! It knows grammar: quoting, expansions, lists, compound commands, redirects, here-documents. It is no shell and no
//! policy: it runs nothing, looks at no file and knows no program by name, so `eval`, `alias` and `export` are words like
//! any other. And it refuses by default: what is not certain to become the words a shell would pass is a [`Problem`] or a
//! dynamic [`Word`], and never a guess that looks like an answer.
//!
//! ```
//! let script = policyc_shell::parse("cd /srv && g\\it 'push' \"$REMOTE\" | tee log", policyc_shell::ShellKind::Bash);
//! assert!(script.problem.is_none());
//! let words: Vec<&str> = script.commands[1].words.iter().map(|word| &*word.text).collect();
//! assert_eq!(words, ["git", "push", "\"$REMOTE\""]);
//! assert!(script.commands[1].words[2].is_dynamic() && script.commands[2].fed_by == Some(1));
//! ```
//!
//! Time and memory are linear in the text, recursion is bounded by [`MAX_DEPTH`], and no text makes it panic.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod script;
mod problem;
mod characters;
mod parser;
mod atoms;
mod quoting;
mod expansions;
mod arithmetic;
mod braces;
mod words;
mod redirects;
mod heredocs;
mod commands;
mod compound;
mod conditions;
mod constants;
mod guesses;
mod passing;
mod home;
mod scan;
mod plain;
mod kin;
mod powershell;
mod cmd;

pub use problem::{Problem, ProblemKind};
pub use script::{
    Assignment, Block, BlockKind, Nesting, Piece, Redirect, RedirectKind, Script, ShellKind, SimpleCommand, Span, Word,
};

/// The longest text that is parsed, in bytes: 1 MiB.
pub const MAX_TEXT: usize = 1 << 20;
/// How deep groups, substitutions, quotes and expansions may be nested.
pub const MAX_DEPTH: u32 = 100;
/// How many simple commands a text may hold.
pub const MAX_COMMANDS: usize = 100_000;
/// How many words one brace expansion may become.
pub const MAX_BRACE_WORDS: usize = 1_000;
/// How many other readings one command may have.
pub const MAX_GUESSES: usize = 8;

/// Reads `text` as the commands that a shell of that kind would run.
///
/// A text that is not wholly understood has a [`Script::problem`]; what could be recovered of it still stands in
/// [`Script::commands`], and [`Script::scan`] holds every word of it.
#[must_use]
pub fn parse(text: &str, kind: ShellKind) -> Script<'_> {
    parse_with(text, kind, &[])
}

/// The words of a text's parameters, from the name of what has them on; `None` for those that are not known.
pub type Parameters = alloc::vec::Vec<Option<alloc::string::String>>;

/// The same, of a text that may be given these parameters: they are put in for `$1`, `"$@"` and the like in
/// [`SimpleCommand::guesses`].
#[must_use]
pub fn parse_with<'t>(text: &'t str, kind: ShellKind, parameters: &[Parameters]) -> Script<'t> {
    parse_given(text, kind, parameters, &[])
}

/// The name of a variable, and a value.
pub type Variable = (alloc::string::String, alloc::string::String);

/// The same, of a text that may be given these variables, too.
#[must_use]
pub fn parse_given<'t>(
    text: &'t str,
    kind: ShellKind,
    parameters: &[Parameters],
    variables: &[Variable],
) -> Script<'t> {
    let mut script = match characters::refused(text) {
        Some(problem) if problem.kind == ProblemKind::TooLong => Script { problem: Some(problem), ..Script::default() },
        refused => {
            let script = match kind {
                ShellKind::Bash => parser::Parser::new(text).given(parameters, variables).script(),
                ShellKind::Kin => kin::parse(text, parameters, variables),
                ShellKind::PowerShell => powershell::parse(text),
                ShellKind::Cmd => cmd::parse(text),
            };
            Script { problem: refused.or(script.problem), ..script }
        }
    };
    if script.problem.is_some() {
        script.scan = scan::words(text, kind);
    }
    script
}
