//! A timeline for people.

use std::fmt::Write;

use serde_json::Value;

use super::event::{Event, kind};

/// The longest that one line shows of a text, in characters.
const WIDTH: usize = 160;

/// A trace as lines: the number, the time of day, the session, what happened.
#[must_use]
pub fn show(events: &[Event]) -> String {
    let mut shown = String::new();
    for event in events {
        let _ = writeln!(
            shown,
            "{:>5}  {}  {:<24}  {}",
            event.sequence,
            utc(event.time / 1000),
            event.event,
            cut(&said(event))
        );
    }
    shown
}

/// A time in UTC, to the second; `seconds` since 1970.
#[must_use]
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// The date that many days after 1970 (Hinnant, chrono-compatible low-level date algorithms).
const fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + (month <= 2) as u64, month, day)
}

fn said(event: &Event) -> String {
    let text = |key: &str| event.data.get(key).and_then(Value::as_str);
    let of = || event.data.get("decision").and_then(Value::as_u64).map_or_else(String::new, |of| format!("of {of}"));
    match event.event.as_str() {
        kind::DECISION => {
            let names = |key: &str, name: &str| {
                let items = event.data.get(key).and_then(Value::as_array);
                let names = items.into_iter().flatten().filter_map(|item| item.get(name).or(Some(item))?.as_str());
                names.collect::<Vec<_>>().join(" ")
            };
            let by = text("discharged").map_or_else(String::new, |by| format!(" by {by}"));
            format!(
                "{}{by}: {} [{}]",
                text("decision").unwrap_or("no decision"),
                asked(event),
                names("effects", "name")
            )
        }
        kind::COMPLETED => format!("{} {}", of(), text("outcome").unwrap_or_default()),
        kind::STARTED => format!("{} by {}", of(), text("runner").unwrap_or_default()),
        kind::DENIED | kind::APPROVAL_REQUIRED => {
            let reasons = event.data.get("reasons").and_then(Value::as_array);
            let reasons: Vec<_> = reasons.into_iter().flatten().filter_map(Value::as_str).collect();
            format!("{}: {}", of(), reasons.join("; "))
        }
        kind::GRANT_USED => {
            let grants = event.data.get("grants").and_then(Value::as_array);
            let grants: Vec<_> = grants.into_iter().flatten().filter_map(Value::as_str).collect();
            format!("{}: {}", of(), grants.join(" "))
        }
        kind::GRANT_REQUESTED | kind::GRANT_DECIDED | kind::GRANT_LAPSED | kind::GRANT_REVOKED => {
            let keys = ["request", "verdict", "grant", "state", "capability"].into_iter().filter_map(text);
            let names = [("for ", "requester"), ("by ", "by")];
            let names = names.into_iter().filter_map(|(word, key)| Some([word, text(key)?].concat()));
            let said = keys.map(str::to_owned).chain(names).collect::<Vec<_>>().join(" ");
            text("reason").map_or_else(|| said.clone(), |reason| format!("{said}: {reason}"))
        }
        kind::RUNNER => text("runner").unwrap_or_default().to_owned(),
        _ => event.data.to_string(),
    }
}

/// What was asked for.
fn asked(event: &Event) -> String {
    let Some(request) = event.data.get("request") else {
        let digest = event.data.get("requestDigest").and_then(Value::as_str).unwrap_or_default();
        return format!("{} {}", event.data.get("kind").and_then(Value::as_str).unwrap_or("request"), digest);
    };
    let text = |key: &str| request.get(key).and_then(Value::as_str);
    if let Some(words) = request.get("command").and_then(Value::as_array) {
        return words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
    }
    match (text("shell"), text("tool")) {
        (Some(shell), _) => shell.to_owned(),
        (None, Some(tool)) => format!("{tool} {}", text("arguments").unwrap_or_default()),
        (None, None) => String::new(),
    }
}

/// One line without anything that moves a terminal's cursor or changes the order of letters.
fn cut(text: &str) -> String {
    let plain = |one: char| {
        let moves = one.is_control()
            || matches!(one, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if moves { '\u{fffd}' } else { one }
    };
    let mut shown: String = text.chars().take(WIDTH).map(plain).collect();
    if text.chars().nth(WIDTH).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00:00Z");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00Z");
        assert_eq!(utc(1_796_083_199), "2026-11-30 23:59:59Z");
    }
}
