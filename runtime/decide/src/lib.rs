//! Reads a decision table, which `policyc build` makes from policy files, and answers what may run.
//!
//! It is the whole of an enforcement host's matching: a command, or text for a shell, in every way that it can be read.
//! It has no files and no `unsafe`, and needs no heap for a plain command. It is not a policy engine: what the rules mean
//! is settled when the table is made, and so is what programs do with their words.
//!
//! ```no_run
//! use policyc_runtime::{Context, Decision, Table};
//!
//! let bytes = std::fs::read("git.table").expect("made by `policyc build stdlib-policies/git.rules -o git.table`");
//! let table = Table::from_bytes(&bytes)?;
//! let evaluation = table.decide(&["git", "push", "--force"], &Context::default());
//! assert_eq!(evaluation.decision(), Some(Decision::Forbidden));
//! # Ok::<(), policyc_runtime::TableError>(())
//! ```
//!
//! A text is asked as [`Request::text`]. [`Evaluation::answers`] says of each simple command what matched it in which
//! reading, and what kept an allow from counting. [`Context`] says how to judge: guarded by default, or as typed, and
//! which folders paths are relative to.
//!
//! The feature `canonical`, on by default, folds words for rules with `canonical_matching = True`. It brings two
//! dependencies beside the reader of texts; without it, a table with such rules is refused with [`TableError::Canonical`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod accepting;
mod account;
mod answers;
mod as_typed;
mod call;
mod decide;
mod decision;
mod declarations;
mod digest;
mod effects;
mod error;
mod evaluation;
#[cfg(feature = "canonical")]
mod fold;
pub mod format;
mod guarded;
mod hash;
mod header;
mod host;
mod jail;
mod json;
mod kept;
mod known;
mod lookup;
mod matcher;
mod option_word;
mod path;
mod record;
mod request;
mod sha256;
mod signature;
mod table;
mod terms;
mod tools;
mod validate;
mod validate_effects;
mod weigh;
mod word;

pub use account::{Account, Cause, Discharge, Discharged, EffectOrigin, EffectSource, FactState, Refusal};
pub use answers::{AnsweredWord, Answers, CommandAnswer, CommandMatch, Doubt, Reading, TextAnswer};
pub use decision::{Decision, Protocol};
pub use declarations::{
    Alternative, Conditions, DefaultDecision, Edge, Element, HostExecutable, Layer, NetworkRule, Pattern, Rule, State,
};
pub use effects::{Capability, CommandRow, Effects, Fact, FactPiece, GrantLimits, Profile, Requirement, Vocabulary};
pub use error::TableError;
pub use evaluation::{Evaluation, RuleMatch};
#[cfg(feature = "canonical")]
pub use fold::fold;
pub use host::{HostProblem, request_host, rule_host};
pub use jail::{Jail, PathProblem};
pub use json::JsonProblem;
pub use kept::KeptTable;
pub use known::{Program, ProgramOption};
pub use matcher::Matcher;
pub use path::{Folders, ResolvedProgram};
pub use policyc_shell::{Problem, ProblemKind, ShellKind, Span};
pub use request::{Context, Matching, Request};
pub use sha256::Sha256;
pub use table::Table;
pub use terms::{Access, Approval, Grant, Terms};
pub use tools::{ArgumentWord, Cost, Role, Tool, ToolException, ToolParameter, ToolPattern, ToolRule, describes_tool};
