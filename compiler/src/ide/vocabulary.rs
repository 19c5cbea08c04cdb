//! The words that a policy set knows: which programs there are and, after each word, which words declarations and rules put
//! there. A file's words are remembered for themselves, so that typing in one file rereads no other.

use std::collections::{BTreeMap, BTreeSet};

use super::standing::standing;
use crate::db::{prelude_order, run_order};
use crate::rules::{Element, Harmless, OptionValue, PrefixRule, Program, ProgramOption, Runs, Text};
use crate::source::{PolicySet, SourceFile};

/// How many words one declaration may add: what is wider is not worth listing.
const MOST_WORDS: usize = 2_000;

/// How many words after one another count.
const LONGEST: usize = 16;

/// The words of one file, from the program on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    /// The words that may follow, each with those after it.
    words: BTreeMap<String, Vocabulary>,
    /// The words that rules ask for, or forbid, anywhere after the pattern that ends here.
    anywhere: BTreeSet<String>,
    /// The options that are declared for the program or subcommand that ends here, by their names.
    options: BTreeMap<String, Described>,
    /// Whether a program is declared that ends here.
    declared: bool,
}

/// An option as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    /// What it does, in a few words; may be empty.
    pub(super) text: String,
    /// Whether its value is the next word, if that is not attached.
    pub(super) takes_word: bool,
    /// Whether it is harmless, if only with some values.
    pub(super) harmless: bool,
}

/// A word that may stand somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Whether it is that of a program, or of a subcommand, that is declared.
    pub(super) declared: bool,
    /// Whether a rule has it there.
    pub(super) in_rules: bool,
    /// What it does, if it is a declared option.
    pub(super) option: Option<String>,
}

/// The words of one file.
#[salsa::tracked]
fn vocabulary(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vocabulary {
    let declarations = standing(db, set, file).declarations;
    let mut vocabulary = Vocabulary::default();
    for rule in &declarations.prefix_rules {
        vocabulary.add_rule(rule);
    }
    for program in &declarations.programs {
        vocabulary.add_program(program);
    }
    vocabulary
}

/// Where some words lead in the files of a set.
pub(super) struct Known<'db> {
    nodes: Vec<&'db Vocabulary>,
    /// The nodes on the way there, the program's first.
    above: Vec<&'db Vocabulary>,
}

/// Where the elements lead: of each the words that may stand there, or nothing if that is not known.
pub(super) fn known<'db>(db: &'db dyn salsa::Database, set: PolicySet, elements: &[Option<Vec<String>>]) -> Known<'db> {
    let files = run_order(db, set).iter().chain(prelude_order(db, set));
    let mut known = Known { nodes: files.map(|file| vocabulary(db, set, *file)).collect(), above: Vec::new() };
    for element in elements {
        known.step(element.as_deref());
    }
    known
}

/// Where a command leads that is given up to some word: options before a subcommand are passed over, with their values.
pub(super) fn known_command<'db>(db: &'db dyn salsa::Database, set: PolicySet, words: &[String]) -> Known<'db> {
    let mut known = known(db, set, &[]);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let first = known.above.is_empty();
        let name = if first { word.rsplit(['/', '\\']).next().unwrap_or(word) } else { word };
        let takes_word = known.option(name).is_some_and(|option| option.takes_word) && !name.contains('=');
        if known.leads(name) {
            known.step(Some(&[name.to_owned()]));
        } else if first || takes_word && words.next().is_none() {
            return Known { nodes: Vec::new(), above: Vec::new() };
        }
    }
    known
}

impl<'db> Known<'db> {
    fn step(&mut self, words: Option<&[String]>) {
        let nodes = std::mem::take(&mut self.nodes);
        for node in nodes {
            match words {
                Some(words) => self.nodes.extend(words.iter().filter_map(|word| node.words.get(word))),
                None => self.nodes.extend(node.words.values()),
            }
        }
        self.above.extend(self.nodes.iter().copied());
    }

    fn leads(&self, word: &str) -> bool {
        self.nodes.iter().any(|node| node.words.contains_key(word))
    }

