//! The three engines that must give one answer: the naive reference, the fresh table, and a copy of it read from elsewhere.

use std::collections::BTreeSet;

use policyc::rules;
use policyc_runtime::{
    Alternative, Answers, Conditions, Context, Element, Folders, Matcher, Matching, Request, Table, fold,
};

use crate::law;
use crate::naive::{self, Answer, Match};
use crate::policy::{Policy, position};

/// A policy set with its table opened twice.
pub struct Engines<'p> {
    policy: &'p Policy,
    fresh: Table<'p>,
    moved: Table<'p>,
}

impl<'p> Engines<'p> {
    /// Opens `policy`, whose table is copied to `elsewhere`: to an odd address, so that alignment can't matter.
    ///
    /// # Errors
    /// A sentence, when a table can't be opened or doesn't hold the rules of the policy.
    pub fn new(policy: &'p Policy, elsewhere: &'p mut Vec<u8>) -> Result<Self, String> {
        elsewhere.clear();
        elsewhere.push(0);
        elsewhere.extend_from_slice(policy.table());
        let copy = elsewhere.get(1..).unwrap_or_default();
        let open =
            |bytes| Table::from_bytes(bytes).map_err(|error| format!("the policy's own table is refused: {error}"));
        let engines = Self { policy, fresh: open(policy.table())?, moved: open(copy)? };
        engines.check_rules()?;
        Ok(engines)
    }

    /// The one answer of all engines.
    ///
    /// # Errors
    /// A sentence, when they don't agree.
    pub fn decide(&self, command: &[String], folders: Option<Folders<'_>>) -> Result<Answer, String> {
        let naive = naive::decide(self.policy.declarations(), command, folders);
        for (name, table) in [("fresh table", &self.fresh), ("table copied elsewhere", &self.moved)] {
            let answer = ask(table, command, folders);
            if answer != naive {
                return Err(format!(
                    "the engines differ on {command:?} (folders: {folders:?})\n  naive reference: {naive:?}\n  {name}: {answer:?}"
                ));
            }
        }
        Ok(naive)
    }

