//! The one law of guarded matching, as a property.
//!
//! > Uncertainty may turn `allow` into `prompt`. It never weakens `prompt` or `forbidden`.
//!
//! Seeds are fixed; `POLICYC_SEED=…` takes another. What is found becomes a line of `tests/cases/found.md`.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use policyc::rules::{Decision, PrefixRule};
use policyc_runtime::{Request, ShellKind, Table};
use policyc_tests::engines::guarded;
use policyc_tests::guarded_samples;
use policyc_tests::law::strictness;
use policyc_tests::policy::{FOLDERS, File, Policy};
use policyc_tests::random::Random;
use policyc_tests::wrappings::Composition;

/// How many compositions of shipped rules, and of random ones, are judged.
const SHIPPED: usize = 80_000;
const RANDOM: usize = 20_000;

/// A table with the rules that it was made of.
struct Judge<'p> {
    policy: &'p Policy,
    table: Table<'p>,
}

impl<'p> Judge<'p> {
    fn new(policy: &'p Policy) -> Self {
        // Whether the shipped policies keep their own examples, their suites say.
        let errors = policy.errors().filter(|error| error.code.0 != "failing-example");
        let errors: Vec<_> = errors.map(|error| &error.message).collect();
        assert!(errors.is_empty(), "{errors:?}");
        Self { policy, table: Table::from_bytes(policy.table()).expect("a good policy has a good table") }
    }

    fn words(&self, words: &[String]) -> Option<Decision> {
        self.table.decide(words, &guarded(Some(FOLDERS))).decision()
    }

    fn text(&self, text: &str) -> Option<Decision> {
        let request: Request<'_> = Request::text(text, ShellKind::Bash);
        self.table.decide(request, &guarded(Some(FOLDERS))).decision()
    }

    /// How the composition weakens a restriction, if it does.
    fn weakened(&self, composition: &Composition) -> Option<String> {
        let plain = self.words(&composition.words);
        let enough = if composition.is_known() { plain } else { plain.min(Some(Decision::Prompt)) };
        let wrapped = self.text(&composition.text());
        (strictness(plain) > 1 && strictness(wrapped) < strictness(enough)).then(|| {
            format!("{:?} is {plain:?}, but wrapped it is {wrapped:?}:\n{}", composition.words, composition.text())
        })
    }

    /// How the composition takes an allow away, if it does.
    fn doubted(&self, composition: &Composition) -> Option<String> {
        let wrapped = self.text(&composition.text());
        (self.words(&composition.words) == Some(Decision::Allow) && wrapped != Some(Decision::Allow)).then(|| {
            format!("{:?} is allowed, but wrapped it is {wrapped:?}:\n{}", composition.words, composition.text())
        })
    }

    fn rules(&self, kept: impl Fn(Decision) -> bool) -> Vec<&'p PrefixRule> {
        self.policy.declarations().prefix_rules.iter().filter(|rule| kept(rule.decision)).collect()
    }
}

/// The shipped policies, all of them in one set.
fn shipped() -> Policy {
    let policies: Vec<File> = policyc::shipped::shipped()
        .iter()
        .filter(|(label, _)| !label.starts_with("@std//programs/"))
        .map(|(label, text)| File::new(*label, *text))
        .collect();
    assert!(policies.len() > 10, "the shipped policies are not there");
    Policy::guarded(&policies, &[], &[])
}

/// Runs `check` on as many threads as there are processors, `count` times each with a sequence of its own.
fn on_threads(seed: u64, count: usize, check: impl Fn(&mut Random) + Sync) {
    let next = AtomicUsize::new(0);
    let mut seeds = Random::seeded(seed);
    let batches: Vec<u64> = (0..count.div_ceil(1000)).map(|_| seeds.bits()).collect();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(seed) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut random = Random::new(*seed);
                    (0..1000).for_each(|_| check(&mut random));
                }
            });
        }
    });
}

/// Gathers counterexamples, each as small as it gets, and fails with those that are different.
#[derive(Default)]
struct Found(Mutex<Vec<(Composition, String)>>);

