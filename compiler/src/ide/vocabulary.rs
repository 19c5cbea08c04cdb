//! The words that a policy set knows: which programs there are and, after each word, which words declarations and rules put
//! there. Declarations are read anew each time: going through ten thousand is sooner done than keeping an index of what
//! changes with every keystroke.

use std::collections::{BTreeMap, BTreeSet};

use super::standing::standing;
use crate::db::{prelude_order, standing_order};
use crate::rules::{Conditions, Element, Harmless, Operands, OptionValue, Program, ProgramOption, Runs, Text};
use crate::source::PolicySet;

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

/// A way that words may go: the pattern of a rule or of an exception, or the path of a program.
#[derive(Clone, Copy)]
struct Way<'db> {
    elements: &'db [Element],
    end: End<'db>,
}

/// What stands at the end of a way.
#[derive(Clone, Copy)]
enum End<'db> {
    Rule(&'db Conditions),
    Exception,
    Program(&'db Program),
}

/// Where some words lead in the files of a set.
pub(super) struct Known<'db> {
    /// How many words there are.
    depth: usize,
    /// The ways that they are on.
    ways: Vec<Way<'db>>,
    /// The ways that end with one of them, the program's first.
    ended: Vec<Way<'db>>,
    /// Where the command leads that they run, and how many of them stand before it.
    inner: Option<(usize, Box<Self>)>,
}

/// Where the elements lead: of each the words that may stand there, or nothing if that is not known.
pub(super) fn known<'db>(db: &'db dyn salsa::Database, set: PolicySet, elements: &[Option<Vec<String>>]) -> Known<'db> {
    let ways = ways(db, set);
    let lead = |elements: &[Option<Vec<String>>]| {
        let mut known = Known::of(ways.clone());
        elements.iter().for_each(|element| known.step(element.as_deref()));
        known
    };
    let start = innermost(&ways, elements);
    let inner = elements.get(start..).filter(|_| start > 0).map(|inner| (start, Box::new(lead(inner))));
    Known { inner, ..lead(elements) }
}

/// How many programs may run one another.
const MOST_WRAPPERS: usize = 8;

/// How many of the elements stand before the command that the others run, as far as programs are declared to run what follows
/// them.
fn innermost(ways: &[Way<'_>], elements: &[Option<Vec<String>>]) -> usize {
    let mut start = 0;
    for _ in 0..MOST_WRAPPERS {
        let inner = elements.get(start..).and_then(|elements| before_inner(ways, elements));
        match inner {
            Some(before) => start += before,
            None => break,
        }
    }
    start
}

/// How many elements stand before the command that the program at their beginning runs.
fn before_inner(ways: &[Way<'_>], elements: &[Option<Vec<String>>]) -> Option<usize> {
    let word = |place: usize| elements.get(place)?.as_ref()?.first();
    let programs = ways.iter().filter(|way| matches!(way.end, End::Program(_))).copied();
    let mut known = Known::of(programs.collect());
    while let Some(name) = word(known.depth) {
        let name = name.rsplit(['/', '\\']).next().filter(|_| known.depth == 0).unwrap_or(name);
        if !known.leads(name) {
            break;
        }
        known.step(Some(&[name.to_owned()]));
    }
    let runs = |(program, here): &(&Program, bool)| *here && !program.inherit;
    let (program, _) =
        known.programs().rev().find(runs).filter(|(program, _)| program.operands == Operands::Command)?;
    let (mut place, mut skip) = (known.depth, program.skip);
    while let Some(word) = word(place) {
        if word.starts_with('-') && word.len() > 1 {
            let takes_word = !word.contains('=') && known.option(word).is_some_and(|option| option.takes_word);
            place += usize::from(takes_word);
        } else if !(program.assignments && word.contains('=')) {
            if skip == 0 {
                return Some(place);
            }
            skip -= 1;
        }
        place += 1;
    }
    (skip == 0 && place == elements.len()).then_some(place)
}

/// Every way in the files of a set.
fn ways(db: &dyn salsa::Database, set: PolicySet) -> Vec<Way<'_>> {
    let mut ways = Vec::new();
    for file in standing_order(db, set).iter().chain(prelude_order(db, set)) {
        let declarations = standing(db, set, *file).declarations;
        for rule in &declarations.prefix_rules {
            ways.push(Way { elements: &rule.pattern, end: End::Rule(&rule.conditions) });
            let exceptions = rule.conditions.unless.iter();
            ways.extend(exceptions.map(|elements| Way { elements, end: End::Exception }));
        }
        let programs = declarations.programs.iter();
        ways.extend(programs.map(|program| Way { elements: &program.path, end: End::Program(program) }));
    }
    ways
}

/// Where a command leads that is given up to some word: options before a subcommand are passed over, with their values.
pub(super) fn known_command<'db>(db: &'db dyn salsa::Database, set: PolicySet, words: &[String]) -> Known<'db> {
    let elements: Vec<_> = words.iter().map(|word| Some(vec![word.clone()])).collect();
    let ways = ways(db, set);
    let start = innermost(&ways, &elements);
    let mut known = Known::of(ways);
    match words.get(start..) {
        Some([]) if start > 0 => known.inner = Some((start, Box::new(Known::of(known.ways.clone())))),
        Some(inner) if start > 0 => return known_command(db, set, inner),
        _ => {}
    }
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let first = known.depth == 0;
        let name = if first { word.rsplit(['/', '\\']).next().unwrap_or(word) } else { word };
        let takes_word = known.option(name).is_some_and(|option| option.takes_word) && !name.contains('=');
        if known.leads(name) {
            known.step(Some(&[name.to_owned()]));
        } else if first || takes_word && words.next().is_none() {
            return Known { depth: 1, inner: known.inner, ..Known::of(Vec::new()) };
        }
    }
    known
}

