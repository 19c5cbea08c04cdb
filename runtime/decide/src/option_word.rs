//! Options as words: their spellings.

/// Whether `word` is the option `known`: as itself, with a value behind `=`, or in a bundle of letters. A generous
/// comparison takes the beginning of a long name for the whole, as most programs do.
pub(crate) fn names_option(word: &str, known: &str, generous: bool) -> bool {
    if !word.starts_with('-') || !looks_like_option(word.as_bytes(), known.as_bytes()) {
        return false;
    }
    let is_long = known.starts_with("--");
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    if name == known || word == known {
        return true;
    }
    if is_long {
        return generous && name.len() > 2 && known.starts_with(name);
    }
    let mut letters = known.chars().skip(1);
    let (Some(letter), None) = (letters.next(), letters.next()) else { return false };
    let bundle = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    bundle.is_some_and(|bundle| bundle.chars().take_while(|one| one.is_ascii_alphanumeric()).any(|one| one == letter))
}

/// Whether a word that begins with a hyphen may be the option `known`. Most are told apart by their first three bytes.
#[inline(always)]
pub(crate) fn looks_like_option(word: &[u8], known: &[u8]) -> bool {
    match (word, known) {
        ([_, b'-', written, ..], [_, b'-', wanted, ..]) => written == wanted,
        ([_, b'-', ..], [_, b'-', ..]) => true,
        ([_, b'-', ..], _) | (_, [_, b'-', ..]) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::names_option;

    #[test]
    fn options_have_spellings() {
        for (word, known, generous, named) in [
            ("--force", "--force", false, true),
            ("--force=yes", "--force", false, true),
            ("--forc", "--force", false, false),
            ("--forc", "--force", true, true),
            ("--f", "--force", true, true),
            ("--", "--force", true, false),
            ("--=x", "--force", true, false),
            ("--no-force", "--force", true, false),
            ("--force-with-lease", "--force", true, false),
            ("-rf", "-f", false, true),
            ("-rf", "-r", false, true),
            ("-rf", "-x", false, false),
            ("-o=f", "-f", false, false),
            ("f", "-f", false, false),
            ("-delete", "-delete", false, true),
        ] {
            assert_eq!(names_option(word, known, generous), named, "{word} {known}");
        }
    }
}
