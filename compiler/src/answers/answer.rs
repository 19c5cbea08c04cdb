//! Guarded answers as JSON. `docs/answers.md` says what each key means; keys are added, none is taken away or changed.

use policyc_runtime::{Alternative, Span, Table, TextAnswer};
use policyc_runtime::{
    Answers, CommandAnswer, CommandMatch, Context, Decision, DefaultDecision, ResolvedProgram, Rule,
};
use serde::Serialize;

use super::account::Accounted;
use super::asked::{Asked, NotUtf8};
use super::{reasons, suggestion};
use crate::escape;

/// The version of the format.
const VERSION: u32 = 1;
/// How many commands are given a suggestion: nobody writes more rules at once, and each takes a while to find.
const MOST_SUGGESTIONS: usize = 32;
/// How many characters of a text or command are told twice, to be shown.
const LONGEST_DISPLAY: usize = 4 << 10;
/// Longer commands are told by their spans alone.
const LONGEST_COMMAND: usize = 64 << 10;

/// The answer to one request: what the reference engine says of it, and all that guarded matching found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    matched_rules: Vec<MatchedRule<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    version: u32,
    matching: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Default<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    exhausted: bool,
    /// The files that fail, without whose allows the answer is.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    failing: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    texts: Vec<Text<'a>>,
    commands: Vec<Command<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    commands_left_out: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    account: Option<Accounted<'a>>,
}

/// As the reference engine says it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MatchedRule<'a> {
    prefix_rule_match: PrefixRuleMatch<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PrefixRuleMatch<'a> {
    matched_prefix: Vec<&'a str>,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
    display: String,
    shell: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

#[derive(Clone, Serialize)]
struct Problem {
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Bytes>,
    message: String,
}

#[derive(Clone, Copy, Serialize)]
struct Bytes {
    start: u32,
    end: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Command<'a> {
    found: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    display: String,
    words: Vec<Word<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    words_left_out: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    harmless: bool,
    matches: Vec<Match<'a>>,
    doubts: Vec<Doubt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
}

/// The bytes of a text, by its place among the texts.
#[derive(Serialize)]
struct Place {
    text: usize,
    start: u32,
    end: u32,
}

#[derive(Serialize)]
struct Word<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    dynamic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Bytes>,
}

#[derive(Serialize)]
struct Match<'a> {
    rule: u32,
    file: &'a str,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    layer: &'a str,
    decision: &'static str,
    words: Vec<usize>,
    counts: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reading: Vec<&'static str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
}

#[derive(Serialize)]
struct Doubt {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<usize>,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

#[derive(Serialize)]
struct Default<'a> {
    decision: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    layer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes every field so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes every field so")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A text to be shown; the end of a long one is replaced by a mark.
fn display(text: &str) -> String {
    escape::display(&escape::shortened(text, LONGEST_DISPLAY)).into_owned()
}

impl<'a> Answer<'a> {
    /// Everything about the answers to what was asked.
    pub(super) fn new(
        table: &Table<'a>,
        context: &Context<'_>,
        asked: &Asked,
        answers: &'a Answers<'a>,
        (decision, failing, account): (Option<Decision>, &'a [String], Option<Accounted<'a>>),
    ) -> Self {
        let own = answers.texts.first().filter(|text| text.of.is_none());
        let not_utf8 = asked.not_utf8.map(|not_utf8| match not_utf8 {
            NotUtf8::InText(place) => {
                let start = u32::try_from(place).unwrap_or(u32::MAX);
                let span = Bytes { start, end: start.saturating_add(1) };
                Problem { span: Some(span), message: format!("not UTF-8 at byte {place}") }
            }
            NotUtf8::InLine(place) => Problem { span: None, message: format!("the line is not UTF-8 at byte {place}") },
        });
        let mut left = MOST_SUGGESTIONS;
        let commands = answers.commands.iter().map(|command| {
            let suggests = command.decision.is_none() && !command.harmless && left > 0;
            left -= usize::from(suggests);
            let suggestion = if suggests { suggestion::rule(table, context, answers, command) } else { None };
            self::command(table, context, answers, command, suggestion)
        });
        let commands = commands.collect();
        Self {
            matched_rules: matched_rules(context, answers),
            decision: decision.map(Decision::name),
            version: VERSION,
            matching: "guarded",
            problem: not_utf8.or_else(|| own.and_then(problem)),
            default: answers.default.as_ref().map(default),
            exhausted: answers.exhausted,
            failing,
            text: own.map(|text| text.text.as_str()),
            texts: answers.texts.iter().map(text).collect(),
            commands,
            commands_left_out: answers.left_out,
            account,
        }
    }
}

/// The rules that count, each once, in order of definition.
fn matched_rules<'a>(context: &Context<'_>, answers: &'a Answers<'a>) -> Vec<MatchedRule<'a>> {
    let matches = answers.commands.iter().flat_map(|command| command.matches.iter().map(move |found| (command, found)));
    let mut matches: Vec<_> = matches.filter(|(command, found)| reasons::counts(command, found)).collect();
    matches.sort_by_key(|(_, found)| found.rule.id());
    matches.dedup_by_key(|(_, found)| found.rule.id());
    let matched = |(command, found): (&'a CommandAnswer<'a>, &'a CommandMatch<'a>)| {
        let written = command.words.first().map_or("", |word| word.text.as_str());
        let base_name = found.reading.base_name.then(|| base_name(&found.rule, written));
        let words = reasons::taken(command, found);
        let words = words.iter().filter_map(|place| command.words.get(*place));
        let mut matched_prefix: Vec<_> = words.map(|word| word.text.as_str()).collect();
        if let (Some(name), Some(first)) = (base_name, matched_prefix.first_mut()) {
            *first = name;
        }
        let absolute = |folders| ResolvedProgram::new(written, folders).to_string();
        let resolved = || context.folders.as_ref().map_or_else(|| written.to_owned(), absolute);
        MatchedRule {
            prefix_rule_match: PrefixRuleMatch {
                matched_prefix,
                decision: found.rule.decision().name(),
                resolved_program: base_name.map(|_| resolved()),
                justification: found.rule.justification(),
            },
        }
    };
    matches.into_iter().map(matched).collect()
}

