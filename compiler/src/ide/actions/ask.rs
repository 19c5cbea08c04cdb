//! Keeping the commands that a file asks about: as examples of the rule that decides them, and as expectations.

use policyc_runtime::{Decision, Request as Asking, ShellKind};

use super::statement::{call_of, end_of_line};
use super::{ActionKind, CodeAction, Here};
use crate::check::evadable_example::operator;
use crate::diagnostics::Edit;
use crate::eval::evaluate;
use crate::ide::answer::{Answer, ByKind, Judge};
use crate::ide::asked::{Asked, Purpose, asked};
use crate::rules::{PrefixRule, Request};
use crate::self_test::matches_alone;
use crate::shipped::PREFIX;
use crate::source::Span;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{NodeKind, span};
use crate::syntax::{Step, insertion, literal, locate, statement_removal};

pub(super) fn actions(here: Here<'_>) -> Vec<CodeAction> {
    let at = Span::new(here.span.start, here.span.start);
    let asked = asked(here.db, here.set, here.file, at);
    let scratch = asked.iter().find(|asked| asked.purpose == Purpose::Scratch);
    let example = asked.iter().find(|asked| matches!(asked.purpose, Purpose::Example(_) | Purpose::Counterexample));
    match (scratch, example) {
        (Some(scratch), _) => from_scratch(here, scratch),
        (None, Some(example)) => expected(here, &example.request).into_iter().collect(),
        (None, None) => of_rule(here).and_then(|command| expected(here, &command)).into_iter().collect(),
    }
}

fn answer(here: Here<'_>, request: &Request) -> Option<Answer> {
    let judge = Judge::new(here.db, here.set)?;
    Some(match request {
        Request::Text(text) => judge.answer(Asking::text(text, ShellKind::default())),
        Request::Command(words) => judge.answer(words.into()),
        Request::Tool(_) | Request::Network(..) => return None,
    })
}

/// A scratch line becomes an expectation, or an example of the rule that decides it.
fn from_scratch(here: Here<'_>, scratch: &Asked) -> Vec<CodeAction> {
    let Request::Text(command) = &scratch.request else { return Vec::new() };
    let Some(answer) = answer(here, &scratch.request) else { return Vec::new() };
    let mut actions = Vec::new();
    let line = statement_removal(here.text(), scratch.span).filter(|_| stands_alone(here, scratch.span));
    if line.is_some() {
        let call = format!("expect({}, {})", literal::written(command), decided(answer.decision));
        let title = format!("make it an expectation: {}", shown(answer.decision));
        actions.push(CodeAction::new(ActionKind::Add, title, vec![here.edit(scratch.span, call)]));
    }
    let rule = answer.by.filter(|by| by.kind != ByKind::Default).and_then(|by| by.place).and_then(|place| {
        let rules = &evaluate(here.db, here.set, place.file).declarations.prefix_rules;
        rules.iter().find(|rule| rule.origin.file == place.file && rule.origin.span.start == place.span.start)
    });
    if let Some((rule, edit)) = rule.and_then(|rule| Some((rule, as_example(here, rule, command)?))) {
        let line = line.map(|line| here.edit(line, ""));
        let edits = line.into_iter().chain([edit]).collect();
        let title = format!("make it an example of the rule that says `{}`", rule.decision);
        actions.push(CodeAction::new(ActionKind::Add, title, edits));
    }
    actions
}

/// The command as a further example of a rule, which matches it as typed.
fn as_example(here: Here<'_>, rule: &PrefixRule, command: &str) -> Option<Edit> {
    let words = shlex::split(command).filter(|words| !words.is_empty() && operator(command).is_none())?;
    let file = rule.origin.file;
    let own = rule.origin.stack.is_empty() && !file.label(here.db).starts_with(PREFIX);
    if !own || !matches_alone(here.db, here.set, rule, &words) || !is_command(here, command, &words) {
        return None;
    }
    let text = file.text(here.db);
    let examples = locate(text, rule.origin.span, &[Step::Parameter { name: "match", position: Some(2) }]);
    let example = literal::written(command);
    let (span, text) = if examples.span == rule.origin.span {
        insertion(text, rule.origin.span, &format!("match = [{example}]"))
    } else {
        insertion(text, examples.span, &example).filter(|_| examples.literal)
    }?;
    Some(Edit { file, span, text })
}

