//! `requires`: a fact that must hold before what has some effect.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::{names, template};
use crate::check::invalid_fact;
use crate::rules::Declarations;
use crate::rules::effects::{Piece, Requirement};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "requires",
    parameters: &["effects", "fact", "unless"],
    positional: Positional::First(2),
    required: 2,
};

const EFFECTS: usize = 0;
const FACT: usize = 1;
const UNLESS: usize = 2;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says which fact must hold before what has one of these effects.
    fn requires<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let effects = names::effects(&mut call, EFFECTS, "requires");
        let fact = fact(&mut call);
        let unless = names::capabilities(&mut call, UNLESS);
        call.finish(FACT, |origin| Requirement { effects, fact, unless, origin })
    }
}

fn fact(call: &mut Call<'_, '_>) -> Vec<Piece> {
    let Some(given) = call.string(FACT) else { return Vec::new() };
    template::fact(given).unwrap_or_else(|problem| {
        let site = call.site(FACT);
        call.mistake(invalid_fact::diagnostic(&site, problem));
        Vec::new()
    })
}

impl Declaration for Requirement {
    fn words(&self) -> impl Iterator<Item = &String> {
        let pieces = self.fact.iter().filter_map(|piece| match piece {
            Piece::Literal(text) | Piece::Parameter(text) => Some(text),
            Piece::Target => None,
        });
        self.effects.iter().chain(&self.unless).chain(pieces)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.requirements.push(self);
    }
}
