//! What is shown of a rule, and of those that came near.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use policyc::shipped::{PREFIX, shipped};
use policyc::syntax::guard::LARGEST_FILE;
use policyc_runtime::{Alternative, Matcher, Rule, Table};

use super::super::escape;
use super::super::paint::Paint;
use super::layout::{INDENT, WIDTH, Written, indent, wrap};
use policyc::listing::{alternative, manner, pattern};

/// How many alternatives of an element are shown.
const ALTERNATIVES: usize = 6;
/// How many alternatives of what else a rule asks, and how much of that in all.
const FEW: usize = 2;
const LONGEST_MANNER: usize = 60;
/// How many rules that did not match are shown.
const NEAREST: usize = 3;

/// What a rule says of which commands, and where it stands.
pub(super) fn rule(text: &mut String, rule: &Rule<'_>, paint: Paint) -> Written {
    write!(text, "\n  {}", paint.decision(rule.decision(), format!("{:<9}", rule.decision())))?;
    text.push_str("  ");
    described(text, rule, paint);
    text.push('\n');
    indent(text, INDENT);
    writeln!(text, "{}", paint.place(place(rule)))
}

/// A rule's pattern, as one would type it.
pub(super) fn described(text: &mut String, rule: &Rule<'_>, paint: Paint) {
    let pattern = pattern(rule, ALTERNATIVES);
    text.push_str(&paint.strong(escape::shortened(&pattern, 1_000)).to_string());
    text.push_str(&escape::shortened(&manner(rule, FEW), LONGEST_MANNER));
}

/// Where a rule stands.
pub(super) fn place(rule: &Rule<'_>) -> String {
    format!("{}:{}:{}", escape::line(rule.file()), rule.line(), rule.column())
}

/// How a rule is written, and why.
pub(super) fn reasons(text: &mut String, rule: &Rule<'_>, paint: Paint) -> Written {
    for line in source_lines(rule) {
        indent(text, INDENT);
        writeln!(text, "{} {line}", paint.faint("│"))?;
    }
    match rule.justification() {
        Some(justification) => wrap(text, INDENT, &format!("why: {}", escape::line(justification))),
        None => Ok(()),
    }
}

/// The rules that agree longest with the words, but for those that matched, and what they have where they do not.
pub(super) fn nearest(text: &mut String, table: &Table<'_>, words: &[&str], matched: &[u32], paint: Paint) -> Written {
    let others = table.rules().filter(|rule| !matched.contains(&rule.id()));
    let mut nearest: Vec<Near<'_>> = others.filter_map(|rule| Near::new(rule, words)).collect();
    nearest.sort_by(|one, other| one.order(other));
    if nearest.is_empty() {
        return Ok(());
    }
    let heading = if matched.is_empty() { "Nearest rules:" } else { "Nearest other rules:" };
    writeln!(text, "\n{heading}")?;
    for near in nearest.iter().take(NEAREST) {
        rule(text, &near.rule, paint)?;
        wrap(text, INDENT, &near.difference(words))?;
    }
    Ok(())
}

/// The nearest rule to words that none matched, if one is about that program: a line for one command of several.
pub(super) fn nearest_in_a_line(text: &mut String, table: &Table<'_>, words: &[&str], paint: Paint) -> Written {
    let named = table.rules().filter(|rule| rule.pattern().next().is_some_and(|head| head.words().next().is_some()));
    let nearest = named.filter_map(|rule| Near::new(rule, words)).min_by(Near::order);
    match nearest.filter(|near| near.agreeing > 0) {
        Some(near) => {
            indent(text, INDENT);
            text.push_str("nearest: ");
            described(text, &near.rule, paint);
            writeln!(text, ", {}", paint.place(place(&near.rule)))
        }
        None => Ok(()),
    }
}

/// How the answer that these rules give could become milder.
pub(super) fn milder<'r>(text: &mut String, deciding: impl Iterator<Item = &'r Rule<'r>>) -> Written {
    let (shipped, own): (Vec<_>, Vec<_>) = deciding.partition(|rule| rule.file().starts_with(PREFIX));
    if !own.is_empty() {
        let (places, one) = places(&own);
        let (rules, beside) = if one { ("rule", "it") } else { ("rules", "them") };
        let milder = format!(
            "For a milder answer, change the {rules} at {places}: a milder rule beside {beside} changes nothing."
        );
        text.push('\n');
        wrap(text, 0, &milder)?;
    }
    if let Some(first) = shipped.first() {
        let label = first.file();
        let file = escape::line(label.strip_prefix(PREFIX).unwrap_or(label));
        let (places, one) = places(&shipped);
        let (rules, are, them) = if one { ("rule", "is", "it") } else { ("rules", "are", "them") };
        let milder = format!(
            "The {rules} at {places} {are} shipped with policyc, and no rule beside {them} makes the answer milder. \
             If that is too strict, copy stdlib-policies/{file} from policyc's source, change the copy, and load that instead."
        );
        text.push('\n');
        wrap(text, 0, &milder)?;
    }
    Ok(())
}

