//! `program`: how the words of a program, or of one of its subcommands, are to be read.

use std::collections::HashMap;

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::option::OptionValue;
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::elements::{Kinds, elements, steps};
use super::kinds::{self, OPERANDS, STDINS};
use super::places;
use super::strings::strings;
use crate::check::{duplicate_option, duplicate_program, empty_pattern, invalid_path, invalid_program, invalid_type};
use crate::diagnostics::Site;
use crate::rules::{Declarations, Element, Harmless, Operands, Program, ProgramOption};
use crate::syntax::{Step, locate};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "program",
    parameters: &[
        "path",
        "options",
        "operands",
        "skip",
        "joined",
        "assignments",
        "harmless",
        "extends",
        "placeholder",
        "stdin",
        "posix",
        "paths",
        "moves",
        "letters",
        "hyphenated",
        "inherit",
    ],
    positional: Positional::First(1),
    required: 1,
};

const PATH: usize = 0;
const OPTIONS: usize = 1;
const OPERANDS_: usize = 2;
const SKIP: usize = 3;
const JOINED: usize = 4;
const ASSIGNMENTS: usize = 5;
const HARMLESS: usize = 6;
const EXTENDS: usize = 7;
const PLACEHOLDER: usize = 8;
const STDIN: usize = 9;
const POSIX: usize = 10;
const PATHS: usize = 11;
const MOVES: usize = 12;
const LETTERS: usize = 13;
const HYPHENATED: usize = 14;
const INHERIT: usize = 15;

/// For how many programs one path may stand.
const MOST_PROGRAMS: usize = 1_000;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says how the words of the program at `path` are to be read.
    fn program<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let path = path(&mut call);
        let options = options(&mut call);
        let given = kinds::kind(&mut call, OPERANDS_, &OPERANDS).unwrap_or_default();
        let operands = match (given, call.boolean(JOINED)) {
            (Operands::Joined(text), Some(false)) => Operands::First(text),
            (operands, _) => operands,
        };
        let program = Program {
            operands,
            skip: skip(&mut call),
            assignments: call.boolean(ASSIGNMENTS).unwrap_or(false),
            harmless: call.boolean(HARMLESS).unwrap_or(false),
            extends: call.boolean(EXTENDS).unwrap_or(false),
            moves: call.boolean(MOVES).unwrap_or(false),
            letters: call.boolean(LETTERS).unwrap_or(false),
            hyphenated: call.boolean(HYPHENATED).unwrap_or(false),
            placeholder: placeholder(&mut call),
            stdin: kinds::kind(&mut call, STDIN, &STDINS),
            posix: call.boolean(POSIX).unwrap_or(true),
            paths: paths(&mut call, &path),
            inherit: call.boolean(INHERIT).unwrap_or(false),
            path,
            options,
            origin: call.origin().clone(),
        };
        if call.is_sound() {
            contradictions(&mut call, &program);
            known(&mut call, &program.path);
        }
        call.finish(PATH, |_| program)
    }
}

impl Declaration for Program {
    fn words(&self) -> impl Iterator<Item = &String> {
        let options = self.options.iter().flat_map(|option| {
            let ends = match &option.value {
                crate::rules::OptionValue::Until(ends) => ends.as_slice(),
                _ => &[],
            };
            let values = match &option.harmless {
                Harmless::Values(values) => values.as_slice(),
                _ => &[],
            };
            option.names.iter().chain(ends).chain(values)
        });
        self.path.iter().flat_map(|element| &element.words).chain(options).chain(&self.placeholder).chain(&self.paths)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.programs.push(self);
    }
}

/// The path: one word, or elements of plain words.
fn path(call: &mut Call<'_, '_>) -> Vec<Element> {
    let Some(value) = call.value(PATH) else { return Vec::new() };
    if let Some(word) = value.unpack_str() {
        return vec![Element::of(vec![word.to_owned()])];
    }
    let Some(given) = ListRef::from_value(value) else {
        call.wrong_type(PATH, "a string or a list");
        return Vec::new();
    };
    if given.is_empty() {
        let site = call.site(PATH);
        call.mistake(empty_pattern::program(&site));
    }
    let parameter = call.parameter(PATH);
    elements(call, &[parameter], "a path", given.content(), Kinds::Path)
}

/// The options, each name of which is declared once.
fn options(call: &mut Call<'_, '_>) -> Vec<ProgramOption> {
    let given = call.list(OPTIONS).unwrap_or_default();
    let parameter = call.parameter(OPTIONS);
    let mut options = Vec::with_capacity(given.len());
    let mut places: HashMap<&str, (usize, usize)> = HashMap::new();
    for (index, item) in given.iter().enumerate() {
        let Some(OptionValue(option)) = OptionValue::from_value(*item) else {
            let part = call.part(&steps(&[parameter], &[index]));
            let string = item.unpack_str().is_some();
            let edits = if string { call.enclosed(&part, "option(", ")") } else { Vec::new() };
            call.mistake(invalid_type::item(&part.site, "an item of `options`", "an option", &kind(*item), edits));
            continue;
        };
        for (place, name) in option.names.iter().enumerate() {
            if let Some(first) = places.get(name.as_str()).copied() {
                let again = name_site(call, parameter, (index, place));
                let same = first.0 == index;
                let first = name_site(call, parameter, first);
                let dropped = if same { call.taken_out(&again) } else { None };
                call.mistake(duplicate_option::diagnostic(&again, name, (first.file, first.span), dropped));
            } else {
                places.insert(name, (index, place));
            }
        }
        options.push(option.clone());
    }
    options
}

