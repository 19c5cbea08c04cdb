//! `prefix_rule`: what is to be done with the commands that begin like this.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Positional, Signature};
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::conditions::conditions;
use super::elements::{Kinds, elements, quotable};
use super::judgement;
use crate::check::invalid_example::Quoting;
use crate::check::{empty_example, empty_pattern, evadable_example, invalid_example};
use crate::rules::{Conditions, Decision, Declarations, Element, Example, PrefixRule};
use crate::syntax::{Step, literal};

pub(super) static SIGNATURE: Signature = Signature {
    builtin: "prefix_rule",
    parameters: &[
        "pattern",
        "decision",
        "match",
        "not_match",
        "justification",
        "canonical_matching",
        "exact",
        "having",
        "without",
        "unless",
        "env",
        "writes",
    ],
    positional: Positional::First(6),
    required: 1,
};

pub(super) const PATTERN: usize = 0;
pub(super) const DECISION: usize = 1;
const MATCH: usize = 2;
const NOT_MATCH: usize = 3;
const JUSTIFICATION: usize = 4;
const CANONICAL_MATCHING: usize = 5;
pub(super) const EXACT: usize = 6;
pub(super) const HAVING: usize = 7;
pub(super) const WITHOUT: usize = 8;
pub(super) const UNLESS: usize = 9;
pub(super) const ENV: usize = 10;
pub(super) const WRITES: usize = 11;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what is to be done with the commands that begin like `pattern`.
    fn prefix_rule<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let canonical_matching = call.boolean(CANONICAL_MATCHING).unwrap_or(false);
        let kinds = if canonical_matching { Kinds::Canonical } else { Kinds::All };
        let pattern = pattern(&mut call, kinds);
        let decision = judgement::decision(&mut call, DECISION, false).unwrap_or(Decision::Allow);
        let proofs = examples(&mut call, MATCH, &pattern);
        let counterproofs = examples(&mut call, NOT_MATCH, &pattern);
        let justification = judgement::justification(&mut call, JUSTIFICATION);
        let conditions = conditions(&mut call, &pattern, decision, kinds);
        call.finish(PATTERN, |origin| PrefixRule {
            pattern,
            decision,
            justification,
            canonical_matching,
            examples: proofs,
            counterexamples: counterproofs,
            conditions,
            origin,
        })
    }
}

impl Declaration for PrefixRule {
    fn words(&self) -> impl Iterator<Item = &String> {
        let Conditions { having, without, unless, env, writes, exact: _ } = &self.conditions;
        let examples = self.examples.iter().chain(&self.counterexamples);
        let elements = self.pattern.iter().chain(having).chain(without).chain(unless.iter().flatten());
        let words = elements.flat_map(Element::texts).chain(env).chain(writes);
        words.chain(examples.flat_map(|example| &example.words)).chain(&self.justification)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.prefix_rules.push(self);
    }
}

fn pattern(call: &mut Call<'_, '_>, kinds: Kinds) -> Vec<Element> {
    let Some(given) = call.list(PATTERN) else {
        return Vec::new();
    };
    if given.is_empty() {
        let site = call.site(PATTERN);
        call.mistake(empty_pattern::diagnostic(&site));
    }
    let parameter = call.parameter(PATTERN);
    elements(call, &[parameter], "a pattern", given, kinds)
}

fn examples(call: &mut Call<'_, '_>, index: usize, pattern: &[Element]) -> Vec<Example> {
    let name = call.name(index);
    let Some(given) = call.list(index) else {
        return Vec::new();
    };
    let parameter = call.parameter(index);
    let mut examples = Vec::with_capacity(given.len());
    for (place, example) in given.iter().enumerate() {
        let words = match (example.unpack_str(), ListRef::from_value(*example)) {
            (Some(text), _) => split(call, parameter, place, text, pattern),
            (None, Some(words)) => example_words(call, parameter, place, name, words.content()),
            (None, None) => {
                let part = call.part(&[parameter, Step::Item(place)]);
                let listed = call.listed(&part);
                call.mistake(invalid_example::example(&part.site, name, &kind(*example), listed));
                None
            }
        };
        examples.extend(words.map(|words| Example { words }));
    }
    examples
}

