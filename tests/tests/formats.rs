//! Formatting, held to its promises over every policy that there is: the same tokens and comments in the same order, the same
//! declarations, and nothing left to do.

use policyc::db::Database;
use policyc::format::{edits, format};
use policyc::source::SourceFile;
use policyc::syntax::token::{TokenKind, tokens};
use policyc_tests::policies::policies;
use policyc_tests::policy::Policy;
use policyc_tests::random::Random;

/// The text in the one style; nothing if the engine can't read it.
fn formatted(text: &str) -> Option<String> {
    let db = Database::default();
    let file = SourceFile::new(&db, "a.rules".to_owned(), text.to_owned());
    format(&db, file).ok()
}

/// What must stay: every token but commas, and every comment.
fn kept(text: &str) -> Vec<&str> {
    let counts = |kind: TokenKind| {
        !matches!(kind, TokenKind::Blank | TokenKind::Newline | TokenKind::Comma | TokenKind::Comment)
    };
    tokens(text).filter(|token| counts(token.kind)).map(|token| token.span.of(text)).collect()
}

fn comments(text: &str) -> Vec<&str> {
    let comments = tokens(text).filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| token.span.of(text).trim_end()).collect()
}

/// What a policy declares, without where.
fn declared(policy: &Policy) -> String {
    let text = format!("{:#?}", policy.declarations());
    let place =
        |line: &&str| !["start: ", "end: ", "ordinal: "].iter().any(|field| line.trim_start().starts_with(field));
    text.lines().filter(place).collect()
}

/// Checks what was made of `text`, and gives it.
fn check(text: &str, place: &str) -> Option<String> {
    let new = formatted(text)?;
    assert_eq!(kept(&new), kept(text), "{place}:\n{text}\n---\n{new}");
    assert_eq!(comments(&new), comments(text), "{place}:\n{text}\n---\n{new}");
    assert_eq!(formatted(&new).as_ref(), Some(&new), "{place}: formatting again changes\n{text}");
    let blanks = |line: &&str| line.ends_with([' ', '\t']) && !line.contains("#?") && !text.contains(line);
    assert_eq!(new.lines().find(blanks), None, "{place}: blanks at the end of a line");
    Some(new)
}

#[test]
fn every_policy_keeps_its_tokens_and_its_meaning() {
    let mut done = 0;
    for policy in policies() {
        let Some(new) = check(&policy.text, &policy.place) else { continue };
        done += 1;
        if new == policy.text {
            continue;
        }
        let (before, after) = (Policy::of(&policy.text), Policy::of(&new));
        assert_eq!(declared(&after), declared(&before), "{}:\n{}\n---\n{new}", policy.place, policy.text);
    }
    assert!(done > 700, "{done} policies");
}

#[test]
fn no_layout_is_too_wild() {
    let policies = policies();
    let mut random = Random::seeded(5);
    let mut done = 0;
    for _ in 0..4_000 {
        let policy = random.pick(&policies);
        if policy.text.len() > 4_000 {
            continue;
        }
        let wild = laid_out(&policy.text, &mut random);
        done += usize::from(check(&wild, &policy.place).is_some());
    }
    assert!(done > 2_000, "{done} policies");
}

/// What may stand before the end of a line outside brackets.
const AFTER_STATEMENTS: [&str; 7] = ["  ", " # why", "\n", "\n\n\n", "\n# alone", "\n    # indented", "\n#? git  x  "];
/// What may stand between tokens inside brackets.
const INSIDE_BRACKETS: [&str; 8] =
    ["\n", "  ", "\n\n\n", " # why\n", "\n# alone\n", "\n  ", "\r\n", "\n\n# spaced\n\n"];

/// `text` with blanks, ends of lines and comments where the language lets them stand.
fn laid_out(text: &str, random: &mut Random) -> String {
    let mut new = String::new();
    let (mut depth, mut f_string) = (0_u32, false);
    for token in tokens(text) {
        f_string |= token.kind == TokenKind::FStringStart;
        f_string &= token.kind != TokenKind::FStringEnd;
        if token.kind == TokenKind::Newline && depth == 0 && random.one_in(4) {
            new.push_str(random.pick::<&str>(&AFTER_STATEMENTS));
        }
        if token.kind.closes() && !f_string {
            depth = depth.saturating_sub(1);
        }
        new.push_str(token.span.of(text));
        if token.kind.opens() && !f_string {
            depth += 1;
        }
        if depth > 0 && !f_string && token.kind != TokenKind::Comment && random.one_in(6) {
            new.push_str(random.pick::<&str>(&INSIDE_BRACKETS));
        }
    }
    new
}

#[test]
fn edits_make_the_new_text_of_the_old_one() {
    let mut random = Random::seeded(6);
    for policy in policies().iter().filter(|policy| policy.text.len() < 4_000) {
        let old = laid_out(&policy.text, &mut random);
        let Some(new) = formatted(&old) else { continue };
        let mut made = old.clone();
        for edit in edits(&old, &new).into_iter().rev() {
            made.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        assert_eq!(made, new, "{}", policy.place);
    }
}

#[test]
fn the_shipped_policies_are_formatted() {
    for policy in policies().into_iter().filter(|policy| policy.place.starts_with("stdlib-policies/")) {
        if policy.place.ends_with(".rules") {
            let kept = formatted(&policy.text).is_some_and(|formatted| formatted == policy.text);
            assert!(kept, "{}: run `policyc fmt stdlib-policies`", policy.place);
        }
    }
}
