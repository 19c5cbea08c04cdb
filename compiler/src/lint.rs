//! What is allowed and probably not meant: warnings about rules as they stand beside others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::check::failing_example::pattern as shown;
use crate::check::shadowed_rule::{self, Stricter};
use crate::check::{broad_rule, broad_secret, invalid_word};
use crate::db::{run_order, whole_rule_set};
use crate::diagnostics::{Diagnostic, Edit, Site};
use crate::eval::evaluate;
use crate::layers;
use crate::rules::{Decision, Element, Origin, PrefixRule, Runs};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::{Located, Step, insertion, line_index, locate, statement_removal};

/// What is odd about the rules of a file; nothing about one that is shipped, which is not the author's to mend.
#[salsa::tracked]
pub fn warnings(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    if file.label(db).starts_with(PREFIX) {
        return Vec::new();
    }
    let rules = &evaluate(db, set, file).declarations.prefix_rules;
    let lint = Lint { db, set, trusted: layers::is_trusted(db, set, file) };
    let mut warnings = Vec::new();
    for rule in rules {
        lint.words(rule, &mut warnings);
        lint.texts(rule, &mut warnings);
        if rule.decision == Decision::Allow && lint.trusted {
            warnings.extend(lint.broad(rule));
            warnings.extend(lint.shadowed(rule));
        }
    }
    warnings
}

/// For how many plain commands a pattern may stand to be looked at.
const MOST_WAYS: usize = 256;

const PATTERN: Step<'static> = Step::Parameter { name: "pattern", position: Some(0) };

struct Lint<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    trusted: bool,
}

impl Lint<'_> {
    /// Where a part of the rule's pattern stands.
    fn located(&self, rule: &PrefixRule, items: &[usize]) -> (Site, bool) {
        let steps: Vec<Step<'_>> = [PATTERN].into_iter().chain(items.iter().map(|&item| Step::Item(item))).collect();
        let Located { span, literal } = locate(rule.origin.file.text(self.db), rule.origin.span, &steps);
        (Site::within(&rule.origin, span), literal)
    }

    /// Where a word of an element stands, whether a literal shows it there, and whether it is the element.
    fn word(&self, rule: &PrefixRule, index: usize, place: usize) -> (Site, bool, bool) {
        let alone = rule.pattern.get(index).is_some_and(|element| element.len() == 1);
        let (site, literal) = self.located(rule, &[index]);
        let text = site.span.of(site.file.text(self.db));
        if alone && !text.starts_with('[') {
            return (site, literal, true);
        }
        let (site, literal) = self.located(rule, &[index, place]);
        (site, literal, false)
    }

    fn words(&self, rule: &PrefixRule, warnings: &mut Vec<Diagnostic>) {
        for (index, element) in rule.pattern.iter().enumerate() {
            for (place, word) in element.words.iter().enumerate() {
                if index == 0
                    && let Some(oddity) = invalid_word::oddity(word)
                {
                    let (site, literal, alone) = self.word(rule, index, place);
                    warnings.push(invalid_word::diagnostic(&site, word, oddity, literal, alone));
                }
                if broad_secret::is_secret(word) {
                    warnings.push(broad_secret::diagnostic(&self.word(rule, index, place).0));
                }
            }
        }
    }

    /// The pattern is all of a program that runs something, or of several.
    fn broad(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let programs = running_programs(self.db, self.set);
        if programs.is_empty() || rule.conditions.exact || !rule.conditions.having.is_empty() {
            return None;
        }
        let last = rule.pattern.last()?;
        let broad = ways(&rule.pattern)?.into_iter().filter_map(|mut way| {
            let word = way.last().copied()?;
            let first = way.first_mut()?;
            *first = first.rsplit('/').next().unwrap_or(first);
            let name = way.join(" ");
            let runs = programs.get(&name)?;
            Some((name, *runs, last.words.iter().position(|it| it == word)?))
        });
        let broad: Vec<_> = broad.collect();
        let ((name, runs, place), others) = broad.split_first()?;
        let others: Vec<&str> = others.iter().map(|(name, ..)| name.as_str()).filter(|other| other != name).collect();
        let site = self.word(rule, rule.pattern.len() - 1, *place).0;
        Some(broad_rule::diagnostic(&site, name, *runs, &others))
    }

    /// Text of a shell stands whole in the pattern, where the program is told to run it.
    fn texts(&self, rule: &PrefixRule, warnings: &mut Vec<Diagnostic>) {
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

    /// Whatever the rule matches, a stricter one does as well.
    fn shadowed(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let stricter = stricter_rules(self.db, self.set);
        if stricter.is_empty() || rule.canonical_matching {
            return None;
        }
        let mut found: Vec<&(SourceFile, usize)> = Vec::new();
        for way in ways(&rule.pattern)? {
            let mut prefix = String::new();
            let rule = way.iter().find_map(|word| {
                push(&mut prefix, word);
                stricter.get(&prefix)
            })?;
            if !found.contains(&rule) {
                found.push(rule);
            }
        }
        let (file, index) = **found.first()?;
        let other = evaluate(self.db, self.set, file).declarations.prefix_rules.get(index)?;
        let file = other.origin.file;
        let line = line_index(self.db, file).position(other.origin.span.start).line;
        let stricter = Stricter {
            pattern: shown(&other.pattern),
            decision: other.decision,
            place: format!("{}:{line}", file.label(self.db)),
            others: found.len() - 1,
        };
        let diagnostic = shadowed_rule::diagnostic(&self.located(rule, &[]).0, &shown(&rule.pattern), &stricter);
        let except = if found.len() == 1 { self.except(&other.origin, &shown(&rule.pattern)) } else { None };
        Some(shadowed_rule::mended(diagnostic, self.gone(&rule.origin), except))
    }

    /// The declaration at `origin` goes, if it is a statement at top level.
    fn gone(&self, origin: &Origin) -> Option<Edit> {
        let text = origin.file.text(self.db);
        let removed = origin.stack.is_empty().then(|| statement_removal(text, origin.span)).flatten()?;
        Some(Edit { file: origin.file, span: removed, text: String::new() })
    }

    /// The rule at `origin` is not about commands like `pattern`.
    fn except(&self, origin: &Origin, pattern: &str) -> Option<Edit> {
        let text = origin.file.text(self.db);
        let own = origin.stack.is_empty() && !origin.file.label(self.db).starts_with(PREFIX);
        let unless = Step::Parameter { name: "unless", position: None };
        let exceptions = locate(text, origin.span, &[unless]).span;
        // An escape of the engine's own is none of the language's.
        let (span, text) = if !own || pattern.contains("\\u{") {
            None
        } else if exceptions == origin.span {
            insertion(text, origin.span, &format!("unless = [{pattern}]"))
        } else {
            insertion(text, exceptions, pattern)
        }?;
        Some(Edit { file: origin.file, span, text })
    }
}

