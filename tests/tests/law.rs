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
use policyc_tests::engines::{Engines, guarded};
use policyc_tests::guarded_samples;
use policyc_tests::law::strictness;
use policyc_tests::policy::{FOLDERS, File, Owner, Policy};
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

/// Whether the composition makes another command of it for this rule: by words that the rule asks not to be there.
fn concerns(rule: &PrefixRule, composition: &Composition) -> bool {
    let without = !rule.conditions.without.is_empty();
    (rule.conditions.exact || without) && composition.extends() || without && composition.option.is_some()
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
        if concerns(rule, &composition) {
            return;
        }
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
            if concerns(rule, &composition) {
                continue;
            }
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
    // Twice into a folder is not once: what moves is another command in a loop or a function.
    let programs = judge.table.programs();
    let moving: Vec<&str> =
        programs.iter().filter(|known| known.moves()).flat_map(|known| known.names.concat()).collect();
    let moves = |rule: &&PrefixRule| rule.pattern[0].words.iter().any(|word| moving.contains(&word.as_str()));
    let mut rules = judge.rules(|decision| decision == Decision::Allow);
    rules.retain(|rule| !moves(rule));
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

/// What makes an allow doubtful: `«words»` is the command, `«first»` its program and `«rest»` the other words.
const DOUBTS: &[&str] = &[
    "/tmp/x/«first» «rest»",
    "../«first» «rest»",
    "LD_PRELOAD=/tmp/x.so «words»",
    "PATH=/tmp/x:$PATH «words»",
    "env LD_PRELOAD=/tmp/x.so «words»",
    "export PATH=/tmp/x; «words»",
    "«words» > /etc/x",
    "«words» >> ~/.bashrc",
    "«words» &> x",
    "«words» >| \"$X\"",
    "$X «rest»",
    "\"$X\" «rest»",
    "$(which «first») «rest»",
    "`cat x`; «words»",
    "«words»; (",
    "«words» \"",
    "«words» && ",
    "«words»; if",
    "«words»; fi",
    "«words» $(",
    "«words» <<",
    "«words» 'a\u{200b}b'",
    "«words» \u{202e}b",
    "«words» | sh",
    "eval \"$X\"; «words»",
    "eval \"«words» $X\"",
    "sh -c \"$X\" «words»",
    "«words»\n$X",
    "no-such-program-at-all «words»",
    "find . -exec no-such-program-at-all «words» ';'",
    "«words» &\n/tmp/x/y",
    "f() { «words»; /tmp/x/y; }; f",
    "alias «first»=/tmp/x/y; «words»",
];

/// Random rules that allow, none of which is about any program there is.
fn allowing(random: &mut Random) -> Vec<String> {
    let mut rules = guarded_samples::policy(random, &[Decision::Allow]);
    rules.retain(|rule| !rule.starts_with("prefix_rule([any_word()"));
    rules
}

#[test]
fn whatever_is_allowed_is_allowed_piece_by_piece() {
    let mut random = Random::seeded(14);
    let mut allowed = 0;
    for _ in 0..60 {
        let rules = guarded_samples::policy(&mut random, &[Decision::Allow, Decision::Allow, Decision::Prompt]);
        let policy = Policy::guarded(&[guarded_samples::file(&rules)], &[], &[]);
        let mut elsewhere = Vec::new();
        let engines = Engines::new(&policy, &mut elsewhere).expect("a good policy has a good table");
        for _ in 0..150 {
            let rule = random.pick(&policy.declarations().prefix_rules);
            let words = guarded_samples::command(&mut random, rule);
            let harmless = !random.one_in(3);
            let text = Composition::random(&mut random, &words, 2, harmless).text();
            let request = Request::Text { text: &text, kind: ShellKind::Bash };
            let answers = engines.judge(request, Some(FOLDERS)).unwrap_or_else(|why| panic!("{why}\nof {rules:#?}"));
            if answers.decision != Some(Decision::Allow) {
                continue;
            }
            allowed += 1;
            for (place, command) in answers.commands.iter().enumerate() {
                let counts = command.matches.iter().any(|found| found.counts);
                // What runs something else, such as a text on its standard input, is another request without it.
                let runs = answers.commands.iter().any(|other| other.inside == Some(place));
                if !counts || runs || command.words.iter().any(|word| word.dynamic) {
                    continue;
                }
                let words: Vec<String> = command.words.iter().map(|word| word.text.clone()).collect();
                let bare = engines.judge(Request::from(&words), Some(FOLDERS)).expect("the law holds for words");
                assert_eq!(bare.decision, Some(Decision::Allow), "{words:?} of\n{text}\nand {rules:#?}");
            }
        }
    }
    assert!(allowed > 1_000, "only {allowed} texts were allowed");
}

#[test]
fn no_doubt_leaves_an_allow() {
    let mut random = Random::seeded(15);
    let (mut judged, mut found) = (0, Vec::new());
    for _ in 0..60 {
        let rules = allowing(&mut random);
        let policy = Policy::guarded(&[guarded_samples::file(&rules)], &[], &[]);
        let judge = Judge::new(&policy);
        let declared = &policy.declarations().prefix_rules;
        for _ in 0..if declared.is_empty() { 0 } else { 10 } {
            let rule = random.pick(declared);
            let words = guarded_samples::command(&mut random, rule);
            if judge.words(&words) != Some(Decision::Allow) {
                continue;
            }
            let plain = Composition::plain(&words).text();
            let (first, rest) = plain.split_once(' ').unwrap_or((&plain, ""));
            for doubt in DOUBTS {
                let text = doubt.replace("«words»", &plain).replace("«first»", first).replace("«rest»", rest);
                judged += 1;
                if judge.text(&text) == Some(Decision::Allow) && !(first.contains('/') && doubt.contains("«first»")) {
                    found.push(format!("{text}\nis allowed, as {doubt:?} is, by\n{}", rules.join("\n")));
                }
            }
            // Where no shorter pattern allows it, an option that nobody declares may be anything in front of the next word.
            let short = |rule: &&PrefixRule| {
                rule.pattern.len() == 1
                    && rule.pattern.iter().any(|head| words.first().is_some_and(|word| head.words.contains(word)))
            };
            let shorter =
                rules.iter().any(|rule| rule.contains("any_word()")) || declared.iter().any(|rule| short(&rule));
            if !shorter {
                let text = format!("{first} --of-nobody {rest}");
                judged += 1;
                if judge.text(&text) == Some(Decision::Allow) {
                    found.push(format!("{text}\nis allowed by\n{}", rules.join("\n")));
                }
            }
        }
    }
    found.sort_by_key(String::len);
    assert!(
        found.is_empty(),
        "{} doubts allowed:\n{}",
        found.len(),
        found.iter().take(12).cloned().collect::<Vec<_>>().join("\n\n")
    );
    assert!(judged > 5_000, "only {judged} texts were judged");
}

#[test]
fn a_rule_more_never_makes_a_restriction_milder() {
    let mut random = Random::seeded(16);
    let mut restricted = 0;
    for _ in 0..60 {
        let rules = guarded_samples::policy(&mut random, &Decision::ALL);
        let more = guarded_samples::rule(&mut random, &Decision::ALL);
        let adds_allow = more.contains("\"allow\"");
        let place = random.below(rules.len() + 1);
        let mut together = rules.clone();
        together.insert(place, more.clone());
        let before = Policy::guarded(&[guarded_samples::file(&rules)], &[], &[]);
        let after = Policy::guarded(&[guarded_samples::file(&together)], &[], &[]);
        let mut elsewhere = [Vec::new(), Vec::new()];
        let [first, second] = &mut elsewhere;
        let before = Engines::new(&before, first).expect("a good policy has a good table");
        let fuller = Engines::new(&after, second).expect("a good policy has a good table");
        for _ in 0..60 {
            let rule = random.pick(&after.declarations().prefix_rules);
            let words = guarded_samples::command(&mut random, rule);
            let text = Composition::random(&mut random, &words, 2, false).text();
            let request = Request::Text { text: &text, kind: ShellKind::Bash };
            let judge = |engines: &Engines<'_>| {
                let answers = engines.judge(request, Some(FOLDERS)).unwrap_or_else(|why| panic!("{why}"));
                let matches = answers.commands.iter().flat_map(|command| &command.matches);
                let matched = matches.filter(|found| found.counts).map(|found| found.rule.decision()).max();
                (answers.decision, matched)
            };
            let ((old, matched), (new, _)) = (judge(&before), judge(&fuller));
            // An allow more may well answer what was only in doubt.
            let settled = !adds_allow || matched > Some(Decision::Allow) && matched == old;
            restricted += usize::from(settled && strictness(old) > 1);
            assert!(
                !settled || strictness(new) >= strictness(old),
                "{text}\nwas {old:?} and is {new:?} with\n{more}\nbesides\n{}",
                rules.join("\n")
            );
        }
    }
    assert!(restricted > 500, "only {restricted} texts were restricted");
}

