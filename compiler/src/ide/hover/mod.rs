//! Hover: what there is to know about what stands at a place.

mod rule;
mod word;

#[cfg(test)]
mod tests;

use super::asked::asked;
use super::completion::is_text;
use super::cursor::{CallAt, Cursor};
use super::explain::explain;
use super::hits::hits;
use super::language::{Parameter, described};
use super::scope::{DefinedKind, loaded, resolved};
use crate::eval::{choices, standard};
use crate::rules::Request;
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::literal;
use crate::syntax::token::{Token, TokenKind};

/// What there is to know about a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The text.
    pub span: Span,
    /// What there is to know, as Markdown.
    pub text: String,
}

/// What stands between the parts of a hover.
const RULER: &str = "\n\n---\n\n";

/// What there is to know about what stands at a place.
#[must_use]
pub fn hover(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, offset: u32) -> Option<Hover> {
    let cursor = Cursor::new(db, file, offset);
    let token = cursor.token?;
    let place = Asking { db, set, file, cursor: &cursor };
    let text = match token.kind {
        TokenKind::Comment => place.command(token.span),
        TokenKind::Load => described("load").map(|described| described.markdown("load")),
        TokenKind::Name => place.name(token),
        kind if is_text(kind) => return place.string(token),
        _ => None,
    };
    text.map(|text| Hover { span: token.span, text })
}

/// The place that is asked about.
struct Asking<'a> {
    db: &'a dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    cursor: &'a Cursor<'a>,
}

impl Asking<'_> {
    /// Of a name: what it calls, which argument it names, or what it stands for.
    fn name(&self, token: Token) -> Option<String> {
        let name = self.cursor.text(token);
        let next = self.cursor.following().map(|token| token.kind);
        if let Some(call) = self.cursor.call().filter(|_| next == Some(TokenKind::Equal))
            && call.argument() == (call.argument().0, Some(name))
        {
            return described(call.name())?.parameter(name).map(Parameter::markdown);
        }
        if let Some(described) = described(name) {
            let rules = rule::made(self, token.span);
            let parts = rules.into_iter().chain([described.markdown(name)]);
            return Some(parts.collect::<Vec<_>>().join(RULER));
        }
        if let Some((file, found)) = resolved(self.db, self.set, self.file, name) {
            let mut parts: Vec<String> = rule::made(self, token.span).into_iter().collect();
            let from = if file == self.file { String::new() } else { format!("\n\nfrom {}", file.label(self.db)) };
            match &found.kind {
                DefinedKind::Function(function) => {
                    let head = format!("def {}({})", found.name, function.parameters.join(", "));
                    parts.push(format!("```policy\n{head}\n```\n{}{from}", function.documentation));
                }
                _ => parts.push(format!("```policy\n{}\n```{from}", line_at(file.text(self.db), found.span))),
            }
            return Some(parts.join(RULER));
        }
        let known = standard().iter().find(|known| known.name == name)?;
        Some(format!("```policy\n{}\n```\n{}", known.code, known.documentation))
    }

    /// Of a string: what the command or the word in it is.
    fn string(&self, token: Token) -> Option<Hover> {
        if let Some(text) = self.command(token.span) {
            return Some(Hover { span: token.span, text });
        }
        let value = literal::value(self.cursor.text(token))?;
        let call = self.cursor.call();
        let text = match &call {
            Some(call) if call.name() == "load" => self.loaded(call, &value),
            Some(call) if call.path.is_empty() => self.value(call, &value),
            _ => None,
        };
        let text = text.or_else(|| word::word(self, call.as_ref(), &value))?;
        Some(Hover { span: token.span, text })
    }

    /// Of the command that stands at `span`: its answer, and how to ask for it in a terminal.
    fn command(&self, span: Span) -> Option<String> {
        let within = |at: Span| at.start <= span.start && span.end <= at.end || at == span;
        let asked = asked(self.db, self.set, self.file, span);
        let asked =
            asked.into_iter().filter(|asked| within(asked.span)).min_by_key(|it| it.span.end - it.span.start)?;
        let hits = hits(self.db, self.set, self.file, asked.span);
        let hit = hits.into_iter().find(|hit| hit.span == asked.span)?;
        Some(hit.tooltip)
    }

    /// Of the path of a `load` and of a name in it.
    fn loaded(&self, call: &CallAt<'_>, value: &str) -> Option<String> {
        let file = loaded(self.db, self.set, self.file, &call.string(0)?)?;
        if call.argument() == (0, None) {
            let rules = super::standing::standing(self.db, self.set, file).declarations.prefix_rules.len();
            let comment = leading_comment(file.text(self.db));
            let plural = if rules == 1 { "" } else { "s" };
            return Some(format!("{}: {rules} rule{plural}\n\n{comment}", file.label(self.db)));
        }
        let (file, found) = resolved(self.db, self.set, file, value)?;
        let line = line_at(file.text(self.db), found.span);
        Some(format!("```policy\n{line}\n```\nfrom {}", file.label(self.db)))
    }

    /// Of a value that is one of few.
    fn value(&self, call: &CallAt<'_>, value: &str) -> Option<String> {
        let (signature, parameter) = (call.signature()?, call.parameter()?);
        let known = choices(signature.builtin, parameter).contains(&value);
        let documentation = described(signature.builtin)?.parameter(parameter).filter(|_| known)?;
        Some(documentation.markdown())
    }
}

/// The command line that asks for a request in a terminal, as Markdown.
fn command_line(place: &Asking<'_>, request: &Request) -> String {
    format!("```sh\n{}\n```", explain(place.db, place.set, request))
}

/// The line of a text that holds `span`, without what makes it long.
fn line_at(text: &str, span: Span) -> String {
    const LONGEST: usize = 120;
    let start = text.get(..span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The comment that a file begins with, without its marks.
fn leading_comment(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}
