//! Examples, each judged by the runtime on a real table of its rule alone, and expectations, judged on that of the whole set.

use std::cell::OnceCell;
use std::collections::HashMap;

use policyc_runtime::{Answers, Context, Decision, Folders, Matching, ShellKind, Table, Terms};

use crate::answers::causes;
use crate::check::failing_example::{self, Failure, MOST_OTHERS, Mending, OtherRule, Proof};
use crate::check::{evadable_example, failing_expectation};
use crate::db::{prelude_order, rule_set, run_order, table};
use crate::diagnostics::{Diagnostic, Edit, Severity};
use crate::eval::evaluate;
use crate::layers::is_trusted;
use crate::lower::{Place, RuleSet, lower};
use crate::rules::effects::ToolRule;
use crate::rules::{Conditions, Element, Expectation, HostExecutable, Origin, PrefixRule, Request};
use crate::shipped::PREFIX;
use crate::source::{PolicySet, Position, SourceFile, Span};
use crate::syntax::{Step, insertion, line_index, literal, locate, removal};

/// What is wrong with the examples of a file's rules. Host executables count as they are known when the file ends.
pub fn failing_examples(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> &[Diagnostic] {
    &judged_examples(db, set, file).diagnostics
}

/// What became of the examples of a file's rules, and of what it says that commands do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedExamples {
    /// What is wrong with them.
    pub diagnostics: Vec<Diagnostic>,
    /// How many fail, of each `prefix_rule` in order of definition.
    pub failing: Vec<usize>,
}

/// Judges the examples of a file's rules.
#[salsa::tracked]
pub fn judged_examples(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> JudgedExamples {
    let test = SelfTest::of(db, set, file);
    let declarations = &evaluate(db, set, file).declarations;
    let mut judged = JudgedExamples::default();
    let rules = declarations.prefix_rules.iter().map(|rule| (rule, true));
    for (rule, decides) in rules.chain(declarations.commands.iter().map(|command| (&command.rule, false))) {
        let (diagnostics, failing) = test.rule(rule);
        if decides {
            judged.failing.push(failing);
        }
        let room = MOST_OF_A_FILE - judged.diagnostics.len();
        judged.diagnostics.extend(diagnostics.into_iter().take(room));
    }
    for rule in &declarations.tool_rules {
        let room = MOST_OF_A_FILE - judged.diagnostics.len();
        judged.diagnostics.extend(test.tool_rule(rule).into_iter().take(room.min(MOST_OF_A_RULE)));
    }
    judged
}

/// Whether a rule, were it alone, would match the words as typed.
pub(crate) fn matches_alone(db: &dyn salsa::Database, set: PolicySet, rule: &PrefixRule, words: &[String]) -> bool {
    let test = SelfTest::of(db, set, rule.origin.run());
    test.matches(rule, rule.pattern.clone(), rule.conditions.clone(), words)
}

/// How many failing examples of one rule are told one by one.
const MOST_OF_A_RULE: usize = 20;

/// How many of one file are told at all.
const MOST_OF_A_FILE: usize = 1_000;

/// The expectations of a file that the whole set does not meet, in text as a shell reads it and with every command judged
/// in all its readings. None is judged while mistakes may have hidden a rule. Those of an untrusted layer are warnings: it
/// cannot keep others from using the set.
#[salsa::tracked]
pub fn failing_expectations(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    let expectations = &evaluate(db, set, file).declarations.expectations;
    let broken =
        |file: &SourceFile| evaluate(db, set, *file).diagnostics.iter().any(|it| it.severity == Severity::Error);
    if expectations.is_empty() || run_order(db, set).iter().chain(prelude_order(db, set)).any(broken) {
        return Vec::new();
    }
    let table = Table::from_bytes(table(db, set)).expect("a table that was just made is valid");
    let folders = Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() });
    let context = Context { folders, ..Context::default() };
    let severity = if is_trusted(db, set, file) { Severity::Error } else { Severity::Warning };
    let failing = expectations.iter().filter_map(|expectation| {
        let Expectation { request, decision, profile, origin } = expectation;
        // That there is no such profile is told already.
        if profile.as_deref().is_some_and(|name| table.profile(name).is_none()) {
            return None;
        }
        let terms = Terms { profile: profile.as_deref(), ..Terms::NONE };
        let context = Context { terms: profile.is_some().then_some(&terms), ..context };
        let (answers, reasons) = match request {
            Request::Text(text) => {
                answers(&table, policyc_runtime::Request::text(text, ShellKind::default()), &context, *decision)
            }
            Request::Command(words) => answers(&table, words.into(), &context, *decision),
            Request::Tool(call) => {
                answers(&table, policyc_runtime::Request::tool(&call.tool, &call.arguments), &context, *decision)
            }
            Request::Network(protocol, host) => {
                answers(&table, policyc_runtime::Request::network(protocol.name(), host), &context, *decision)
            }
        }?;
        let site = failing_expectation::site(origin, origin.file.text(db));
        let diagnostic = match expectation.is_of_rules() {
            true => failing_expectation::diagnostic(&site, request, *decision, &answers),
            false => failing_expectation::weighed(&site, request, *decision, (answers.decision, &reasons)),
        };
        let written = |text: &str| {
            let parameter = Step::Parameter { name: "decision", position: Some(1) };
            let located = locate(origin.file.text(db), origin.span, &[parameter]);
            let edit = Edit { file: origin.file, span: located.span, text: text.to_owned() };
            located.literal.then_some(edit)
        };
        let diagnostic = failing_expectation::mended(diagnostic, answers.decision, written);
        Some(Diagnostic { severity, ..diagnostic })
    });
    failing.take(MOST_OF_A_FILE).collect()
}