    /// The option as it is declared for what leads here.
    pub(super) fn option(&self, name: &str) -> Option<&'db Described> {
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        self.above.iter().rev().find_map(|node| node.options.get(name))
    }

    /// The words that may stand next.
    pub(super) fn next(&self) -> BTreeMap<&'db str, Word> {
        let mut next: BTreeMap<&str, Word> = BTreeMap::new();
        for node in &self.nodes {
            for (name, below) in &node.words {
                let word = next.entry(name).or_default();
                word.declared |= below.declared;
                word.in_rules |= !below.declared;
            }
        }
        self.add_options(&self.nodes, &mut next);
        next
    }

    /// The words that may stand anywhere behind.
    pub(super) fn anywhere(&self) -> BTreeMap<&'db str, Word> {
        let mut anywhere: BTreeMap<&str, Word> = BTreeMap::new();
        for name in self.above.iter().flat_map(|node| &node.anywhere) {
            anywhere.entry(name).or_default().in_rules = true;
        }
        self.add_options(&self.above, &mut anywhere);
        anywhere
    }

    fn add_options(&self, nodes: &[&'db Vocabulary], words: &mut BTreeMap<&'db str, Word>) {
        for (name, option) in nodes.iter().flat_map(|node| &node.options) {
            words.entry(name).or_default().option.get_or_insert_with(|| option.text.clone());
        }
    }

    /// The options that are declared for what leads here alone.
    pub(super) fn options(&self) -> BTreeMap<&'db str, &'db Described> {
        self.nodes.iter().flat_map(|node| &node.options).map(|(name, option)| (name.as_str(), option)).collect()
    }

    /// The subcommands that are declared for what leads here.
    pub(super) fn subcommands(&self) -> BTreeSet<&'db str> {
        let words = self.nodes.iter().flat_map(|node| &node.words);
        words.filter(|(_, below)| below.declared).map(|(name, _)| name.as_str()).collect()
    }

    /// Whether a program or subcommand is declared that ends here.
    pub(super) fn declared(&self) -> bool {
        self.nodes.iter().any(|node| node.declared)
    }
}

impl Vocabulary {
    fn add_rule(&mut self, rule: &PrefixRule) {
        self.at(&rule.pattern, &mut |node| {
            let conditions = rule.conditions.having.iter().chain(&rule.conditions.without);
            node.anywhere
                .extend(conditions.flat_map(|element| &element.words).filter(|word| !word.is_empty()).cloned());
        });
        for pattern in &rule.conditions.unless {
            self.at(pattern, &mut |_| {});
        }
    }

    fn add_program(&mut self, program: &Program) {
        self.at(&program.path, &mut |node| {
            node.declared = true;
            for option in &program.options {
                let described = Described::of(option);
                node.options.extend(option.names.iter().map(|name| (name.clone(), described.clone())));
            }
        });
    }

    /// Adds the words of the elements, as many as are worth it, and does something where they end.
    fn at(&mut self, elements: &[Element], end: &mut impl FnMut(&mut Self)) {
        let mut ways = 1_usize;
        let fits = elements.iter().take(LONGEST).take_while(|element| {
            ways = ways.saturating_mul(element.words.len().max(1));
            ways <= MOST_WORDS && !element.words.is_empty()
        });
        let count = fits.count();
        self.descend(elements.get(..count).unwrap_or_default(), end, count == elements.len());
    }

    fn descend(&mut self, elements: &[Element], end: &mut impl FnMut(&mut Self), whole: bool) {
        match elements.split_first() {
            Some((first, rest)) => {
                for word in first.words.iter().filter(|word| !word.is_empty()) {
                    self.words.entry(word.clone()).or_default().descend(rest, end, whole);
                }
            }
            None if whole => end(self),
            None => {}
        }
    }
}