#[test]
fn the_order_of_layers_does_not_matter() {
    let mut random = Random::seeded(17);
    let mut decided = 0;
    for _ in 0..30 {
        let mut layers: Vec<(File, Owner)> = (0..3)
            .map(|number| {
                let text = guarded_samples::policy(&mut random, &Decision::ALL).join("\n");
                let owner = Owner { name: format!("layer{number}"), trusted: number != 2 };
                (File::new(format!("l{number}.rules"), text), owner)
            })
            .collect();
        let build = |layers: &[(File, Owner)]| {
            let (files, owners): (Vec<File>, Vec<Owner>) = layers.iter().cloned().unzip();
            Policy::guarded(&files, &[], &owners)
        };
        let policies: Vec<Policy> = (0..3)
            .map(|_| {
                layers.rotate_left(1);
                let policy = build(&layers);
                layers.swap(0, 1);
                policy
            })
            .collect();
        let judges: Vec<Judge<'_>> = policies.iter().map(Judge::new).collect();
        let [first, others @ ..] = judges.as_slice() else { unreachable!("there are three") };
        for _ in 0..40 {
            let declared = &first.policy.declarations().prefix_rules;
            if declared.is_empty() {
                break;
            }
            let rule = random.pick(declared);
            let words = guarded_samples::command(&mut random, rule);
            let text = Composition::random(&mut random, &words, 1, false).text();
            let answer = first.text(&text);
            decided += usize::from(answer.is_some());
            for other in others {
                assert_eq!(other.text(&text), answer, "{text}\nof {layers:#?}");
            }
        }
    }
    assert!(decided > 300, "only {decided} texts were decided");
}
