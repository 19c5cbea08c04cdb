//! What the policy set answers to any command or text, as the JSON of `policyc eval`; and its table, listed.

use policyc_runtime::{Context, Folders, ShellKind, Table};
use serde_json::Value;

use crate::answers::{Asked, Judge};
use crate::db::answering_table;
use crate::listing::listing;
use crate::paint::Paint;
use crate::source::PolicySet;

/// What is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A command by its words.
    Words(Vec<String>),
    /// A text for a shell.
    Text(String, ShellKind),
}

impl Question {
    /// A text for the shell of this name, or else for bash; nothing if there is no such shell.
    #[must_use]
    pub fn text(text: String, shell: Option<&str>) -> Option<Self> {
        let kind = match shell {
            Some(name) => ShellKind::ALL.into_iter().find(|kind| kind.name() == name)?,
            None => ShellKind::default(),
        };
        Some(Self::Text(text, kind))
    }
}

/// The answer of `policyc eval`, by the files as they last ran without an error.
#[must_use]
pub fn evaluate(db: &dyn salsa::Database, set: PolicySet, question: Question) -> Option<Value> {
    let table = Table::from_bytes(answering_table(db, set)).ok()?;
    let folders = Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() });
    let asked = match question {
        Question::Words(words) => Asked::command(words),
        Question::Text(text, kind) => Asked::known_text(text, kind),
    };
    let mut written = Vec::new();
    let context = Context { folders, ..Context::default() };
    let judge = Judge { table: &table, context: &context, failing: &[] };
    judge.answer(&asked, &mut serde_json::Serializer::new(&mut written)).ok()?;
    serde_json::from_slice(&written).ok()
}

/// The table that answers, as `policyc inspect` lists it.
#[must_use]
pub fn table_listing(db: &dyn salsa::Database, set: PolicySet) -> Option<String> {
    let table = Table::from_bytes(answering_table(db, set)).ok()?;
    listing(&table, Paint::plain()).ok()
}

#[cfg(test)]
mod tests {
    use policyc_runtime::ShellKind;

    use super::{Question, evaluate, table_listing};
    use crate::ide::fixture::fixture;

    #[test]
    fn a_text_is_answered_as_on_the_command_line() {
        let fixture = fixture("prefix_rule(['git', 'push'], 'prompt')\n");
        let text = Question::text("cd / && git push".to_owned(), None).unwrap();
        let answer = evaluate(&fixture.db, fixture.set, text).unwrap();
        assert_eq!(answer["decision"], "prompt");
        assert_eq!(answer["commands"][1]["matches"][0]["file"], "a.rules");
        let words = Question::Words(vec!["ls".to_owned()]);
        assert_eq!(evaluate(&fixture.db, fixture.set, words).unwrap().get("decision"), None);
        assert_eq!(Question::text(String::new(), Some("fish")), None);
        let cmd = Some(Question::Text(String::new(), ShellKind::Cmd));
        assert_eq!(Question::text(String::new(), Some("cmd")), cmd);
        assert!(table_listing(&fixture.db, fixture.set).unwrap().contains("git push"));
    }
}
