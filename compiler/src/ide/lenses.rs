//! Lenses: what stands over a rule and over a file, to see how their examples and expectations fare and to try a command.

use std::collections::BTreeMap;

use super::Place;
use super::expected::expectation_hits;
use super::hits::joined;
use super::standing::standing;
use crate::rules::{Example, PrefixRule};
use crate::self_test::{failing_expectations, judged_examples};
use crate::source::{PolicySet, SourceFile, Span};

/// A line over a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The text: the call that makes a rule, or the beginning of the file.
    pub span: Span,
    /// What it says.
    pub title: String,
    /// What happens when it is chosen.
    pub action: Action,
}

/// What a lens does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Says how the file's examples and expectations fare.
    Run,
    /// Lets the author try a command, to begin with this one.
    Try(String),
    /// Shows these places.
    ShowHits(Vec<Place>),
}

/// How the examples and expectations of a file fare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many examples there are.
    pub examples: usize,
    /// How many of them fail.
    pub failing_examples: usize,
    /// How many expectations there are.
    pub expectations: usize,
    /// How many of them the policy set does not meet.
    pub failing_expectations: usize,
}

/// How the examples and expectations of `file` fare.
#[must_use]
pub fn counts(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Counts {
    let standing = standing(db, set, file);
    let examples = |rule: &PrefixRule| rule.examples.len() + rule.counterexamples.len();
    Counts {
        examples: standing.declarations.prefix_rules.iter().map(examples).sum(),
        failing_examples: judged_examples(db, set, standing.file).failing.iter().sum(),
        expectations: standing.declarations.expectations.len(),
        failing_expectations: failing_expectations(db, set, standing.file).len(),
    }
}

/// Such as `2 of 3 examples pass, 4 expectations pass`.
impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let examples = passing(self.examples, self.failing_examples, "example");
        match self.expectations {
            0 => f.write_str(&examples),
            _ => write!(f, "{examples}, {}", passing(self.expectations, self.failing_expectations, "expectation")),
        }
    }
}

/// Such as `2 of 3 examples pass`.
fn passing(number: usize, failing: usize, what: &str) -> String {
    match (number, failing) {
        (0, _) => format!("no {what}s"),
        (1, 0) => format!("1 {what} passes"),
        (1, _) => format!("1 {what} fails"),
        (_, 0) => format!("{number} {what}s pass"),
        _ => format!("{} of {number} {what}s pass", number.saturating_sub(failing)),
    }
}

/// What is known of the rules that one call makes.
#[derive(Default)]
struct Made {
    examples: usize,
    failing: usize,
    expectations: Vec<Place>,
    /// What to try first.
    command: String,
}

/// The lenses of a file, in order.
#[must_use]
pub fn lenses(db: &dyn salsa::Database, set: PolicySet, file: SourceFile) -> Vec<Lens> {
    let standing = standing(db, set, file);
    let declarations = standing.declarations;
    let mut lenses = Vec::new();
    if !declarations.prefix_rules.is_empty() || !declarations.expectations.is_empty() {
        let title = format!("run all: {}", counts(db, set, file));
        lenses.push(Lens { span: Span::default(), title, action: Action::Run });
    }
    let failing = &judged_examples(db, set, standing.file).failing;
    let hits = expectation_hits(db, set);
    let mut made: BTreeMap<Span, Made> = BTreeMap::new();
    for (index, rule) in declarations.prefix_rules.iter().enumerate() {
        let Some((_, span)) = standing.outermost(&rule.origin) else { continue };
        let made = made.entry(span).or_default();
        made.examples += rule.examples.len() + rule.counterexamples.len();
        made.failing += failing.get(index).copied().unwrap_or_default();
        for place in hits.get(&(standing.file, index)).into_iter().flatten() {
            if !made.expectations.contains(place) {
                made.expectations.push(*place);
            }
        }
        if made.command.is_empty() {
            made.command = first_command(rule);
        }
    }
    lenses.extend(made.into_iter().flat_map(|(span, made)| of_rule(span, made)));
    lenses
}

