//! What a policy can call beyond Starlark itself: one builtin a file.

mod any_word;
mod arguments;
mod capability;
mod command;
mod conditions;
mod default_decision;
mod elements;
mod expect;
mod glob;
mod grants;
mod host_executable;
mod inert_env;
mod judgement;
mod kinds;
mod names;
mod network_rule;
mod option;
mod path;
mod places;
mod prefix_rule;
mod profile;
mod program;
mod requires;
mod strings;
mod template;
mod tool;
mod tool_call;
mod tool_rule;

use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder};

use super::call::Signature;
use crate::rules::effects::Cost;
use crate::rules::{Decision, Protocol};

/// Every name that is defined before a policy begins.
pub(super) static GLOBALS: LazyLock<Globals> = LazyLock::new(|| {
    reference()
        .with(glob::register)
        .with(any_word::register)
        .with(path::register)
        .with(program::register)
        .with(option::register)
        .with(inert_env::register)
        .with(default_decision::register)
        .with(expect::register)
        .with(capability::register)
        .with(command::register)
        .with(tool::register)
        .with(tool_rule::register)
        .with(requires::register)
        .with(profile::register)
        .with(grants::register)
        .build()
});

/// The names that the reference dialect defines.
pub(super) static REFERENCE: LazyLock<Globals> = LazyLock::new(|| reference().build());

fn reference() -> GlobalsBuilder {
    GlobalsBuilder::standard().with(prefix_rule::register).with(host_executable::register).with(network_rule::register)
}

/// What each builtin takes, those of the reference dialect first.
#[must_use]
pub const fn signatures() -> [&'static Signature; 18] {
    [
        &prefix_rule::SIGNATURE,
        &host_executable::SIGNATURE,
        &network_rule::SIGNATURE,
        &any_word::SIGNATURE,
        &glob::SIGNATURE,
        &path::SIGNATURE,
        &default_decision::SIGNATURE,
        &expect::SIGNATURE,
        &inert_env::SIGNATURE,
        &program::SIGNATURE,
        &capability::SIGNATURE,
        &command::SIGNATURE,
        &tool::SIGNATURE,
        &requires::SIGNATURE,
        &profile::SIGNATURE,
        &tool_rule::SIGNATURE,
        &grants::SIGNATURE,
        &option::SIGNATURE,
    ]
}

/// The words of which a parameter of a builtin takes one; none if any will do.
#[must_use]
pub fn choices(builtin: &str, parameter: &str) -> Vec<&'static str> {
    fn words<T>(kinds: &[(&'static str, T)]) -> Vec<&'static str> {
        kinds.iter().map(|(word, _)| *word).collect()
    }
    match (builtin, parameter) {
        ("default_decision", "decision") => vec![Decision::Prompt.name(), Decision::Forbidden.name()],
        (_, "decision") => Decision::ALL.iter().map(|decision| decision.name()).collect(),
        ("network_rule", "protocol") => Protocol::ALL.iter().map(|protocol| protocol.name()).collect(),
        ("program", "operands") => words(&kinds::OPERANDS),
        ("program", "stdin") => words(&kinds::STDINS),
        ("option", "runs") => words(&kinds::RUNS),
        ("option", "value") => option::VALUES.to_vec(),
        ("capability", "access") => words(&capability::ACCESSES),
        ("tool", "cost") => Cost::ALL.iter().map(|cost| cost.name()).collect(),
        _ => Vec::new(),
    }
}