impl<'db> Known<'db> {
    const fn of(ways: Vec<Way<'db>>) -> Self {
        Self { depth: 0, ways, ended: Vec::new(), inner: None }
    }

    /// Where the words of the command lead that is run, and how many stand before them; all of them, if nothing is run or
    /// what is run is not said yet.
    pub(super) fn innermost(&self) -> (usize, &Self) {
        match &self.inner {
            Some((start, inner)) if inner.depth > 0 => (*start, inner),
            _ => (0, self),
        }
    }

    fn step(&mut self, words: Option<&[String]>) {
        let depth = self.depth;
        let goes = |way: &Way<'_>| {
            let element = way.elements.get(depth);
            element
                .is_some_and(|element| words.is_none_or(|words| words.iter().any(|word| element.words.contains(word))))
        };
        self.ways.retain(goes);
        self.depth += 1;
        let ended = self.ways.iter().filter(|way| way.elements.len() == self.depth);
        self.ended.extend(ended.copied());
    }

    fn leads(&self, word: &str) -> bool {
        let element = |way: &Way<'db>| way.elements.get(self.depth);
        self.ways.iter().filter_map(element).any(|element| element.words.iter().any(|known| known == word))
    }

    /// The programs and subcommands that end with one of the words.
    fn programs(&self) -> impl DoubleEndedIterator<Item = (&'db Program, bool)> {
        let program = |way: &Way<'db>| match way.end {
            End::Program(program) => Some((program, way.elements.len() == self.depth)),
            _ => None,
        };
        self.ended.iter().filter_map(program)
    }

    /// The option as it is declared for what leads here.
    pub(super) fn option(&self, name: &str) -> Option<Described> {
        let name = name.split_once('=').map_or(name, |(name, _)| name);
        let mut options = self.programs().rev().flat_map(|(program, _)| &program.options);
        options.find(|option| option.names.iter().any(|known| known == name)).map(Described::of)
    }

    /// The words that may stand next.
    pub(super) fn next(&self) -> BTreeMap<&'db str, Word> {
        let mut next: BTreeMap<&str, Word> = BTreeMap::new();
        for way in &self.ways {
            let words = way.elements.get(self.depth).into_iter().flat_map(|element| &element.words);
            for name in words.filter(|name| !name.is_empty()) {
                let word = next.entry(name).or_default();
                match way.end {
                    End::Program(_) => word.declared = true,
                    _ => word.in_rules = true,
                }
            }
        }
        let options = self.programs().filter(|(_, here)| *here);
        add_options(options.map(|(program, _)| program), &mut next);
        for (name, word) in self.inner.iter().flat_map(|(_, inner)| inner.next()) {
            let known = next.entry(name).or_default();
            known.declared |= word.declared;
            known.in_rules |= word.in_rules;
            known.option = known.option.take().or(word.option);
        }
        next
    }

    /// The words that may stand anywhere behind.
    pub(super) fn anywhere(&self) -> BTreeMap<&'db str, Word> {
        let mut anywhere: BTreeMap<&str, Word> = BTreeMap::new();
        for way in &self.ended {
            let End::Rule(conditions) = way.end else { continue };
            let words = conditions.having.iter().chain(&conditions.without).flat_map(|element| &element.words);
            for name in words.filter(|name| !name.is_empty()) {
                anywhere.entry(name).or_default().in_rules = true;
            }
        }
        add_options(self.programs().map(|(program, _)| program), &mut anywhere);
        anywhere
    }

    /// The options that are declared for what leads here alone.
    pub(super) fn options(&self) -> BTreeMap<&'db str, Described> {
        let options = self.programs().filter(|(_, here)| *here).flat_map(|(program, _)| &program.options);
        options.flat_map(|option| option.names.iter().map(|name| (name.as_str(), Described::of(option)))).collect()
    }

    /// The subcommands that are declared for what leads here.
    pub(super) fn subcommands(&self) -> BTreeSet<&'db str> {
        let programs = self.ways.iter().filter(|way| matches!(way.end, End::Program(_)));
        let next = programs.filter(|way| way.elements.len() == self.depth + 1).filter_map(|way| way.elements.last());
        next.flat_map(|element| &element.words).map(String::as_str).collect()
    }

    /// Whether a program or subcommand is declared that ends here.
    pub(super) fn declared(&self) -> bool {
        self.programs().any(|(_, here)| here)
    }
}

