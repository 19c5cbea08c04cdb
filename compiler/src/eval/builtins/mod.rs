//! What a policy can call beyond Starlark itself: one builtin a file.

mod any_word;
mod conditions;
mod default_decision;
mod elements;
mod expect;
mod glob;
mod host_executable;
mod inert_env;
mod judgement;
mod kinds;
mod network_rule;
mod option;
mod path;
mod places;
mod prefix_rule;
mod program;
mod strings;

use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder};

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
        .build()
});

/// The names that the reference dialect defines.
pub(super) static REFERENCE: LazyLock<Globals> = LazyLock::new(|| reference().build());

fn reference() -> GlobalsBuilder {
    GlobalsBuilder::standard().with(prefix_rule::register).with(host_executable::register).with(network_rule::register)
}
