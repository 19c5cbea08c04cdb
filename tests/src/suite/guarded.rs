//! Lines of blocks that are judged in every reading: a request, its answer, and what may be asked of that.

use std::fmt::Write as _;

use policyc::rules::Decision;
use policyc_runtime::{Answers, Doubt};

/// A request of a guarded block, with what it must be answered.
pub(super) struct Question {
    pub(super) line: usize,
    pub(super) asked: Asked,
    pub(super) decision: Option<Decision>,
    pub(super) details: Vec<(usize, String)>,
}

pub(super) enum Asked {
    Words(Vec<String>),
    Text(String),
}

impl Question {
    pub(super) fn parse(line: usize, written: &str, is_text: bool) -> Result<Self, String> {
        let (before, after) =
            written.rsplit_once(" -> ").ok_or("expected `REQUEST -> allow`, `prompt`, `forbidden` or `no match`")?;
        let decision = match after {
            "no match" => None,
            name => Some(Decision::from_name(name).ok_or_else(|| format!("`{name}` is no decision"))?),
        };
        let before = before.trim_end();
        let list = || {
            serde_json::from_str::<Vec<String>>(before)
                .map_err(|error| format!("this is not a JSON list of strings: {error}"))
        };
        let asked = match (is_text, before.starts_with("[\"")) {
            (true, true) => Asked::Text(list()?.join("\n")),
            (true, false) => Asked::Text(before.to_owned()),
            (false, true) => Asked::Words(list()?),
            (false, false) => Asked::Words(shlex::split(before).ok_or("the words are not well quoted")?),
        };
        Ok(Self { line, asked, decision, details: Vec::new() })
    }
}

/// A line below a command: a rule that counts, a doubt, or a piece of a text.
pub(super) struct Detail {
    pub(super) text: String,
    /// Where the rule stands, which may be left out: ` @ FILE:LINE`, and the layer if there are several.
    pub(super) place: String,
}

impl Detail {
    pub(super) fn is(&self, written: &str) -> bool {
        written == self.text || written.strip_prefix(&self.text) == Some(&self.place)
    }
}

/// What may be asked of an answer beyond its decision: the rules that count, the doubts, and the simple commands of the
/// text.
pub(super) fn details(answers: &Answers<'_>) -> Vec<Detail> {
    let mut details = Vec::new();
    for command in &answers.commands {
        let word = |place: &usize| command.words.get(*place).map_or("", |word| word.text.as_str());
        for found in command.matches.iter().filter(|found| found.counts) {
            let words: Vec<&str> = found.words.iter().map(word).collect();
            let words = shlex::try_join(words).unwrap_or_default();
            let mut text = format!("{words} -> {}", found.rule.decision());
            if let Some(justification) = found.rule.justification() {
                write!(text, " {}", serde_json::Value::from(justification)).expect("writing to a string succeeds");
            }
            let mut place = format!(" @ {}:{}", found.rule.file(), found.rule.line());
            if !found.rule.layer().name.is_empty() {
                write!(place, " of {}", found.rule.layer().name).expect("writing to a string succeeds");
            }
            details.push(Detail { text, place });
        }
        let doubts = command.doubts.iter().map(|doubt| match doubt {
            Doubt::Path { name } => format!("! path {name}"),
            Doubt::Option { word: place } => format!("! option {}", word(place)),
            Doubt::Variable { name } => format!("! variable {name}"),
            Doubt::Write { target } => format!("! write {target}"),
            Doubt::Dynamic { word: place } => format!("! dynamic {}", word(place)),
            Doubt::Runs { word: place } => format!("! runs {}", word(place)),
            Doubt::WritesOption { word: place } => format!("! write option {}", word(place)),
            Doubt::Inner => "! inner".to_owned(),
            Doubt::Tail { word: place } => format!("! tail {}", word(place)),
            Doubt::StandardInput => "! standard input".to_owned(),
            Doubt::NotUnderstood => "! not understood".to_owned(),
            Doubt::Invisible { word: place } => format!("! invisible {}", word(place).escape_unicode()),
            Doubt::TooLong { .. } => "! too long".to_owned(),
            Doubt::Surroundings => "! surroundings".to_owned(),
            Doubt::TooDeep => "! too deep".to_owned(),
            other => format!("! {other:?}"),
        });
        let piece = command.place.and_then(|(text, span)| span.of(&answers.texts.get(text)?.text));
        let lines = doubts.chain(piece.map(|piece| format!(": {piece}")));
        details.extend(lines.map(|text| Detail { text, place: String::new() }));
    }
    details
}

/// What an unexpected answer came from, to be read behind it.
pub(super) fn reasons(answers: &Answers<'_>) -> String {
    let mut text = String::new();
    for reason in details(answers).iter().filter(|reason| !reason.text.starts_with(": ")) {
        write!(text, "; {}", reason.text).expect("writing to a string succeeds");
    }
    for problem in answers.texts.iter().filter_map(|text| text.problem) {
        write!(text, "; not understood: {:?}", problem.kind).expect("writing to a string succeeds");
    }
    text
}
