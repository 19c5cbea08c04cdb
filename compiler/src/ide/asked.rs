//! The commands that a file asks about: examples, expectations and scratch lines, and where each stands.

use policyc_runtime::Decision;

use super::standing::{Standing, standing};
use crate::rules::{Example, Expectation, Origin, Request};
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::token::{Token, TokenKind, tokens};
use crate::syntax::{Step, literal, locate, locate_items};

/// What a scratch line, which is a comment, begins with.
pub(super) const SCRATCH: &str = "#?";

/// A command that a file asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Where it stands; what it is computed from, if it is written nowhere.
    pub(super) span: Span,
    /// The command.
    pub(super) request: Request,
    /// What it is there for.
    pub(super) purpose: Purpose,
}

/// What a command stands in a policy for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A rule that says so must match it.
    Example(Decision),
    /// A rule must not match it.
    Counterexample,
    /// The policy set must answer it so.
    Expectation(Option<Decision>),
    /// To see what the policy set answers.
    Scratch,
}

/// The commands that a file asks about between the ends of `within`, in no particular order.
pub(super) fn asked(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, within: Span) -> Vec<Asked> {
    let standing = standing(db, set, file);
    let here = Here { standing: &standing, within };
    let mut asked = Vec::new();
    for rule in &standing.declarations.prefix_rules {
        let of = |purpose| move |example: &Example| (Request::Command(example.words.clone()), purpose);
        let examples = rule.examples.iter().map(of(Purpose::Example(rule.decision)));
        here.add(&mut asked, &rule.origin, ("match", 2), || examples.collect());
        let examples = rule.counterexamples.iter().map(of(Purpose::Counterexample));
        here.add(&mut asked, &rule.origin, ("not_match", 3), || examples.collect());
    }
    let expectations = standing.declarations.expectations.iter().filter(|expectation| expectation.is_of_rules());
    for Expectation { request, decision, origin, .. } in expectations {
        let expectation = || vec![(request.clone(), Purpose::Expectation(*decision))];
        here.add(&mut asked, origin, ("request", 0), expectation);
    }
    let scratch = scratch(db, file).iter().filter(|(span, _)| meets(*span, within));
    asked.extend(scratch.map(|(span, command)| Asked {
        span: *span,
        request: Request::Text(command.clone()),
        purpose: Purpose::Scratch,
    }));
    asked
}

/// The scratch lines of a file, each with its command.
#[salsa::tracked]
fn scratch(db: &dyn salsa::Database, file: SourceFile) -> Vec<(Span, String)> {
    let text = file.text(db);
    if !text.contains(SCRATCH) {
        return Vec::new();
    }
    let comments = tokens(text).filter(|token| token.kind == TokenKind::Comment);
    let scratch = comments.filter_map(|token| {
        let comment = token.span.of(text).trim_end();
        let command = comment.strip_prefix(SCRATCH)?.trim();
        let span = Span::from(0..comment.len()).shifted(token.span.start);
        (!command.is_empty()).then(|| (span, command.to_owned()))
    });
    scratch.collect()
}

fn meets(span: Span, within: Span) -> bool {
    span.start <= within.end && within.start <= span.end
}

/// The calls of a declaration that stand in one file, and what of them is asked for.
struct Here<'a, 'db> {
    standing: &'a Standing<'db>,
    within: Span,
}

impl Here<'_, '_> {
    /// Adds the commands of one parameter of a call.
    fn add(
        &self,
        asked: &mut Vec<Asked>,
        origin: &Origin,
        parameter: (&str, usize),
        commands: impl FnOnce() -> Vec<(Request, Purpose)>,
    ) {
        let Some((outermost, _)) = self.standing.outermost(origin).filter(|(_, now)| meets(*now, self.within)) else {
            return;
        };
        let commands = commands();
        let items = match (origin.file == self.standing.file && !commands.is_empty(), parameter) {
            (true, (name, position)) if name != "request" => {
                let parameter = Step::Parameter { name, position: Some(position) };
                locate_items(self.standing.text, origin.span, parameter)
            }
            _ => Vec::new(),
        };
        for (index, (request, purpose)) in commands.into_iter().enumerate() {
            let literal = items.get(index).filter(|item| item.literal).map(|item| item.span);
            let found = literal.or_else(|| self.written(origin, parameter, index, &request)).unwrap_or(outermost);
            if let Some(span) = self.standing.now(found).filter(|span| meets(*span, self.within)) {
                asked.push(Asked { span, request, purpose });
            }
        }
    }

    /// Where a command is written: in the call itself or, by its words, in the calls that led there. In the call itself, what it
    /// is computed from will do.
    fn written(
        &self,
        origin: &Origin,
        (name, position): (&str, usize),
        index: usize,
        request: &Request,
    ) -> Option<Span> {
        let text = self.standing.text;
        let mut computed = None;
        if origin.file == self.standing.file {
            let parameter = Step::Parameter { name, position: Some(position) };
            let path = [parameter, Step::Item(index)];
            let located = locate(text, origin.span, if name == "request" { &path[..1] } else { &path });
            if located.literal {
                return Some(located.span);
            }
            computed = origin.stack.is_empty().then_some(located.span);
        }
        let frames = origin.stack.iter().rev().filter(|frame| frame.file == self.standing.file);
        frames.map(|frame| frame.span).find_map(|call| literal_of(text, call, request)).or(computed)
    }
}

/// The literal in the call at `call` that stands for the command.
fn literal_of(text: &str, call: Span, request: &Request) -> Option<Span> {
    let call_text = call.of(text);
    let tokens: Vec<Token> = tokens(call_text).filter(|token| !token.kind.is_trivia()).collect();
    let string = |token: &Token| {
        let is_string = token.kind == TokenKind::String;
        is_string.then(|| literal::value(token.span.of(call_text))).flatten()
    };
    let single = tokens.iter().find(|token| {
        string(token).is_some_and(|value| match request {
            Request::Text(text) => *text == value,
            Request::Command(words) => shlex::split(&value).as_ref() == Some(words),
            Request::Tool(_) | Request::Network(..) => false,
        })
    });
    let list = || {
        let Request::Command(words) = request else { return None };
        let opens = tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::OpenSquare);
        let mut lists = opens.filter_map(|(place, open)| {
            let rest = tokens.get(place + 1..)?;
            let close = rest.iter().position(|token| token.kind.opens() || token.kind.closes())?;
            let items = rest.get(..close)?.iter().filter(|token| token.kind != TokenKind::Comma);
            let items: Option<Vec<String>> = items.map(string).collect();
            (items.as_ref() == Some(words)).then_some(Span::new(open.span.start, rest.get(close)?.span.end))
        });
        lists.next()
    };
    single.map(|token| token.span).or_else(list).map(|span| span.shifted(call.start))
}