/// The examples of `not_match` in a file that their rule matches all the same, in other readings than as typed.
#[salsa::tracked]
pub fn evadable_examples(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Diagnostic> {
    let rules = &evaluate(db, set, file).declarations.prefix_rules;
    if file.label(db).starts_with(PREFIX) || rules.iter().all(|rule| rule.counterexamples.is_empty()) {
        return Vec::new();
    }
    let table = Table::from_bytes(table(db, set)).expect("a table that was just made is valid");
    let folders = Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() });
    let context = Context { folders, ..Context::default() };
    let typed = Context { matching: Matching::Reference, resolve_host_executables: true, folders, terms: None };
    let mut evadable = Vec::new();
    for rule in rules {
        let start = line_index(db, rule.origin.file).position(rule.origin.span.start);
        // A loop makes several rules at one place.
        let itself = |found: &policyc_runtime::Rule<'_>| {
            let pattern = found.pattern().map(|element| failing_expectation::written(&element));
            (found.line(), found.column()) == (start.line, start.column)
                && found.file() == rule.origin.file.label(db)
                && rule.pattern.iter().zip(pattern).enumerate().all(|(place, (own, found))| {
                    place > 0 && *own == found || found.texts().all(|text| own.texts().any(|known| known == text))
                })
        };
        for (index, example) in rule.counterexamples.iter().enumerate() {
            if table.decide(&example.words, &typed).matches().any(|found| itself(&found.rule)) {
                continue;
            }
            let evaluation = table.decide(&example.words, &context);
            if evaluation.decision().is_none() {
                continue;
            }
            let answers = evaluation.answers();
            let mut found = answers.commands.iter().flat_map(|command| &command.matches);
            if found.any(|found| found.counts && itself(&found.rule)) {
                let text = rule.origin.file.text(db);
                let site = failing_example::site(&rule.origin, text, Proof::NotMatch, index);
                let words: Vec<&str> = example.words.iter().map(String::as_str).collect();
                evadable.push(evadable_example::matched(&site, &failing_example::shown(&words)));
            }
        }
    }
    evadable.truncate(MOST_OF_A_FILE);
    evadable
}

/// What the table answers in full, if that is not what is expected.
fn answers<'t, W: AsRef<str>>(
    table: &'t Table<'t>,
    request: policyc_runtime::Request<'_, W>,
    context: &Context<'_>,
    expected: Option<Decision>,
) -> Option<(Answers<'t>, Vec<String>)> {
    let evaluation = table.decide(request, context);
    (evaluation.decision() != expected).then(|| {
        let answers = evaluation.answers();
        let reasons = causes::reasons(&evaluation.account(), &answers, table);
        (answers, reasons)
    })
}

struct SelfTest<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    /// Whether no mistake may have hidden a `host_executable`: if one may have, examples with paths are not judged.
    executables_known: bool,
    executables: Executables<'db>,
    context: Context<'db>,
    /// The table of the whole set, opened when the first example fails.
    whole: OnceCell<Table<'db>>,
}

impl<'db> SelfTest<'db> {
    /// The test of the rules that a file declares.
    fn of(db: &'db dyn salsa::Database, set: PolicySet, file: SourceFile) -> Self {
        let order = run_order(db, set).iter().copied();
        let ended: Vec<SourceFile> = order.take_while(|other| *other != file).chain([file]).collect();
        let broken =
            |file: &SourceFile| evaluate(db, set, *file).diagnostics.iter().any(|it| it.severity == Severity::Error);
        Self {
            db,
            set,
            executables_known: !ended.iter().any(broken),
            executables: Executables::new(rule_set(db, set, ended).host_executables),
            context: Context {
                matching: Matching::Reference,
                resolve_host_executables: true,
                folders: Some(Folders { working: set.working_directory(db), home: set.home(db).as_deref() }),
                terms: None,
            },
            whole: OnceCell::new(),
        }
    }

