//! The completions that fit best what is typed, where there are more than anyone looks through.

use super::Completion;

/// How many completions are offered at once. A thousand words take longer to write down than to find.
const MOST: usize = 200;

/// The completions that fit best what was `typed`, in the order in which they came, and whether there are more.
#[must_use]
pub fn fitting(mut completions: Vec<Completion>, text: &str, offset: u32) -> (Vec<Completion>, bool) {
    if completions.len() <= MOST {
        return (completions, false);
    }
    completions.sort_by_cached_key(|completion| {
        let typed = text.get(completion.span.start as usize..offset as usize).unwrap_or_default();
        distance(typed, &completion.label)
    });
    completions.truncate(MOST);
    (completions, true)
}

/// How far a word is from one that begins as typed.
fn distance(typed: &str, word: &str) -> u8 {
    let (typed, lower) = (typed.to_lowercase(), word.to_lowercase());
    if word.starts_with(&typed) {
        return 0;
    }
    let mut rest = lower.chars();
    let in_order = typed.chars().all(|wanted| rest.any(|character| character == wanted));
    match (lower.starts_with(&typed), in_order) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, fitting};
    use crate::ide::completion::{Completion, CompletionKind};
    use crate::source::Span;

    fn words(typed: &str, words: impl IntoIterator<Item = String>) -> (Vec<String>, bool) {
        let length = u32::try_from(typed.len()).unwrap();
        let completions =
            words.into_iter().map(|word| Completion::new(word, CompletionKind::Word, Span::new(0, length)));
        let (fitting, more) = fitting(completions.collect(), typed, length);
        (fitting.into_iter().map(|completion| completion.label).collect(), more)
    }

    #[test]
    fn of_many_words_those_that_begin_as_typed_are_kept() {
        let many = || (0..MOST * 3).map(|number| format!("word{number}"));
        let odd = ["pull", "Push", "p-u"].map(str::to_owned);
        let (kept, more) = words("pu", many().chain(odd.clone()));
        assert!(more && kept.len() == MOST);
        assert_eq!(kept[..4], ["pull", "Push", "p-u", "word0"]);
        let (kept, more) = words("", many());
        assert!(more && kept[..2] == ["word0", "word1"]);
        assert_eq!(words("x", odd.clone()), (odd.to_vec(), false));
    }
}
