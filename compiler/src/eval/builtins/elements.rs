//! Elements: words, matchers and lists of them, wherever a rule or a program has some.

use starlark::values::Value;
use starlark::values::list::ListRef;

use super::super::call::Call;
use super::super::matcher::MatcherValue;
use super::super::value::kind;
use crate::check::{empty_alternatives, invalid_condition, invalid_element};
use crate::diagnostics::Site;
use crate::rules::{Element, Matcher};
use crate::syntax::Step;

/// Which alternatives an element may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinds {
    /// Words and matchers.
    All,
    /// Words: the rule's are compared under canonical matching.
    Canonical,
    /// Words: those of a program's path.
    Path,
}

/// The elements of a list, `whole` (such as "a pattern"), to which `way` leads. What is no element is left out.
pub(super) fn elements(
    call: &mut Call<'_, '_>,
    way: &[Step<'static>],
    whole: &str,
    given: &[Value<'_>],
    kinds: Kinds,
) -> Vec<Element> {
    let mut elements = Vec::with_capacity(given.len());
    for (index, element) in given.iter().enumerate() {
        if let Some(word) = element.unpack_str() {
            elements.push(Element::of(vec![word.to_owned()]));
        } else if let Some(alternatives) = ListRef::from_value(*element) {
            elements.push(alternatives_of(call, way, index, alternatives.content(), kinds));
        } else if let Some(matcher) = MatcherValue::from_value(*element) {
            let matchers = permitted(call, way, &[index], &matcher.0, kinds);
            elements.push(Element { words: Vec::new(), matchers });
        } else {
            let part = call.part(&steps(way, &[index]));
            let replacement = quotable(*element).filter(|_| part.literal);
            let listed = call.listed(&part);
            let found = kind(*element);
            call.mistake(invalid_element::element(&part.site, whole, &found, replacement.as_deref(), listed));
        }
    }
    elements
}

/// The alternatives of the element at `index`.
fn alternatives_of(
    call: &mut Call<'_, '_>,
    way: &[Step<'static>],
    index: usize,
    alternatives: &[Value<'_>],
    kinds: Kinds,
) -> Element {
    if alternatives.is_empty() {
        let site = site(call, way, &[index]);
        call.mistake(empty_alternatives::diagnostic(&site));
    }
    let mut element = Element::of(Vec::with_capacity(alternatives.len()));
    for (place, alternative) in alternatives.iter().enumerate() {
        if let Some(word) = alternative.unpack_str() {
            element.words.push(word.to_owned());
        } else if let Some(matcher) = MatcherValue::from_value(*alternative) {
            element.matchers.extend(permitted(call, way, &[index, place], &matcher.0, kinds));
        } else {
            let part = call.part(&steps(way, &[index, place]));
            let replacement = quotable(*alternative).filter(|_| part.literal);
            let spliced = call.spliced(&part);
            let found = kind(*alternative);
            call.mistake(invalid_element::alternative(&part.site, &found, replacement.as_deref(), spliced));
        }
    }
    element
}

/// The matcher, unless none may stand there.
fn permitted(
    call: &mut Call<'_, '_>,
    way: &[Step<'static>],
    items: &[usize],
    matcher: &Matcher,
    kinds: Kinds,
) -> Vec<Matcher> {
    let mistake = match kinds {
        Kinds::All => return vec![matcher.clone()],
        Kinds::Canonical => invalid_condition::canonical,
        Kinds::Path => invalid_element::matcher,
    };
    let site = site(call, way, items);
    call.mistake(mistake(&site));
    Vec::new()
}

/// Where the item of items at `items` stands, in the list that `way` leads to.
pub(super) fn site(call: &mut Call<'_, '_>, way: &[Step<'static>], items: &[usize]) -> Site {
    call.part(&steps(way, items)).site
}

/// `way`, and from there to the item of items at `items`.
pub(super) fn steps(way: &[Step<'static>], items: &[usize]) -> Vec<Step<'static>> {
    way.iter().copied().chain(items.iter().map(|&item| Step::Item(item))).collect()
}

/// The word that a number, forgotten to be quoted, was meant to be.
pub(super) fn quotable(value: Value<'_>) -> Option<String> {
    matches!(value.get_type(), "int" | "float").then(|| value.to_repr())
}
