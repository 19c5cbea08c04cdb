//! Further words that stand on the command line of what puts them into the command that it runs.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::ShellKind;

use super::grammar::{Grammar, Inner};
use super::line::{Judged, Line};
use super::setting::Setting;
use super::{Answer, DEEPEST, Judge};
use crate::format::option;

/// How many lists of words are put together in every way, and how many words one after the other.
const MOST_TOGETHER: usize = 512;
const MOST_WORDS: usize = 8;

impl Judge<'_, '_> {
    /// Restrictions on the commands that words behind `place` become, or become a part of.
    pub(super) fn inputs(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        place: usize,
        setting: &Setting<'_>,
    ) -> Answer {
        if setting.depth > DEEPEST {
            self.uncovered(setting);
            return Answer::Prompt;
        }
        let restrictive = Setting { depth: setting.depth + 1, ..setting.apart(setting.reading) };
        let place_of_command = grammar.inner.iter().find_map(|inner| match inner {
            Inner::Text { start, end, .. } => Some((*start, *end)),
            _ => None,
        });
        let (start, end) = place_of_command.unwrap_or_default();
        let joined = line.text(start, end, 0).0;
        // Some join the words as they are, some keep them apart.
        let mut quoted = String::new();
        (start..end).filter_map(|place| line.word(place)).for_each(|word| word.push_word(&mut quoted));
        let blanks = (start..end).any(|place| line.word(place).is_some_and(|word| word.text.contains(' ')));
        let commands = [Some(&*joined), Some(&*quoted).filter(|_| end > start + 1 && blanks)];
        let placeholder = Placeholder::new(grammar.placeholder);
        let alone = start == end || placeholder.is_all_of(&joined);
        let lists = self.lists(line, grammar, place);
        let behind =
            lists.iter().flat_map(|list| (0..list.len().saturating_sub(1)).filter_map(|start| list.get(start..)));
        let together = together(&lists);
        let given =
            lists.iter().flat_map(|list| list.chunks(1)).chain(behind).chain(together.iter().map(Vec::as_slice));
        let mut answer = Answer::Allow;
        for words in given {
            let words = words.get(..MOST_WORDS).unwrap_or(words);
            for command in commands.into_iter().flatten() {
                if self.is_exhausted() {
                    return answer;
                }
                let text = if alone {
                    let texts = words.iter().map(|word| if word.is_dynamic() { "${_}" } else { word.text });
                    texts.collect::<Vec<_>>().join(" ")
                } else {
                    placeholder.filled(command, words)
                };
                answer = answer.max(self.text(&text, ShellKind::Bash, &restrictive).restriction());
            }
        }
        answer
    }

    /// The words behind each mark.
    fn lists<'l>(&self, line: &Line<'l>, grammar: &Grammar<'_>, place: usize) -> Vec<Vec<Judged<'l>>> {
        let mut lists: Vec<Vec<Judged<'_>>> = Vec::new();
        let mut known = true;
        for word in (place..line.len()).filter_map(|place| line.word(place)) {
            let mark = if word.is_dynamic() { None } else { grammar.option(self.table, word.text) };
            match (mark, lists.last_mut()) {
                (Some(flags), _) => {
                    // Behind a mark that is not harmless stand files of words.
                    known = flags & option::HARMLESS != 0;
                    lists.push(Vec::new());
                }
                (None, Some(list)) if known => list.push(word),
                _ => {}
            }
        }
        lists
    }
}

/// One word of every list, in every way.
fn together<'l>(lists: &[Vec<Judged<'l>>]) -> Vec<Vec<Judged<'l>>> {
    let number = lists.iter().try_fold(1_usize, |number, list| number.checked_mul(list.len()));
    if lists.len() < 2 || number.is_none_or(|number| number > MOST_TOGETHER) {
        return Vec::new();
    }
    let mut together = [Vec::new()].to_vec();
    for list in lists {
        let longer = |words: &Vec<Judged<'l>>| {
            let words = words.clone();
            list.iter().map(move |word| words.iter().chain([word]).copied().collect())
        };
        together = together.iter().flat_map(longer).collect();
    }
    together
}

/// What stands for words in a command: all of them, or one of two brackets with its number, or a change of it, between.
struct Placeholder<'p> {
    whole: Option<&'p str>,
    brackets: Option<(char, char)>,
}

impl<'p> Placeholder<'p> {
    fn new(whole: Option<&'p str>) -> Self {
        let mut characters = whole.unwrap_or_default().chars();
        let brackets = match (characters.next(), characters.next(), characters.next()) {
            (Some(open), Some(close), None) if !open.is_alphanumeric() => Some((open, close)),
            _ => None,
        };
        Self { whole, brackets }
    }

    fn is_all_of(&self, command: &str) -> bool {
        self.next(command.trim()).is_some_and(|(before, _, after)| before.is_empty() && after.is_empty())
    }

    /// The next one: what stands before it, what in its brackets, and what behind.
    fn next<'c>(&self, command: &'c str) -> Option<(&'c str, &'c str, &'c str)> {
        let Some((open, close)) = self.brackets else {
            let (before, after) = command.split_once(self.whole.filter(|whole| !whole.is_empty())?)?;
            return Some((before, "", after));
        };
        command.match_indices(open).find_map(|(place, _)| {
            let (inside, after) = command.get(place + open.len_utf8()..)?.split_once(close)?;
            let fits = inside.chars().all(|one| one.is_ascii_digit() || "./+-:#%".contains(one));
            fits.then_some((command.get(..place)?, inside, after))
        })
    }

    /// The command with the words in their places, or behind it.
    fn filled(&self, command: &str, words: &[Judged<'_>]) -> String {
        let mut text = String::new();
        let mut rest = command;
        while let Some((before, inside, after)) = self.next(rest) {
            text.push_str(before);
            let number: String = inside.chars().filter(char::is_ascii_digit).collect();
            match number.parse::<usize>().ok().and_then(|number| words.get(number.checked_sub(1)?)) {
                Some(word) => word.push_to_word(&mut text),
                None => words.iter().enumerate().for_each(|(place, word)| {
                    if place > 0 {
                        text.push(' ');
                    }
                    word.push_to_word(&mut text);
                }),
            }
            rest = after;
        }
        text.push_str(rest);
        if rest.len() == command.len() {
            words.iter().for_each(|word| word.push_word(&mut text));
        }
        text
    }
}
