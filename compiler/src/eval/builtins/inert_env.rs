//! `inert_env`: variables that may precede any allowed command.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::strings::variables;
use crate::check::empty_list;
use crate::rules::{Declarations, InertEnv};

pub(super) static SIGNATURE: Signature =
    Signature { builtin: "inert_env", parameters: &["names"], positional: Positional::All, required: 1 };

const NAMES: usize = 0;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says which variables change nothing that a rule could care about.
    fn inert_env<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let names = variables(&mut call, NAMES, "a name of `inert_env`", true);
        if names.is_empty() && call.is_sound() {
            let site = call.site(NAMES);
            let gone = call.gone();
            call.mistake(empty_list::diagnostic(&site, "inert_env", "names", gone));
        }
        call.finish(NAMES, |origin| InertEnv { names, origin })
    }
}

impl Declaration for InertEnv {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.names.iter()
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.inert_env.push(self);
    }
}
