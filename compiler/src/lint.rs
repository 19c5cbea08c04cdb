//! What is allowed and probably not meant: warnings about rules as they stand beside others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::check::broad_rule::{self, Runs, Why};
use crate::check::failing_example::pattern as shown;
use crate::check::shadowed_rule::{self, Stricter};
use crate::check::{broad_secret, invalid_word, shadowed_program, unknown_program};
use crate::db::{prelude_order, run_order};
use crate::diagnostics::{Diagnostic, Edit, Site};
use crate::eval::evaluate;
use crate::layers;
use crate::programs::{self, names};
use crate::rules::{Conditions, Decision, Element, Matcher, OptionValue, Origin, PrefixRule, Program, ProgramOption};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, SourceFile};
use crate::syntax::{Located, Step, insertion, line_index, locate, statement_removal};

/// What is odd about the rules of a file; nothing about one that is shipped, which is not the author's to mend.
#[salsa::tracked]
pub fn warnings(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    if file.label(db).starts_with(PREFIX) {
        return Vec::new();
    }
    let declarations = &evaluate(db, set, file).declarations;
    let lint = Lint { db, set, trusted: layers::is_trusted(db, set, file) };
    let mut warnings = Vec::new();
    for command in &declarations.commands {
        lint.words(&command.rule, &mut warnings);
        lint.texts(&command.rule, &mut warnings);
    }
    if lint.trusted {
        declarations.programs.iter().for_each(|program| lint.program(program, &mut warnings));
    }
    for rule in &declarations.prefix_rules {
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
                if index > 0 && invalid_word::is_shell(word) {
                    warnings.push(invalid_word::shell(&self.word(rule, index, place).0, word));
                }
                if broad_secret::is_secret(word) {
                    warnings.push(broad_secret::diagnostic(&self.word(rule, index, place).0));
                }
            }
        }
    }

    /// What the pattern leaves open is what runs, or it leaves everything open.
    fn broad(&self, rule: &PrefixRule) -> Option<Diagnostic> {
        let programs = known_programs(self.db, self.set);
        if rule.conditions.exact || !rule.conditions.having.is_empty() {
            return None;
        }
        let said = rule.pattern.iter().rposition(|element| !element.matchers.iter().any(describes_all));
        let Some(last) = said else {
            let limited = !rule.conditions.without.is_empty() || !rule.conditions.unless.is_empty();
            return (!limited).then(|| broad_rule::everything(&self.located(rule, &[0]).0));
        };
        let broad = ways(rule.pattern.get(..=last)?)?.into_iter().filter_map(|way| {
            let word = way.last().copied()?;
            let (name, why) = open(programs, &way, &rule.conditions)?;
            Some((name, why, rule.pattern.get(last)?.words.iter().position(|it| it == word)?))
        });
        let broad: Vec<_> = broad.collect();
        let ((name, why, place), others) = broad.split_first()?;
        let others: Vec<&str> = others.iter().map(|(name, ..)| name.as_str()).filter(|other| other != name).collect();
        Some(broad_rule::diagnostic(&self.word(rule, last, *place).0, name, why, &others))
    }

    /// What the file says of a program takes the place of what is shipped, or adds to what nobody has said.
    fn program(&self, program: &Program, warnings: &mut Vec<Diagnostic>) {
        let path = || {
            let step = Step::Parameter { name: "path", position: Some(0) };
            let located = locate(program.origin.file.text(self.db), program.origin.span, &[step]);
            Site::within(&program.origin, located.span)
        };
        for name in names(program) {
            let name = name.join(" ");
            if program.inherit {
                let programs = known_programs(self.db, self.set);
                if !programs.contains_key(&name) {
                    warnings.push(unknown_program::diagnostic(&path(), &name, programs.keys().map(String::as_str)));
                    return;
                }
            } else if let Some(shipped) = harm_of_prelude(self.db, self.set).get(&name) {
                let declared = program.options.iter().flat_map(|option| &option.names);
                let declared: BTreeSet<&String> = declared.collect();
                let gone = shipped.options.iter().filter(|option| !declared.contains(option)).map(String::as_str);
                let gone: Vec<&str> = gone.collect();
                let runs = shipped.runs.filter(|_| broad_rule::runs(program).is_none());
                if !gone.is_empty() || runs.is_some() {
                    warnings.push(shadowed_program::diagnostic(&path(), &name, &gone, runs));
                    return;
                }
            }
        }
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
        let exact = rule.conditions.exact;
        let stricter = Stricter {
            pattern: shown(&other.pattern),
            decision: other.decision,
            place: format!("{}:{line}", file.label(self.db)),
            others: found.len() - 1,
            exceptable: !exact && rule.conditions.having.is_empty() && rule.conditions.without.is_empty(),
        };
        let diagnostic = shadowed_rule::diagnostic(&self.located(rule, &[]).0, &shown(&rule.pattern), &stricter);
        let except = if found.len() == 1 && stricter.exceptable {
            self.except(&other.origin, &shown(&rule.pattern))
        } else {
            None
        };
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

/// Whether every word is described, as that of a program.
fn describes_all(matcher: &Matcher) -> bool {
    match matcher {
        Matcher::AnyWord => true,
        Matcher::Glob(pattern) => !pattern.is_empty() && pattern.chars().all(|character| character == '*'),
        Matcher::Path(pattern) => matches!(pattern.as_str(), "/**" | "**"),
    }
}

/// What a command of the words `way` leaves open for its program to run: that part of it, and why.
fn open(programs: &BTreeMap<String, Known>, way: &[&str], conditions: &Conditions) -> Option<(String, Why)> {
    let (first, words) = way.split_first()?;
    let first = first.rsplit('/').next().unwrap_or(first);
    let unknown = Known::default();
    let (mut path, mut program) = (first.to_owned(), programs.get(first).unwrap_or(&unknown));
    let shown = [&[first], words].concat().join(" ");
    let mut operands = 0;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(option) = program.option(word) {
            match (option.value, words.len()) {
                // The value is what runs, and it is not said.
                (true, 0) => return option.runs.map(|runs| (shown, Why::Runs(runs))),
                (true, _) if option.runs.is_some() => return None,
                (true, _) => drop(words.next()),
                (false, 0) => return option.runs.map(|runs| (shown, Why::Runs(runs))),
                (false, _) => return None,
            }
        } else if word.starts_with('-') {
            return None;
        } else if let Some(subcommand) = programs.get(&format!("{path} {word}")).filter(|_| operands == 0) {
            path = format!("{path} {word}");
            program = subcommand;
        } else if !(program.assignments && word.contains('=')) {
            operands += 1;
        }
    }
    if let Some(runs) = program.runs {
        return (operands <= program.skip && (operands > 0 || program.skip == 0 || words.len() == 0))
            .then_some((shown, Why::Runs(runs)));
    }
    if operands > 0 || !conditions.without.is_empty() || path != shown {
        return None;
    }
    let commands = program.options.iter().filter(|(_, option)| matches!(option.runs, Some(Runs::Command | Runs::Text)));
    let commands: Vec<String> = commands.map(|(name, _)| name.clone()).collect();
    // Of a subcommand, an option that runs something is an exception, not what it is for.
    if !commands.is_empty() && !path.contains(' ') {
        return Some((shown, Why::Options(commands)));
    }
    let below = format!("{path} ");
    let mut subcommands = programs.range(below.clone()..).take_while(|(name, _)| name.starts_with(&below));
    let (subcommand, runs) = subcommands.find_map(|(name, program)| Some((name.clone(), program.runs?)))?;
    Some((shown, Why::Subcommand(subcommand, runs)))
}