impl Found {
    fn add(&self, composition: Composition, why: &dyn Fn(&Composition) -> Option<String>) {
        // A table that fails at all fails often.
        if self.0.lock().expect("no check panics").len() < 200 {
            let smallest = composition.shrink(&|smaller| why(smaller).is_some());
            let text = why(&smallest).unwrap_or_default();
            self.0.lock().expect("no check panics").push((smallest, text));
        }
    }

    fn report(self) {
        let mut found = self.0.into_inner().expect("no check panics");
        // One of each kind: what differs in the words alone is one mistake.
        found.sort_by_key(|(composition, text)| (composition.wrappings.len(), text.len()));
        let mut kinds = Vec::new();
        let mut report = String::new();
        for (composition, text) in found {
            let kind = Composition { words: Vec::new(), spellings: Vec::new(), ..composition };
            if !kinds.contains(&kind) {
                kinds.push(kind);
                write!(report, "\n{text}\n").expect("writing to a string succeeds");
            }
        }
        assert!(report.is_empty(), "{} kinds of counterexample:\n{report}", kinds.len());
    }
}

#[test]
fn no_wrapping_weakens_a_restriction_of_the_shipped_policies() {
    let policy = shipped();
    let judge = Judge::new(&policy);
    let rules = judge.rules(|decision| decision > Decision::Allow);
    assert!(rules.len() > 20, "only {} restrictive rules are shipped", rules.len());
    let (found, judged) = (Found::default(), AtomicUsize::new(0));
    on_threads(11, SHIPPED, |random| {
        let rule = *random.pick::<&PrefixRule>(&rules);
        let words = guarded_samples::command(random, rule);
        let composition = Composition::random(random, &words, 2, false);
        judged.fetch_add(usize::from(strictness(judge.words(&words)) > 1), Ordering::Relaxed);
        if judge.weakened(&composition).is_some() {
            found.add(composition, &|composition| judge.weakened(composition));
        }
    });
    found.report();
    let judged = judged.into_inner();
    assert!(judged * 10 > SHIPPED * 9, "only {judged} of {SHIPPED} compositions were of a restricted command");
}

#[test]
fn no_wrapping_weakens_a_restriction_of_a_random_policy() {
    let (found, judged) = (Found::default(), AtomicUsize::new(0));
    let mut random = Random::seeded(12);
    for _ in 0..RANDOM / 200 {
        let rules = guarded_samples::policy(&mut random, &Decision::ALL);
        let policy = Policy::guarded(&[guarded_samples::file(&rules)], &[], &[]);
        let judge = Judge::new(&policy);
        let restrictive = judge.rules(|decision| decision > Decision::Allow);
        for _ in 0..if restrictive.is_empty() { 0 } else { 200 } {
            let rule = *random.pick::<&PrefixRule>(&restrictive);
            let words = guarded_samples::command(&mut random, rule);
            let composition = Composition::random(&mut random, &words, 2, false);
            judged.fetch_add(usize::from(strictness(judge.words(&words)) > 1), Ordering::Relaxed);
            if judge.weakened(&composition).is_some() {
                let why = |composition: &Composition| {
                    Some(format!("{}\nof\n{}", judge.weakened(composition)?, rules.join("\n")))
                };
                found.add(composition, &why);
            }
        }
    }
    found.report();
    let judged = judged.into_inner();
    assert!(judged * 2 > RANDOM, "only {judged} of {RANDOM} compositions were of a restricted command");
}

#[test]
fn harmless_wrappings_leave_an_allow_as_it_is() {
    let policy = shipped();
    let judge = Judge::new(&policy);
    let rules = judge.rules(|decision| decision == Decision::Allow);
    let (found, judged) = (Found::default(), AtomicUsize::new(0));
    on_threads(13, 10_000, |random| {
        let rule = *random.pick::<&PrefixRule>(&rules);
        let words = guarded_samples::command(random, rule);
        let composition = Composition::random(random, &words, 2, true);
        judged.fetch_add(usize::from(judge.words(&words) == Some(Decision::Allow)), Ordering::Relaxed);
        if judge.doubted(&composition).is_some() {
            found.add(composition, &|composition| judge.doubted(composition));
        }
    });
    found.report();
    assert!(judged.into_inner() > 5_000, "too few of the compositions were of an allowed command");
}
