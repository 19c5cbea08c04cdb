//! The keywords of `prefix_rule` beyond the reference dialect: what else a command must satisfy.

use std::collections::HashSet;

use starlark::values::list::ListRef;

use super::super::call::Call;
use super::super::value::kind;
use super::elements::{Kinds, elements, site, steps};
use super::prefix_rule::{DECISION, ENV, EXACT, HAVING, UNLESS, WITHOUT, WRITES};
use super::strings::{paths, variables};
use crate::check::failing_example::pattern as shown;
use crate::check::{empty_pattern, invalid_condition, invalid_type};
use crate::rules::{Conditions, Decision, Element};

/// The conditions of a rule with this `pattern` and `decision`.
pub(super) fn conditions(call: &mut Call<'_, '_>, pattern: &[Element], decision: Decision, kinds: Kinds) -> Conditions {
    if (EXACT..=WRITES).all(|index| !call.is_given(index)) {
        return Conditions::default();
    }
    for index in (EXACT..=WRITES).filter(|index| call.is_given(*index)) {
        call.recorder().extended(call.origin(), call.name(index));
    }
    let conditions = Conditions {
        exact: call.boolean(EXACT).unwrap_or(false),
        having: groups(call, HAVING, kinds),
        without: groups(call, WITHOUT, kinds),
        unless: exceptions(call, kinds),
        env: variables(call, ENV, "a name of `env`", false),
        writes: paths(call, WRITES, "a pattern of `writes`"),
    };
    for index in [ENV, WRITES] {
        if decision != Decision::Allow && call.is_given(index) {
            let site = call.keyword(index);
            // Another call of the same function may allow.
            let left_out = if call.shows(DECISION) { call.left_out(index) } else { None };
            call.mistake(invalid_condition::restrictive(&site, call.name(index), decision, left_out));
        }
    }
    for (index, groups) in [(HAVING, &conditions.having), (WITHOUT, &conditions.without)] {
        if conditions.exact && !groups.is_empty() {
            let site = call.keyword(index);
            let without_exact = call.left_out(EXACT);
            call.mistake(invalid_condition::exact(&site, call.name(index), call.left_out(index), without_exact));
        }
    }
    if call.is_sound() {
        contradictions(call, &conditions);
        if kinds == Kinds::All {
            idle_exceptions(call, pattern, &conditions);
        }
    }
    conditions
}

/// The elements given for the parameter at `index`.
fn groups(call: &mut Call<'_, '_>, index: usize, kinds: Kinds) -> Vec<Element> {
    let given = call.list(index).unwrap_or_default();
    let parameter = call.parameter(index);
    elements(call, &[parameter], &format!("`{}`", call.name(index)), given, kinds)
}

/// The patterns given for `unless`; a mistaken one is there as well, so that places stay what they are.
fn exceptions(call: &mut Call<'_, '_>, kinds: Kinds) -> Vec<Vec<Element>> {
    let given = call.list(UNLESS).unwrap_or_default();
    let way = [call.parameter(UNLESS)];
    let mut patterns = Vec::with_capacity(given.len());
    for (index, pattern) in given.iter().enumerate() {
        patterns.push(match ListRef::from_value(*pattern) {
            Some(list) => {
                if list.is_empty() {
                    let site = site(call, &way, &[index]);
                    call.mistake(empty_pattern::exception(&site));
                }
                elements(call, &steps(&way, &[index]), "a pattern", list.content(), kinds)
            }
            None => {
                let part = call.part(&steps(&way, &[index]));
                let edits = match call.listed(&part) {
                    listed if listed.is_empty() && given.iter().all(|word| word.unpack_str().is_some()) => {
                        let whole = call.part(&way);
                        call.enclosed(&whole, "[", "]")
                    }
                    listed => listed,
                };
                let found = kind(*pattern);
                call.mistake(invalid_type::item(&part.site, "a pattern of `unless`", "a list", &found, edits));
                Vec::new()
            }
        });
    }
    patterns
}

/// A word that must not occur is the only one that a group of `having` has to offer.
fn contradictions(call: &mut Call<'_, '_>, conditions: &Conditions) {
    let wanted: HashSet<String> =
        conditions.having.iter().filter(|group| group.len() == 1).map(Element::to_string).collect();
    if wanted.is_empty() {
        return;
    }
    let way = [call.parameter(WITHOUT)];
    for (index, group) in conditions.without.iter().enumerate() {
        let words = group.words.iter().map(|word| Element::of(vec![word.clone()]));
        let matchers =
            group.matchers.iter().map(|matcher| Element { words: Vec::new(), matchers: vec![matcher.clone()] });
        let shown = words.chain(matchers).map(|one| one.to_string());
        for (place, shown) in shown.enumerate().filter(|(_, shown)| wanted.contains(shown)).collect::<Vec<_>>() {
            let items: &[usize] = if group.len() == 1 { &[index] } else { &[index, place] };
            let part = call.part(&steps(&way, items));
            let dropped = call.dropped(&part);
            call.mistake(invalid_condition::contradiction(&part.site, &format!("`{shown}`"), dropped));
        }
    }
}

/// Exceptions that except nothing, or everything.
fn idle_exceptions(call: &mut Call<'_, '_>, pattern: &[Element], conditions: &Conditions) {
    let way = [call.parameter(UNLESS)];
    for (index, exception) in conditions.unless.iter().enumerate() {
        let longer = exception.len() > pattern.len();
        let pairs = || exception.iter().zip(pattern);
        let mistake = if conditions.exact && longer || pairs().any(|(one, other)| apart(one, other)) {
            invalid_condition::apart
        } else if !longer && pairs().all(|(wide, narrow)| covers(wide, narrow)) {
            invalid_condition::everything
        } else {
            continue;
        };
        let part = call.part(&steps(&way, &[index]));
        let dropped = call.dropped(&part);
        call.mistake(mistake(&part.site, &shown(pattern), dropped));
    }
}

/// Whether no word can stand in both places; a matcher may stand for anything.
fn apart(one: &Element, other: &Element) -> bool {
    one.matchers.is_empty() && other.matchers.is_empty() && !one.words.iter().any(|word| other.words.contains(word))
}

/// Whether every word of `narrow` can stand where `wide` does.
fn covers(wide: &Element, narrow: &Element) -> bool {
    wide.matchers.contains(&crate::rules::Matcher::AnyWord)
        || narrow.words.iter().all(|word| wide.words.contains(word))
            && narrow.matchers.iter().all(|matcher| wide.matchers.contains(matcher))
}