impl Described {
    fn of(option: &ProgramOption) -> Self {
        let mut facts: Vec<String> = Vec::new();
        facts.extend(match &option.value {
            OptionValue::None => None,
            OptionValue::Required => Some("takes a value".to_owned()),
            OptionValue::Next => Some("takes a value, the next word".to_owned()),
            OptionValue::Attached => Some("takes an attached value".to_owned()),
            OptionValue::Rest => Some("takes all words that follow".to_owned()),
            OptionValue::Until(ends) => Some(format!("takes all words up to `{}`", ends.join("` or `"))),
        });
        facts.extend(match &option.harmless {
            Harmless::No => None,
            Harmless::Yes => Some("harmless".to_owned()),
            Harmless::Values(values) => Some(format!("harmless with `{}`", values.join("` or `"))),
        });
        facts.extend(option.runs.map(|runs| match runs {
            Runs::Command => "runs a command".to_owned(),
            Runs::Text(Text::Shell) => "runs shell text".to_owned(),
            Runs::Text(Text::PowerShell) => "runs PowerShell text".to_owned(),
            Runs::Text(Text::Cmd) => "runs text of `cmd`".to_owned(),
            Runs::Code => "runs code".to_owned(),
            Runs::Words => "is words that stand in its place".to_owned(),
            Runs::StandardInput => "runs its standard input".to_owned(),
        }));
        facts.extend(option.writes.then(|| "writes a file".to_owned()));
        facts.extend(option.moves.then(|| "leads to another folder".to_owned()));
        facts.extend(option.placeholder.then(|| "sets the placeholder".to_owned()));
        Self {
            text: facts.join(", "),
            takes_word: matches!(option.value, OptionValue::Required | OptionValue::Next),
            harmless: option.harmless != Harmless::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{known, known_command};
    use crate::ide::fixture::fixture;

    const POLICY: &str = "//- programs.rules prelude\n\
        program('git', options = [option('-C', '--in', value = True), option('-p', harmless = True)])\n\
        program(['git', ['fetch', 'pull']], options = [option('--upload-pack', value = True, runs = 'code')])\n\
        //- a.rules\nprefix_rule(['git', ['push', 'pull'], '-f'], having = ['--all'])\n\
        prefix_rule([['make', 'gmake'], any_word(), 'x'])\n\
        //- b.rules\nprefix_rule(['git', 'log'], unless = [['git', 'log', '-p']])\n";

    fn words(elements: &[&str]) -> String {
        let fixture = fixture(POLICY);
        let elements: Vec<_> = elements.iter().map(|word| (*word != "?").then(|| vec![(*word).to_owned()])).collect();
        let known = known(&fixture.db, fixture.set, &elements);
        known.next().into_keys().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_words_that_may_stand_next_come_from_all_files() {
        assert_eq!(words(&[]), "git gmake make");
        assert_eq!(words(&["git"]), "--in -C -p fetch log pull push");
        assert_eq!(words(&["git", "pull"]), "--upload-pack -f");
        assert_eq!(words(&["git", "?"]), "--upload-pack -f -p");
        assert_eq!(words(&["make"]), "");
        assert_eq!(words(&["nothing", "here"]), "");
    }

    #[test]
    fn options_in_front_of_a_subcommand_are_passed_over() {
        let fixture = fixture(POLICY);
        let next = |command: &str| {
            let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let known = known_command(&fixture.db, fixture.set, &words);
            known.next().into_keys().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(next("/usr/bin/git -C x -p pull"), "--upload-pack -f");
        assert_eq!(next("git --in=x pull"), "--upload-pack -f");
        assert_eq!(next("git -C"), "");
        assert_eq!(next("other pull"), "");
    }

    #[test]
    fn options_and_words_of_conditions_may_stand_anywhere() {
        let fixture = fixture(POLICY);
        let elements = [Some(vec!["git".to_owned()]), Some(vec!["pull".to_owned()]), Some(vec!["-f".to_owned()])];
        let known = known(&fixture.db, fixture.set, &elements);
        assert_eq!(known.anywhere().into_keys().collect::<Vec<_>>(), ["--all", "--in", "--upload-pack", "-C", "-p"]);
        assert_eq!(known.option("--upload-pack=x").unwrap().text, "takes a value, runs code");
    }
}
