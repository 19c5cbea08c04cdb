//! One call of a builtin: its arguments, bound by the builtin's own parameters, and what is wrong with them.

use starlark::codemap::FileSpan;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::Value;
use starlark::values::dict::DictRef;
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
const MOST_PARAMETERS: usize = 16;

/// What a builtin is called and takes.
#[derive(Debug)]
pub struct Signature {
    /// Its name.
    pub builtin: &'static str,
    /// Its parameters, in positional order; no more than `MOST_PARAMETERS`.
    pub parameters: &'static [&'static str],
    /// How many of them, from the first, may be given by position.
    pub positional: Positional,
    /// How many of them, from the first, must be given.
    pub required: usize,
}

/// Which arguments a builtin takes without their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positional {
    /// Those of all parameters.
    All,
    /// Those of the first few parameters.
    First(usize),
    /// Any number of what this names; the parameters are given by name.
    Any(&'static str),
}

impl Signature {
    /// The place of the parameter at `index` among the positional ones.
    #[must_use]
    pub const fn position(&self, index: usize) -> Option<usize> {
        match self.positional {
            Positional::All => Some(index),
            Positional::First(most) if index < most => Some(index),
            _ => None,
        }
    }
}

/// A call that is being looked at.
pub(super) struct Call<'a, 'v> {
    signature: &'static Signature,
    recorder: &'a Recorder<'a>,
    location: Option<FileSpan>,
    origin: Origin,
    values: [Option<Value<'v>>; MOST_PARAMETERS],
    /// The arguments without a parameter, where [any number](Positional::Any) is taken.
    others: Vec<Value<'v>>,
    mistakes: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
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
        let mut call = Self::unbound(signature, eval);
        if !call.recorder.flat {
            call.origin.stack = call.recorder.frames(eval.call_stack().into_frames(), 1);
        }
        call.bind(arguments, eval)?;
        Ok(call)
    }

    /// The same of a call that gives a value rather than declares something: how the run came there is only looked at
    /// when [`Call::give`] has a mistake to tell. There are thousands of such calls.
    pub(super) fn giving(
        signature: &'static Signature,
        arguments: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, 'a>,
    ) -> starlark::Result<Self> {
        let mut call = Self::unbound(signature, eval);
        call.bind(arguments, eval)?;
        Ok(call)
    }

    fn unbound(signature: &'static Signature, eval: &Evaluator<'v, '_, 'a>) -> Self {
        debug_assert!(signature.parameters.len() <= MOST_PARAMETERS, "{} has more", signature.builtin);
        let recorder = recorder(eval);
        let location = eval.call_stack_top_location();
        let (file, span) =
            location.as_ref().map_or((recorder.file, Span::default()), |location| recorder.place(location));
        Self {
            signature,
            recorder,
            location,
            origin: Origin { file, span, stack: Vec::new() },
            values: [None; MOST_PARAMETERS],
            others: Vec::new(),
            mistakes: Vec::new(),
            warnings: Vec::new(),
            computed: false,
        }
    }

