//! Lines of blocks that are judged as typed: a command, its answer, and its matches.

use policyc::rules::Decision;

pub(super) struct Expectation {
    pub(super) line: usize,
    pub(super) parsed: Line,
    pub(super) matches: Vec<(usize, Line)>,
}

pub(super) struct Line {
    pub(super) words: Vec<String>,
    pub(super) decision: Option<Decision>,
    pub(super) program: Option<String>,
    pub(super) justification: Option<String>,
}

/// `WORDS -> RESULT`, or as a match `WORDS -> DECISION "JUSTIFICATION"`.
pub(super) fn parse_line(text: &str, detail: bool) -> Result<Line, String> {
    let arrow = text
        .rmatch_indices(" -> ")
        .find(|(at, arrow)| {
            let result = text.get(at + arrow.len()..).unwrap_or_default();
            result.starts_with("no match") || Decision::ALL.iter().any(|decision| result.starts_with(decision.name()))
        })
        .ok_or("expected `WORDS -> allow`, `prompt`, `forbidden` or `no match`")?;
    let (before, after) = (text.get(..arrow.0).unwrap_or_default(), text.get(arrow.0 + 4..).unwrap_or_default());
    let words = if before.starts_with("[\"") || before == "[]" {
        serde_json::from_str(before).map_err(|error| format!("the words are not a JSON list of strings: {error}"))?
    } else {
        shlex::split(before).ok_or("the words are not well quoted")?
    };
    let (result, rest) = match after.strip_prefix("no match") {
        Some(rest) => (None, rest),
        None => {
            let end = after.find(' ').unwrap_or(after.len());
            let (name, rest) = after.split_at(end);
            (Some(Decision::from_name(name).ok_or_else(|| format!("`{name}` is no decision"))?), rest)
        }
    };
    let mut line = Line { words, decision: result, program: None, justification: None };
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(line);
    }
    if detail {
        line.justification = Some(
            serde_json::from_str(rest).map_err(|error| format!("the justification is not a JSON string: {error}"))?,
        );
    } else {
        let program = rest.strip_prefix("(program ").and_then(|rest| rest.strip_suffix(')'));
        line.program = Some(program.ok_or("expected `(program /PATH)` or nothing after the decision")?.to_owned());
    }
    Ok(line)
}
