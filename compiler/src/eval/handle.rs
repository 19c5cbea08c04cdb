//! How a builtin reaches the recorder of the run that called it.
#![expect(
    unsafe_code,
    reason = "the engine's derive implements its marker trait, which is unsafe; none is written here"
)]

use starlark::any::ProvidesStaticType;
use starlark::eval::Evaluator;

use super::recorder::Recorder;

/// What the engine carries along for the builtins.
#[derive(ProvidesStaticType)]
pub(super) struct Handle<'a>(pub(super) &'a Recorder<'a>);

/// The recorder of the run.
pub(super) fn recorder<'e>(eval: &Evaluator<'_, '_, 'e>) -> &'e Recorder<'e> {
    eval.extra.and_then(|extra| extra.downcast_ref::<Handle<'e>>()).expect("every run has a recorder").0
}