    /// What is wrong with the examples of a rule, and how many fail.
    fn rule(&self, rule: &'db PrefixRule) -> (Vec<Diagnostic>, usize) {
        if rule.examples.is_empty() && rule.counterexamples.is_empty() {
            return (Vec::new(), 0);
        }
        let bytes = self.table_of(rule);
        let table = Table::from_bytes(&bytes).expect("a table that was just made is valid");
        let (mut diagnostics, mut untold) = (Vec::new(), 0);
        for (proof, examples) in [(Proof::NotMatch, &rule.counterexamples), (Proof::Match, &rule.examples)] {
            for (index, example) in examples.iter().enumerate() {
                let bare = example.words.first().is_some_and(|program| !program.contains(['/', '~']));
                let matched = table.decide(&example.words, &self.context).decision().is_some();
                if matched == (proof == Proof::Match) || !(bare || self.executables_known) {
                    continue;
                }
                if diagnostics.len() < MOST_OF_A_RULE {
                    diagnostics.push(self.diagnostic(rule, proof, index, &example.words));
                } else {
                    untold += 1;
                }
            }
        }
        let failing = diagnostics.len() + untold;
        if let Some(last) = diagnostics.pop() {
            let more = format!("{untold} more examples of this rule fail");
            diagnostics.push(if untold > 0 { last.with_note(more) } else { last });
        }
        (diagnostics, failing)
    }

    /// What is wrong with the examples of a rule for tool calls: it alone is asked, and no declaration of the tool.
    fn tool_rule(&self, rule: &'db ToolRule) -> Vec<Diagnostic> {
        if rule.examples.is_empty() && rule.counterexamples.is_empty() {
            return Vec::new();
        }
        let alone = RuleSet { tool_rules: vec![rule], ..RuleSet::default() };
        let bytes = lower(&alone, |_| Place { file: "", position: Position { line: 1, column: 1 }, layer: 0 });
        let table = Table::from_bytes(&bytes).expect("a table that was just made is valid");
        let context = Context { matching: Matching::Guarded, ..self.context };
        let mut failing = Vec::new();
        for (proof, examples) in [(Proof::NotMatch, &rule.counterexamples), (Proof::Match, &rule.examples)] {
            for (index, call) in examples.iter().enumerate() {
                let request = policyc_runtime::Request::tool(&call.tool, &call.arguments);
                let matched = !table.decide(request, &context).account().tool_rules.is_empty();
                if matched != (proof == Proof::Match) {
                    let site = failing_example::site(&rule.origin, rule.origin.file.text(self.db), proof, index);
                    failing.push(failing_example::call(&site, proof, &call.tool, &call.arguments));
                }
            }
        }
        failing
    }

    /// The table of one rule, with the host executables that it may need.
    fn table_of(&self, rule: &PrefixRule) -> Vec<u8> {
        let rules =
            RuleSet { prefix_rules: vec![rule], host_executables: self.executables.of(rule), ..RuleSet::default() };
        lower(&rules, |_| Place { file: "", position: Position { line: 1, column: 1 }, layer: 0 })
    }

    fn diagnostic(&self, rule: &'db PrefixRule, proof: Proof, index: usize, words: &[String]) -> Diagnostic {
        let agreed = self.agreed(rule, words);
        let site = failing_example::site(&rule.origin, rule.origin.file.text(self.db), proof, index);
        let failure = Failure {
            proof,
            words,
            pattern: failing_example::pattern(&rule.pattern),
            agreed,
            expected: rule.pattern.get(agreed),
            condition: if proof == Proof::Match { self.condition(rule, words) } else { None },
            others: if proof == Proof::Match { self.others(words) } else { Vec::new() },
        };
        let diagnostic = failing_example::diagnostic(&site, &failure);
        failing_example::mended(diagnostic, proof, self.mending(rule, &failure, index))
    }