fn add_options<'db>(programs: impl Iterator<Item = &'db Program>, words: &mut BTreeMap<&'db str, Word>) {
    for option in programs.flat_map(|program| &program.options) {
        for name in &option.names {
            words.entry(name).or_default().option.get_or_insert_with(|| Described::of(option).text);
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
    fn words_after_a_program_that_runs_them_are_those_of_what_it_runs() {
        let fixture = fixture(
            "//- programs.rules prelude\n\
            program('sudo', operands = 'command', options = [option('-u', value = True)])\n\
            program('timeout', operands = 'command', skip = 1)\n\
            program('git', options = [option('-C', value = True)])\nprogram(['git', 'push'], options = [option('--force')])\n\
            //- a.rules\nprefix_rule(['sudo', 'reboot'])\nprefix_rule(['git', 'log'])\n",
        );
        let next = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let elements: Vec<_> = words.iter().map(|word| Some(vec![word.clone()])).collect();
            let next = |known: super::Known<'_>| known.next().into_keys().collect::<Vec<_>>().join(" ");
            let shown = next(known(&fixture.db, fixture.set, &elements));
            assert_eq!(next(known_command(&fixture.db, fixture.set, &words)), shown, "{words:?}");
            shown
        };
        assert_eq!(next(&["sudo"]), "-u git reboot sudo timeout");
        assert_eq!(next(&["sudo", "git"]), "-C log push");
        assert_eq!(next(&["timeout", "5", "sudo", "git", "push"]), "--force");
        assert_eq!(next(&["timeout"]), "");
        let elements: Vec<_> = ["sudo", "-u", "x", "git"].map(|word| Some(vec![word.to_owned()])).to_vec();
        let known = known(&fixture.db, fixture.set, &elements);
        let (start, inner) = known.innermost();
        assert!(start == 3 && inner.declared() && inner.option("-C").is_some());
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
