//! `grants`: the limits of temporary authority.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::strings::strings;
use crate::check::invalid_grant;
use crate::duration::seconds;
use crate::rules::Declarations;
use crate::rules::effects::{Grants, LONGEST_GRANT};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "grants",
    parameters: &["max_ttl", "max_open", "reserved"],
    positional: Positional::First(0),
    required: 0,
};

const MAX_TTL: usize = 0;
const MAX_OPEN: usize = 1;
const RESERVED: usize = 2;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says how far temporary authority may go.
    fn grants<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let max_ttl = max_ttl(&mut call).unwrap_or(LONGEST_GRANT);
        let max_open = call.number(MAX_OPEN, 0, invalid_grant::open);
        let given = call.list(RESERVED).unwrap_or_default();
        let check = |name: &str| if name.trim().is_empty() { Err(()) } else { Ok(()) };
        let what = ("a name of `reserved`", false);
        let reserved =
            strings(&mut call, RESERVED, given, what, check, |_, part, _, ()| invalid_grant::reserved(&part.site));
        call.finish(MAX_TTL, |origin| Grants { max_ttl, max_open, reserved, origin })
    }
}

/// Seconds.
fn max_ttl(call: &mut Call<'_, '_>) -> Option<u32> {
    let given = call.string(MAX_TTL)?;
    let seconds = seconds(given);
    let mistake = match seconds {
        None => invalid_grant::time,
        Some(seconds) if seconds > LONGEST_GRANT.into() => invalid_grant::too_long,
        Some(seconds) => return u32::try_from(seconds).ok(),
    };
    let site = call.site(MAX_TTL);
    call.mistake(mistake(&site, given));
    None
}

impl Declaration for Grants {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.reserved.iter()
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.grants.push(self);
    }
}