/// The commands that a pattern stands for, if these are few and all plain.
fn ways(pattern: &[Element]) -> Option<Vec<Vec<&str>>> {
    let mut ways: Vec<Vec<&str>> = vec![Vec::new()];
    for element in pattern {
        if !element.matchers.is_empty() || ways.len() * element.words.len() > MOST_WAYS {
            return None;
        }
        ways = match element.words.as_slice() {
            [only] => {
                ways.iter_mut().for_each(|way| way.push(only));
                ways
            }
            words => ways.iter().flat_map(|way| words.iter().map(|word| [way.as_slice(), &[word]].concat())).collect(),
        };
    }
    Some(ways)
}

/// Adds a word to a key that tells words apart.
fn push(key: &mut String, word: &str) {
    key.push_str(word);
    key.push('\0');
}

/// The programs of the whole set that run something, by the words that they are called.
#[salsa::tracked]
fn running_programs(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, broad_rule::Runs> {
    let mut programs = BTreeMap::new();
    for program in whole_rule_set(db, set).programs {
        for way in ways(&program.path).unwrap_or_default() {
            match broad_rule::runs(program) {
                Some(runs) => programs.insert(way.join(" "), runs),
                // A later declaration replaces an earlier one.
                None => programs.remove(&way.join(" ")),
            };
        }
    }
    programs
}

/// The options that run text of a shell, each after the program's name and a blank.
#[salsa::tracked]
fn text_options(db: &dyn salsa::Database, set: PolicySet) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for program in whole_rule_set(db, set).programs.iter().filter(|program| program.path.len() == 1) {
        let running = program.options.iter().filter(|option| matches!(option.runs, Some(Runs::Text(_))));
        for option in running.flat_map(|option| &option.names) {
            let names = program.path.iter().flat_map(|element| &element.words);
            options.extend(names.map(|name| format!("{name} {option}")));
        }
    }
    options
}

