//! `profile`: what it says of each effect, and which tools it offers.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::elements::steps;
use super::{arguments, names};
use crate::check::invalid_name::Named;
use crate::check::{invalid_capability, invalid_profile};
use crate::rules::effects::{Profile, UNKNOWN_PROCESS};
use crate::rules::{Declarations, Element};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "profile",
    parameters: &["name", "allow", "prompt", "tools"],
    positional: Positional::First(1),
    required: 1,
};

const NAME: usize = 0;
const ALLOW: usize = 1;
const PROMPT: usize = 2;
const TOOLS: usize = 3;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what is allowed and what is asked about; all else is forbidden.
    fn profile<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let name = names::name(&mut call, NAME, Named::Profile);
        let allow = names::capabilities(&mut call, ALLOW);
        let prompt = names::capabilities(&mut call, PROMPT);
        for (index, listed) in [(ALLOW, &allow), (PROMPT, &prompt)] {
            let parameter = call.parameter(index);
            for (place, effect) in listed.iter().enumerate() {
                if effect == UNKNOWN_PROCESS {
                    let site = call.part(&steps(&[parameter], &[place])).site;
                    call.mistake(invalid_capability::unknown_process(&site, effect));
                } else if index == PROMPT && allow.contains(effect) {
                    let site = call.part(&steps(&[parameter], &[place])).site;
                    call.mistake(invalid_profile::both(&site, &name, effect));
                }
            }
        }
        let tools = tools(&mut call);
        call.finish(NAME, |origin| Profile { name, allow, prompt, tools, origin })
    }
}

/// The names of tools, item by item; a mistaken one is there as well, so that places stay what they are.
fn tools(call: &mut Call<'_, '_>) -> Vec<Element> {
    let given = call.list(TOOLS).unwrap_or_default();
    let way = call.parameter(TOOLS);
    let mut tools = Vec::with_capacity(given.len());
    for (place, value) in given.iter().enumerate() {
        tools.push(arguments::tool(call, &|| steps(&[way], &[place]), "`tools`", *value).unwrap_or_default());
    }
    tools
}

impl Declaration for Profile {
    fn words(&self) -> impl Iterator<Item = &String> {
        [&self.name]
            .into_iter()
            .chain(&self.allow)
            .chain(&self.prompt)
            .chain(self.tools.iter().flat_map(Element::texts))
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.profiles.push(self);
    }
}
