//! Guarded matching: a command in every way that it can be read.
//!
//! The one law: *uncertainty may turn allow into prompt; it never weakens prompt or forbidden.* Restrictive rules match
//! any reading, allow rules only what is certain. What programs do with their words is known from the table alone.

mod setting;
mod line;
mod text;
mod blocks;
mod supplied;
mod simple;
mod heads;
mod grammar;
mod reader;
mod walk;
mod dynamic;
mod conditions;
mod folders;
mod rows;
mod parts;
mod inner;
mod inputs;
mod respelt;
mod evaluated;
mod record;

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;

use folders::Folder;
use line::{Command, Line};
use policyc_shell::Parameters;
use record::Record;
use rows::Gathered;
use setting::Setting;

use crate::Decision;
use crate::account::EffectSource;
use crate::answers::Answers;
use crate::declarations::{DefaultDecision, Rule};
use crate::effects::Effects;
use crate::jail::Jail;
use crate::path::Folders;
use crate::request::Request;
use crate::table::Table;

/// How deep commands may run one another before they are only scanned.
const DEEPEST: u32 = 16;

/// The longest word that a system passes to a program, in bytes.
const LONGEST_WORD: usize = 128 << 10;

/// How many steps a request may take, each a few tens of nanoseconds at most.
const MOST_STEPS: usize = 12_000_000;

/// What the rules answer, from the mildest to the strictest: no match is stricter than allow, for the host's default
/// may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Allow,
    None,
    Prompt,
    Forbidden,
}

impl Answer {
    const fn decision(self) -> Option<Decision> {
        match self {
            Self::Allow => Some(Decision::Allow),
            Self::None => None,
            Self::Prompt => Some(Decision::Prompt),
            Self::Forbidden => Some(Decision::Forbidden),
        }
    }
}

impl Answer {
    /// What words say that only may be those that run: a restriction or nothing.
    const fn restriction(self) -> Self {
        match self {
            Self::None => Self::Allow,
            answer => answer,
        }
    }
}

impl From<Option<Decision>> for Answer {
    fn from(decision: Option<Decision>) -> Self {
        decision.map_or(Self::None, Self::from)
    }
}

impl From<Decision> for Answer {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Allow,
            Decision::Prompt => Self::Prompt,
            Decision::Forbidden => Self::Forbidden,
        }
    }
}

/// One judgement of a request.
struct Judge<'t, 'q> {
    table: &'t Table<'t>,
    folders: Option<&'q Folders<'q>>,
    steps: Cell<usize>,
    record: Option<Record<'t>>,
    /// What the commands do, if that is asked.
    gathered: Option<Gathered<'t, 'q>>,
    /// Whether an allow rule counted for any command.
    allowed: bool,
    /// Where commands so far may have moved to.
    moved: Vec<Folder>,
    /// The variables that commands so far have set for those that follow.
    assigned: Vec<String>,
    /// The parameters that commands so far have set for those that follow.
    parameters: Vec<Parameters>,
    /// Whether a shell may have been told that patterns describe files whose names begin with a dot, too.
    dots: bool,
    /// Whether a shell may have been told to split words within numbers.
    cuts: bool,
    /// The aliases that commands so far have defined: name and text.
    aliases: Vec<(String, String)>,
}

impl<'t, 'q> Judge<'t, 'q> {
    const fn new(table: &'t Table<'t>, folders: Option<&'q Folders<'q>>, record: Option<Record<'t>>) -> Self {
        Self {
            table,
            folders,
            steps: Cell::new(0),
            record,
            gathered: None,
            allowed: false,
            moved: Vec::new(),
            assigned: Vec::new(),
            parameters: Vec::new(),
            dots: false,
            cuts: false,
            aliases: Vec::new(),
        }
    }

