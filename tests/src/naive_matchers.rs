//! Globs and path patterns, compared by trying everything: written to be checked by eye.

use policyc::rules::{Element, Matcher};
use policyc_runtime::Folders;

/// Whether an alternative of `element` is `word`, by `equal`, or describes it.
pub(crate) fn stands_for(
    element: &Element,
    word: &str,
    equal: &dyn Fn(&str, &str) -> bool,
    folders: Option<Folders<'_>>,
    caseless: bool,
) -> bool {
    element.words.iter().any(|known| equal(known, word))
        || element.matchers.iter().any(|matcher| describes(matcher, word, folders, caseless))
}

/// Whether `matcher` describes `word`; with `caseless`, a path in any letter case.
pub(crate) fn describes(matcher: &Matcher, word: &str, folders: Option<Folders<'_>>, caseless: bool) -> bool {
    match matcher {
        Matcher::AnyWord => true,
        Matcher::Glob(pattern) => glob(&characters(pattern), &characters(word)),
        Matcher::Path(pattern) => path(pattern, word, folders, caseless),
    }
}

fn characters(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn glob(pattern: &[char], word: &[char]) -> bool {
    match pattern {
        [] => word.is_empty(),
        ['*', rest @ ..] => (0..=word.len()).any(|taken| glob(rest, word.get(taken..).unwrap_or_default())),
        _ => word
            .split_first()
            .is_some_and(|(character, others)| one(pattern, *character).is_some_and(|rest| glob(rest, others))),
    }
}

/// What is left of the pattern if its first piece, which is no star, describes the character.
fn one(pattern: &[char], character: char) -> Option<&[char]> {
    match pattern {
        ['?', rest @ ..] => Some(rest),
        ['\\', quoted, rest @ ..] => (*quoted == character).then_some(rest),
        ['[', rest @ ..] => match set(rest) {
            Some((ranges, inverted, rest)) => {
                let within = ranges.iter().any(|(low, high)| (*low..=*high).contains(&character));
                (within != inverted).then_some(rest)
            }
            None => (character == '[').then_some(rest),
        },
        [plain, rest @ ..] => (*plain == character).then_some(rest),
        [] => None,
    }
}

type Set<'p> = (Vec<(char, char)>, bool, &'p [char]);

/// The ranges of a set whose bracket is taken off, whether it is inverted, and what follows.
fn set(pattern: &[char]) -> Option<Set<'_>> {
    let (inverted, mut rest) = match pattern {
        ['!' | '^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut ranges = Vec::new();
    loop {
        let (low, after) = match rest {
            [']', after @ ..] if !ranges.is_empty() => return Some((ranges, inverted, after)),
            ['\\', low, after @ ..] | [low, after @ ..] => (*low, after),
            [] => return None,
        };
        let (high, after) = match after {
            ['-', high, after @ ..] if *high != ']' => (*high, after),
            after => (low, after),
        };
        ranges.push((low, high));
        rest = after;
    }
}

fn path(pattern: &str, word: &str, folders: Option<Folders<'_>>, caseless: bool) -> bool {
    let (pattern, word) = (place(pattern, folders), place(word, folders));
    let caseless = caseless || pattern.0.contains(':');
    let fold = |text: &str| if caseless { text.to_lowercase() } else { text.to_owned() };
    let components = |place: &[String]| place.iter().map(|component| characters(&fold(component))).collect::<Vec<_>>();
    let agree = pattern.0 == word.0 || pattern.0 == "anywhere" && !word.0.contains(':');
    let unknown_home = pattern.0 == "home" && word.0 == "root" && caseless;
    let (wanted, found) = (components(&pattern.1), components(&word.1));
    if unknown_home {
        return (0..=found.len()).any(|skipped| below(&wanted, found.get(skipped..).unwrap_or_default()));
    }
    agree && below(&wanted, &found)
}

fn below(pattern: &[Vec<char>], word: &[Vec<char>]) -> bool {
    match pattern.split_first() {
        None => word.is_empty(),
        Some((first, rest)) if first == &['*', '*'] => {
            (0..=word.len()).any(|taken| below(rest, word.get(taken..).unwrap_or_default()))
        }
        Some((first, rest)) => {
            word.split_first().is_some_and(|(component, others)| glob(first, component) && below(rest, others))
        }
    }
}

/// What a path is relative to, and its components without `.`, `..` and empty ones.
fn place(path: &str, folders: Option<Folders<'_>>) -> (String, Vec<String>) {
    let letters = characters(path);
    let (root, rest, separators): (String, String, &[char]) = match letters.as_slice() {
        [letter, ':', rest @ ..] if letter.is_ascii_alphabetic() && matches!(rest.first(), None | Some('/' | '\\')) => {
            (format!("{}:", letter.to_ascii_lowercase()), rest.iter().collect(), &['/', '\\'])
        }
        ['/', letter, '/', rest @ ..] if letter.is_ascii_alphabetic() => {
            (format!("{}:", letter.to_ascii_lowercase()), rest.iter().collect(), &['/', '\\'])
        }
        ['/', ..] => ("root".to_owned(), path.to_owned(), &['/']),
        ['*', '*', ..] => ("anywhere".to_owned(), path.to_owned(), &['/']),
        ['~', rest @ ..] if matches!(rest.first(), None | Some('/' | '\\')) => {
            let rest: String = rest.iter().collect();
            match folders.and_then(|folders| folders.home) {
                Some(home) => ("root".to_owned(), format!("{home}/{rest}"), &['/']),
                None => ("home".to_owned(), rest, &['/']),
            }
        }
        _ => match folders {
            Some(folders) => ("root".to_owned(), format!("{}/{path}", folders.working), &['/']),
            None => ("working".to_owned(), path.to_owned(), &['/']),
        },
    };
    let mut components: Vec<String> = Vec::new();
    for component in rest.split(separators) {
        match component {
            "" | "." => {}
            ".." => drop(components.pop()),
            name => components.push(name.to_owned()),
        }
    }
    (root, components)
}
