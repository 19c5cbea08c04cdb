//! Options as values of the language.
#![expect(
    unsafe_code,
    reason = "the engine's derive implements its marker trait, which is unsafe; none is written here"
)]

use allocative::Allocative;
use starlark::any::ProvidesStaticType;
use starlark::values::{NoSerialize, StarlarkPagablePanic, StarlarkValue, Value, starlark_value};

use crate::rules::{ProgramOption, quoted};

/// What `option` gives: only a program's `options` can do something with it.
#[derive(Debug, ProvidesStaticType, NoSerialize, StarlarkPagablePanic, Allocative)]
pub(super) struct OptionValue(#[allocative(skip)] pub(super) ProgramOption);

starlark::starlark_simple_value!(OptionValue);

#[starlark_value(type = "option")]
impl<'v> StarlarkValue<'v> for OptionValue {
    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(Self::from_value(other).is_some_and(|other| self.0 == other.0))
    }
}

/// What `repr` shows: the call that gives it, in short.
impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.0.names.iter().map(|name| quoted(name)).collect();
        write!(f, "option({}, …)", names.join(", "))
    }
}