    /// What of the rule's own text could be edited.
    fn mending(&self, rule: &PrefixRule, failure: &Failure<'_>, index: usize) -> Mending {
        let Origin { file, span: call, .. } = rule.origin;
        let text = file.text(self.db);
        let edit = |(span, text): (Span, String)| Edit { file, span, text };
        let parameter = |name, position| Step::Parameter { name, position: Some(position) };
        let (own, other) = match failure.proof {
            Proof::Match => (("match", 2), ("not_match", 3)),
            Proof::NotMatch => (("not_match", 3), ("match", 2)),
        };
        let mut mending = Mending::default();
        let element = locate(text, call, &[parameter("pattern", 0), Step::Item(failure.agreed)]);
        if failing_example::blank(failure).is_some()
            && element.literal
            && let Some([word]) = rule.pattern.get(failure.agreed).map(|element| element.words.as_slice())
            && !element.span.of(text).starts_with('[')
        {
            let words: Vec<String> = word.split_whitespace().map(literal::written).collect();
            mending.split = Some(edit((element.span, words.join(", "))));
        }
        let example = locate(text, call, &[parameter(own.0, own.1), Step::Item(index)]);
        if let Some(removed) = removal(text, call, example.span).filter(|_| example.literal) {
            mending.dropped = Some(edit((removed, String::new())));
            let shown = example.span.of(text);
            let others = locate(text, call, &[parameter(other.0, other.1)]).span;
            let added = if others == call {
                insertion(text, call, &format!("{} = [{shown}]", other.0))
            } else {
                insertion(text, others, shown)
            };
            let apart = |(span, _): &(Span, String)| span.end <= removed.start || removed.end <= span.start;
            if let Some(added) = added.filter(apart) {
                mending.moved = vec![edit((removed, String::new())), edit(added)];
            }
        }
        mending
    }

    /// How many elements of the pattern the words agree with: as many as a rule of so many elements still matches.
    fn agreed(&self, rule: &PrefixRule, words: &[String]) -> usize {
        let lengths: Vec<usize> = (1..=rule.pattern.len()).collect();
        lengths.partition_point(|&length| {
            let pattern = rule.pattern.iter().take(length).cloned().collect();
            self.matches(rule, pattern, Conditions::default(), words)
        })
    }

    /// The first condition without which the rule would match the words, if one is all that keeps it from that.
    fn condition(&self, rule: &PrefixRule, words: &[String]) -> Option<&'static str> {
        let all = &rule.conditions;
        let without = [
            ("exact", Conditions { exact: false, ..all.clone() }),
            ("having", Conditions { having: Vec::new(), ..all.clone() }),
            ("without", Conditions { without: Vec::new(), ..all.clone() }),
            ("unless", Conditions { unless: Vec::new(), ..all.clone() }),
        ];
        let mut less = without.into_iter().filter(|(_, conditions)| conditions != all);
        less.find(|(_, less)| self.matches(rule, rule.pattern.clone(), less.clone(), words)).map(|(name, _)| name)
    }

    /// Whether the rule would match the words if it had this pattern and these conditions.
    fn matches(&self, rule: &PrefixRule, pattern: Vec<Element>, conditions: Conditions, words: &[String]) -> bool {
        let other = PrefixRule {
            pattern,
            conditions,
            examples: Vec::new(),
            counterexamples: Vec::new(),
            justification: None,
            origin: rule.origin.clone(),
            ..*rule
        };
        let bytes = self.table_of(&other);
        Table::from_bytes(&bytes).is_ok_and(|table| table.decide(words, &self.context).decision().is_some())
    }

    /// The first few rules of the whole set that match the words.
    fn others(&self, words: &[String]) -> Vec<OtherRule> {
        let whole = self
            .whole
            .get_or_init(|| Table::from_bytes(table(self.db, self.set)).expect("a table that was just made is valid"));
        let evaluation = whole.decide(words, &self.context);
        let others = evaluation.matches().take(MOST_OTHERS).map(|matched| {
            let rule = matched.rule;
            let pattern: Vec<Element> = rule.pattern().map(|element| failing_expectation::written(&element)).collect();
            OtherRule { place: format!("{}:{}", rule.file(), rule.line()), pattern: failing_example::pattern(&pattern) }
        });
        others.collect()
    }
}

/// The host executables that hold: the last one of each name.
struct Executables<'db> {
    by_name: HashMap<&'db str, &'db HostExecutable>,
    names_by_folded: HashMap<String, Vec<&'db str>>,
}

impl<'db> Executables<'db> {
    fn new(executables: Vec<&'db HostExecutable>) -> Self {
        let by_name: HashMap<_, _> =
            executables.into_iter().map(|executable| (executable.name.as_str(), executable)).collect();
        let mut names_by_folded: HashMap<String, Vec<&'db str>> = HashMap::new();
        for name in by_name.keys() {
            names_by_folded.entry(policyc_runtime::fold(name)).or_default().push(name);
        }
        Self { by_name, names_by_folded }
    }

    /// Those that the matching of a rule can depend on: of its heads, or under canonical matching of any spelling.
    fn of(&self, rule: &PrefixRule) -> Vec<&'db HostExecutable> {
        let heads = rule.pattern.first().into_iter().flat_map(|head| &head.words);
        let names: Vec<&str> = if rule.canonical_matching {
            heads.filter_map(|head| self.names_by_folded.get(&policyc_runtime::fold(head))).flatten().copied().collect()
        } else {
            heads.map(String::as_str).collect()
        };
        names.into_iter().filter_map(|name| self.by_name.get(name).copied()).collect()
    }
}
