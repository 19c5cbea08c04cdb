//! What a misspelt name was probably meant to be.

/// The candidate that `given` is most likely a misspelling of, if one is near: equal but for letter case, or a few edits away.
pub(crate) fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = given.chars().count();
    let nearest = candidates
        .into_iter()
        .filter(|candidate| *candidate != given)
        .map(|candidate| {
            let distance =
                if candidate.eq_ignore_ascii_case(given) { 0 } else { strsim::damerau_levenshtein(given, candidate) };
            (distance, candidate)
        })
        .min_by_key(|&(distance, _)| distance);
    nearest
        .filter(|&(distance, candidate)| {
            let allowed = if length <= 3 { 0 } else { 1 + length.min(candidate.len()) / 5 };
            distance <= allowed.min(3)
        })
        .map(|(_, candidate)| candidate)
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
}
