//! Compares `policyc-runtime` with `cedar-policy` and `regorus` on the same rules and the same commands, in one run.
//!
//!     cargo run --release
//!
//! Each engine gets the form that is natural for it and goes from a command's words to the strictest decision. Answers are
//! checked equal before anything is timed. Cedar has two decisions, so a rule is a `permit` that carries its decision as an
//! annotation, with the program as the resource; Rego finds the rules in a data document by their program.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cedar_policy::{Authorizer, Context as Attributes, Entities, EntityUid, PolicySet, Request, RestrictedExpression};
use policyc_runtime::{Context, Decision, Table};
use policyc_tests::policy::Policy;
use policyc_tests::workload::Workload;
use regorus::{Engine, Value};

/// A rule: the alternatives of each element, and what it decides.
type Rule = (Vec<Vec<String>>, Decision);

fn main() {
    println!("{:>7} {:>9} {:>12} {:>12} {:>12} {:>9} {:>9}", "rules", "programs", "policyc", "Cedar", "Rego", "Cedar ×", "Rego ×");
    for workload in [
        Workload::over_many_programs(10),
        Workload::over_many_programs(1_000),
        Workload::on_one_program(10),
        Workload::on_one_program(1_000),
    ] {
        compare(workload);
    }
}

fn compare(workload: Workload) {
    let generated = workload.generate();
    let policy = Policy::of(&generated.policy);
    let rules: Vec<Rule> = policy
        .declarations()
        .prefix_rules
        .iter()
        .map(|rule| (rule.pattern.iter().map(|element| element.words.clone()).collect(), rule.decision))
        .collect();
    let table = Table::from_bytes(policy.table()).expect("a built table opens");
    let cedar = Cedar::new(&rules);
    let mut rego = Rego::new(&rules);
    let commands = generated.hits(100, 11);
    for command in &commands {
        let ours = table.decide(command, &Context::default()).decision();
        assert_eq!(cedar.decide(command), ours, "Cedar on {command:?}");
        assert_eq!(rego.decide(command), ours, "Rego on {command:?}");
    }
    let ours = median(&commands, 10_000, |command| table.decide(command, &Context::default()).decision());
    let cedar = median(&commands, 10, |command| cedar.decide(command));
    let rego = median(&commands, 10, |command| rego.decide(command));
    println!(
        "{:>7} {:>9} {:>12} {:>12} {:>12} {:>9.0} {:>9.0}",
        workload.rules,
        workload.programs,
        format!("{ours:.0} ns"),
        format!("{:.1} µs", cedar / 1e3),
        format!("{:.1} µs", rego / 1e3),
        cedar / ours,
        rego / ours,
    );
}

/// The median over seven passes of the nanoseconds that one decision takes; a pass goes `times` times over all commands.
fn median(commands: &[Vec<String>], times: usize, mut decide: impl FnMut(&[String]) -> Option<Decision>) -> f64 {
    let mut passes: Vec<Duration> = (0..7)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..times {
                for command in commands {
                    black_box(decide(black_box(command)));
                }
            }
            start.elapsed()
        })
        .collect();
    passes.sort_unstable();
    passes[3].as_nanos() as f64 / (times * commands.len()) as f64
}

struct Cedar {
    authorizer: Authorizer,
    entities: Entities,
    policies: PolicySet,
    who: EntityUid,
    run: EntityUid,
}

impl Cedar {
    fn new(rules: &[Rule]) -> Self {
        let mut text = String::new();
        for (pattern, decision) in rules {
            let (head, later) = pattern.split_first().expect("a pattern has an element");
            let program = head.first().expect("an element has a word");
            write!(text, "@decision(\"{decision}\") permit(principal, action == Action::\"run\", resource == Program::{program:?})")
                .expect("writing to a string succeeds");
            let conditions: Vec<String> = later
                .iter()
                .zip(1..)
                .map(|(words, place)| match words.as_slice() {
                    [word] => format!("context has w{place} && context.w{place} == {word:?}"),
                    words => format!("context has w{place} && {words:?}.contains(context.w{place})"),
                })
                .collect();
            if !conditions.is_empty() {
                write!(text, " when {{ {} }}", conditions.join(" && ")).expect("writing to a string succeeds");
            }
            text.push_str(";\n");
        }
        Self {
            authorizer: Authorizer::new(),
            entities: Entities::empty(),
            policies: text.parse().expect("the Cedar policies parse"),
            who: "User::\"agent\"".parse().expect("an entity parses"),
            run: "Action::\"run\"".parse().expect("an entity parses"),
        }
    }

    fn decide(&self, command: &[String]) -> Option<Decision> {
        let (program, arguments) = command.split_first()?;
        let words = arguments.iter().zip(1..).map(|(word, place)| (format!("w{place}"), RestrictedExpression::new_string(word.clone())));
        let context = Attributes::from_pairs(words).expect("the words are distinct attributes");
        let program = EntityUid::from_type_name_and_id("Program".parse().expect("a type name parses"), cedar_policy::EntityId::new(program));
        let request = Request::new(self.who.clone(), self.run.clone(), program, context, None).expect("the request is well formed");
        let response = self.authorizer.is_authorized(&request, &self.policies, &self.entities);
        response
            .diagnostics()
            .reason()
            .filter_map(|id| Decision::from_name(self.policies.policy(id)?.annotation("decision")?))
            .max()
    }
}

struct Rego(Engine);

impl Rego {
    fn new(rules: &[Rule]) -> Self {
        let mut by_program = serde_json::Map::new();
        for (pattern, decision) in rules {
            let (head, later) = pattern.split_first().expect("a pattern has an element");
            let program = head.first().expect("an element has a word");
            let rules = by_program.entry(program.clone()).or_insert_with(|| serde_json::json!([]));
            let rule = serde_json::json!({ "pattern": later, "decision": decision.name() });
            rules.as_array_mut().expect("a program has a list").push(rule);
        }
        let mut engine = Engine::new();
        engine
            .add_policy(
                "commands.rego".to_owned(),
                r"package commands

import rego.v1

decisions contains rule.decision if {
    some rule in data.rules[input.command[0]]
    every place, alternatives in rule.pattern {
        input.command[place + 1] in alternatives
    }
}
"
                .to_owned(),
            )
            .expect("the Rego policy parses");
        let data = serde_json::json!({ "rules": by_program }).to_string();
        engine.add_data(Value::from_json_str(&data).expect("the data is JSON")).expect("the data is new");
        Self(engine)
    }

    fn decide(&mut self, command: &[String]) -> Option<Decision> {
        let words: Vec<Value> = command.iter().map(|word| Value::from(word.as_str())).collect();
        let mut input = Value::new_object();
        input.as_object_mut().expect("an object").insert(Value::from("command"), Value::from(words));
        self.0.set_input(input);
        let decisions = self.0.eval_rule("data.commands.decisions".to_owned()).expect("the rule evaluates");
        let decisions = decisions.as_set().expect("the decisions are a set");
        decisions.iter().filter_map(|decision| Decision::from_name(decision.as_string().ok()?)).max()
    }
}
