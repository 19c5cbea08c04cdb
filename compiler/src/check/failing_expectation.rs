//! An expectation that the whole policy set does not meet.

use policyc_runtime::{Answers, CommandAnswer, Decision, Doubt};

use super::failing_example::pattern;
use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};
use crate::rules::{Element, Matcher, Origin, Request};
use crate::syntax::{Step, locate};

/// An expectation that the whole policy set does not meet.
pub const CODE: Code = Code("failing-expectation");

/// How many reasons are told.
const MOST_REASONS: usize = 3;

/// Where the request stands: `text` is that of the file which holds the call.
#[must_use]
pub fn site(origin: &Origin, text: &str) -> Site {
    let located = locate(text, origin.span, &[Step::Parameter { name: "request", position: Some(0) }]);
    Site::within(origin, located.span)
}

/// The `request` at `site` is expected to be decided so, and `answers` says otherwise.
#[must_use]
pub fn diagnostic(site: &Site, request: &Request, expected: Option<Decision>, answers: &Answers<'_>) -> Diagnostic {
    let diagnostic = differs(site, request, expected, answers.decision);
    let diagnostic = reasons(answers).into_iter().fold(diagnostic, Diagnostic::with_note);
    diagnostic.with_help(help(expected, answers))
}

/// The same of what a request does: `answered` is what the policy says, and why.
#[must_use]
pub fn weighed(
    site: &Site,
    request: &Request,
    expected: Option<Decision>,
    (decision, reasons): (Option<Decision>, &[String]),
) -> Diagnostic {
    let diagnostic = differs(site, request, expected, decision);
    let diagnostic = reasons.iter().take(MOST_REASONS).cloned().fold(diagnostic, Diagnostic::with_note);
    let help = if decision.map_or(1, strictness) > expected.map_or(1, strictness) {
        "describe what it does with `command` or `tool`, list that in the profile, or expect what is answered"
    } else {
        "take an effect out of the profile, describe more of what it does, or expect what is answered"
    };
    diagnostic.with_help(help)
}

fn differs(site: &Site, request: &Request, expected: Option<Decision>, answered: Option<Decision>) -> Diagnostic {
    let shown = match request {
        Request::Text(text) => line(text),
        Request::Command(words) => line(&joined(words.iter().map(String::as_str))),
        Request::Tool(call) => line(&format!("{} {}", call.tool, call.arguments)),
        Request::Network(protocol, host) => line(&format!("{protocol} {host}")),
    };
    let (wanted, got) = (name(expected), name(answered));
    let message = match answered {
        Some(_) if expected.is_none() => format!("the policy answers {got} to `{shown}`, where nothing is to decide"),
        Some(_) => format!("the policy answers {got} to `{shown}`, not {wanted}"),
        None => format!("no rule decides `{shown}`, which is expected to be {wanted}"),
    };
    Diagnostic::error(CODE, site, message, format!("expected {wanted}, got {got}"))
}

/// What would change the answer, which depends on what made it: a rule, the default, or a doubt.
fn help(expected: Option<Decision>, answers: &Answers<'_>) -> &'static str {
    let got = answers.decision;
    let by_default = answers.default.is_some() && !made_by_rule(answers);
    let harmless = !answers.commands.is_empty()
        && answers.commands.iter().all(|command| command.harmless && command.matches.is_empty());
    match expected {
        Some(Decision::Allow) if harmless && got.is_none() => {
            "a harmless program needs no rule beside others, and decides nothing alone: expect `None`, or add a rule"
        }
        _ if harmless && !by_default && got == Some(Decision::Allow) => {
            "no rule is about it, for it is harmless: add a rule, or expect what is answered"
        }
        Some(Decision::Allow) if got.is_none() => "add a rule that allows it",
        Some(Decision::Allow) if by_default => {
            "add a rule that allows it: `default_decision` answers what no rule decides"
        }
        Some(Decision::Allow) if !made_by_rule(answers) => {
            "declare what it is that keeps the allow from counting, or expect what is answered"
        }
        None if by_default => "leave out the `default_decision`, or expect what it says",
        Some(_) if by_default && got > expected => {
            "add a rule and make the `default_decision` milder, or expect what it says"
        }
        _ if by_default => "add a stricter rule, or expect what the `default_decision` says",
        None if !made_by_rule(answers) => "end what is in doubt, or expect what is answered",
        Some(Decision::Allow) | None => {
            "make the rule's pattern longer, name an exception in its `unless`, or expect what is answered"
        }
        _ if got.map_or(1, strictness) < expected.map_or(1, strictness) => {
            "add a stricter rule, or expect what is answered"
        }
        _ => "make the rule's pattern longer, or expect what is answered",
    }
}

/// Whether a rule that counts says what is answered.
fn made_by_rule(answers: &Answers<'_>) -> bool {
    let matched = |command: &CommandAnswer<'_>| {
        command.matches.iter().any(|found| found.counts && Some(found.rule.decision()) == answers.decision)
    };
    answers.commands.iter().any(matched)
}

