//! Elements: words, matchers and lists of them, wherever a rule or a program has some.

use starlark::values::Value;
use starlark::values::list::ListRef;

use super::super::call::Call;
use super::super::matcher::MatcherValue;
use super::super::value::kind;
use crate::check::{empty_alternatives, invalid_condition, invalid_element, invalid_tool};
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
    /// Words, and matchers other than of paths: names of tools.
    Tools,
    /// Words and matchers, numbers, booleans and `None` standing for how JSON writes them.
    Values,
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
    for (index, value) in given.iter().enumerate() {
        elements.extend(element(call, &|| steps(way, &[index]), whole, *value, kinds));
    }
    elements
}

/// The way to a part of the call: only followed when something is wrong with it.
pub(super) type Way<'a> = &'a dyn Fn() -> Vec<Step<'static>>;

/// The element `value` of `whole`, to which `way` leads; nothing if it is none.
pub(super) fn element(
    call: &mut Call<'_, '_>,
    way: Way<'_>,
    whole: &str,
    value: Value<'_>,
    kinds: Kinds,
) -> Option<Element> {
    if let Some(word) = word(value, kinds) {
        Some(Element::of(vec![word]))
    } else if let Some(alternatives) = ListRef::from_value(value) {
        Some(alternatives_of(call, way, alternatives.content(), kinds))
    } else if let Some(matcher) = MatcherValue::from_value(value) {
        let matchers = permitted(call, way, &matcher.0, kinds);
        Some(Element { words: Vec::new(), matchers })
    } else {
        let part = call.part(&way());
        let replacement = quotable(value).filter(|_| part.literal);
        let listed = call.listed(&part);
        call.mistake(invalid_element::element(&part.site, whole, &kind(value), replacement.as_deref(), listed));
        None
    }
}

/// The alternatives of the element that `way` leads to.
fn alternatives_of(call: &mut Call<'_, '_>, way: Way<'_>, alternatives: &[Value<'_>], kinds: Kinds) -> Element {
    if alternatives.is_empty() {
        let site = call.part(&way()).site;
        call.mistake(empty_alternatives::diagnostic(&site));
    }
    let mut element = Element::of(Vec::with_capacity(alternatives.len()));
    for (place, alternative) in alternatives.iter().enumerate() {
        let way = || steps(&way(), &[place]);
        if let Some(word) = word(*alternative, kinds) {
            element.words.push(word);
        } else if let Some(matcher) = MatcherValue::from_value(*alternative) {
            element.matchers.extend(permitted(call, &way, &matcher.0, kinds));
        } else {
            let part = call.part(&way());
            let replacement = quotable(*alternative).filter(|_| part.literal);
            let spliced = call.spliced(&part);
            let found = kind(*alternative);
            call.mistake(invalid_element::alternative(&part.site, &found, replacement.as_deref(), spliced));
        }
    }
    element
}

/// The word that a value is.
fn word(value: Value<'_>, kinds: Kinds) -> Option<String> {
    if let Some(word) = value.unpack_str() {
        return Some(word.to_owned());
    }
    match value.get_type() {
        "int" | "bool" | "NoneType" if kinds == Kinds::Values => value.to_json().ok(),
        _ => None,
    }
}

/// The matcher, unless none may stand there.
fn permitted(call: &mut Call<'_, '_>, way: Way<'_>, matcher: &Matcher, kinds: Kinds) -> Vec<Matcher> {
    let mistake = match (kinds, matcher) {
        (Kinds::All | Kinds::Values, _) | (Kinds::Tools, Matcher::AnyWord | Matcher::Glob(_)) => {
            return vec![matcher.clone()];
        }
        (Kinds::Canonical, _) => invalid_condition::canonical,
        (Kinds::Path, _) => invalid_element::matcher,
        (Kinds::Tools, Matcher::Path(_)) => invalid_tool::path,
    };
    let site = call.part(&way()).site;
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
