//! From text to the engine's tree, or to every syntax error.

use std::collections::HashSet;

use starlark::analysis::AstModuleLint;
use starlark::codemap::FileSpan;
use starlark::environment::Globals;
use starlark::syntax::{AstModule, Dialect};

use crate::check::invalid_syntax;
use crate::diagnostics::{Diagnostic, Site};
use crate::shipped::exports;
use crate::source::{SourceFile, Span};
use crate::syntax::statements::statements;

/// How many syntax errors of one file are told.
const MOST_MISTAKES: usize = 100;

/// The reference engine's dialect.
const DIALECT: Dialect = Dialect { enable_f_strings: true, ..Dialect::Extended };

/// Parses a file. The engine stops at the first error, so a file that has one is parsed again statement by statement.
pub(super) fn parse(file: SourceFile, label: &str, text: &str) -> Result<AstModule, Vec<Diagnostic>> {
    AstModule::parse(label, text.to_owned(), &DIALECT).map_err(|error| {
        let mut mistakes = islands(file, text);
        if mistakes.is_empty() {
            mistakes.push(mistake(file, text, &error, 0));
        }
        mistakes
    })
}

/// Whether a text, which is short, can be read.
pub(super) fn is_read(text: &str) -> bool {
    AstModule::parse("", text.to_owned(), &DIALECT).is_ok()
}

/// Where `text` names what neither it nor `globals` define; nothing of a text that does not parse.
pub(super) fn undefined(file: SourceFile, label: &str, text: &str, globals: &Globals) -> Vec<Span> {
    let names: HashSet<String> = globals.names().map(|name| name.as_str().to_owned()).collect();
    let lints = parse(file, label, text).map(|ast| ast.lint(Some(&names))).unwrap_or_default();
    let undefined = lints.into_iter().filter(|lint| lint.short_name == "using-undefined");
    let span = |location: FileSpan| Span::new(location.span.begin().get(), location.span.end().get());
    let mut spans: Vec<Span> = undefined.map(|lint| span(lint.location)).collect();
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// The syntax errors of each statement that has one.
fn islands(file: SourceFile, text: &str) -> Vec<Diagnostic> {
    let mistakes = statements(text).into_iter().filter_map(|statement| {
        if let Some(fault) = statement.fault {
            let site = Site::new(file, fault.span);
            return Some(invalid_syntax::unbalanced(&site, fault, fault.span.of(text)));
        }
        let source = statement.span.of(text).to_owned();
        let error = AstModule::parse("", source, &DIALECT).err()?;
        Some(mistake(file, text, &error, statement.span.start))
    });
    mistakes.take(MOST_MISTAKES).collect()
}

/// The engine's error in a part of `text` that begins at `base`. A place without bytes becomes the character there.
fn mistake(file: SourceFile, text: &str, error: &starlark::Error, base: u32) -> Diagnostic {
    let mut span = match error.span() {
        Some(span) => Span::new(span.span.begin().get(), span.span.end().get()).shifted(base),
        None => Span::new(base, base),
    };
    while span.end - span.start > 1 && span.of(text).starts_with(['\r', '\n']) {
        span.start += 1;
    }
    let reason = error.without_diagnostic().to_string();
    if reason.contains("tabs are not allowed") {
        span = tabs(text, span.start).unwrap_or(span);
    } else if span.start == span.end {
        let rest = text.get(span.start as usize..).unwrap_or_default();
        span.end += rest.chars().next().map_or(0, |character| u32::try_from(character.len_utf8()).unwrap_or(0));
    }
    if reason.contains("requires at least two arguments") {
        return invalid_syntax::nameless_load(
            &Site::new(file, span),
            &exports(span.of(text).trim_matches(['"', '\''])),
        );
    }
    invalid_syntax::mended(invalid_syntax::unparsed(&Site::new(file, span), &reason), text)
}

/// The first tabs after `start`: the engine only knows what stood before them.
fn tabs(text: &str, start: u32) -> Option<Span> {
    let rest = text.get(start as usize..)?;
    let first = rest.find('\t')?;
    let length = rest.get(first..)?.bytes().take_while(|&byte| byte == b'\t').count();
    Some(Span::from(first..first + length).shifted(start))
}