    fn step(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// Whether the steps are used up: then the answer is the strictest that the table has.
    fn is_exhausted(&self) -> bool {
        self.steps.get() > MOST_STEPS
    }

    fn request<W: AsRef<str>>(&mut self, request: Request<'_, W>) -> Answer {
        let answer = match request {
            Request::Command([]) => Answer::None,
            Request::Command(words) => self.simple(&Line::typed(&Command(words)), None, false, &Setting::TOP),
            Request::Text { text, kind } => self.text(text, kind, &Setting::TOP),
            Request::Tool { .. } | Request::Network { .. } => Answer::None,
        };
        if self.is_exhausted() {
            let strictest = self.table.rules().map(|rule| rule.decision()).max();
            return answer.max(Answer::Prompt).max(strictest.map_or(Answer::Prompt, Answer::from));
        }
        // What needs no rule beside commands that are allowed is not allowed by itself.
        if self.allowed { answer } else { answer.max(Answer::None) }
    }

    fn assign(&mut self, name: &str) {
        self.step(self.assigned.len() / 8);
        if !self.is_exhausted() && !self.is_inert(name) && !self.assigned.iter().any(|known| known == name) {
            self.assigned.push(name.into());
        }
    }
}

/// The decision on a request, and the policy's own answer to no match if that decided.
pub(crate) fn decide<W: AsRef<str>>(
    table: &Table<'_>,
    folders: Option<&Folders<'_>>,
    request: Request<'_, W>,
) -> Option<Decision> {
    let answer = Judge::new(table, folders, None).request(request);
    answer.decision().or_else(|| default(table).map(|default| default.decision()))
}

/// The same in full.
pub(crate) fn answers<'t, W: AsRef<str>>(
    table: &'t Table<'t>,
    folders: Option<&Folders<'_>>,
    request: Request<'_, W>,
) -> Answers<'t> {
    let mut judge = Judge::new(table, folders, Some(Record::default()));
    let answer = judge.request(request);
    let default = if answer == Answer::None { default(table) } else { None };
    let exhausted = judge.is_exhausted();
    let steps = judge.steps.get();
    let Record { texts, commands, left_out, .. } = judge.record.unwrap_or_default();
    let decision = answer.decision().or(default.map(|default| default.decision()));
    Answers { decision, texts, commands, left_out, steps, exhausted, default }
}

/// What commands do, and what the rules say of them.
pub(crate) struct Gathering<'t> {
    /// The answer of the rules, and of what is in doubt.
    pub(crate) decision: Option<Decision>,
    pub(crate) effects: Effects,
    /// Where they come from, and the restrictive rules that count; only if asked for.
    pub(crate) sources: Vec<EffectSource<'t>>,
    pub(crate) restrictive: Vec<Rule<'t>>,
}

/// Judges commands for what they do.
pub(crate) fn gather<'t, W: AsRef<str>>(
    table: &'t Table<'t>,
    jail: &Jail<'_>,
    request: Request<'_, W>,
    full: bool,
) -> Gathering<'t> {
    let mut judge = Judge::new(table, jail.folders, full.then(Record::default));
    judge.gathered = table.vocabulary().map(|vocabulary| Gathered::new(vocabulary, *jail));
    let answer = judge.request(request);
    // What is harmless beside others does nothing that a profile could permit.
    let nothing = judge.gathered.as_ref().is_some_and(|gathered| gathered.effects.is_empty());
    if nothing || judge.is_exhausted() {
        judge.uncovered(&Setting::TOP);
    }
    let commands = judge.record.unwrap_or_default().commands;
    let matches = commands.iter().flat_map(|command| &command.matches);
    let mut restrictive: Vec<_> = matches
        .filter(|found| found.counts && found.rule.decision() > Decision::Allow)
        .map(|found| found.rule)
        .collect();
    restrictive.sort_by_key(Rule::id);
    restrictive.dedup_by_key(|rule| rule.id());
    let (effects, sources) =
        judge.gathered.map_or((Effects::NONE, Vec::new()), |gathered| (gathered.effects, gathered.sources));
    Gathering { decision: answer.decision(), effects, sources, restrictive }
}

fn default<'t>(table: &'t Table<'t>) -> Option<DefaultDecision<'t>> {
    let strictest = table.default_decisions().map(|default| default.decision()).max()?;
    table.default_decisions().find(|default| default.decision() == strictest)
}

/// The variable that says where words are split.
const SEPARATORS: [&str; 1] = ["ifs"];

/// What has patterns of shells describe files whose names begin with a dot.
const DOTS: [&str; 3] = ["dotglob", "globdots", "globignore"];

/// Whether one of the names stands in a text, however it is quoted.
fn mentions(text: &str, names: &[&str]) -> bool {
    let letters = text.chars().filter(char::is_ascii_alphabetic).map(|one| one.to_ascii_lowercase());
    let letters: String = letters.collect();
    names.iter().any(|name| letters.contains(name))
}

/// Whether a word has characters that are not seen, turn the order of others, or end it for the system: it may not be
/// what it looks like.
pub(crate) fn is_disguised(word: &str) -> bool {
    !word.bytes().all(|byte| byte.is_ascii() && byte != 0)
        && word.chars().any(|one| {
            matches!(one,
                '\0' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
        })
}