    /// The one guarded answer of both tables, which must be lawful in itself.
    ///
    /// # Errors
    /// A sentence, when the tables don't agree, or an answer breaks the law.
    pub fn judge(&self, request: Request<'_, String>, folders: Option<Folders<'_>>) -> Result<Answers<'_>, String> {
        let context = guarded(folders);
        let answers = self.fresh.decide(request, &context).answers();
        let decision = self.fresh.decide(request, &context).decision();
        if answers.decision != decision {
            return Err(format!("{request:?} is answered {decision:?}, but in full {:?}", answers.decision));
        }
        let moved = self.moved.decide(request, &context).answers();
        let (here, there) = (format!("{answers:?}"), format!("{moved:?}"));
        if here != there {
            return Err(format!("the tables differ on {request:?}\n  fresh: {here}\n  copied elsewhere: {there}"));
        }
        law::all_allowed(&answers).map_err(|why| format!("{request:?} is allowed, although {why}"))?;
        Ok(answers)
    }

    /// The fresh table.
    #[must_use]
    pub const fn table(&self) -> &Table<'p> {
        &self.fresh
    }

    /// Whether the table lists exactly the policy's rules, with where they stand.
    fn check_rules(&self) -> Result<(), String> {
        let mut expected = Vec::new();
        for rule in &self.policy.declarations().prefix_rules {
            let text = self.policy.text(rule.origin.file);
            let (line, column) = position(text, rule.origin.span.start);
            let (first, later) = rule.pattern.split_first().expect("a pattern has at least one element");
            // A table holds the later words of rules under canonical matching as they are compared: folded.
            let held = |element: &rules::Element| {
                let words = element
                    .words
                    .iter()
                    .map(|word| Term::Word(if rule.canonical_matching { fold(word) } else { word.clone() }));
                as_set(words.chain(element.matchers.iter().map(Term::of)))
            };
            let heads = first.words.iter().cloned().map(Term::Word).chain(first.matchers.iter().map(Term::of));
            for head in heads {
                let pattern: Vec<Vec<Term>> = [vec![head]].into_iter().chain(later.iter().map(held)).collect();
                let conditions = &rule.conditions;
                let literal = |element: &rules::Element| {
                    as_set(element.words.iter().cloned().map(Term::Word).chain(element.matchers.iter().map(Term::of)))
                };
                let groups = |elements: &[rules::Element]| elements.iter().map(literal).collect::<Vec<_>>();
                let writes = conditions.writes.iter().cloned().map(Term::Path).collect::<Vec<_>>();
                let unless: Vec<_> = conditions.unless.iter().map(|pattern| groups(pattern)).collect();
                expected.push(format!(
                    "{} {pattern:?} {} {:?} canonical={} exact={} having={:?} without={:?} unless={unless:?} env={:?} writes={:?} {}:{line}:{column}",
                    expected.len(),
                    rule.decision,
                    rule.justification,
                    rule.canonical_matching,
                    conditions.exact,
                    groups(&conditions.having),
                    groups(&conditions.without),
                    as_set(conditions.env.iter().cloned().map(Term::Word)),
                    as_set(writes.into_iter()),
                    self.policy.label(rule.origin.file),
                ));
            }
        }
        let held: Vec<String> = self
            .fresh
            .rules()
            .map(|rule| {
                let literal = |element: Element<'_>| as_set(element.alternatives().map(Term::held));
                let pattern: Vec<Vec<Term>> = rule.pattern().map(literal).collect();
                let conditions = rule.conditions();
                let groups = |which: &dyn Fn(&Conditions<'_>) -> Vec<Vec<Term>>| {
                    conditions.as_ref().map(which).unwrap_or_default()
                };
                let unless: Vec<Vec<Vec<Term>>> = conditions
                    .iter()
                    .flat_map(Conditions::unless)
                    .map(|pattern| pattern.elements().map(literal).collect())
                    .collect();
                format!(
                    "{} {pattern:?} {} {:?} canonical={} exact={} having={:?} without={:?} unless={unless:?} env={:?} writes={:?} {}:{}:{}",
                    rule.id(),
                    rule.decision(),
                    rule.justification().map(str::to_owned),
                    rule.canonical_matching(),
                    conditions.is_some_and(|conditions| conditions.exact()),
                    groups(&|conditions| conditions.having().map(literal).collect()),
                    groups(&|conditions| conditions.without().map(literal).collect()),
                    as_set(conditions.iter().flat_map(Conditions::env).map(Term::held)),
                    as_set(conditions.iter().flat_map(Conditions::writes).map(Term::held)),
                    rule.file(),
                    rule.line(),
                    rule.column(),
                )
            })
            .collect();
        if held == expected {
            return Ok(());
        }
        let difference = held.iter().zip(&expected).find(|(held, expected)| held != expected);
        Err(match difference {
            Some((held, expected)) => {
                format!("the table holds the rule\n  {held}\nwhere the policy says\n  {expected}")
            }
            None => format!("the table holds {} rules where the policy has {}", held.len(), expected.len()),
        })
    }
}

/// An alternative, to compare what was declared with what a table holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Word(String),
    AnyWord,
    Glob(String),
    Path(String),
}

impl Term {
    fn of(matcher: &rules::Matcher) -> Self {
        match matcher {
            rules::Matcher::AnyWord => Self::AnyWord,
            rules::Matcher::Glob(pattern) => Self::Glob(pattern.clone()),
            rules::Matcher::Path(pattern) => Self::Path(pattern.clone()),
        }
    }

    fn held(alternative: Alternative<'_>) -> Self {
        match alternative {
            Alternative::Word(word) => Self::Word(word.to_owned()),
            Alternative::Matcher(Matcher::AnyWord) => Self::AnyWord,
            Alternative::Matcher(Matcher::Glob(pattern)) => Self::Glob(pattern.to_owned()),
            Alternative::Matcher(Matcher::Path(pattern)) => Self::Path(pattern.to_owned()),
        }
    }
}

fn as_set(terms: impl Iterator<Item = Term>) -> Vec<Term> {
    terms.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The context of guarded matching.
#[must_use]
pub fn guarded(folders: Option<Folders<'_>>) -> Context<'_> {
    Context { matching: Matching::Guarded, resolve_host_executables: false, folders, terms: None }
}

/// What `table` answers.
#[must_use]
pub fn ask(table: &Table<'_>, command: &[String], folders: Option<Folders<'_>>) -> Answer {
    let context =
        Context { matching: Matching::Reference, resolve_host_executables: folders.is_some(), folders, terms: None };
    let evaluation = table.decide(command, &context);
    let matches = evaluation
        .matches()
        .map(|found| Match {
            rule: found.rule.id(),
            words: evaluation.words().take(found.length).map(str::to_owned).collect(),
        })
        .collect();
    Answer {
        decision: evaluation.decision(),
        matches,
        program: evaluation.resolved_program().map(|program| program.to_string()),
    }
}
