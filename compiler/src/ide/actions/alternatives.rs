//! One rule with alternatives, or several without.

use std::collections::BTreeMap;

use super::statement::{call_of, end_of_line, example, has_comment, string, strings, within};
use super::{ActionKind, CodeAction, Here};
use crate::eval::evaluate;
use crate::rules::PrefixRule;
use crate::self_test::matches_alone;
use crate::source::Span;
use crate::syntax::removal;
use crate::syntax::tree::{AstNode, Call, Expression, List, span};

pub(super) fn actions(here: Here<'_>) -> Vec<CodeAction> {
    split(here).into_iter().chain(join(here)).collect()
}

/// How many rules one becomes, or are joined to one, at most: each repeats what the others have in common.
const MOST_RULES: usize = 100;

/// The list of alternatives at the cursor becomes a rule for each.
fn split(here: Here<'_>) -> Option<CodeAction> {
    let statements = here.statements();
    let [statement] = statements.as_slice() else { return None };
    let call = call_of(statement, "prefix_rule")?;
    let whole = span(&call);
    let Some(Expression::List(pattern)) = call.argument("pattern", Some(0)) else { return None };
    let mut elements = pattern.items().enumerate();
    let (place, list) = elements.find_map(|(place, item)| match item {
        Expression::List(list) if super::meets(span(&list), here.span) => Some((place, list)),
        _ => None,
    })?;
    let words: Vec<String> = list.items().map(|item| string(&item)).collect::<Option<_>>()?;
    // An exception may be about one alternative alone, and canonical words are not compared here.
    let elsewhere = ["unless", "canonical_matching"].iter().any(|name| call.argument(name, None).is_some());
    if !(2..=MOST_RULES).contains(&words.len())
        || elsewhere
        || call.argument("canonical_matching", Some(5)).is_some()
        || has_comment(call.syntax())
    {
        return None;
    }
    let examples = match call.argument("match", Some(2)) {
        Some(Expression::List(list)) => Some(list),
        Some(_) => return None,
        None => None,
    };
    let end = end_of_line(here.text(), whole.end)?;
    if here.line_of_statement()? != whole.start || !Span::new(whole.end, end).of(here.text()).trim().is_empty() {
        return None;
    }
    let items = list.items().zip(&words);
    let rules = items.map(|(item, word)| {
        let mut text = whole.of(here.text()).to_owned();
        let mut edits = vec![(within(span(&list), whole), span(&item).of(here.text()).to_owned())];
        if let Some(examples) = &examples {
            edits.extend(examples_of(here, &call, examples, (place, word, &words))?);
        }
        edits.sort_by_key(|(range, _)| range.start);
        edits.into_iter().rev().for_each(|(range, with)| text.replace_range(range, &with));
        Some(text)
    });
    let rules = rules.collect::<Option<Vec<String>>>()?.join("\n");
    Some(CodeAction::new(
        ActionKind::Rewrite,
        "turn the alternatives into several rules",
        vec![here.edit(whole, rules)],
    ))
}

/// The edits that leave a rule those of its examples that are about one of the alternatives; nothing if it is not plain which
/// these are.
fn examples_of(
    here: Here<'_>,
    call: &Call,
    examples: &List,
    (place, word, words): (usize, &String, &[String]),
) -> Option<Vec<(std::ops::Range<usize>, String)>> {
    let whole = span(call);
    let mut kept = Vec::new();
    for item in examples.items() {
        let about = example(&item)?.into_iter().nth(place).filter(|about| words.contains(about))?;
        if about == *word {
            kept.push(span(&item).of(here.text()).to_owned());
        }
    }
    if kept.len() == examples.items().count() {
        return Some(Vec::new());
    }
    let argument = examples.syntax().parent()?;
    let by_name = argument.first_token().is_some_and(|token| token.text() == "match");
    if kept.is_empty() && by_name {
        let removed = removal(here.text(), whole, argument.text_range().into())?;
        return Some(vec![(within(removed, whole), String::new())]);
    }
    Some(vec![(within(span(examples), whole), format!("[{}]", kept.join(", ")))])
}