/// The same with what can be done: `written` puts `decision` in place of what is expected.
#[must_use]
pub fn mended(
    diagnostic: Diagnostic,
    decision: Option<Decision>,
    written: impl FnOnce(&str) -> Option<Edit>,
) -> Diagnostic {
    let (word, shown) = match decision {
        Some(decision) => (format!("\"{decision}\""), format!("`{decision}`")),
        None => ("None".to_owned(), "no decision".to_owned()),
    };
    diagnostic.with_fix(Fix::choice(format!("expect {shown}"), written(&word)))
}

/// The place of a decision in the order of strictness; no decision is 1.
const fn strictness(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => 0,
        Decision::Prompt => 2,
        Decision::Forbidden => 3,
    }
}

fn name(decision: Option<Decision>) -> String {
    decision.map_or_else(|| "no decision".to_owned(), |decision| format!("`{decision}`"))
}

/// Why the answer is what it is, the simple commands that made it first.
fn reasons(answers: &Answers<'_>) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    if let Some(default) = &answers.default {
        reasons.push(format!(
            "`default_decision` at {}:{} says `{}`",
            default.file(),
            default.line(),
            default.decision()
        ));
    }
    if answers.exhausted {
        reasons.push("it takes more steps to read than any honest request".to_owned());
    }
    let problems = answers.texts.iter().filter_map(|text| Some((text.problem.as_ref()?, &text.text)));
    reasons.extend(problems.map(|(problem, text)| format!("`{}` is not understood: {problem}", line(text))));
    for command in &answers.commands {
        let shown = line(&joined(command.words.iter().map(|word| word.text.as_str())));
        let rules =
            command.matches.iter().filter(|found| found.counts && Some(found.rule.decision()) == answers.decision);
        let before = reasons.len();
        for found in rules {
            let elements: Vec<Element> = found.rule.pattern().map(|element| written(&element)).collect();
            let (pattern, decision) = (line(&pattern(&elements)), found.rule.decision());
            let place = format!("{}:{}", found.rule.file(), found.rule.line());
            reasons.push(format!("`{shown}` is matched by the rule `{pattern}` at {place}, which says `{decision}`"));
        }
        if (command.decision != Some(Decision::Allow) || command.harmless) && reasons.len() == before {
            let doubts = command.doubts.iter().filter(|doubt| !matches!(doubt, Doubt::Inner));
            reasons.extend(doubts.map(|doubt| format!("`{shown}` is in doubt: {}", doubtful(doubt, command))));
            if command.harmless && answers.commands.len() == 1 {
                reasons.push(format!("`{shown}` is harmless, and needs no rule beside others"));
            }
            if command.decision.is_none() && !command.harmless {
                reasons.push(format!("no rule matches `{shown}`"));
            }
        }
    }
    let mut told: Vec<String> = Vec::new();
    for reason in reasons {
        if told.len() < MOST_REASONS && !told.contains(&reason) {
            told.push(reason);
        }
    }
    told
}