/// Where a name of an option stands, if the option is written where it is used.
fn name_site(call: &mut Call<'_, '_>, parameter: Step<'static>, (option, name): (usize, usize)) -> Site {
    let site = call.part(&steps(&[parameter], &[option])).site;
    let named = locate(call.source(), site.span, &[Step::Positional(name)]);
    Site { span: if named.literal { named.span } else { site.span }, ..site }
}

fn skip(call: &mut Call<'_, '_>) -> u32 {
    let Some(value) = call.value(SKIP) else { return 0 };
    if value.get_type() != "int" {
        call.wrong_type(SKIP, "a number");
        return 0;
    }
    let skip = value.unpack_i32().and_then(|skip| u32::try_from(skip).ok());
    if skip.is_none() {
        let site = call.site(SKIP);
        call.mistake(invalid_program::skip(&site));
    }
    skip.unwrap_or_default()
}

fn placeholder(call: &mut Call<'_, '_>) -> Option<String> {
    if call.value(PLACEHOLDER).is_some_and(|value| value.is_none()) {
        return None;
    }
    let given = call.string(PLACEHOLDER)?;
    if given.is_empty() {
        let site = call.site(PLACEHOLDER);
        let left_out = call.left_out(PLACEHOLDER);
        call.mistake(invalid_program::placeholder(&site, left_out));
    }
    Some(given.to_owned())
}

/// The absolute paths, each of which ends in a word that the program is called.
fn paths(call: &mut Call<'_, '_>, path: &[Element]) -> Vec<String> {
    let given = call.list(PATHS).unwrap_or_default();
    let names = path.first().map(|first| first.words.clone()).unwrap_or_default();
    let check = |path: &str| match places::base_name(path).filter(|_| places::is_absolute(path)) {
        None => Err(None),
        Some(base) if names.is_empty() || names.iter().any(|name| places::called(base, name, path)) => Ok(()),
        Some(base) => Err(Some(base.to_owned())),
    };
    strings(call, PATHS, given, ("a path of `paths`", false), check, |_, part, path, base| match base {
        None => invalid_path::relative(&part.site, path),
        Some(base) => invalid_path::other_program(&part.site, path, &base, &names),
    })
}

fn contradictions(call: &mut Call<'_, '_>, program: &Program) {
    if program.inherit {
        let inherited = [
            OPERANDS_,
            SKIP,
            JOINED,
            ASSIGNMENTS,
            HARMLESS,
            EXTENDS,
            PLACEHOLDER,
            STDIN,
            POSIX,
            MOVES,
            LETTERS,
            HYPHENATED,
        ];
        for index in inherited.into_iter().filter(|index| call.is_given(*index)).collect::<Vec<_>>() {
            let site = call.keyword(index);
            call.mistake(invalid_program::inherited(&site, call.name(index)));
        }
        return;
    }
    let operands_run = matches!(program.operands, Operands::Command | Operands::Joined(_) | Operands::First(_));
    let runs = operands_run || program.options.iter().any(|option| option.runs.is_some());
    let text = matches!(program.operands, Operands::Joined(_) | Operands::First(_));
    let contradictions = [
        (program.skip > 0 && program.operands == Operands::Data && !runs, SKIP),
        (call.is_given(JOINED) && !text, JOINED),
        (program.assignments && !operands_run && program.operands != Operands::Code, ASSIGNMENTS),
        (program.extends && !runs, EXTENDS),
        (program.letters && program.options.is_empty(), LETTERS),
        (program.placeholder.is_some() && !runs, PLACEHOLDER),
    ];
    for (_, index) in contradictions.into_iter().filter(|(holds, _)| *holds) {
        let site = call.keyword(index);
        let left_out = call.left_out(index);
        call.mistake(invalid_program::nothing_runs(&site, call.name(index), left_out));
    }
    if program.moves && program.operands != Operands::Data {
        let site = call.keyword(MOVES);
        call.mistake(invalid_program::moves(&site));
    }
}

/// Remembers the programs that `path` stands for, of which the file has declared none before.
fn known(call: &mut Call<'_, '_>, path: &[Element]) {
    let count = path.iter().try_fold(1_usize, |count, element| count.checked_mul(element.words.len()));
    if count.is_none_or(|count| count > MOST_PROGRAMS) {
        let site = call.site(PATH);
        call.mistake(invalid_program::too_many(&site, MOST_PROGRAMS));
        return;
    }
    let mut programs: Vec<Vec<&str>> = vec![Vec::new()];
    for element in path {
        programs = programs
            .iter()
            .flat_map(|program| element.words.iter().map(|word| [program.as_slice(), &[word.as_str()]].concat()))
            .collect();
    }
    let recorder = call.recorder();
    let place = (call.origin().file, call.origin().span);
    for program in programs {
        if let Some(first) = recorder.program(&program, place) {
            let site = call.site(PATH);
            let same = first.0 == place.0 && first.1.of(call.source()) == place.1.of(call.source());
            let gone = if same { call.gone() } else { None };
            call.mistake(duplicate_program::diagnostic(&site, &program.join(" "), first, gone));
            return;
        }
    }
}
