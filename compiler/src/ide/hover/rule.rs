//! What the rules match that a call makes.

use super::{Asking, RULER, command_line};
use crate::db::standing_order;
use crate::eval::evaluate;
use crate::ide::phrase::{guarded, matched};
use crate::ide::standing::standing;
use crate::ide::vocabulary::known;
use crate::rules::{PrefixRule, Request};
use crate::source::Span;

/// How many rules of one call are shown.
const MOST_RULES: usize = 8;

/// What the rules match that the call makes whose name stands at `name`; nothing if it makes none.
pub(super) fn made(place: &Asking<'_>, name: Span) -> Option<String> {
    let standing = standing(place.db, place.set, place.file);
    let rules = standing.declarations.prefix_rules.iter();
    let here = |rule: &&PrefixRule| {
        let calls = rule.origin.stack.iter().filter(|frame| frame.file == standing.file).map(|frame| frame.span);
        let own = (rule.origin.file == standing.file).then_some(rule.origin.span);
        calls.chain(own).filter_map(|call| standing.now(call)).any(|call| call.start == name.start)
    };
    let made: Vec<&PrefixRule> = rules.filter(here).collect();
    let shown: Vec<String> = match made.as_slice() {
        [] => return None,
        [only] => vec![whole(place, only)],
        several => {
            several.iter().take(MOST_RULES).map(|rule| format!("**{}**: {}", rule.decision, matched(rule))).collect()
        }
    };
    let more = made.len().saturating_sub(MOST_RULES);
    let more = if more > 0 { format!("{RULER}and {more} more rules") } else { String::new() };
    Some(shown.join("\n\n") + &more)
}

/// All that there is to say of one rule.
fn whole(place: &Asking<'_>, rule: &PrefixRule) -> String {
    let elements: Vec<_> = rule.pattern.iter().map(|element| Some(element.words.clone())).collect();
    let mut harmless: Vec<&str> = Vec::new();
    for count in 1..=elements.len() {
        let known = known(place.db, place.set, elements.get(..count).unwrap_or_default());
        let options = known.options().into_iter().filter(|(_, option)| option.harmless);
        harmless.extend(options.map(|(name, _)| name));
    }
    let mut text = format!("**{}**: {}.", rule.decision, matched(rule));
    text.push_str(&format!(
        "\n\n*Guarded*, as hosts match by default: {}.",
        guarded(rule, &harmless, &paths(place, rule))
    ));
    text.push_str(
        "\n\n*As typed*, with `--matching reference`: these words and no others, by the name as it is written.",
    );
    if let Some(justification) = &rule.justification {
        text.push_str(&format!("\n\n> {}", justification.replace('\n', "\n> ")));
    }
    let example = rule.examples.first().map(|example| example.words.clone());
    let first = || rule.pattern.iter().map_while(|element| element.words.first().cloned()).collect();
    let request = Request::Command(example.unwrap_or_else(first));
    if matches!(&request, Request::Command(words) if !words.is_empty()) {
        text.push_str(&format!("\n\n{}", command_line(place, &request)));
    }
    text
}

/// The paths that may stand for a rule's programs.
fn paths(place: &Asking<'_>, rule: &PrefixRule) -> Vec<String> {
    let heads = rule.pattern.first().map_or(&[][..], |head| head.words.as_slice());
    let files = standing_order(place.db, place.set).iter();
    let executables = files.flat_map(|file| &evaluate(place.db, place.set, *file).declarations.host_executables);
    let mut last: Vec<String> = Vec::new();
    for head in heads {
        let of_head = executables.clone().rfind(|executable| executable.name == *head);
        last.extend(of_head.into_iter().flat_map(|executable| executable.paths.iter().cloned()));
    }
    last
}
