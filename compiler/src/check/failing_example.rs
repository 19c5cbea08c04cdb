//! A rule that its own examples contradict.

use super::words::list;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::rules::{Element, Origin};
use crate::syntax::{Step, locate};

/// A rule that its own examples contradict.
pub const CODE: Code = Code("failing-example");

/// What an example proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The rule must match it.
    Match,
    /// The rule must not match it.
    NotMatch,
}

/// Everything there is to say of an example that fails.
#[derive(Clone, Debug)]
pub struct Failure<'a> {
    /// What the example was to prove.
    pub proof: Proof,
    /// Its words.
    pub words: &'a [String],
    /// The rule's pattern, as [`pattern`] writes it.
    pub pattern: String,
    /// How many leading words agreed with the pattern.
    pub agreed: usize,
    /// The element that the next word did not agree with; none if the pattern has none left.
    pub expected: Option<&'a Element>,
    /// The one condition that does not hold, if it is one: a keyword of `prefix_rule`.
    pub condition: Option<&'static str>,
    /// The other rules of the policy set that match the example.
    pub others: Vec<OtherRule>,
}

/// A rule, as a note names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRule {
    /// Where it stands, as `file:line`.
    pub place: String,
    /// Its pattern, as [`pattern`] writes it.
    pub pattern: String,
}

/// Where the example at `index` of a rule stands: `text` is that of the file which holds the rule's call.
#[must_use]
pub fn site(origin: &Origin, text: &str, proof: Proof, index: usize) -> Site {
    let parameter = match proof {
        Proof::Match => Step::Parameter { name: "match", position: Some(2) },
        Proof::NotMatch => Step::Parameter { name: "not_match", position: Some(3) },
    };
    let located = locate(text, origin.span, &[parameter, Step::Item(index)]);
    Site::within(origin, located.span)
}

/// A pattern as an author would write it.
#[must_use]
pub fn pattern<'a>(elements: impl IntoIterator<Item = &'a Element>) -> String {
    let elements: Vec<String> = elements.into_iter().map(Element::to_string).collect();
    format!("[{}]", elements.join(", "))
}

/// The example at `site` fails.
#[must_use]
pub fn diagnostic(site: &Site, failure: &Failure<'_>) -> Diagnostic {
    let words: Vec<&str> = failure.words.iter().map(String::as_str).collect();
    let command = shown(&words);
    match failure.proof {
        Proof::NotMatch => Diagnostic::error(
            CODE,
            site,
            format!("the rule matches `{command}`, which it must not"),
            "matched",
        )
        .with_note(format!("the rule's pattern is `{}`", failure.pattern))
        .with_help(
            "make the pattern longer, or drop the example: what the whole policy answers is for `expect(…)` to say",
        ),
        Proof::Match => {
            let diagnostic = Diagnostic::error(
                CODE,
                site,
                format!("the rule does not match its example `{command}`"),
                disagreement(failure),
            )
            .with_note(format!("the rule's pattern is `{}`", failure.pattern));
            let diagnostic = failure.others.iter().take(MOST_OTHERS).fold(diagnostic, |diagnostic, other| {
                diagnostic.with_note(format!("the rule `{}` at {} does match it", other.pattern, other.place))
            });
            match blank(failure) {
                Some(element) => diagnostic.with_help(format!(
                    "`{element}` is one word with a blank in it: write {} to match several words",
                    element.split_whitespace().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
                )),
                None => diagnostic.with_help(
                    "examples are compared with this rule alone, word by word as typed: what the whole policy answers \
                     is for `expect(…)` to say",
                ),
            }
        }
    }
}

/// An example at `site` of a rule for tool calls that is not as it says.
#[must_use]
pub fn call(site: &Site, proof: Proof, tool: &str, arguments: &str) -> Diagnostic {
    let shown = shown(&[tool, arguments]);
    let (message, label) = match proof {
        Proof::NotMatch => (format!("the rule matches the call `{shown}`, which it must not"), "matched"),
        Proof::Match => (format!("the rule does not match its example `{shown}`"), "not matched"),
    };
    Diagnostic::error(CODE, site, message, label)
        .with_note("an argument that is not there, or is a list or an object, is no word that an allow could be about")
        .with_help(
            "examples are compared with this rule alone: what the whole policy answers is for `expect(…)` to say",
        )
}

