//! No text makes it panic, and every span is a part of the text.

mod support;

use policyc_shell::{Script, ShellKind, Span, Word, parse};
use support::random::Random;
use support::{corpus, hostile};

fn assert_sound(text: &str) {
    for kind in [ShellKind::Bash, ShellKind::PowerShell, ShellKind::Cmd] {
        let script = parse(text, kind);
        let inside = |span: Span| assert!(span.of(text).is_some(), "{span:?} is no part of {text:?}");
        let word = |word: &Word<'_>| inside(word.span);
        let Script { commands, blocks, problem, scan, evaluable: _ } = &script;
        scan.iter().for_each(word);
        assert!(problem.is_some() || scan.is_empty(), "{text:?}");
        problem.iter().for_each(|problem| inside(problem.span));
        blocks.iter().for_each(|block| inside(block.span));
        assert!(blocks.is_sorted_by_key(|block| block.span.start), "{text:?}: {blocks:?}");
        assert!(commands.is_sorted_by_key(|command| command.span.start), "{text:?}: {commands:?}");
        for (index, command) in commands.iter().enumerate() {
            inside(command.span);
            command.words.iter().chain(command.guesses.iter().flatten()).for_each(word);
            for assignment in &command.assignments {
                inside(assignment.span);
                word(&assignment.value);
            }
            for redirect in &command.redirects {
                inside(redirect.span);
                word(&redirect.target);
            }
            assert!(command.fed_by.is_none_or(|feeder| feeder < index), "{text:?}: {command:?}");
            assert!(command.guesses.len() <= policyc_shell::MAX_GUESSES, "{text:?}");
            assert!(!command.guesses.contains(&command.words), "{text:?}");
        }
    }
}

#[test]
fn hostile_text_is_sound() {
    let mut random = Random::new(Random::seed(7));
    for _ in 0..30_000 {
        assert_sound(&hostile::text(&mut random));
    }
}

#[test]
fn mutated_cases_are_sound() {
    let mut random = Random::new(Random::seed(8));
    let texts = corpus::texts();
    for _ in 0..20_000 {
        let mut text = texts[random.below(texts.len())].clone();
        if random.chance(50) {
            text.push_str(random.pick(&["; ", "\n", " | ", ""]));
            text.push_str(&texts[random.below(texts.len())]);
        }
        hostile::mutate(&mut random, &mut text);
        hostile::mutate(&mut random, &mut text);
        assert_sound(&text);
    }
}

#[test]
fn random_characters_are_sound() {
    let mut random = Random::new(Random::seed(9));
    let special: Vec<char> = " \t\n\r\\'\"`$(){}[]<>;&|!#~*?=,.:@%^+-0aé\u{a0}\u{200b}\0".chars().collect();
    for _ in 0..60_000 {
        let text: String = (0..random.below(24)).map(|_| random.pick(&special)).collect();
        assert_sound(&text);
    }
}
