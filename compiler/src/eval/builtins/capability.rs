//! `capability`: an effect that requests can have, or a claim that they can make.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::{kinds, names};
use crate::check::invalid_capability;
use crate::check::invalid_name::Named;
use crate::rules::Declarations;
use crate::rules::effects::{Capability, LISTED, UNKNOWN_PROCESS, WRITE_WORKSPACE};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "capability",
    parameters: &["name", "access", "claim"],
    positional: Positional::First(1),
    required: 1,
};

const NAME: usize = 0;
const ACCESS: usize = 1;
const CLAIM: usize = 2;

/// What `access` may be, and whether it is to read only.
pub(super) const ACCESSES: [(&str, bool); 2] = [("read", true), ("write", false)];

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says that there is an effect, or a claim, of this name.
    fn capability<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let name = names::name(&mut call, NAME, Named::Capability);
        let read = if call.is_given(ACCESS) { kinds::word(&mut call, ACCESS, &ACCESSES) } else { None };
        let claim = call.boolean(CLAIM).unwrap_or(false);
        let reserved = [UNKNOWN_PROCESS, LISTED, WRITE_WORKSPACE].contains(&name.as_str());
        if claim && call.is_given(ACCESS) {
            contradiction(&mut call, ACCESS, &name, "a claim neither reads nor writes");
        }
        if claim && reserved {
            contradiction(&mut call, CLAIM, &name, "it is an effect of commands");
        }
        if read == Some(true) && name == UNKNOWN_PROCESS {
            contradiction(&mut call, ACCESS, &name, "what is unknown may write");
        }
        if read == Some(true) && name == WRITE_WORKSPACE {
            contradiction(&mut call, ACCESS, &name, "a redirect that writes a file has it");
        }
        call.finish(NAME, |origin| Capability { name, read: read.unwrap_or(false), claim, origin })
    }
}

fn contradiction(call: &mut Call<'_, '_>, index: usize, name: &str, reason: &str) {
    let site = call.keyword(index);
    call.mistake(invalid_capability::contradiction(&site, name, call.name(index), reason));
}

impl Declaration for Capability {
    fn words(&self) -> impl Iterator<Item = &String> {
        [&self.name].into_iter()
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.capabilities.push(self);
    }
}