/// What is known of a program, as far as it is about what runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    runs: Option<Runs>,
    /// How many operands come before those that run.
    skip: u32,
    assignments: bool,
    /// Its options that take a value or run something.
    options: BTreeMap<String, KnownOption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownOption {
    /// Whether it takes the next word.
    value: bool,
    runs: Option<Runs>,
}

impl Known {
    /// What is known of an option; in `-lc`, of the last letter.
    fn option(&self, word: &str) -> Option<&KnownOption> {
        let last = || {
            let bundled = word.starts_with('-') && !word.starts_with("--") && word.len() > 2;
            let letter = word.chars().next_back().filter(|_| bundled)?;
            self.options.get(&format!("-{letter}")).filter(|option| option.runs.is_some())
        };
        self.options.get(word).or_else(last)
    }
}

/// What the files of the set declare of programs, as far as they may. An edit elsewhere in them leaves this as it is, and so
/// what follows from it and the prelude, which is a lot.
#[salsa::tracked]
fn own_programs(db: &dyn salsa::Database, set: PolicySet) -> Vec<Program> {
    let trusted = run_order(db, set).iter().filter(|file| layers::is_trusted(db, set, **file));
    trusted.flat_map(|file| evaluate(db, set, *file).declarations.programs.iter().cloned()).collect()
}

