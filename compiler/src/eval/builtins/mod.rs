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
