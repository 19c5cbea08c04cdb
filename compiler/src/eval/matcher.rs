//! Matchers as values of the language.
#![expect(
    unsafe_code,
    reason = "the engine's derive implements its marker trait, which is unsafe; none is written here"
)]

use std::hash::Hash;

use allocative::Allocative;
use starlark::any::ProvidesStaticType;
use starlark::collections::StarlarkHasher;
use starlark::values::{NoSerialize, StarlarkPagablePanic, StarlarkValue, Value, starlark_value};

use crate::rules::Matcher;

/// What `glob`, `any_word` and `path` give: equal where their patterns are, and the same once it is frozen.
#[derive(Debug, ProvidesStaticType, NoSerialize, StarlarkPagablePanic, Allocative)]
pub(super) struct MatcherValue(#[allocative(skip)] pub(super) Matcher);

starlark::starlark_simple_value!(MatcherValue);

#[starlark_value(type = "matcher")]
impl<'v> StarlarkValue<'v> for MatcherValue {
    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(Self::from_value(other).is_some_and(|other| self.0 == other.0))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.0.hash(hasher);
        Ok(())
    }
}

/// What `repr` shows: the call that gives it.
impl std::fmt::Display for MatcherValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
