//! `host_executable`: which absolute paths may stand for a bare name.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Part, Positional, Signature};
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::places;
use crate::check::{invalid_executable, invalid_path, invalid_type};
use crate::diagnostics::Edit;
use crate::rules::{Declarations, HostExecutable};
use crate::syntax::{Step, insertion, literal};

pub(super) static SIGNATURE: Signature =
    Signature { builtin: "host_executable", parameters: &["name", "paths"], positional: Positional::All, required: 2 };

const NAME: usize = 0;
const PATHS: usize = 1;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says which absolute paths may stand for the bare name `name`.
    fn host_executable<'v>(
        arguments: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let name = name(&mut call);
        let paths = paths(&mut call, name);
        let name = name.unwrap_or_default().to_owned();
        call.finish(NAME, |origin| HostExecutable { name, paths, origin })
    }
}

impl Declaration for HostExecutable {
    fn words(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().chain([&self.name])
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.host_executables.push(self);
    }
}

fn name<'v>(call: &mut Call<'_, 'v>) -> Option<&'v str> {
    let name = call.string(NAME)?;
    if invalid_executable::is_name(name) {
        return Some(name);
    }
    let parameter = call.parameter(NAME);
    let part = call.part(&[parameter]);
    let named = named(call, &part, name).unwrap_or_default();
    call.mistake(invalid_executable::diagnostic(&part.site, name, named));
    None
}

/// The name of the program at the path `given`, in place of that, which is one more of the paths.
fn named(call: &mut Call<'_, '_>, part: &Part, given: &str) -> Option<Vec<Edit>> {
    let name = call.rewritten(part, literal::written(invalid_executable::base_name(given)?))?;
    let listed = ListRef::from_value(call.value(PATHS)?)?.iter().any(|path| path.unpack_str() == Some(given));
    if listed {
        return Some(vec![name]);
    }
    let parameter = call.parameter(PATHS);
    let paths = call.part(&[parameter]);
    let (span, text) = insertion(call.source(), paths.site.span, &literal::written(given))?;
    let path = call.edit(span, text);
    (paths.literal && places::is_absolute(given)).then(|| vec![name, path])
}

/// The paths as written; they are compared with `name` only if that is one.
fn paths(call: &mut Call<'_, '_>, name: Option<&str>) -> Vec<String> {
    let Some(given) = call.list(PATHS) else {
        return Vec::new();
    };
    let parameter = call.parameter(PATHS);
    let mut paths = Vec::with_capacity(given.len());
    for (index, path) in given.iter().enumerate() {
        let step = Step::Item(index);
        let Some(text) = path.unpack_str() else {
            let site = call.part(&[parameter, step]).site;
            call.mistake(invalid_type::item(
                &site,
                "a path of `host_executable`",
                "a string",
                &kind(*path),
                Vec::new(),
            ));
            continue;
        };
        if !places::is_absolute(text) {
            let site = call.part(&[parameter, step]).site;
            call.mistake(invalid_path::relative(&site, text));
            continue;
        }
        let base = places::base_name(text);
        if let Some(name) = name.filter(|name| !base.is_some_and(|base| places::called(base, name, text))) {
            let site = call.part(&[parameter, step]).site;
            call.mistake(invalid_path::other_name(&site, text, base, name));
        }
        paths.push(text.to_owned());
    }
    paths
}