/// The programs of the whole set, by the words that they are called, with blanks between them.
#[salsa::tracked]
fn known_programs(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, Known> {
    let prelude = prelude_order(db, set).iter().flat_map(|file| &evaluate(db, set, *file).declarations.programs);
    let all: Vec<&Program> = prelude.chain(own_programs(db, set)).collect();
    let all = programs::known(&all);
    let known = all.into_iter().map(|(name, known)| {
        let option = |(name, option): &(&str, &ProgramOption)| {
            let value = matches!(option.value, OptionValue::Required | OptionValue::Rest | OptionValue::Until(_));
            let runs = option.runs.map(broad_rule::option_runs);
            (value || runs.is_some()).then(|| ((*name).to_owned(), KnownOption { value, runs }))
        };
        let program = Known {
            runs: broad_rule::runs(known.declared),
            skip: known.declared.skip,
            assignments: known.declared.assignments,
            options: known.options.iter().filter_map(option).collect(),
        };
        (name.join(" "), program)
    });
    known.collect()
}

/// What a program does beside what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Harm {
    runs: Option<Runs>,
    /// The options that run something or write files.
    options: Vec<String>,
}

/// The same of the programs that the prelude declares, as far as there is any.
#[salsa::tracked]
fn harm_of_prelude(db: &dyn salsa::Database, set: PolicySet) -> BTreeMap<String, Harm> {
    let files = prelude_order(db, set).iter();
    let programs: Vec<_> = files.flat_map(|file| &evaluate(db, set, *file).declarations.programs).collect();
    let harm = programs::known(&programs).into_iter().filter_map(|(name, known)| {
        let harmful = known.options.iter().filter(|(_, option)| option.runs.is_some() || option.writes);
        let options = harmful.map(|(name, _)| (*name).to_owned()).collect();
        let harm = Harm { runs: broad_rule::runs(known.declared), options };
        (harm.runs.is_some() || !harm.options.is_empty()).then(|| (name.join(" "), harm))
    });
    harm.collect()
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
    fn programs_are_compared_with_those_that_are_shipped() {
        let db = Database::default();
        let file = |label: &str, text: &str| SourceFile::new(&db, label.to_owned(), text.to_owned());
        let shipped = "program([['m', 'gm']], operands = 'code', options = [option('-f', '-o', writes = True), option('-q')])\n\
            program('l')\n";
        let prelude = file("@std//programs/a.rules", shipped);
        let told = |text: &str| {
            let own = file("a.rules", text);
            let set = PolicySet::builder(vec![own], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
            let set = set.prelude(vec![prelude]).new(&db);
            warnings(&db, set, own).iter().map(|it| (it.code.0, it.message.clone())).collect::<Vec<_>>()
        };
        let shadowed =
            |what: &str| vec![("shadowed-program", format!("this replaces what is shipped about `m`, {what}"))];
        assert_eq!(
            told("program('m', operands = 'code')"),
            shadowed("and drops `-f` and `-o`, which run code or write files")
        );
        assert_eq!(
            told("program('m', options = [option('-f', '-o')])"),
            shadowed("and drops that its operands are code")
        );
        assert_eq!(told("program('m', operands = 'code', options = [option('-f', '-o')])\nprogram('l')"), []);
        assert_eq!(told("program('m', inherit = True, options = [option('-j')])"), []);
    }

    #[test]
    fn rules_are_looked_at_beside_others() {
        let programs = "program([['sh', 'zsh']], operands = 'code', stdin = 'shell', options = [option('-c', runs = 'shell')])\n\
            program(['d', 'exec'], operands = 'command')\nprogram('t', operands = 'command', skip = 1)\n\
            program('s', operands = 'command', options = [option('-u', value = True)])\n\
            program('f', options = [option('-x', until = [';'], runs = 'command')])\n";
        for (rules, expected) in [
            ("prefix_rule(['a b', 'c d'])", vec![("invalid-word", "'a b'")]),
            ("prefix_rule([['ok', 'a '], 'c'])", vec![("invalid-word", "'a '")]),
            ("prefix_rule(['/bin/sh', ['-c', '-lc'], 'a b'])", vec![("invalid-word", "'a b'")]),
            ("prefix_rule(['sh', '-x', 'a b'])\nprefix_rule(['git', '-c', 'a b'])", vec![]),
            ("prefix_rule([['sh', 'ls', 'zsh']])", vec![("broad-rule", "'sh'")]),
            ("prefix_rule(['a', ['b', 'Authorization: x']])", vec![("broad-secret", "'Authorization: x'")]),
            ("prefix_rule([['ls', '/bin/zsh']])", vec![("broad-rule", "'/bin/zsh'")]),
            ("prefix_rule(['d', 'exec'])", vec![("broad-rule", "'exec'")]),
            ("prefix_rule(['d', 'exec', 'x'])\nprefix_rule(['zsh'], 'prompt')", vec![]),
            (
                "prefix_rule(['sh', '-c'])\nprefix_rule(['zsh', '-ec'])",
                vec![("broad-rule", "'-c'"), ("broad-rule", "'-ec'")],
            ),
            ("prefix_rule([any_word()])", vec![("broad-rule", "any_word()")]),
            ("prefix_rule([['a', glob('**')]])", vec![("broad-rule", "['a', glob('**')]")]),
            ("prefix_rule([path('/**'), any_word()])", vec![("broad-rule", "path('/**')")]),
            ("prefix_rule(['sh', any_word()])", vec![("broad-rule", "'sh'")]),
            ("prefix_rule([any_word(), '--version'])", vec![]),
            ("prefix_rule([any_word()], without = ['x'])\nprefix_rule([any_word()], 'prompt')", vec![]),
            ("prefix_rule(['s', '-u', 'x'])\nprefix_rule(['s', '-u', 'x', 'y'])", vec![("broad-rule", "'x'")]),
            ("prefix_rule(['t', '5'])\nprefix_rule(['t', '5', 'y'])", vec![("broad-rule", "'5'")]),
            ("prefix_rule(['s', '--version'])", vec![]),
            ("prefix_rule(['d'])\nprefix_rule(['d', 'x'])", vec![("broad-rule", "'d'")]),
            (
                "prefix_rule(['f'])\nprefix_rule(['f', '.'])\nprefix_rule(['f'], without = ['-x'])",
                vec![("broad-rule", "'f'")],
            ),
            ("prefix_rule(['cd', '&&', 'x'])", vec![("invalid-word", "'&&'")]),
            (
                "prefix_rule(['a', ['*', 'b']])\nprefix_rule(['~/a'])",
                vec![("invalid-word", "'*'"), ("invalid-word", "'~/a'")],
            ),
            ("program('a', inherit = True)", vec![("unknown-program", "'a'")]),
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
