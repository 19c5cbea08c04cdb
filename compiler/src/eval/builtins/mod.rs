//! What a policy can call beyond Starlark itself: one builtin a file.

mod host_executable;
mod judgement;
mod network_rule;
mod prefix_rule;

use std::sync::LazyLock;

use starlark::environment::{Globals, GlobalsBuilder};

/// Every name that is defined before a policy begins.
pub(super) static GLOBALS: LazyLock<Globals> = LazyLock::new(|| {
    GlobalsBuilder::standard()
        .with(prefix_rule::register)
        .with(host_executable::register)
        .with(network_rule::register)
        .build()
});
