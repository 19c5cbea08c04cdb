//! The tree of every text: nothing lost, and no error where the engine sees none.

use std::time::{Duration, Instant};

use policyc::syntax::tree::{NodeKind, Tree, parse};
use policyc_tests::policies::{mutated, policies};
use policyc_tests::policy::Policy;
use policyc_tests::random::Random;

fn is_whole(tree: &Tree) -> bool {
    tree.root().descendants().all(|node| node.kind() != NodeKind::Error)
}

#[test]
fn every_text_is_in_its_tree() {
    let policies = policies();
    let mut random = Random::seeded(4);
    for policy in &policies {
        assert_eq!(parse(&policy.text).root().text().to_string(), policy.text, "{}", policy.place);
    }
    for _ in 0..10_000 {
        let text = mutated(&random.pick(&policies).text, &mut random);
        assert_eq!(parse(&text).root().text().to_string(), text);
    }
}

#[test]
fn a_text_that_the_engine_reads_has_no_error() {
    let mut read = 0;
    for policy in policies() {
        let judged = Policy::of(&policy.text);
        let unread = |code| matches!(code, "invalid-syntax" | "invalid-nesting" | "invalid-text");
        if !judged.errors().any(|error| unread(error.code.0)) {
            assert!(is_whole(&parse(&policy.text)), "{}: {:#?}", policy.place, parse(&policy.text).root());
            read += 1;
        }
    }
    assert!(read > 700, "{read} policies");
}

#[test]
fn the_time_is_linear() {
    let many = 30_000;
    for text in [
        "rule(\n".repeat(many),
        "x = [\n\n\n".repeat(many),
        format!("x = [{}]", "f(a, [b]), # c\n".repeat(many)),
        format!("x = 1{}", " + a.b".repeat(many)),
        "\n# a\n".repeat(many),
        format!("[{}", "\n# a\n".repeat(many)),
        ")".repeat(many),
        "\"a\" ".repeat(many),
        format!("if a:\n  b\n{}", "elif a:\n  b\n".repeat(many)),
    ] {
        let start = Instant::now();
        assert_eq!(usize::from(parse(&text).root().text().len()), text.len());
        // Around a second without optimisation; a square would take hours.
        assert!(start.elapsed() < Duration::from_secs(60), "{text:.20}: {:?}", start.elapsed());
    }
}
