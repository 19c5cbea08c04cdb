//! Options as words: their spellings.

/// Whether `word` is the option `known`: as itself, with a value behind `=`, or in a bundle of letters. A generous
/// comparison takes the beginning of a long name for the whole, as most programs do.
pub(crate) fn names_option(word: &str, known: &str, generous: bool) -> bool {
    // Most words are told apart by their first two characters.
    let is_long = known.starts_with("--");
    if !word.starts_with('-') || word.starts_with("--") != is_long {
        return false;
    }
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