/// Rules that differ in one element become one with alternatives.
fn join(here: Here<'_>) -> Option<CodeAction> {
    let rules = neighbours(here)?;
    let (first, others) = rules.split_first()?;
    let mut joined = Joined::new(here, first)?;
    let mut last = None;
    for other in others {
        if !joined.takes(here, other) {
            break;
        }
        last = Some(span(other));
    }
    let (place, last) = (joined.place?, last?);
    let whole = span(first);
    let mut text = whole.of(here.text()).to_owned();
    let words = joined.words.join(", ");
    let mut edits = vec![(within(*joined.elements.get(place)?, whole), format!("[{words}]"))];
    for (list, items) in joined.examples.values() {
        edits.push((within(*list, whole), format!("[{}]", items.join(", "))));
    }
    edits.sort_by_key(|(range, _)| range.start);
    edits.into_iter().rev().for_each(|(range, with)| text.replace_range(range, &with));
    let all = Span::new(whole.start, last.end);
    let title = "join the rules into one with alternatives";
    Some(CodeAction::new(ActionKind::Rewrite, title, vec![here.edit(all, text)]))
}

/// The rules that are selected, or the one at the cursor and those after it, up to an empty line, a comment or another
/// statement.
fn neighbours(here: Here<'_>) -> Option<Vec<Call>> {
    let all: Vec<_> = crate::syntax::tree(here.db, here.file).file().statements().collect();
    let start = all.iter().position(|statement| super::meets(span(statement), here.span))?;
    let selected = here.span.start < here.span.end;
    let mut rules: Vec<Call> = Vec::new();
    for statement in all.get(start..)? {
        let Some(call) = call_of(statement, "prefix_rule") else { break };
        if selected && !super::meets(span(&call), here.span) || has_comment(call.syntax()) {
            break;
        }
        if let Some(before) = rules.last() {
            let between = Span::new(span(before).end, span(&call).start).of(here.text());
            let lines = between.matches('\n').count();
            if !between.trim().is_empty() || lines == 0 || lines > 1 && !selected || rules.len() == MOST_RULES {
                break;
            }
        }
        rules.push(call);
    }
    Some(rules)
}

/// The parameters of `prefix_rule` that may be given by position.
const POSITIONAL: [&str; 6] = ["pattern", "decision", "match", "not_match", "justification", "canonical_matching"];

/// The arguments of a call by the names of their parameters, and what they are; nothing if some are spread.
fn arguments(call: &Call) -> Option<BTreeMap<String, Expression>> {
    let mut arguments = BTreeMap::new();
    for (position, argument) in call.arguments()?.arguments().enumerate() {
        let name = match argument.name() {
            Some(name) => name.text().to_owned(),
            None => (*POSITIONAL.get(position)?).to_owned(),
        };
        if argument.stars() > 0 || arguments.insert(name, argument.value()?).is_some() {
            return None;
        }
    }
    Some(arguments)
}

/// A rule that takes in others.
struct Joined {
    /// The rules that are in it.
    calls: Vec<Call>,
    arguments: BTreeMap<String, Expression>,
    /// The elements of its pattern.
    elements: Vec<Span>,
    /// The only one in which another rule differs.
    place: Option<usize>,
    /// The alternatives there, as written, and what they stand for.
    words: Vec<String>,
    values: Vec<String>,
    /// The lists of examples by their parameters: where they stand in the first rule, and their items.
    examples: BTreeMap<&'static str, (Span, Vec<String>)>,
}