/// Edits of the rule that may end a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mending {
    /// Makes several words of the element that has blanks.
    pub split: Option<Edit>,
    /// Takes the example away and gives it as one of what the rule does not match, or matches.
    pub moved: Vec<Edit>,
    /// Takes the example away.
    pub dropped: Option<Edit>,
}

/// The same with what can be done.
#[must_use]
pub fn mended(diagnostic: Diagnostic, proof: Proof, mending: Mending) -> Diagnostic {
    let other = if proof == Proof::Match { "not_match" } else { "match" };
    diagnostic
        .with_fix(Fix::sure("write several words", mending.split))
        .with_fix(Fix::choice(format!("make it an example of `{other}`"), mending.moved))
        .with_fix(Fix::choice("drop the example", mending.dropped))
}

/// How many other rules are named.
pub const MOST_OTHERS: usize = 3;

/// Where the words and the pattern part.
fn disagreement(failure: &Failure<'_>) -> String {
    let matchers = failure.expected.iter().flat_map(|element| &element.matchers).map(ToString::to_string);
    let matchers: Vec<String> = matchers.collect();
    let words = failure.expected.iter().flat_map(|element| &element.words);
    let expected: Vec<&str> = words.chain(&matchers).map(String::as_str).collect();
    let expected = list(&expected, "or");
    let before = failure.agreed.checked_sub(1).and_then(|last| failure.words.get(last));
    match (failure.words.get(failure.agreed), before) {
        _ if expected.is_empty() => match failure.condition {
            Some(condition) => format!("not matched because of `{condition}`"),
            None => "not matched".to_owned(),
        },
        (Some(word), None) => format!("the first word is `{word}`, not {expected}"),
        (Some(word), Some(before)) => format!("after `{before}` comes `{word}`, not {expected}"),
        (None, Some(before)) => format!("ends after `{before}`, where {expected} must follow"),
        (None, None) => format!("has no words, where {expected} must stand"),
    }
}

/// The expected word that would have matched the next words, had it been split at its blanks.
#[must_use]
pub fn blank<'a>(failure: &Failure<'a>) -> Option<&'a str> {
    let rest = failure.words.get(failure.agreed..)?;
    failure.expected?.words.iter().map(String::as_str).find(|expected| {
        let parts: Vec<&str> = expected.split_whitespace().collect();
        parts.len() > 1 && parts.iter().zip(rest).filter(|(part, word)| *part == word).count() == parts.len()
    })
}

/// The words as a shell would take them, shortened to a line.
pub(crate) fn shown(words: &[&str]) -> String {
    const MOST: usize = 80;
    let text = shlex::Quoter::new().allow_nul(true).join(words.iter().copied()).unwrap_or_else(|_| words.join(" "));
    let text = text.replace('\n', " ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, OtherRule, Proof, diagnostic, pattern};
    use crate::check::testing::{message, site};
    use crate::rules::Element;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn says_where_words_and_pattern_part() {
        let failure = Failure {
            proof: Proof::Match,
            words: &strings(&["git", "stash"]),
            pattern: pattern([&Element::of(strings(&["git"])), &Element::of(strings(&["status", "log"]))]),
            agreed: 1,
            expected: Some(&Element::of(strings(&["status", "log"]))),
            condition: None,
            others: vec![OtherRule { place: "a.rules:1".to_owned(), pattern: "[\"git\", \"stash\"]".to_owned() }],
        };
        let diagnostic = diagnostic(&site(), &failure);
        assert_eq!(message(&diagnostic), "the rule does not match its example `git stash`");
        assert_eq!(diagnostic.primary.text, "after `git` comes `stash`, not `status` or `log`");
        assert_eq!(
            diagnostic.notes,
            [
                "the rule's pattern is `[\"git\", [\"status\", \"log\"]]`",
                "the rule `[\"git\", \"stash\"]` at a.rules:1 does match it"
            ]
        );
    }

    #[test]
    fn a_blank_in_an_element_is_explained() {
        let failure = Failure {
            proof: Proof::Match,
            words: &strings(&["git", "status"]),
            pattern: "[\"git status\"]".to_owned(),
            agreed: 0,
            expected: Some(&Element::of(strings(&["git status"]))),
            condition: None,
            others: Vec::new(),
        };
        let help = diagnostic(&site(), &failure).help.unwrap().text;
        assert!(help.ends_with("write `\"git\"`, `\"status\"` to match several words"), "{help}");
    }
}