/// Where rules stand, and whether that is one place: a loop makes many rules at one.
fn places(rules: &[&Rule<'_>]) -> (String, bool) {
    let mut places: Vec<_> =
        rules.iter().map(|rule| format!("{}:{}", escape::line(rule.file()), rule.line())).collect();
    places.dedup();
    let shown = places.get(..places.len().min(5)).unwrap_or_default().join(", ");
    let rest = if places.len() > 5 { format!(" and {} more", places.len() - 5) } else { String::new() };
    (format!("{shown}{rest}"), places.len() == 1)
}

/// A rule that did not match, and how far it came.
struct Near<'t> {
    rule: Rule<'t>,
    /// How many words agree from the start on.
    agreeing: usize,
    /// How like the next word is to one that the rule has there, from 0 to 1.
    likeness: f64,
    /// What the rule has there.
    expected: Vec<Alternative<'t>>,
}

impl<'t> Near<'t> {
    fn new(rule: Rule<'t>, words: &[&str]) -> Option<Self> {
        let mut elements = rule.pattern();
        let mut agreeing = 0;
        loop {
            let Some(element) = elements.next() else {
                return Some(Self { rule, agreeing, likeness: 1.0, expected: Vec::new() });
            };
            let word = words.get(agreeing);
            // Of canonical rules, the first word is kept as written, and the others folded.
            let compared =
                |word: &str| if rule.canonical_matching() { policyc_runtime::fold(word) } else { word.to_owned() };
            let given = word.map(|word| compared(word));
            let agrees = |word: &String| {
                let same = |alternative| match alternative {
                    Alternative::Word(known) => compared(known) == *word,
                    Alternative::Matcher(matcher) => matcher == Matcher::AnyWord,
                };
                element.alternatives().any(same)
            };
            if given.as_ref().is_some_and(agrees) {
                agreeing += 1;
                continue;
            }
            let expected: Vec<_> = element.alternatives().collect();
            let likeness = |known: &Alternative<'_>| match (known, &given) {
                (Alternative::Word(known), Some(word)) => {
                    strsim::normalized_damerau_levenshtein(word, &compared(known))
                }
                _ => 0.0,
            };
            let likeness = expected.iter().map(likeness).fold(0.0, f64::max);
            return (agreeing > 0 || likeness >= 0.5).then_some(Self { rule, agreeing, likeness, expected });
        }
    }

    /// The nearest first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let missing = |near: &Self| near.rule.length().saturating_sub(near.agreeing);
        other
            .agreeing
            .cmp(&self.agreeing)
            .then(other.likeness.total_cmp(&self.likeness))
            .then(missing(self).cmp(&missing(other)))
            .then(self.rule.id().cmp(&other.rule.id()))
    }

    fn difference(&self, words: &[&str]) -> String {
        if self.expected.is_empty() && self.rule.conditions().is_some() {
            return "its pattern agrees, but what else it asks does not hold".to_owned();
        }
        if self.expected.is_empty() {
            return format!(
                "every word agrees if the program is looked up as {}",
                escape::word(words.first().unwrap_or(&""))
            );
        }
        let some = self.expected.get(..self.expected.len().min(ALTERNATIVES)).unwrap_or_default();
        let mut expected: Vec<_> = some.iter().copied().map(alternative).collect();
        if self.expected.len() > some.len() {
            expected.push(format!("{} more", self.expected.len() - some.len()));
        }
        let last = expected.pop().unwrap_or_default();
        let expected = if expected.is_empty() { last } else { format!("{} or {last}", expected.join(", ")) };
        let agreeing = match self.agreeing {
            0 => String::new(),
            1 => "1 word agrees; ".to_owned(),
            agreeing => format!("{agreeing} words agree; "),
        };
        match words.get(self.agreeing) {
            Some(word) => {
                let word = escape::word(word);
                format!(
                    "{agreeing}word {} is {}, where the rule has {expected}",
                    self.agreeing + 1,
                    escape::shortened(&word, 200)
                )
            }
            None => format!("{agreeing}the command ends where the rule goes on with {expected}"),
        }
    }
}

/// The line of the call that made a rule, and the next ones if it only begins there. Nothing if the file cannot be
/// read, or has changed since the table was made so that no call is there.
fn source_lines(rule: &Rule<'_>) -> Vec<String> {
    let Some(source) = source(rule.file()) else { return Vec::new() };
    let mut lines = source.lines().skip(rule.line().saturating_sub(1) as usize);
    let Some(first) = lines.next() else { return Vec::new() };
    let call: String = first.chars().skip(rule.column().saturating_sub(1) as usize).collect();
    let name = call.chars().take_while(|character| character.is_alphanumeric() || *character == '_').count();
    if name == 0 || !call.chars().skip(name).collect::<String>().trim_start().starts_with('(') {
        return Vec::new();
    }
    let show = |line: &str| {
        let line = line.replace('\t', "    ");
        escape::shortened(&escape::line(line.trim_end()), WIDTH - INDENT - 3).into_owned()
    };
    let mut shown = vec![show(first)];
    if first.trim_end().ends_with('(') {
        for line in lines.take(2) {
            shown.push(show(line));
            if line.trim_end().ends_with(')') {
                break;
            }
        }
    }
    shown
}

/// The text that a label names. A table may name any file, so only regular ones of a sensible size are opened.
fn source(label: &str) -> Option<String> {
    if label.starts_with(PREFIX) {
        return shipped().iter().find(|(shipped, _)| *shipped == label).map(|(_, text)| (*text).to_owned());
    }
    let path = Path::new(label);
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST_FILE as u64 {
        return None;
    }
    fs::read_to_string(path).ok()
}