impl Joined {
    fn new(here: Here<'_>, call: &Call) -> Option<Self> {
        let arguments = arguments(call)?;
        let Some(Expression::List(pattern)) = arguments.get("pattern") else { return None };
        let elements = pattern.items().map(|item| span(&item)).collect();
        let mut examples = BTreeMap::new();
        for name in ["match", "not_match"] {
            match arguments.get(name) {
                Some(Expression::List(list)) => {
                    let items = list.items().map(|item| span(&item).of(here.text()).to_owned()).collect();
                    examples.insert(name, (span(list), items));
                }
                Some(_) => return None,
                None => {}
            }
        }
        let calls = vec![call.clone()];
        Some(Self { calls, arguments, elements, place: None, words: Vec::new(), values: Vec::new(), examples })
    }

    /// Takes another rule in, if that differs in one element alone.
    fn takes(&mut self, here: Here<'_>, other: &Call) -> bool {
        self.taken(here, other).is_some()
    }

    fn taken(&mut self, here: Here<'_>, other: &Call) -> Option<()> {
        let theirs = arguments(other)?;
        let written = |value: &Expression| span(value).of(here.text());
        let same_names = self.arguments.keys().eq(theirs.keys());
        let same = self.arguments.iter().zip(theirs.iter()).all(|((name, ours), (_, theirs))| {
            matches!(name.as_str(), "pattern" | "match" | "not_match") || written(ours) == written(theirs)
        });
        if !same_names || !same || self.arguments.contains_key("canonical_matching") {
            return None;
        }
        let (Some(Expression::List(ours)), Some(Expression::List(pattern))) =
            (self.arguments.get("pattern"), theirs.get("pattern"))
        else {
            return None;
        };
        let (ours, pattern): (Vec<_>, Vec<_>) = (ours.items().collect(), pattern.items().collect());
        let alike = |(one, other): (&Expression, &Expression)| match (strings(one), strings(other)) {
            (Some(one), Some(other)) => one == other,
            _ => written(one) == written(other),
        };
        let mut apart = ours.iter().zip(&pattern).enumerate().filter(|(_, pair)| !alike(*pair)).map(|(place, _)| place);
        let (place, None) = (apart.next()?, apart.next()) else { return None };
        if ours.len() != pattern.len() || self.place.is_some_and(|known| known != place) {
            return None;
        }
        let texts = |value: &Expression| match value {
            Expression::List(list) => list.items().map(|item| written(&item).to_owned()).collect(),
            value => vec![written(value).to_owned()],
        };
        let (own, more) = (ours.get(place)?, pattern.get(place)?);
        let (own_values, more_values) = (strings(own)?, strings(more)?);
        let mut examples = self.examples.clone();
        for (name, (_, items)) in &mut examples {
            let Some(Expression::List(list)) = theirs.get(*name) else { return None };
            items.extend(list.items().map(|item| written(&item).to_owned()));
        }
        if !self.keeps_apart(here, other) {
            return None;
        }
        if self.place.is_none() {
            (self.words, self.values) = (texts(own), own_values);
        }
        for (text, value) in texts(more).into_iter().zip(more_values) {
            if !self.values.contains(&value) {
                self.words.push(text);
                self.values.push(value);
            }
        }
        (self.place, self.examples) = (Some(place), examples);
        self.calls.push(other.clone());
        Some(())
    }

    /// Whether no rule matches what the other gives as no example.
    fn keeps_apart(&self, here: Here<'_>, other: &Call) -> bool {
        if !self.arguments.contains_key("not_match") {
            return true;
        }
        let rules = &evaluate(here.db, here.set, here.file).declarations.prefix_rules;
        let rule =
            |call: &Call| rules.iter().find(|rule| rule.origin.file == here.file && rule.origin.span == span(call));
        let matched = |one, other: &PrefixRule| {
            other.counterexamples.iter().any(|example| matches_alone(here.db, here.set, one, &example.words))
        };
        self.calls.iter().all(|one| match (rule(one), rule(other)) {
            (Some(one), Some(other)) => !matched(one, other) && !matched(other, one),
            _ => false,
        })
    }
}
