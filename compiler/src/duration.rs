//! Times as people write them: a number and its unit.

/// The units, the longest first, and how many seconds each has.
const UNITS: [(char, u64); 4] = [('d', 24 * 60 * 60), ('h', 60 * 60), ('m', 60), ('s', 1)];

/// How many seconds a number above 0 and its unit are.
#[must_use]
pub fn seconds(text: &str) -> Option<u64> {
    let last = text.chars().next_back()?;
    let (_, unit) = UNITS.into_iter().find(|(unit, _)| *unit == last)?;
    let digits = text.get(..text.len() - 1).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number: u64 = if digits.len() > 12 { u64::from(u32::MAX) } else { digits.parse().ok()? };
    (number > 0).then(|| number.saturating_mul(unit))
}

/// So many seconds in the longest unit that leaves none over.
#[must_use]
pub fn shown(seconds: u64) -> String {
    let unit = UNITS.into_iter().find(|(_, unit)| seconds.is_multiple_of(*unit) && seconds > 0);
    unit.map_or_else(|| "0s".to_owned(), |(unit, length)| format!("{}{unit}", seconds / length))
}

#[cfg(test)]
mod tests {
    use super::{seconds, shown};

    #[test]
    fn times_are_numbers_with_units() {
        assert_eq!(seconds("7d"), Some(604_800));
        assert_eq!(seconds("90m"), Some(5_400));
        for text in ["", "d", "0d", "-1d", "1.5h", "7", "1 d", "1w", "+1s"] {
            assert_eq!(seconds(text), None, "{text}");
        }
        assert!(seconds("99999999999999999999d").is_some_and(|seconds| seconds > 604_800));
        for text in ["7d", "90m", "1h", "61s", "25h"] {
            assert_eq!(seconds(text).map(shown).as_deref(), Some(text));
        }
    }
}