/// For each plain beginning of a command, the first unconditional rule that asks or forbids: its file and its place there.
#[salsa::tracked]
fn stricter_rules(db: &dyn salsa::Database, set: PolicySet) -> HashMap<String, (SourceFile, usize)> {
    let mut stricter = HashMap::new();
    for file in run_order(db, set) {
        for (index, rule) in evaluate(db, set, *file).declarations.prefix_rules.iter().enumerate() {
            let plain = !rule.canonical_matching && rule.conditions.is_empty();
            if rule.decision > Decision::Allow && plain {
                for way in ways(&rule.pattern).unwrap_or_default() {
                    let mut key = String::new();
                    way.iter().for_each(|word| push(&mut key, word));
                    stricter.entry(key).or_insert((*file, index));
                }
            }
        }
    }
    stricter
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::warnings;
    use crate::db::Database;
    use crate::source::{PolicySet, SourceFile};

    /// The codes of what is told about a policy, each with the text that it points at.
    fn told(text: &str) -> Vec<(&'static str, String)> {
        let db = Database::default();
        let file = SourceFile::new(&db, "a.rules".to_owned(), text.to_owned());
        let set = PolicySet::new(&db, vec![file], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
        warnings(&db, set, file).iter().map(|it| (it.code.0, it.primary.span.of(text).to_owned())).collect()
    }

    #[test]
    fn rules_are_looked_at_beside_others() {
        let programs = "program([['sh', 'zsh']], operands = 'code', stdin = 'shell', options = [option('-c', runs = 'shell')])\nprogram(['d', 'exec'], operands = 'command')\n";
        for (rules, expected) in [
            ("prefix_rule(['a b', 'c d'])", vec![("invalid-word", "'a b'")]),
            ("prefix_rule([['ok', 'a '], 'c'])", vec![("invalid-word", "'a '")]),
            ("prefix_rule(['/bin/sh', ['-c', '-lc'], 'a b'])", vec![("invalid-word", "'a b'")]),
            ("prefix_rule(['sh', '-x', 'a b'])\nprefix_rule(['git', '-c', 'a b'])", vec![]),
            ("prefix_rule([['sh', 'ls', 'zsh']])", vec![("broad-rule", "'sh'")]),
            ("prefix_rule(['a', ['b', 'Authorization: x']])", vec![("broad-secret", "'Authorization: x'")]),
            ("prefix_rule([['ls', '/bin/zsh']])", vec![("broad-rule", "'/bin/zsh'")]),
            ("prefix_rule(['d', 'exec'])", vec![("broad-rule", "'exec'")]),
            ("prefix_rule(['d', 'exec', 'x'])\nprefix_rule(['sh', '-c'])\nprefix_rule(['zsh'], 'prompt')", vec![]),
            ("prefix_rule(['sh'], exact = True)\nprefix_rule(['sh'], having = ['x'])", vec![]),
            ("prefix_rule(['a'], 'prompt')\nprefix_rule(['a', 'b'])", vec![("shadowed-rule", "['a', 'b']")]),
            (
                "prefix_rule([['a', 'b']])\nprefix_rule(['a'], 'prompt')\nprefix_rule(['b'], 'forbidden')",
                vec![("shadowed-rule", "[['a', 'b']]")],
            ),
            ("prefix_rule([['a', 'b']])\nprefix_rule(['a'], 'prompt')", vec![]),
            ("prefix_rule(['a', glob('*')])\nprefix_rule(['a', 'x'], 'prompt')", vec![]),
            ("prefix_rule(['a', 'x'])\nprefix_rule(['a'], 'prompt', unless = [['a', 'x']])", vec![]),
            ("prefix_rule(['a', 'x'], canonical_matching = True)\nprefix_rule(['a'], 'prompt')", vec![]),
        ] {
            let told = told(&format!("{programs}{rules}\n"));
            let told: Vec<_> = told.iter().map(|(code, text)| (*code, text.as_str())).collect();
            assert_eq!(told, expected, "{rules}");
        }
    }
}
