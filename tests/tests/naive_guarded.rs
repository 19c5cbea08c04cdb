//! Guarded matching of words against the naive reference, on random policies and commands.

use policyc_runtime::{Request, Table};
use policyc_tests::engines::guarded;
use policyc_tests::naive_guarded::decide;
use policyc_tests::policy::Policy;
use policyc_tests::random::Random;

const PROGRAMS: [&str; 4] = ["a", "b", "wrap", "skip"];
const WORDS: [&str; 12] = ["a", "b", "c", "wrap", "skip", "/bin/a", "-v", "-x", "--value", "--unheard-of", "--", "-"];

/// A policy of a few rules and of what is known of the programs.
fn policy(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(4) {
        let mut pattern = vec![*random.pick(&PROGRAMS)];
        pattern.extend((0..random.below(3)).map(|_| *random.pick(&["a", "b", "c", "-v", "-x"])));
        text += &format!("prefix_rule({pattern:?}, {:?})\n", random.pick(&["allow", "prompt", "forbidden"]));
    }
    let traits = |random: &mut Random| if random.one_in(2) { ", harmless = True" } else { "" };
    for (name, operands) in
        [("a", ""), ("wrap", ", operands = \"command\""), ("skip", ", operands = \"command\", skip = 1")]
    {
        if random.one_in(3) {
            continue;
        }
        let options = ["\"-v\"", "\"-x\"", "\"--value\", value = True"];
        let mut declared = Vec::new();
        for option in options {
            if !random.one_in(3) {
                declared.push(format!("option({option}{})", traits(random)));
            }
        }
        text += &format!("program({name:?}{operands}{}, options = [{}])\n", traits(random), declared.join(", "));
    }
    text
}

#[test]
fn words_are_judged_as_the_language_describes() {
    let mut random = Random::seeded(41);
    let mut answered = 0;
    let mut failures: Vec<String> = Vec::new();
    for _ in 0..1_500 {
        let text = policy(&mut random);
        let policy = Policy::of(&text);
        let Ok(table) = Table::from_bytes(policy.table()) else { panic!("no table of\n{text}") };
        for _ in 0..40 {
            let mut command = vec![(*random.pick(&["a", "b", "c", "wrap", "skip", "/bin/a", "./wrap"])).to_owned()];
            command.extend((0..random.below(6)).map(|_| (*random.pick(&WORDS)).to_owned()));
            let table = table.decide(Request::from(&command), &guarded(None)).decision();
            let naive = decide(policy.declarations(), &command);
            if table != naive && failures.len() < 8 {
                failures.push(format!("{command:?}: table {table:?}, naive {naive:?} under\n{text}"));
            }
            answered += usize::from(table.is_some());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(answered > 10_000, "the samples test too little: {answered}");
}