fn of_rule(span: Span, made: Made) -> impl Iterator<Item = Lens> {
    let lens = move |title: String, action| Lens { span, title, action };
    let examples = (made.examples > 0).then(|| lens(passing(made.examples, made.failing, "example"), Action::Run));
    let number = made.expectations.len();
    let plural = if number == 1 { "" } else { "s" };
    let hits = lens(format!("hit by {number} expectation{plural}"), Action::ShowHits(made.expectations));
    examples.into_iter().chain([hits, lens("try a command…".to_owned(), Action::Try(made.command))])
}

/// What a rule is tried with first: its first example or, without one, the first words of its pattern.
fn first_command(rule: &PrefixRule) -> String {
    let words = |Example { words }: &Example| joined(words);
    let pattern = || {
        let first = rule.pattern.iter().map_while(|element| element.words.first().cloned());
        joined(&first.collect::<Vec<_>>())
    };
    rule.examples.first().map_or_else(pattern, words)
}

#[cfg(test)]
mod tests {
    use super::{Action, Lens, counts, lenses};
    use crate::ide::fixture::{Fixture, fixture};

    /// Each lens as `LINE TITLE [ACTION]`.
    fn shown(fixture: &Fixture) -> Vec<String> {
        let index = crate::syntax::line_index(&fixture.db, fixture.file);
        let show = |Lens { span, title, action }: Lens| {
            let action = match action {
                Action::Run => "run".to_owned(),
                Action::Try(command) => command,
                Action::ShowHits(places) => {
                    places.into_iter().map(|place| fixture.shown(place)).collect::<Vec<_>>().join("; ")
                }
            };
            format!("{} {title} [{action}]", index.position(span.start).line)
        };
        lenses(&fixture.db, fixture.set, fixture.file).into_iter().map(show).collect()
    }

    #[test]
    fn over_each_rule_stand_its_examples_its_expectations_and_a_command_to_try() {
        let fixture = fixture(
            "//- a.rules\n<cursor>prefix_rule(['git', ['push', 'pull']], 'prompt', match = ['git push', 'git log'], not_match = ['ls'])\n\
             expect('git push', 'prompt')\nprefix_rule([['make', 'gmake']])\n\
             //- b.rules\nexpect('make && git pull', 'prompt')\nexpect('x', None)\n",
        );
        assert_eq!(
            shown(&fixture),
            [
                "1 run all: 2 of 3 examples pass, 1 expectation passes [run]",
                "1 2 of 3 examples pass [run]",
                "1 hit by 2 expectations [a.rules:2 expect('git push', 'prompt'); b.rules:1 expect('make && git pull', 'prompt')]",
                "1 try a command… [git push]",
                "3 hit by 1 expectation [b.rules:1 expect('make && git pull', 'prompt')]",
                "3 try a command… [make]",
            ]
        );
    }

    #[test]
    fn a_rule_without_an_example_can_be_tried() {
        assert_eq!(
            shown(&fixture("prefix_rule(pattern=[\"jq\"], decision=\"allow\")\n")),
            ["1 run all: no examples [run]", "1 hit by 0 expectations []", "1 try a command… [jq]"]
        );
        assert_eq!(shown(&fixture("# nothing\n")), Vec::<String>::new());
    }

    #[test]
    fn rules_that_a_function_makes_stand_under_its_call() {
        let fixture = fixture(
            "def both(program):\n    prefix_rule([program], match = [program])\n    prefix_rule([program, 'x'], 'prompt')\n\
             both('a')\nexpect('a x', 'prompt')\n",
        );
        assert_eq!(
            shown(&fixture),
            [
                "1 run all: 1 example passes, 1 expectation passes [run]",
                "4 1 example passes [run]",
                "4 hit by 1 expectation [a.rules:5 expect('a x', 'prompt')]",
                "4 try a command… [a]",
            ]
        );
    }

    #[test]
    fn the_counts_of_a_file_are_told_in_words() {
        let fixture = fixture("expect('a', 'allow')\nexpect('b', None)\nprefix_rule(['b'], match = ['c'])\n");
        let counts = counts(&fixture.db, fixture.set, fixture.file);
        assert_eq!(counts.to_string(), "1 example fails, 0 of 2 expectations pass");
    }
}
