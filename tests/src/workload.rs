//! The seeded bench workload: a policy of many rules, and commands that hit them.
//!
//! 200 programs (ten real names, the rest `progN`) or a single one; patterns of one to four elements, most of two or three;
//! a fifth of the later elements with two to four alternatives. No pattern occurs twice. The policy is text: its rules are
//! what evaluating the text gives, so that a bench measures what an author would have written.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::random::Random;

/// Which workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// How many rules.
    pub rules: usize,
    /// Over how many programs: [`MANY_PROGRAMS`] or 1.
    pub programs: usize,
    /// How many `match` examples each rule has.
    pub examples: usize,
    /// What the rest follows from.
    pub seed: u64,
}

/// How many programs the usual workload has.
pub const MANY_PROGRAMS: usize = 200;

/// What [`Workload::generate`] makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The policy's text.
    pub policy: String,
    /// Each rule's pattern: its elements, each with its alternatives.
    pub patterns: Vec<Vec<Vec<String>>>,
}

impl Workload {
    /// `rules` rules over 200 programs, one example each.
    #[must_use]
    pub const fn over_many_programs(rules: usize) -> Self {
        Self { rules, programs: MANY_PROGRAMS, examples: 1, seed: 1 }
    }

    /// `rules` rules all on one program, one example each.
    #[must_use]
    pub const fn on_one_program(rules: usize) -> Self {
        Self { rules, programs: 1, examples: 1, seed: 1 }
    }

    /// The same workload with `examples` examples a rule.
    #[must_use]
    pub const fn with_examples(self, examples: usize) -> Self {
        Self { examples, ..self }
    }

    /// The policy.
    #[must_use]
    pub fn generate(self) -> Generated {
        let mut random = Random::new(self.seed);
        let mut seen = HashSet::new();
        let mut patterns: Vec<Vec<Vec<String>>> = Vec::with_capacity(self.rules);
        let mut policy = String::new();
        while patterns.len() < self.rules {
            let pattern = self.pattern(&mut random);
            if !seen.insert(pattern.clone()) {
                continue;
            }
            let decision = *random.pick(&["allow", "allow", "allow", "prompt", "forbidden"]);
            policy.push_str("prefix_rule(pattern = [");
            for (place, element) in pattern.iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                match element.as_slice() {
                    [word] => write!(policy, "{comma}{word:?}"),
                    words => write!(policy, "{comma}{words:?}"),
                }
                .expect("writing to a string succeeds");
            }
            write!(policy, "], decision = {decision:?}").expect("writing to a string succeeds");
            if self.examples > 0 {
                let examples: Vec<String> = (0..self.examples)
                    .map(|_| {
                        let extra = random.below(3);
                        command(&mut random, &pattern, pattern.len() + extra).join(" ")
                    })
                    .collect();
                write!(policy, ", match = {examples:?}").expect("writing to a string succeeds");
            }
            policy.push_str(")\n");
            patterns.push(pattern);
        }
        Generated { policy, patterns }
    }

    fn pattern(self, random: &mut Random) -> Vec<Vec<String>> {
        let length = match random.below(20) {
            0 => 1,
            1..=9 => 2,
            10..=17 => 3,
            _ => 4,
        };
        let subcommands = 20 + self.rules.div_ceil(self.programs);
        let mut pattern = vec![vec![program(random.below(self.programs))]];
        for place in 1..length {
            let alternatives = if random.one_in(5) { random.between(2, 4) } else { 1 };
            let mut words: Vec<String> = Vec::new();
            while words.len() < alternatives {
                let word = match place {
                    1 => format!("sub{}", random.below(subcommands)),
                    2 => format!("--option{}", random.below(30)),
                    _ => format!("value{}", random.below(20)),
                };
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            pattern.push(words);
        }
        pattern
    }
}

impl Generated {
    /// `count` commands of three to six words that each hit at least one rule.
    #[must_use]
    pub fn hits(&self, count: usize, seed: u64) -> Vec<Vec<String>> {
        let mut random = Random::new(seed);
        (0..count)
            .map(|_| {
                let pattern = random.pick(&self.patterns);
                let length = random.between(pattern.len().max(3), 6);
                command(&mut random, pattern, length)
            })
            .collect()
    }
}

/// A command of `length` words that `pattern` matches.
fn command(random: &mut Random, pattern: &[Vec<String>], length: usize) -> Vec<String> {
    let mut words: Vec<String> = pattern.iter().map(|element| random.pick(element).clone()).collect();
    while words.len() < length {
        words.push(format!("operand{}", random.below(1000)));
    }
    words
}

fn program(index: usize) -> String {
    const REAL: [&str; 10] = ["git", "cargo", "npm", "docker", "kubectl", "python3", "make", "ls", "grep", "curl"];
    REAL.get(index).map_or_else(|| format!("prog{index}"), |name| (*name).to_owned())
}
