//! Saying that a path which stands in a policy is that of a program.

use super::statement::around;
use super::{ActionKind, CodeAction, Here};
use crate::db::whole_rule_set;
use crate::diagnostics::Edit;
use crate::ide::asked::{Purpose, asked};
use crate::rules::{HostExecutable, Request};
use crate::shipped::PREFIX;
use crate::source::Span;
use crate::syntax::tree::{AstNode, Call, NodeKind, span};
use crate::syntax::{Step, insertion, literal, locate};

pub(super) fn actions(here: Here<'_>) -> Vec<CodeAction> {
    let path = pattern_head(here).or_else(|| asked_head(here));
    path.and_then(|path| declared(here, &path)).into_iter().collect()
}

/// The word at the cursor that begins a pattern.
fn pattern_head(here: Here<'_>) -> Option<String> {
    let token = here.touched().find(|token| token.kind() == crate::syntax::token::TokenKind::String)?;
    let path = literal::value(token.text())?;
    let call = around(&token, &[NodeKind::Call]).and_then(Call::cast)?;
    if call.callee_name()?.text() != "prefix_rule" {
        return None;
    }
    let pattern = span(&call.argument("pattern", Some(0))?);
    let place = Span::from(token.text_range());
    let head =
        locate(here.text(), span(&call), &[Step::Parameter { name: "pattern", position: Some(0) }, Step::Item(0)]);
    (pattern.start <= place.start && place.end <= head.span.end).then_some(path)
}

/// The first word of the command that is asked about at the cursor.
fn asked_head(here: Here<'_>) -> Option<String> {
    let at = Span::new(here.span.start, here.span.start);
    let mut commands = asked(here.db, here.set, here.file, at).into_iter();
    commands.find_map(|asked| match asked.request {
        Request::Command(words) => words.into_iter().next(),
        Request::Text(text) => match asked.purpose {
            Purpose::Scratch | Purpose::Expectation(_) => shlex::split(&text)?.into_iter().next(),
            _ => None,
        },
    })
}

/// Declares an absolute path, beside the others of its name if there are some.
fn declared(here: Here<'_>, path: &str) -> Option<CodeAction> {
    let name = path.strip_prefix('/')?.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | ".."))?;
    let known = whole_rule_set(here.db, here.set).host_executables;
    let of_name: Vec<&HostExecutable> = known.into_iter().filter(|known| known.name == name).collect();
    if of_name.iter().any(|known| known.paths.iter().any(|known| known == path)) {
        return None;
    }
    let edit = match of_name.last() {
        Some(known) => further(here, known, path)?,
        None => {
            let at = here.line_of_statement().or_else(|| line(here))?;
            let (name, path) = (literal::written(name), literal::written(path));
            let text = format!("host_executable(name = {name}, paths = [{path}])\n");
            here.edit(Span::new(at, at), text)
        }
    };
    let title = format!("declare `host_executable` for `{path}`");
    Some(CodeAction::new(ActionKind::Add, title, vec![edit]))
}

/// The path as one more of those that are listed.
fn further(here: Here<'_>, known: &HostExecutable, path: &str) -> Option<Edit> {
    let file = known.origin.file;
    let text = file.text(here.db);
    let paths = locate(text, known.origin.span, &[Step::Parameter { name: "paths", position: Some(1) }]);
    let own = known.origin.stack.is_empty() && paths.literal && !file.label(here.db).starts_with(PREFIX);
    let (span, text) = own.then(|| insertion(text, paths.span, &literal::written(path))).flatten()?;
    Some(Edit { file, span, text })
}

/// The start of the line of a comment at top level.
fn line(here: Here<'_>) -> Option<u32> {
    let before = here.text().get(..here.span.start as usize)?;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let comment = here.text().get(start..)?.starts_with('#');
    u32::try_from(start).ok().filter(|_| comment)
}