    fn bind(&mut self, arguments: &Arguments<'v, '_>, eval: &Evaluator<'v, '_, '_>) -> starlark::Result<()> {
        let Signature { builtin, parameters, positional, required } = *self.signature;
        let most = match positional {
            Positional::All => parameters.len(),
            Positional::First(most) => most,
            Positional::Any(_) => 0,
        };
        for (position, value) in arguments.positions(eval.heap())?.enumerate() {
            match self.values.get_mut(position).filter(|_| position < most) {
                Some(slot) => *slot = Some(value),
                None if matches!(positional, Positional::Any(_)) => self.others.push(value),
                None => {
                    let site = self.part(&[Step::Positional(position)]).site;
                    let by_name = most < parameters.len();
                    let named = self.named(parameters, position);
                    self.mistake(invalid_call::too_many(&site, builtin, most, by_name, named));
                    break;
                }
            }
        }
        let named = match arguments.names_map() {
            Ok(named) => named,
            Err(error) => match repeated(&error) {
                Some(name) => {
                    let site = self.part(&[Step::Keyword(&name)]).site;
                    let left_out = self.keyword_left_out(&name);
                    self.mistake(duplicate_argument::diagnostic(&site, builtin, &name, left_out));
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
                    let left_out = self.keyword_left_out(name);
                    self.mistake(duplicate_argument::diagnostic(&site, builtin, name, left_out));
                }
                None => {
                    let site = self.part(&[Step::Keyword(name)]).site;
                    let replaceable = self.text(site.span) == name;
                    let left_out = self.keyword_left_out(name);
                    let mistake = unknown_argument::diagnostic(&site, builtin, name, parameters, replaceable, left_out);
                    self.mistake(mistake);
                }
            }
        }
        if let (Positional::Any(what), true) = (positional, self.others.is_empty()) {
            let site = self.part(&[Step::Callee]).site;
            self.mistake(invalid_call::missing(&site, builtin, &[what]));
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

    /// The arguments without a parameter.
    pub(super) fn others(&self) -> Vec<Value<'v>> {
        self.others.clone()
    }

    /// Whether nothing is wrong so far.
    pub(super) const fn is_sound(&self) -> bool {
        self.mistakes.is_empty()
    }

    /// Whether a value was given for the parameter at `index`.
    pub(super) fn is_given(&self, index: usize) -> bool {
        self.value(index).is_some()
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

    /// The entries of the dict given for the parameter at `index`, in order; any other value is a mistake.
    pub(super) fn dict(&mut self, index: usize) -> Option<Vec<(Value<'v>, Value<'v>)>> {
        self.typed(index, "a dict", |value| DictRef::from_value(value).map(|dict| dict.iter().collect()))
    }

    /// The whole number given for the parameter at `index`, `None` being none; any other value is a mistake. One that is
    /// below `least`, or too large for the table, is told by `complain`.
    pub(super) fn number(
        &mut self,
        index: usize,
        least: u32,
        complain: impl FnOnce(&Site) -> Diagnostic,
    ) -> Option<u32> {
        let value = self.value(index).filter(|value| !value.is_none())?;
        if value.get_type() != "int" {
            self.wrong_type(index, "a number");
            return None;
        }
        let number = value.unpack_i32().and_then(|number| u32::try_from(number).ok()).filter(|it| *it >= least);
        if number.is_none() {
            let site = self.site(index);
            self.mistake(complain(&site));
        }
        number
    }

    /// The string given for the parameter at `index`, `None` being none; any other value is a mistake.
    pub(super) fn optional_string(&mut self, index: usize) -> Option<&'v str> {
        self.value(index).filter(|value| !value.is_none())?;
        self.string(index)
    }

    /// A value that is not `expected` is given for the parameter at `index`.
    pub(super) fn wrong_type(&mut self, index: usize, expected: &str) {
        let _ = self.typed(index, expected, |_| None::<()>);
    }

    fn typed<T>(&mut self, index: usize, expected: &str, unpack: impl FnOnce(Value<'v>) -> Option<T>) -> Option<T> {
        let value = self.value(index)?;
        let unpacked = unpack(value);
        if unpacked.is_none() {
            let parameter = self.parameter(index);
            let part = self.part(&[parameter]);
            let edits = self.retyped(index, &part, value, expected);
            let (builtin, name) = (self.signature.builtin, self.name(index));
            self.mistake(invalid_type::argument(&part.site, builtin, name, expected, &kind(value), edits));
        }
        unpacked
    }

    /// Whether the parameter at `index` must be given.
    pub(super) const fn is_required(&self, index: usize) -> bool {
        index < self.signature.required
    }

    /// The name of the parameter at `index`.
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.signature.parameters.get(index).copied().unwrap_or_default()
    }

    /// The way to the parameter at `index`.
    pub(super) fn parameter(&self, index: usize) -> Step<'static> {
        Step::Parameter { name: self.name(index), position: self.signature.position(index) }
    }

