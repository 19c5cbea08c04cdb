//! `prefix_rule`: what is to be done with the commands that begin like this.

use starlark::environment::GlobalsBuilder;
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_module;
use starlark::values::Value;
use starlark::values::list::ListRef;
use starlark::values::none::NoneType;

use super::super::call::{Call, Signature};
use super::super::recorder::Declaration;
use super::super::value::kind;
use super::judgement;
use crate::check::invalid_example::Quoting;
use crate::check::{empty_alternatives, empty_example, empty_pattern, invalid_element, invalid_example};
use crate::rules::{Conditions, Decision, Declarations, Element, Example, PrefixRule};
use crate::syntax::Step;

static SIGNATURE: Signature = Signature {
    builtin: "prefix_rule",
    parameters: &["pattern", "decision", "match", "not_match", "justification", "canonical_matching"],
    required: 1,
};

const PATTERN: usize = 0;
const DECISION: usize = 1;
const MATCH: usize = 2;
const NOT_MATCH: usize = 3;
const JUSTIFICATION: usize = 4;
const CANONICAL_MATCHING: usize = 5;

#[starlark_module]
pub(super) fn register(builder: &mut GlobalsBuilder) {
    /// Says what is to be done with the commands that begin like `pattern`.
    fn prefix_rule<'v>(arguments: &Arguments<'v, '_>, eval: &mut Evaluator<'v, '_, '_>) -> starlark::Result<NoneType> {
        let mut call = Call::new(&SIGNATURE, arguments, eval)?;
        let pattern = pattern(&mut call);
        let decision = judgement::decision(&mut call, DECISION, false).unwrap_or(Decision::Allow);
        let proofs = examples(&mut call, MATCH, "match");
        let counterproofs = examples(&mut call, NOT_MATCH, "not_match");
        let justification = judgement::justification(&mut call, JUSTIFICATION);
        let canonical_matching = call.boolean(CANONICAL_MATCHING).unwrap_or(false);
        call.finish(PATTERN, |origin| PrefixRule {
            pattern,
            decision,
            justification,
            canonical_matching,
            examples: proofs,
            counterexamples: counterproofs,
            conditions: Conditions::default(),
            origin,
        })
    }
}

impl Declaration for PrefixRule {
    fn words(&self) -> impl Iterator<Item = &String> {
        let examples = self.examples.iter().chain(&self.counterexamples);
        let words = self.pattern.iter().flat_map(|element| &element.words);
        words.chain(examples.flat_map(|example| &example.words)).chain(&self.justification)
    }

    fn add_to(self, declarations: &mut Declarations) {
        declarations.prefix_rules.push(self);
    }
}

fn pattern(call: &mut Call<'_, '_>) -> Vec<Element> {
    let Some(elements) = call.list(PATTERN) else {
        return Vec::new();
    };
    let parameter = call.parameter(PATTERN);
    if elements.is_empty() {
        let site = call.part(&[parameter]).site;
        call.mistake(empty_pattern::diagnostic(&site));
    }
    let mut pattern = Vec::with_capacity(elements.len());
    for (index, element) in elements.iter().enumerate() {
        let words = match (element.unpack_str(), ListRef::from_value(*element)) {
            (Some(word), _) => vec![word.to_owned()],
            (None, Some(alternatives)) => words(call, parameter, index, alternatives.content()),
            (None, None) => {
                let part = call.part(&[parameter, Step::Item(index)]);
                let replacement = quotable(*element).filter(|_| part.literal);
                call.mistake(invalid_element::element(&part.site, &kind(*element), replacement.as_deref()));
                continue;
            }
        };
        pattern.push(Element::of(words));
    }
    pattern
}

/// The alternatives of the element at `index`.
fn words(call: &mut Call<'_, '_>, parameter: Step<'_>, index: usize, alternatives: &[Value<'_>]) -> Vec<String> {
    if alternatives.is_empty() {
        let site = call.part(&[parameter, Step::Item(index)]).site;
        call.mistake(empty_alternatives::diagnostic(&site));
    }
    let mut words = Vec::with_capacity(alternatives.len());
    for (place, alternative) in alternatives.iter().enumerate() {
        match alternative.unpack_str() {
            Some(word) => words.push(word.to_owned()),
            None => {
                let part = call.part(&[parameter, Step::Item(index), Step::Item(place)]);
                let replacement = quotable(*alternative).filter(|_| part.literal);
                call.mistake(invalid_element::alternative(&part.site, &kind(*alternative), replacement.as_deref()));
            }
        }
    }
    words
}

/// The word that a number, forgotten to be quoted, was meant to be.
fn quotable(value: Value<'_>) -> Option<String> {
    matches!(value.get_type(), "int" | "float").then(|| value.to_repr())
}

fn examples(call: &mut Call<'_, '_>, index: usize, name: &str) -> Vec<Example> {
    let Some(given) = call.list(index) else {
        return Vec::new();
    };
    let parameter = call.parameter(index);
    let mut examples = Vec::with_capacity(given.len());
    for (place, example) in given.iter().enumerate() {
        let words = match (example.unpack_str(), ListRef::from_value(*example)) {
            (Some(text), _) => split(call, parameter, place, name, text),
            (None, Some(words)) => example_words(call, parameter, place, name, words.content()),
            (None, None) => {
                let site = call.part(&[parameter, Step::Item(place)]).site;
                call.mistake(invalid_example::example(&site, name, &kind(*example)));
                None
            }
        };
        examples.extend(words.map(|words| Example { words }));
    }
    examples
}

/// The words of an example that was written as a string.
fn split(call: &mut Call<'_, '_>, parameter: Step<'_>, place: usize, name: &str, text: &str) -> Option<Vec<String>> {
    let words = shlex::split(text);
    match &words {
        Some(words) if !words.is_empty() => {}
        Some(_) => {
            let site = call.part(&[parameter, Step::Item(place)]).site;
            call.mistake(empty_example::diagnostic(&site, name, true));
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
        let site = call.part(&[parameter, Step::Item(place)]).site;
        call.mistake(empty_example::diagnostic(&site, name, false));
    }
    let mut words = Vec::with_capacity(given.len());
    for (index, word) in given.iter().enumerate() {
        match word.unpack_str() {
            Some(word) => words.push(word.to_owned()),
            None => {
                let site = call.part(&[parameter, Step::Item(place), Step::Item(index)]).site;
                call.mistake(invalid_example::word(&site, name, &kind(*word)));
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
