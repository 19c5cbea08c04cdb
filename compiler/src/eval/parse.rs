//! From text to the engine's tree, or to every syntax error.

use starlark::syntax::{AstModule, Dialect};

use crate::check::invalid_syntax;
use crate::diagnostics::{Diagnostic, Site};
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
            mistakes.push(mistake(file, &error, 0));
        }
        mistakes
    })
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
        Some(mistake(file, &error, statement.span.start))
    });
    mistakes.take(MOST_MISTAKES).collect()
}

/// The engine's error in a text that begins at `base`.
fn mistake(file: SourceFile, error: &starlark::Error, base: u32) -> Diagnostic {
    let span = error.span().map_or(Span::default(), |span| Span::new(span.span.begin().get(), span.span.end().get()));
    let site = Site::new(file, span.shifted(base));
    invalid_syntax::unparsed(&site, &error.without_diagnostic().to_string())
}