/// What a doubt says of a command.
fn doubtful(doubt: &Doubt, command: &CommandAnswer<'_>) -> String {
    let word = |place: &usize| line(command.words.get(*place).map_or("", |word| &word.text));
    match doubt {
        Doubt::Path { name } => format!("no `host_executable` lists this path of `{}`", line(name)),
        Doubt::Option { word: place } => format!("the option `{}` is not declared harmless", word(place)),
        Doubt::Variable { name } => format!("the variable `{}` is neither inert nor in the rule's `env`", line(name)),
        Doubt::Connection { target } => format!("it opens a connection, `{}`", line(target)),
        Doubt::Write { target } => format!("it writes to `{}`, which is not in the rule's `writes`", line(target)),
        Doubt::Dynamic { word: place } => format!("only the run can know `{}`", word(place)),
        Doubt::Runs { word: place } => format!("the option `{}` runs code", word(place)),
        Doubt::WritesOption { word: place } => format!("the option `{}` writes to a file", word(place)),
        Doubt::Inner => "what it runs is not allowed".to_owned(),
        Doubt::Tail { word: place } => {
            format!("nothing is known of the program, and from `{}` on it looks restricted", word(place))
        }
        Doubt::StandardInput => "it runs its standard input".to_owned(),
        Doubt::NotUnderstood => "its text is not understood".to_owned(),
        Doubt::Invisible { word: place } => format!("`{}` has invisible characters", word(place).escape_debug()),
        Doubt::TooLong { .. } => "a word is longer than a system passes on".to_owned(),
        Doubt::Surroundings => "what runs it may change what it does".to_owned(),
        Doubt::TooDeep => "commands run one another too deeply".to_owned(),
        _ => "it cannot be judged with certainty".to_owned(),
    }
}

/// An element of a table as one of a policy.
pub(crate) fn written(element: &policyc_runtime::Element<'_>) -> Element {
    use policyc_runtime::{Alternative, Matcher as Stored};
    let mut written = Element::default();
    for alternative in element.alternatives() {
        match alternative {
            Alternative::Word(word) => written.words.push(word.to_owned()),
            Alternative::Matcher(Stored::AnyWord) => written.matchers.push(Matcher::AnyWord),
            Alternative::Matcher(Stored::Glob(pattern)) => written.matchers.push(Matcher::Glob(pattern.to_owned())),
            Alternative::Matcher(Stored::Path(pattern)) => written.matchers.push(Matcher::Path(pattern.to_owned())),
        }
    }
    written
}

/// Words as a shell would take them.
fn joined<'a>(words: impl Iterator<Item = &'a str> + Clone) -> String {
    let quoted = shlex::Quoter::new().allow_nul(true).join(words.clone());
    quoted.unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

/// A text shortened to fit a line.
fn line(text: &str) -> String {
    const MOST: usize = 80;
    let text = text.trim().replace('\n', " ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::CODE;
    use crate::check::testing::message;
    use crate::db::{Database, diagnostics};
    use crate::diagnostics::{Diagnostic, Severity};
    use crate::source::{Layer, PolicySet, SourceFile};

    /// What is wrong with a policy of one file, whose layer is trusted or not.
    fn failing(text: &str, trusted: bool) -> Vec<Diagnostic> {
        let db = Database::default();
        let file = SourceFile::new(&db, "a.rules".to_owned(), text.to_owned());
        let layer = Layer { name: "project".to_owned(), trusted };
        let set = PolicySet::builder(vec![file], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
        let set = set.layers(vec![layer]).new(&db);
        diagnostics(&db, set).iter().filter(|diagnostic| diagnostic.code == CODE).cloned().collect()
    }

    #[test]
    fn says_which_command_and_which_rule_made_the_answer() {
        let failing = failing(
            "prefix_rule(['a'])\nprefix_rule(['a', 'b'], 'prompt')\nexpect('a c; a b', 'allow')\nexpect(['x'], 'allow')\n\
             expect('a; x', None)\nexpect('a c', 'prompt')\n",
            true,
        );
        let told: Vec<_> = failing.iter().map(|it| (message(it), it.notes.join("\n"))).collect();
        let note = |text: &str| text.to_owned();
        assert_eq!(
            told,
            [
                (
                    "the policy answers `prompt` to `a c; a b`, not `allow`",
                    note("`a b` is matched by the rule `[\"a\", \"b\"]` at a.rules:2, which says `prompt`")
                ),
                ("no rule decides `x`, which is expected to be `allow`", note("no rule matches `x`")),
                (
                    "the policy answers `allow` to `a c`, not `prompt`",
                    note("`a c` is matched by the rule `[\"a\"]` at a.rules:1, which says `allow`")
                ),
            ]
        );
    }

    #[test]
    fn an_untrusted_layer_cannot_make_the_set_unusable() {
        let failing = failing("expect('a', 'forbidden')\n", false);
        assert_eq!(failing.iter().map(|it| it.severity).collect::<Vec<_>>(), [Severity::Warning]);
    }
}
