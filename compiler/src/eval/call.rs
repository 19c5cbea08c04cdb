//! One call of a builtin: its arguments, bound by the builtin's own parameters, and what is wrong with them.

use starlark::codemap::FileSpan;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::Value;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::handle::recorder;
use super::recorder::{Declaration, Recorder};
use super::value::{kind, shown};
use crate::check::{duplicate_argument, invalid_call, invalid_type, unknown_argument};
use crate::diagnostics::{Diagnostic, Site};
use crate::rules::Origin;
use crate::source::Span;
use crate::syntax::{Step, locate};

/// The most parameters that a builtin has.
const MOST_PARAMETERS: usize = 6;

/// What a builtin is called and takes.
pub(super) struct Signature {
    /// Its name.
    pub(super) builtin: &'static str,
    /// Its parameters, in positional order; no more than [`MOST_PARAMETERS`].
    pub(super) parameters: &'static [&'static str],
    /// How many of them, from the first, must be given.
    pub(super) required: usize,
}

/// A call that is being looked at.
pub(super) struct Call<'a, 'v> {
    signature: &'static Signature,
    recorder: &'a Recorder<'a>,
    location: Option<FileSpan>,
    origin: Origin,
    values: [Option<Value<'v>>; MOST_PARAMETERS],
    mistakes: Vec<Diagnostic>,
    /// Whether a mistake stands in an argument's value that the call's own text does not show.
    computed: bool,
}

/// A part of a call's text.
pub(super) struct Part {
    /// Where it stands.
    pub(super) site: Site,
    /// Whether a literal stands there, so that the text shows the value.
    pub(super) literal: bool,
}

impl<'a, 'v> Call<'a, 'v> {
    /// Binds the arguments of the call that is being made. Mistakes in them are kept for [`Call::finish`]; an error is only what
    /// Starlark itself finds wrong with the arguments.
    pub(super) fn new(
        signature: &'static Signature,
        arguments: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, 'a>,
    ) -> starlark::Result<Self> {
        let recorder = recorder(eval);
        let location = eval.call_stack_top_location();
        let (file, span) =
            location.as_ref().map_or((recorder.file, Span::default()), |location| recorder.place(location));
        let stack = if recorder.flat { Vec::new() } else { recorder.frames(eval.call_stack().into_frames(), 1) };
        let mut call = Self {
            signature,
            recorder,
            location,
            origin: Origin { file, span, stack },
            values: [None; MOST_PARAMETERS],
            mistakes: Vec::new(),
            computed: false,
        };
        call.bind(arguments, eval)?;
        Ok(call)
    }

    fn bind(&mut self, arguments: &Arguments<'v, '_>, eval: &Evaluator<'v, '_, '_>) -> starlark::Result<()> {
        let Signature { builtin, parameters, required } = *self.signature;
        for (position, value) in arguments.positions(eval.heap())?.enumerate() {
            match self.values.get_mut(position).filter(|_| position < parameters.len()) {
                Some(slot) => *slot = Some(value),
                None => {
                    let site = self.part(&[Step::Positional(position)]).site;
                    self.mistake(invalid_call::too_many(&site, builtin, parameters.len()));
                    break;
                }
            }
        }
        let named = match arguments.names_map() {
            Ok(named) => named,
            Err(error) => match repeated(&error) {
                Some(name) => {
                    let site = self.part(&[Step::Keyword(&name)]).site;
                    self.mistake(duplicate_argument::diagnostic(&site, builtin, &name));
                    return Ok(());
                }
                None => return Err(error),
            },
        };
        for (name, value) in named {
            let name = name.as_str();
            let position = parameters.iter().position(|parameter| *parameter == name);
            match position.and_then(|position| self.values.get_mut(position)) {
                Some(slot @ None) => *slot = Some(value),
                Some(Some(_)) => {
                    let site = self.part(&[Step::Keyword(name)]).site;
                    self.mistake(duplicate_argument::diagnostic(&site, builtin, name));
                }
                None => {
                    let site = self.part(&[Step::Keyword(name)]).site;
                    let replaceable = self.text(site.span) == name;
                    self.mistake(unknown_argument::diagnostic(&site, builtin, name, parameters, replaceable));
                }
            }
        }
        let missing: Vec<&str> = parameters
            .iter()
            .zip(self.values)
            .take(required)
            .filter(|(_, value)| value.is_none())
            .map(|(parameter, _)| *parameter)
            .collect();
        if !missing.is_empty() {
            let site = self.part(&[Step::Callee]).site;
            self.mistake(invalid_call::missing(&site, builtin, &missing));
        }
        Ok(())
    }