/// The words of an example that was written as a string.
fn split(
    call: &mut Call<'_, '_>,
    parameter: Step<'_>,
    place: usize,
    text: &str,
    pattern: &[Element],
) -> Option<Vec<String>> {
    let Step::Parameter { name, .. } = parameter else { return None };
    let words = shlex::split(text);
    match &words {
        Some(words) if !words.is_empty() => {
            // Whoever has operators in the pattern means them as words.
            let meant = |operator: &str| pattern.iter().flat_map(|it| &it.words).any(|word| word.contains(operator));
            if let Some(operator) = evadable_example::operator(text).filter(|operator| !meant(operator)) {
                let part = call.part(&[parameter, Step::Item(place)]);
                let words: Vec<String> = words.iter().map(|word| literal::written(word)).collect();
                let listed = call.rewritten(&part, format!("[{}]", words.join(", ")));
                call.warning(evadable_example::diagnostic(&part.site, name, operator, listed));
            }
        }
        Some(_) => {
            let part = call.part(&[parameter, Step::Item(place)]);
            let dropped = call.dropped(&part);
            call.mistake(empty_example::diagnostic(&part.site, name, true, dropped));
        }
        None => {
            let site = call.part(&[parameter, Step::Item(place)]).site;
            call.mistake(invalid_example::quoting(&site, name, quoting(text)));
        }
    }
    words
}

/// Why `text` cannot be split: what is open at its end.
fn quoting(text: &str) -> Quoting {
    let mut open = None;
    let mut comment = false;
    let mut word = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (open, character) {
            _ if comment => comment = character != '\n',
            (None, '#') if !word => comment = true,
            (None | Some('"'), '\\') if characters.next().is_none() => return Quoting::Backslash,
            (None, '\'' | '"') => open = Some(character),
            (Some(quote), _) if quote == character => open = None,
            _ => {}
        }
        word = open.is_some() || !matches!(character, ' ' | '\t' | '\n');
    }
    open.map_or(Quoting::Backslash, Quoting::Unclosed)
}

/// The words of an example that was written as a list.
fn example_words(
    call: &mut Call<'_, '_>,
    parameter: Step<'_>,
    place: usize,
    name: &str,
    given: &[Value<'_>],
) -> Option<Vec<String>> {
    if given.is_empty() {
        let part = call.part(&[parameter, Step::Item(place)]);
        let dropped = call.dropped(&part);
        call.mistake(empty_example::diagnostic(&part.site, name, false, dropped));
    }
    let mut words = Vec::with_capacity(given.len());
    for (index, word) in given.iter().enumerate() {
        match word.unpack_str() {
            Some(word) => words.push(word.to_owned()),
            None => {
                let part = call.part(&[parameter, Step::Item(place), Step::Item(index)]);
                let quoted = quotable(*word).and_then(|word| call.rewritten(&part, literal::written(&word)));
                call.mistake(invalid_example::word(&part.site, name, &kind(*word), quoted));
            }
        }
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::quoting;
    use crate::check::invalid_example::Quoting;

    #[test]
    fn what_is_open_at_the_end_is_named() {
        let cases = [
            ("git 'a", Quoting::Unclosed('\'')),
            ("git \"it's", Quoting::Unclosed('"')),
            ("git # don't\n\"x", Quoting::Unclosed('"')),
            ("a#'b", Quoting::Unclosed('\'')),
            ("git \\", Quoting::Backslash),
        ];
        for (text, expected) in cases {
            assert_eq!(quoting(text), expected, "{text}");
            assert_eq!(shlex::split(text), None, "{text}");
        }
    }
}
