//! What a misspelt name was probably meant to be.

use crate::diagnostics::{Diagnostic, Fix};

/// How many edits a misspelling is away at most. Names whose lengths differ by more are not compared: one of megabytes would
/// take seconds for each.
const MOST_EDITS: usize = 3;

/// The candidate that `given` is most likely a misspelling of, if one is near: equal but for letter case, or a few edits away.
pub(crate) fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = given.chars().count();
    let nearest = candidates
        .into_iter()
        .filter(|candidate| *candidate != given && candidate.chars().count().abs_diff(length) <= MOST_EDITS)
        .map(|candidate| {
            let distance =
                if candidate.eq_ignore_ascii_case(given) { 0 } else { strsim::damerau_levenshtein(given, candidate) };
            (distance, candidate)
        })
        .min_by_key(|&(distance, _)| distance);
    nearest
        .filter(|&(distance, candidate)| {
            let allowed = if length <= 3 { 0 } else { 1 + length.min(candidate.len()) / 5 };
            distance <= allowed.min(MOST_EDITS)
        })
        .map(|(_, candidate)| candidate)
}

impl Diagnostic {
    /// With the name that was probably meant, if there is one, as a replacement of the text that is wrong where
    /// `written` says how the name is written there.
    pub(super) fn did_you_mean(self, meant: Option<&str>, written: Option<fn(&str) -> String>) -> Self {
        let Some(name) = meant else { return self };
        let edit = written.map(|written| self.replacing(written(name)));
        self.with_help(format!("did you mean `{name}`?")).with_fix(Fix::sure(format!("write `{name}`"), edit))
    }
}

/// A name that stands for itself.
pub(super) fn bare(name: &str) -> String {
    name.to_owned()
}

/// A name that stands in a string literal.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Which of the `known` names was meant by `given`: what it is called elsewhere, if that is `known`, else the closest,
/// else the same but for letter case.
pub(super) fn meant<'k>(
    given: &str,
    known: &[&'k str],
    elsewhere: impl FnOnce(&str) -> Option<&'static str>,
) -> Option<&'k str> {
    let name = given.trim().to_lowercase();
    let same = |meant: &str| known.iter().copied().find(|known| *known == meant);
    elsewhere(&name).and_then(same).or_else(|| closest(&name, known.iter().copied())).or_else(|| same(&name))
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn only_near_names_are_suggested() {
        let names = ["pattern", "decision", "match", "not_match", "justification"];
        assert_eq!(closest("patern", names), Some("pattern"));
        assert_eq!(closest("Decision", names), Some("decision"));
        assert_eq!(closest("mathc", names), Some("match"));
        assert_eq!(closest("justificaton", names), Some("justification"));
        assert_eq!(closest("reason", names), None);
        assert_eq!(closest("map", ["max", "min"]), None);
    }

    #[test]
    fn a_name_of_megabytes_is_compared_with_none() {
        let start = std::time::Instant::now();
        assert_eq!(closest(&"x".repeat(10_000_000), ["pattern", "decision"]), None);
        assert!(start.elapsed() < std::time::Duration::from_secs(1));
    }
}