/// Whether a shell takes the text for these words and nothing else: an example is no text of a shell.
fn is_command(here: Here<'_>, command: &str, words: &[String]) -> bool {
    let Some(judge) = Judge::new(here.db, here.set) else { return false };
    let answers = judge.answers(Asking::text(command, ShellKind::default()));
    let first = answers.commands.first().map(|first| first.words.iter().map(|word| word.text.as_str()));
    first.is_some_and(|first| first.eq(words.iter().map(String::as_str)))
}

/// An expectation of what the set answers now, after the statement; not if there is one already.
fn expected(here: Here<'_>, request: &Request) -> Option<CodeAction> {
    let expectations = &evaluate(here.db, here.set, here.file).declarations.expectations;
    let (words, text) = match request {
        Request::Command(words) => (words.clone(), shlex::try_join(words.iter().map(String::as_str)).ok()),
        Request::Text(text) => (shlex::split(text).unwrap_or_default(), Some(text.clone())),
        Request::Tool(_) | Request::Network(..) => return None,
    };
    let known = expectations.iter().any(|known| match &known.request {
        Request::Text(known) => Some(known) == text.as_ref(),
        Request::Command(known) => *known == words,
        Request::Tool(_) | Request::Network(..) => false,
    });
    let answer = answer(here, request).filter(|_| !known)?;
    // A word that a shell would expand stays a word in a list.
    let plain = |word: &String| word.chars().all(|it| it.is_ascii_alphanumeric() || "-_./:=,+@%".contains(it));
    let command = match text.filter(|_| words.iter().all(plain)) {
        Some(text) => literal::written(&text),
        None => format!("[{}]", words.iter().map(|word| literal::written(word)).collect::<Vec<_>>().join(", ")),
    };
    here.line_of_statement()?;
    let end = end_of_line(here.text(), span(here.statements().first()?).end)?;
    let call = format!("\nexpect({command}, {})", decided(answer.decision));
    let title = format!("expect what is answered now: {}", shown(answer.decision));
    Some(CodeAction::new(ActionKind::Add, title, vec![here.edit(Span::new(end, end), call)]))
}

/// A command of the rule at the cursor: its first example or else the words that it begins with.
fn of_rule(here: Here<'_>) -> Option<Request> {
    let statement = here.statements().into_iter().next()?;
    let call = span(&call_of(&statement, "prefix_rule")?);
    let rules = &evaluate(here.db, here.set, here.file).declarations.prefix_rules;
    let rule = rules.iter().find(|rule| rule.origin.file == here.file && rule.origin.span == call)?;
    let first = rule.examples.first().map(|example| example.words.clone());
    let plain = || rule.pattern.iter().map(|element| element.words.first().cloned()).collect::<Option<Vec<_>>>();
    first.or_else(plain).map(Request::Command)
}

/// Whether a comment stands on a line between top-level statements.
fn stands_alone(here: Here<'_>, comment: Span) -> bool {
    let token = here.root().token_at_offset(comment.start.into()).right_biased();
    let parent = token.filter(|token| token.kind() == TokenKind::Comment).and_then(|token| token.parent());
    parent.is_some_and(|parent| parent.kind() == NodeKind::File)
}

fn decided(decision: Option<Decision>) -> String {
    decision.map_or_else(|| "None".to_owned(), |decision| format!("\"{decision}\""))
}

fn shown(decision: Option<Decision>) -> String {
    decision.map_or_else(|| "no decision".to_owned(), |decision| format!("`{decision}`"))
}
