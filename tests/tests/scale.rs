//! Large policies: they load, they answer at once, and what is too deep is a mistake like any other.

use std::time::{Duration, Instant};

use policyc_runtime::{Decision, Request, ShellKind, Table};
use policyc_tests::engines::guarded;
use policyc_tests::policy::{FOLDERS, Policy};

#[test]
fn ten_thousand_rules_answer_at_once() {
    let policy = Policy::guarded_of("[prefix_rule([\"tool%d\" % i, \"sub\"]) for i in range(10000)]\n");
    assert!(policy.is_usable() && policy.declarations().prefix_rules.len() == 10_000);
    let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
    let words = ["tool9999", "sub", "x"];
    let mut times: Vec<Duration> = (0..1000)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(table.decide(&words, &guarded(Some(FOLDERS))).decision(), Some(Decision::Allow));
            start.elapsed()
        })
        .collect();
    times.sort();
    // What it takes exactly is measured by the benches; a search through all rules would take ten times as long as this.
    assert!(times.get(500).is_some_and(|median| *median < Duration::from_micros(50)), "{:?}", times.get(500));
}

#[test]
fn sixty_thousand_rules_load() {
    let policy = Policy::of("[prefix_rule([\"t%d\" % i]) for i in range(60000)]\n");
    let mistakes: Vec<_> = policy.errors().map(|error| &error.message).collect();
    assert!(mistakes.is_empty(), "{mistakes:?}");
    let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
    assert_eq!(table.rules().len(), 60_000);
    assert_eq!(table.decide(&["t59999"], &guarded(None)).decision(), Some(Decision::Allow));
}

/// Texts that a parser, or whoever answers, could look at again and again.
fn hostile() -> Vec<String> {
    let repeated = |text: &str, rest: &str| text.repeat(3000) + rest;
    vec![
        repeated("$x ", ""),
        repeated("* ", ""),
        repeated("$x* ", "push"),
        repeated("eval ", "ls"),
        repeated("eval 'a b' ", "ls"),
        repeated("ssh h ", "ls"),
        repeated("ssh h 'a b' ", "ls"),
        repeated("env -S ", "ls"),
        repeated("env -S 'a b' ", "ls"),
        repeated("sudo ", "ls"),
        repeated("xargs ", "ls"),
        repeated("ls; ", "git push"),
        repeated("$(ls) ", ""),
        repeated("x=1; ls; ", ""),
        repeated("find . -exec ls {} ';' ", ""),
        repeated("echo \"$(ls)\" | ", "sh"),
    ]
}

#[test]
fn hostile_texts_are_answered_in_few_steps_and_lines() {
    let policy = Policy::guarded_of("prefix_rule([\"git\", \"push\"], \"forbidden\")\nprefix_rule([any_word()])\n");
    let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
    for text in hostile() {
        let request = Request::<&str>::text(&text, ShellKind::Bash);
        let evaluation = table.decide(request, &guarded(Some(FOLDERS)));
        let answers = evaluation.answers();
        let start = text.get(..20).unwrap_or_default();
        assert!(!answers.exhausted, "{start}: {} steps", answers.steps);
        // Of every byte some things are looked at, and each of the few levels of what runs what may look again.
        assert!(answers.steps < 200 * text.len(), "{start}: {} steps", answers.steps);
        assert!(answers.commands.len() <= 1002, "{start}: {} commands", answers.commands.len());
        let words: usize = answers.commands.iter().flat_map(|command| &command.words).map(|word| word.text.len()).sum();
        let texts: usize = answers.texts.iter().skip(1).map(|text| text.text.len()).sum();
        assert!(words + texts < 1 << 20, "{start}: {words} bytes of words, {texts} of texts");
        let listed = answers.commands.iter().filter(|command| command.inside.is_none()).count();
        assert!(listed + answers.left_out > 0, "{start}");
    }
    let last = "ls; ".repeat(3000) + "git push";
    let request = Request::<&str>::text(&last, ShellKind::Bash);
    let answers = table.decide(request, &guarded(Some(FOLDERS))).answers();
    assert!(answers.left_out >= 1999 && answers.decision == Some(Decision::Forbidden), "{}", answers.left_out);
    assert_eq!(answers.commands.last().and_then(|command| command.decision), Some(Decision::Forbidden));
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!("x = {}{}\n", "[".repeat(3000), "]".repeat(3000));
    let codes: Vec<_> = Policy::of(&text).errors().map(|error| error.code.0).collect();
    assert_eq!(codes, ["invalid-nesting"]);
}