    /// The text that `path` leads to; only asked for when something is wrong with it.
    pub(super) fn part(&mut self, path: &[Step<'_>]) -> Part {
        let located = locate(self.source(), self.origin.span, path);
        self.computed |= !located.literal && matches!(path, [Step::Parameter { .. }, ..]);
        Part { site: Site::within(&self.origin, located.span), literal: located.literal }
    }

    /// Where the parameter at `index` stands.
    pub(super) fn site(&mut self, index: usize) -> Site {
        let parameter = self.parameter(index);
        self.part(&[parameter]).site
    }

    /// Where the name of the parameter at `index` stands.
    pub(super) fn keyword(&mut self, index: usize) -> Site {
        let name = self.name(index);
        self.part(&[Step::Keyword(name)]).site
    }

    /// The call.
    pub(super) const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text of the file that holds the call.
    pub(super) fn source(&self) -> &str {
        self.location.as_ref().map_or("", |location| location.file.source())
    }

    /// The recorder of the run.
    pub(super) const fn recorder(&self) -> &'a Recorder<'a> {
        self.recorder
    }

    /// The bytes `range` of the string `value` that `part` shows, or all of its literal if escapes hide where they are.
    pub(super) fn inside(&self, part: &Part, value: &str, range: std::ops::Range<usize>) -> Site {
        let literal = self.text(part.site.span);
        let quotes = literal.trim_start_matches('r').chars().take_while(|character| matches!(character, '"' | '\''));
        // A string that is empty, or begins or ends with its own kind of quote, is not worth the trouble.
        let start = literal.len() - literal.trim_start_matches('r').len() + quotes.count();
        let shows = part.literal && literal.get(start..).is_some_and(|rest| rest.starts_with(value));
        let span = Span::from(start + range.start..start + range.end);
        let span = if shows && !value.is_empty() { span.shifted(part.site.span.start) } else { part.site.span };
        Site { span, ..part.site.clone() }
    }

    fn text(&self, span: Span) -> &str {
        self.location.as_ref().map_or("", |location| span.of(location.file.source()))
    }

    /// Keeps a warning, which the call survives.
    pub(super) fn warning(&mut self, diagnostic: Diagnostic) {
        self.warnings.push(diagnostic);
    }

    /// Keeps a mistake.
    pub(super) fn mistake(&mut self, diagnostic: Diagnostic) {
        self.mistakes.push(diagnostic);
    }

    /// Ends the call: the declaration that `declare` makes is kept if nothing is wrong with it. Mistakes in what the call's text does not show get a note that shows the parameter at `subject`.
    pub(super) fn finish<D: Declaration>(
        mut self,
        subject: usize,
        declare: impl FnOnce(Origin) -> D,
    ) -> starlark::Result<NoneType> {
        std::mem::take(&mut self.warnings).into_iter().for_each(|warning| self.recorder.mistake(warning));
        if self.mistakes.is_empty() {
            let declared = self.recorder.declare(declare(self.origin));
            return declared.map(|()| NoneType).map_err(starlark::Error::new_other);
        }
        let value = self.value(subject).map(|value| (self.name(subject), value));
        self.give_up(value).map(|()| NoneType)
    }

    /// Ends a call that gives a value rather than declares something; after a mistake the value only lets the run go on.
    pub(super) fn give<T>(mut self, value: T, eval: &Evaluator<'v, '_, 'a>) -> starlark::Result<T> {
        if !self.mistakes.is_empty() {
            self.origin.stack = self.recorder.frames(eval.call_stack().into_frames(), 1);
            let stack = &self.origin.stack;
            let mistakes = std::mem::take(&mut self.mistakes);
            self.mistakes = mistakes.into_iter().map(|mistake| mistake.with_calls(stack)).collect();
            let subject = self.value(0).map(|value| (self.name(0), value));
            self.give_up(subject)?;
        }
        Ok(value)
    }

    /// Hands the mistakes over; `subject` is the parameter that tells one call of many from the others.
    fn give_up(self, subject: Option<(&str, Value<'v>)>) -> starlark::Result<()> {
        let note = subject
            .filter(|_| self.computed || !self.origin.stack.is_empty())
            .map(|(name, value)| format!("the call's `{name}` is `{}`", shown(value)));
        for mut diagnostic in self.mistakes {
            diagnostic.notes.extend(note.clone());
            self.recorder.mistake(diagnostic);
        }
        self.recorder.count_mistake().map_err(starlark::Error::new_other)
    }
}

/// The name of the argument that `error` says is given twice.
fn repeated(error: &starlark::Error) -> Option<String> {
    let text = error.without_diagnostic().to_string();
    let (name, rest) = text.strip_prefix("Argument `")?.split_once('`')?;
    (rest == " occurs more than once").then(|| name.to_owned())
}