    /// The value of the parameter at `index`, if it was given.
    pub(super) fn value(&self, index: usize) -> Option<Value<'v>> {
        self.values.get(index).copied().flatten()
    }

    /// The string given for the parameter at `index`; any other value is a mistake.
    pub(super) fn string(&mut self, index: usize) -> Option<&'v str> {
        self.typed(index, "a string", Value::unpack_str)
    }

    /// The boolean given for the parameter at `index`; any other value is a mistake.
    pub(super) fn boolean(&mut self, index: usize) -> Option<bool> {
        self.typed(index, "a boolean", Value::unpack_bool)
    }

    /// The list given for the parameter at `index`; any other value is a mistake.
    pub(super) fn list(&mut self, index: usize) -> Option<&'v [Value<'v>]> {
        self.typed(index, "a list", |value| ListRef::from_value(value).map(|list| list.content()))
    }

    fn typed<T>(&mut self, index: usize, expected: &str, unpack: impl FnOnce(Value<'v>) -> Option<T>) -> Option<T> {
        let value = self.value(index)?;
        let unpacked = unpack(value);
        if unpacked.is_none() {
            let parameter = self.parameter(index);
            let site = self.part(&[parameter]).site;
            let Step::Parameter { name, .. } = parameter else {
                return None;
            };
            let builtin = self.signature.builtin;
            self.mistake(invalid_type::argument(&site, builtin, name, expected, &kind(value)));
        }
        unpacked
    }

    /// The way to the parameter at `index`.
    pub(super) fn parameter(&self, index: usize) -> Step<'static> {
        Step::Parameter { name: self.signature.parameters.get(index).copied().unwrap_or_default(), position: index }
    }

    /// The text that `path` leads to; only asked for when something is wrong with it.
    pub(super) fn part(&mut self, path: &[Step<'_>]) -> Part {
        let source = self.location.as_ref().map_or("", |location| location.file.source());
        let located = locate(source, self.origin.span, path);
        self.computed |= !located.literal && matches!(path, [Step::Parameter { .. }, ..]);
        Part { site: Site::within(&self.origin, located.span), literal: located.literal }
    }

    fn text(&self, span: Span) -> &str {
        self.location.as_ref().map_or("", |location| span.of(location.file.source()))
    }

    /// Keeps a mistake.
    pub(super) fn mistake(&mut self, diagnostic: Diagnostic) {
        self.mistakes.push(diagnostic);
    }

    /// Ends the call: the declaration that `declare` makes is kept if nothing is wrong with it. Mistakes in what the call's text does not show get a note that shows the parameter at `subject`.
    pub(super) fn finish<D: Declaration>(
        self,
        subject: usize,
        declare: impl FnOnce(Origin) -> D,
    ) -> starlark::Result<NoneType> {
        if self.mistakes.is_empty() {
            let declared = self.recorder.declare(declare(self.origin));
            return declared.map(|()| NoneType).map_err(starlark::Error::new_other);
        }
        let note = self.value(subject).filter(|_| self.computed || !self.origin.stack.is_empty()).map(|value| {
            let name = self.signature.parameters.get(subject).copied().unwrap_or_default();
            format!("the call's `{name}` is `{}`", shown(value))
        });
        for mut diagnostic in self.mistakes {
            diagnostic.notes.extend(note.clone());
            self.recorder.mistake(diagnostic);
        }
        self.recorder.count_mistake().map(|()| NoneType).map_err(starlark::Error::new_other)
    }
}

/// The name of the argument that `error` says is given twice.
fn repeated(error: &starlark::Error) -> Option<String> {
    let text = error.without_diagnostic().to_string();
    let (name, rest) = text.strip_prefix("Argument `")?.split_once('`')?;
    (rest == " occurs more than once").then(|| name.to_owned())
}
