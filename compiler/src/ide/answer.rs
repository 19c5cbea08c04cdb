//! What the policy set says of a command, in a few words.

use std::collections::HashMap;

use policyc_runtime::{Answers, CommandAnswer, CommandMatch, Context, Decision, Doubt, Folders, Request, Rule, Table};

use super::Place;
use super::standing::standing;
use crate::answers::reasons::reason;
use crate::db::{answering_table, prelude_order, run_order};
use crate::source::{PolicySet, Position, SourceFile, Span};
use crate::syntax::line_index;

/// Answers commands as a host would.
pub(super) struct Judge<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    table: Table<'db>,
    context: Context<'db>,
    files: HashMap<&'db str, SourceFile>,
}

/// What was answered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The answer.
    pub(super) decision: Option<Decision>,
    /// What made it, with the number of the rule if it is one.
    pub(super) by: Option<By>,
    /// Why an allow does not count, and what else there is to say: Markdown, a line each.
    pub(super) why: Vec<String>,
}

/// What made an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct By {
    /// What it is.
    pub(super) kind: ByKind,
    /// The label of its file.
    pub(super) label: String,
    /// Its line.
    pub(super) line: u32,
    /// Where it stands, if its file is still there.
    pub(super) place: Option<Place>,
}

/// What can make an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByKind {
    /// A rule that says so.
    Rule,
    /// A rule that allows, and is in doubt.
    DoubtfulAllow,
    /// What the policy says no match means.
    Default,
}

impl<'db> Judge<'db> {
    pub(super) fn new(db: &'db dyn salsa::Database, set: PolicySet) -> Option<Self> {
        let table = Table::from_bytes(answering_table(db, set)).ok()?;
        let folders = Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() });
        let files = run_order(db, set).iter().chain(prelude_order(db, set));
        let files = files.map(|file| (file.label(db).as_str(), *file)).collect();
        Some(Self { db, set, table, context: Context { folders, ..Context::default() }, files })
    }

    /// The answer to a request.
    pub(super) fn answer<W: AsRef<str>>(&self, request: Request<'_, W>) -> Answer {
        let answers = self.answers(request);
        Answer { decision: answers.decision, by: self.by(&answers), why: self.why(&answers) }
    }

    /// The answer in full.
    pub(super) fn answers<W: AsRef<str>>(&self, request: Request<'_, W>) -> Answers<'_> {
        self.table.decide(request, &self.context).answers()
    }

    /// Where a declaration of the table stands.
    fn by_of(&self, kind: ByKind, (label, line, column): (&str, u32, u32)) -> By {
        let place = self.place(label, Position { line, column });
        // What the table knows of a broken file is how it last ran.
        let now = |place: &Place| line_index(self.db, place.file).position(place.span.start).line;
        By { kind, label: label.to_owned(), line: place.as_ref().map_or(line, now), place }
    }

    /// The name at a position: what is called there.
    fn place(&self, label: &str, position: Position) -> Option<Place> {
        let file = *self.files.get(label)?;
        let standing = standing(self.db, self.set, file);
        let start = line_index(self.db, standing.file).offset(position);
        let rest = standing.text.get(start as usize..)?;
        let length = rest.find(|character: char| !(character.is_alphanumeric() || character == '_'));
        let span = standing.now(Span::from(0..length.unwrap_or(rest.len())).shifted(start))?;
        Some(Place { file, span })
    }

    /// What there is to say beyond the rule: the doubts and how to end them, and the justification of what decided.
    fn why(&self, answers: &Answers<'_>) -> Vec<String> {
        let mut why = Vec::new();
        let mut say = |line: String| {
            if !why.contains(&line) {
                why.push(line);
            }
        };
        for command in &answers.commands {
            let deciding = |found: &&CommandMatch<'_>| found.counts && Some(found.rule.decision()) == answers.decision;
            let matches = command.matches.iter().filter(deciding);
            matches.filter_map(|found| found.rule.justification()).for_each(|why| say(why.to_owned()));
            if command.decision != Some(Decision::Allow) {
                self.doubts(answers, command).for_each(&mut say);
            }
        }
        answers.default.iter().filter_map(|default| default.justification()).for_each(|it| say(it.to_owned()));
        for problem in answers.texts.iter().filter_map(|text| text.problem.as_ref()) {
            say(format!("not understood: {problem}"));
        }
        if answers.exhausted {
            say("it takes more steps to read than any honest request".to_owned());
        }
        why
    }

    fn doubts<'a>(
        &'a self,
        answers: &'a Answers<'_>,
        command: &'a CommandAnswer<'_>,
    ) -> impl Iterator<Item = String> + 'a {
        let doubts = command.doubts.iter().filter(|doubt| !matches!(doubt, Doubt::Inner));
        doubts.map(|doubt| {
            let reason = reason(&self.table, self.context.folders.as_ref(), answers, command, doubt);
            reason.fix.map_or(reason.sentence.clone(), |fix| format!("{}: {fix}", reason.sentence))
        })
    }

    fn by(&self, answers: &Answers<'_>) -> Option<By> {
        let decision = answers.decision?;
        let found = |wanted: &dyn Fn(&CommandMatch<'_>) -> bool| {
            let mut matches = answers.commands.iter().flat_map(|command| &command.matches);
            matches.find(|found| wanted(found)).map(|found| at(&found.rule))
        };
        if let Some(at) = found(&|found| found.counts && found.rule.decision() == decision) {
            return Some(self.by_of(ByKind::Rule, at));
        }
        if let Some(default) = &answers.default {
            return Some(self.by_of(ByKind::Default, (default.file(), default.line(), default.column())));
        }
        let allow = found(&|found| found.rule.decision() == Decision::Allow)?;
        (decision == Decision::Prompt).then(|| self.by_of(ByKind::DoubtfulAllow, allow))
    }
}

fn at<'t>(rule: &Rule<'t>) -> (&'t str, u32, u32) {
    (rule.file(), rule.line(), rule.column())
}

impl Answer {
    /// The answer as a hint beside the command: `→ forbidden  git.rules:12`.
    pub(super) fn hint(&self) -> String {
        let Some(decision) = self.decision else { return "→ no rule".to_owned() };
        match &self.by {
            Some(by) => {
                let name = by.label.rsplit('/').next().unwrap_or_default();
                let said = match by.kind {
                    ByKind::Rule => "",
                    ByKind::DoubtfulAllow => ", not allow",
                    ByKind::Default => ", the default",
                };
                format!("→ {decision}{said}  {name}:{}", by.line)
            }
            None => format!("→ {decision}, in doubt"),
        }
    }
}