/// The name by which a rule took a program that is written by its path.
fn base_name<'a>(rule: &Rule<'a>, written: &'a str) -> &'a str {
    let head = rule.pattern().next().and_then(|head| head.alternatives().next());
    match head {
        Some(Alternative::Word(word)) => word,
        _ => ResolvedProgram::absolute(written).base_name().unwrap_or(written),
    }
}

fn text(text: &TextAnswer) -> Text<'_> {
    Text {
        text: &text.text,
        display: display(&text.text),
        shell: text.kind.name(),
        of: text.of,
        problem: problem(text),
    }
}

fn problem(text: &TextAnswer) -> Option<Problem> {
    text.problem.map(|problem| Problem { span: Some(bytes(problem.span)), message: problem.to_string() })
}

const fn bytes(span: Span) -> Bytes {
    Bytes { start: span.start, end: span.end }
}

fn command<'a>(
    table: &Table<'_>,
    context: &Context<'_>,
    answers: &'a Answers<'a>,
    command: &'a CommandAnswer<'a>,
    suggestion: Option<String>,
) -> Command<'a> {
    let source = command.place.and_then(|(place, span)| span.of(&answers.texts.get(place)?.text));
    let display = match source {
        Some(source) => display(source),
        None => display(&escape::quoted_words(command.words.iter().map(|word| word.text.as_str()))),
    };
    Command {
        found: match (command.inside, command.place) {
            // All words of a text that is not understood, and what is left when the program of one may be nothing.
            (None, None) if answers.texts.first().is_some_and(|text| text.of.is_none()) => "text",
            (None, None) => "request",
            (None, Some(_)) => "text",
            (Some(_), None) => "operands",
            (Some(_), Some(_)) => "inner-text",
        },
        inside: command.inside,
        span: command.place.map(|(text, span)| Place { text, start: span.start, end: span.end }),
        text: source.filter(|source| source.len() <= LONGEST_COMMAND),
        display,
        words: command
            .words
            .iter()
            .map(|word| Word { text: &word.text, dynamic: word.dynamic, span: word.span.map(bytes) })
            .collect(),
        words_left_out: command.words_left_out,
        decision: command.decision.map(Decision::name),
        harmless: command.harmless,
        matches: command.matches.iter().map(|found| self::found(answers, command, found)).collect(),
        doubts: command
            .doubts
            .iter()
            .map(|doubt| {
                let reason = reasons::reason(table, context.folders.as_ref(), answers, command, doubt);
                Doubt { kind: reason.kind, word: reason.word, message: reason.sentence, fix: reason.fix }
            })
            .collect(),
        suggestion,
    }
}

fn found<'a>(answers: &Answers<'_>, command: &CommandAnswer<'_>, found: &'a CommandMatch<'a>) -> Match<'a> {
    let rule = &found.rule;
    Match {
        rule: rule.id(),
        file: rule.file(),
        line: rule.line(),
        column: rule.column(),
        layer: rule.layer().name,
        decision: rule.decision().name(),
        words: reasons::taken(command, found),
        counts: reasons::counts(command, found),
        reading: reasons::reading_names(found.reading),
        how: reasons::reading(answers, command, found.reading),
        justification: rule.justification(),
    }
}

fn default<'a>(default: &DefaultDecision<'a>) -> Default<'a> {
    Default {
        decision: default.decision().name(),
        file: default.file(),
        line: default.line(),
        column: default.column(),
        layer: default.layer().name,
        justification: default.justification(),
    }
}
