//! Words that are probably not what they look like, and text of a shell in a pattern.

use std::collections::BTreeSet;

use super::Lint;
use super::known::known_programs;
use crate::check::broad_rule::Runs;
use crate::check::{broad_secret, invalid_word};
use crate::diagnostics::Diagnostic;
use crate::rules::PrefixRule;
use crate::source::PolicySet;

impl Lint<'_> {
    pub(super) fn words(&self, rule: &PrefixRule, warnings: &mut Vec<Diagnostic>) {
        for (index, element) in rule.pattern.iter().enumerate() {
            for (place, word) in element.words.iter().enumerate() {
                if index == 0
                    && let Some(oddity) = invalid_word::oddity(word)
                {
                    let (site, literal, alone) = self.word(rule, index, place);
                    warnings.push(invalid_word::diagnostic(&site, word, oddity, literal, alone));
                }
                if index > 0 && invalid_word::is_shell(word) {
                    warnings.push(invalid_word::shell(&self.word(rule, index, place).0, word));
                }
                if broad_secret::is_secret(word) {
                    warnings.push(broad_secret::diagnostic(&self.word(rule, index, place).0));
                }
            }
        }
    }

    /// Text of a shell stands whole in the pattern, where the program is told to run it.
    pub(super) fn texts(&self, rule: &PrefixRule, warnings: &mut Vec<Diagnostic>) {
        let blank = |word: &String| word.contains(' ');
        let mut elements = rule.pattern.iter().zip(1..).skip(1);
        let Some((text, index)) = elements.find(|(element, _)| element.words.iter().any(blank)) else { return };
        let before = rule.pattern.get(index - 2);
        let options = text_options(self.db, self.set);
        let head = rule.pattern.first().into_iter().flat_map(|head| &head.words);
        let names: Vec<&str> = head.map(|head| head.rsplit('/').next().unwrap_or(head)).collect();
        let runs = |option: &String| names.iter().any(|name| options.contains(&format!("{name} {option}")));
        // `-lc` is `-l` and `-c`.
        let last = |option: &String| {
            let bundled = option.starts_with('-') && !option.starts_with("--");
            option.chars().next_back().filter(|_| bundled).map(|letter| format!("-{letter}"))
        };
        if before
            .is_some_and(|it| it.words.iter().any(|option| runs(option) || last(option).is_some_and(|it| runs(&it))))
        {
            for (place, word) in text.words.iter().enumerate().filter(|(_, word)| blank(word)) {
                warnings.push(invalid_word::text(&self.word(rule, index - 1, place).0, word));
            }
        }
    }
}

/// The options that run text of a shell, each after the program's name and a blank.
#[salsa::tracked]
fn text_options(db: &dyn salsa::Database, set: PolicySet) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for (name, program) in known_programs(db, set).iter().filter(|(name, _)| !name.contains(' ')) {
        let running = program.options.iter().filter(|(_, option)| option.runs == Some(Runs::Text));
        options.extend(running.map(|(option, _)| format!("{name} {option}")));
    }
    options
}
