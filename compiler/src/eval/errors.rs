//! What ends a run, as diagnostics.

use starlark::ErrorKind;

use super::bounds::{Breach, DEEPEST_CALLS, MOST_DECLARED, MOST_MEMORY, MOST_MISTAKES, MOST_STEPS};
use super::builtins::GLOBALS;
use super::parse::undefined as undefined_in;
use super::recorder::Recorder;
use crate::check::{failing_evaluation, unknown_name, unreachable_end};
use crate::diagnostics::{Diagnostic, Site};
use crate::source::Span;
use crate::syntax::token::{TokenKind, tokens};

/// The place of `error`, or `otherwise` if it has none, and the calls that led there.
fn site(error: &starlark::Error, recorder: &Recorder<'_>, otherwise: Span) -> Site {
    let mut frames = error.call_stack().frames.clone();
    // The call of a builtin is the error's own place, not a way to it.
    frames.pop_if(|frame| frame.location.as_ref() == error.span());
    let stack = recorder.frames(frames, 0);
    let (file, span) = match error.span() {
        Some(location) => recorder.place(location),
        None => (recorder.file, otherwise),
    };
    Site { file, span, stack }
}

/// What the error that ended a run says. `statement` is where the run was last seen, for the errors that have no place.
pub(super) fn diagnose(
    error: &starlark::Error,
    recorder: &Recorder<'_>,
    text: &str,
    breach: Option<Breach>,
    statement: Span,
) -> Vec<Diagnostic> {
    let site = site(error, recorder, statement);
    if let Some(breach) = breach {
        return vec![match breach {
            Breach::Steps => unreachable_end::steps(&site, MOST_STEPS),
            Breach::Memory => unreachable_end::memory(&site, MOST_MEMORY),
            Breach::Declarations => unreachable_end::declarations(&site, MOST_DECLARED),
            Breach::Mistakes => unreachable_end::mistakes(&site, MOST_MISTAKES),
        }];
    }
    // The engine calls a function by its file and name.
    let reason = error.without_diagnostic().to_string().replace(&format!("{}.", recorder.label), "");
    vec![match error.kind() {
        ErrorKind::Fail(reason) => failing_evaluation::gave_up(&site, &reason.to_string()),
        ErrorKind::StackOverflow(_) => unreachable_end::depth(&site, DEEPEST_CALLS),
        ErrorKind::Scope(_) => return undefined(recorder, text, &site, &reason),
        _ => failing_evaluation::cannot_go_on(&site, &reason),
    }]
}

/// Names are looked up in the whole file before any of it runs.
const NOTHING_RAN: &str = "nothing in this file was run";

/// Every name that is not defined; `first` is where the engine found the first one and `reason` what it said.
fn undefined(recorder: &Recorder<'_>, text: &str, first: &Site, reason: &str) -> Vec<Diagnostic> {
    if !reason.contains("not found") {
        return vec![failing_evaluation::cannot_go_on(first, reason)];
    }
    let mut spans = undefined_in(recorder.file, recorder.label, text, &GLOBALS);
    if !spans.contains(&first.span) {
        spans.push(first.span);
        spans.sort_unstable();
    }
    let defined = defined(text);
    let globals: Vec<String> = GLOBALS.names().map(|name| name.as_str().to_owned()).collect();
    spans
        .into_iter()
        .map(|span| {
            let known = defined.iter().copied().chain(globals.iter().map(String::as_str));
            unknown_name::undefined(&Site::new(recorder.file, span), span.of(text), known).with_note(NOTHING_RAN)
        })
        .collect()
}

/// The names that `text` defines, wherever: those before a lone `=` outside brackets, and after `def`, `for` and `lambda`.
fn defined(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut binding = false;
    let mut stream =
        tokens(text).filter(|token| !token.kind.is_trivia() || token.kind == TokenKind::Newline).peekable();
    while let Some(token) = stream.next() {
        let kind = token.kind;
        if kind.opens() {
            depth += 1;
        } else if kind.closes() {
            depth = depth.saturating_sub(1);
        }
        match kind {
            TokenKind::Def | TokenKind::For | TokenKind::Lambda => binding = true,
            TokenKind::In | TokenKind::Colon | TokenKind::Newline => binding = false,
            TokenKind::Name => {
                let assigned = depth == 0 && stream.peek().is_some_and(|next| next.kind == TokenKind::Equal);
                if binding || assigned {
                    names.push(token.span.of(text));
                }
            }
            _ => {}
        }
    }
    names
}
