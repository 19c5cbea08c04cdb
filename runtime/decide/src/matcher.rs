//! What stands for more than one word: globs and path patterns. Both are matched in time linear in pattern times word,
//! without heap.

use alloc::string::String;
use alloc::vec::Vec;

use crate::path::Folders;

/// An alternative that stands for more than one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matcher<'t> {
    /// Every word.
    AnyWord,
    /// Words that the glob describes from end to end.
    Glob(&'t str),
    /// Words that name such a place.
    Path(&'t str),
}

impl Matcher<'_> {
    /// Whether it describes `word`. A word whose letters differ in case only is the same place if `caseless`.
    pub(crate) fn describes(&self, word: &str, folders: Option<&Folders<'_>>, caseless: bool) -> bool {
        match self {
            Self::AnyWord => true,
            Self::Glob(pattern) => glob(pattern, word, false),
            Self::Path(pattern) => path(pattern, word, folders, caseless),
        }
    }
}

/// Whether `pattern` describes `text` from end to end: `*` stands for any characters, `?` for one, `[a-z]` for one of
/// those, `[!a-z]` for one of the others, and a backslash takes the next character for itself.
pub(crate) fn glob(pattern: &str, text: &str, caseless: bool) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    // Only the last star has to be tried again: what stands before it is settled.
    let mut retry: Option<(&str, &str)> = None;
    loop {
        let mut rest = pattern.chars();
        if let Some('*') = rest.next() {
            pattern = rest.as_str();
            retry = Some((pattern, text));
            continue;
        }
        if let Some((after_pattern, after_text)) = one(pattern, text, caseless) {
            (pattern, text) = (after_pattern, after_text);
        } else if pattern.is_empty() && text.is_empty() {
            return true;
        } else {
            let Some((again, from)) = retry else { return false };
            let mut from = from.chars();
            if from.next().is_none() {
                return false;
            }
            (pattern, text) = (again, from.as_str());
            retry = Some((again, from.as_str()));
        }
    }
}

/// Whether some text is described by both globs, from end to end, whatever the letter case.
pub(crate) fn globs_meet(one: &str, other: &str) -> bool {
    meet(&tokens(one, false), &tokens(other, false))
}

/// Whether a glob describes something that a word may become, which one of the shell describes: there one star stands for
/// what has no slash in it, unless the word is `deep`, and two stand for anything.
pub(crate) fn word_meets(glob: &str, word: &str, deep: bool) -> bool {
    meet(&tokens(glob, false), &tokens(word, !deep))
}

fn meet(one: &[Token], other: &[Token]) -> bool {
    // After each token of `one`: whether it can have described as much as the first tokens of `other`.
    let mut row: Vec<bool> = Vec::with_capacity(other.len() + 1);
    row.push(true);
    for token in other {
        row.push(token.repeats && row.last() == Some(&true));
    }
    for token in one {
        let mut next = Vec::with_capacity(row.len());
        next.push(token.repeats && row.first() == Some(&true));
        for (theirs, pair) in other.iter().zip(row.windows(2)) {
            let [before, above] = *pair else { break };
            let left = next.last() == Some(&true);
            // What repeats takes nothing, or one more character of what the other stands for.
            next.push(match (token.repeats, theirs.repeats) {
                (true, true) => above || left,
                (true, false) => above || left && token.class.meets(&theirs.class),
                (false, true) => left || above && token.class.meets(&theirs.class),
                (false, false) => before && token.class.meets(&theirs.class),
            });
        }
        row = next;
    }
    row.last() == Some(&true)
}

/// In a glob, one or more digits and hyphens. No text has this character.
pub(crate) const NUMBER: char = '\u{fdd0}';

/// What a place in a glob stands for: a character, or any number of them.
struct Token {
    class: Class,
    repeats: bool,
}

/// Which characters a place in a glob stands for.
enum Class {
    All,
    /// All but a slash.
    Name,
    Digit,
    One(char),
    Ranges {
        inverted: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Class {
    fn holds(&self, character: char) -> bool {
        match self {
            Self::All => true,
            Self::Name => character != '/',
            Self::Digit => character.is_ascii_digit() || character == '-',
            Self::One(one) => character.to_lowercase().eq(one.to_lowercase()),
            Self::Ranges { inverted, ranges } => {
                let within = |one: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&one)) != *inverted;
                within(character) || character.to_lowercase().any(within) || character.to_uppercase().any(within)
            }
        }
    }

    /// Whether some character may be in both; what is not easily told may be.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(one), class) | (class, Self::One(one)) => class.holds(*one),
            (Self::Ranges { inverted: false, ranges }, Self::Digit)
            | (Self::Digit, Self::Ranges { inverted: false, ranges }) => {
                ranges.iter().any(|(low, high)| *low <= '9' && *high >= '0' || (*low..=*high).contains(&'-'))
            }
            _ => true,
        }
    }
}

/// The places of a glob; in a `word`, one star and a question mark stand for what has no slash in it.
fn tokens(glob: &str, word: bool) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(glob.len());
    let mut rest = glob.chars();
    while let Some(character) = rest.next() {
        let (class, repeats) = match character {
            '*' if rest.as_str().starts_with('*') => {
                rest = rest.as_str().trim_start_matches('*').chars();
                (Class::All, true)
            }
            '*' => (if word { Class::Name } else { Class::All }, true),
            '?' => (if word { Class::Name } else { Class::All }, false),
            NUMBER => {
                tokens.push(Token { class: Class::Digit, repeats: false });
                (Class::Digit, true)
            }
            '\\' => (Class::One(rest.next().unwrap_or('\\')), false),
            '[' => match ranges(rest.as_str()) {
                Some((mut class, after)) => {
                    if let Class::Ranges { inverted: true, ranges } = &mut class
                        && word
                    {
                        ranges.push(('/', '/'));
                    }
                    rest = after.chars();
                    (class, false)
                }
                None => (Class::One('['), false),
            },
            other => (Class::One(other), false),
        };
        tokens.push(Token { class, repeats });
    }
    tokens
}

/// Whether a word that the glob describes may name a place that the path pattern describes: two stars of the word stand
/// for anything, one for what has no slash in it, unless the word is `deep`.
pub(crate) fn path_may_meet(pattern: &str, word: &str, folders: Option<&Folders<'_>>, deep: bool) -> bool {
    // What is not known may begin with `..`, so what stands before it says nothing.
    if let Some(unknown) = word.find("**").and_then(|star| word.get(star..)) {
        return unknown.contains("..") || meet(&tokens(&anywhere(pattern, folders), true), &tokens(unknown, !deep));
    }
    let quoted = folders.map(|folders| (quoted(folders.working), folders.home.map(quoted)));
    let folders = quoted.as_ref().map(|(working, home)| Folders { working, home: home.as_deref() });
    let folders = folders.as_ref();
    if deep {
        let elsewhere = folders.is_none() && is_relative(word) && !(is_relative(pattern) || pattern.starts_with("**"));
        return word.contains("..")
            || !elsewhere
                && meet(&tokens(&anywhere(pattern, folders), true), &tokens(&anywhere(word, folders), false));
    }
    let meet = |expected: &str, component: &str, _| globs_meet(expected, component);
    let place = Place::new(pattern, folders);
    if described(&place, &Place::new(word, folders), true, meet) {
        return true;
    }
    // A name with a dot in front and stars behind may be the folder above.
    let above = |component: &str| component.starts_with('.') && component.len() > 1 && globs_meet(component, "..");
    let mut names = word.rsplit('/').skip_while(|name| name.is_empty());
    let last = names.next().unwrap_or_default();
    names.any(|name| name != ".." && above(name))
        || last != ".." && above(last) && {
            let folder = word.trim_end_matches('/').strip_suffix(last).unwrap_or_default();
            described(&place, &Place::new(&[folder, ".."].concat(), folders), true, meet)
        }
}

/// A text as a glob of nothing else.
pub(crate) fn quoted(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | '\\' | NUMBER) {
            glob.push('\\');
        }
        glob.push(character);
    }
    glob
}

/// A path pattern as a glob of absolute paths.
fn anywhere(pattern: &str, folders: Option<&Folders<'_>>) -> String {
    let home = folders.and_then(|folders| folders.home).unwrap_or("**");
    match pattern.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) => [home, rest].concat(),
        None if pattern.starts_with('/') || pattern.starts_with("**") || drive(pattern).is_some() => pattern.into(),
        None => [folders.map_or("**", |folders| folders.working), "/", pattern].concat(),
    }
}

/// What is left after one character of `text` that the start of `pattern` describes.
fn one<'p, 'x>(pattern: &'p str, text: &'x str, caseless: bool) -> Option<(&'p str, &'x str)> {
    let same = |a: char, b: char| a == b || caseless && a.to_lowercase().eq(b.to_lowercase());
    let mut characters = text.chars();
    let character = characters.next()?;
    let mut expected = pattern.chars();
    let described = match expected.next()? {
        '?' => true,
        '\\' => same(expected.next().unwrap_or('\\'), character),
        '[' => match set(expected.as_str(), character, caseless) {
            Some((described, rest)) => {
                expected = rest.chars();
                described
            }
            None => character == '[',
        },
        other => same(other, character),
    };
    described.then_some((expected.as_str(), characters.as_str()))
}

/// Whether the set that `pattern` starts with, its bracket taken off, holds `character`, and what follows the set;
/// nothing if the set is never closed.
fn set(pattern: &str, character: char, caseless: bool) -> Option<(bool, &str)> {
    let mut found = false;
    let rest = each_range(pattern, |low, high| {
        let within = |character: char| (low..=high).contains(&character);
        found |= within(character)
            || caseless && (character.to_lowercase().any(within) || character.to_uppercase().any(within));
    })?;
    Some((found != pattern.starts_with(['!', '^']), rest))
}

/// The set that `pattern` starts with, its bracket taken off, and what follows it.
fn ranges(pattern: &str) -> Option<(Class, &str)> {
    let mut ranges = Vec::new();
    let rest = each_range(pattern, |low, high| ranges.push((low, high)))?;
    Some((Class::Ranges { inverted: pattern.starts_with(['!', '^']), ranges }, rest))
}

/// Tells each range of a set, its bracket taken off, and returns what follows it.
fn each_range(pattern: &str, mut tell: impl FnMut(char, char)) -> Option<&str> {
    let mut rest = pattern.chars();
    if pattern.starts_with(['!', '^']) {
        rest.next();
    }
    let mut first = true;
    loop {
        let low = match rest.next()? {
            ']' if !first => return Some(rest.as_str()),
            '\\' => rest.next()?,
            low => low,
        };
        first = false;
        let mut ahead = rest.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(high)) if high != ']' => {
                rest = ahead;
                high
            }
            _ => low,
        };
        tell(low, high);
    }
}

/// Whether `word`, folded as text against the folders, names a place that `pattern` describes: `*` and `?` stay within a
/// component, `**` stands for any number of them.
pub(crate) fn path(pattern: &str, word: &str, folders: Option<&Folders<'_>>, caseless: bool) -> bool {
    described(&Place::new(pattern, folders), &Place::new(word, folders), caseless, glob)
}

/// The same for a relative word in another folder than the working directory.
pub(crate) fn path_within(
    pattern: &str,
    folder: &str,
    word: &str,
    folders: Option<&Folders<'_>>,
    caseless: bool,
) -> bool {
    let folder = Place::new(folder, folders);
    let [outer, inner, _] = folder.parts;
    described(&Place::new(pattern, folders), &Place { parts: [outer, inner, word], ..folder }, caseless, glob)
}

/// Whether a word is no path from a root, be it that of the system, of a drive or of a home folder.
pub(crate) fn is_relative(word: &str) -> bool {
    !word.starts_with('/') && below_home(word).is_none() && drive(word).is_none()
}

/// What follows the `~` of a path below the home folder.
pub(crate) fn below_home(path: &str) -> Option<&str> {
    path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

/// Whether a component of a word agrees with one of a pattern, whatever the letter case if that is said.
trait Agree: Fn(&str, &str, bool) -> bool + Copy {}

impl<F: Fn(&str, &str, bool) -> bool + Copy> Agree for F {}

fn described(pattern: &Place<'_>, word: &Place<'_>, caseless: bool, agree: impl Agree) -> bool {
    if pattern.drive.map(|drive| drive.to_ascii_lowercase()) != word.drive.map(|drive| drive.to_ascii_lowercase()) {
        return false;
    }
    let caseless = caseless || pattern.drive.is_some();
    match (pattern.root, word.root) {
        (Root::Anywhere, _) => {}
        (one, other) if one == other => {}
        // Where the home folder is unknown, a restriction holds in every folder that could be it.
        (Root::Home, Root::Absolute) if caseless => return suffixes(pattern, word, agree),
        _ => return false,
    }
    components(pattern.components(), word.components(), caseless, agree)
}

fn suffixes(pattern: &Place<'_>, word: &Place<'_>, agree: impl Agree) -> bool {
    let mut rest = word.components();
    loop {
        if components(pattern.components(), rest.clone(), true, agree) {
            return true;
        }
        if rest.next_back().is_none() {
            return false;
        }
    }
}

/// Compares from the end, where `..` is easiest to fold; `**` is retried like a star in a glob.
fn components<'a>(
    mut pattern: impl Iterator<Item = &'a str> + Clone,
    mut word: impl Iterator<Item = &'a str> + Clone,
    caseless: bool,
    agree: impl Agree,
) -> bool {
    let mut retry = None;
    loop {
        let (mut next_pattern, mut next_word) = (pattern.clone(), word.clone());
        match (next_pattern.next(), next_word.next()) {
            (Some("**"), _) => {
                retry = Some((next_pattern.clone(), word.clone()));
                pattern = next_pattern;
            }
            (None, None) => return true,
            (Some(expected), Some(component)) if agree(expected, component, caseless) => {
                (pattern, word) = (next_pattern, next_word);
            }
            _ => {
                let Some((again, mut from)) = retry.take() else { return false };
                if from.next().is_none() {
                    return false;
                }
                (pattern, word) = (again.clone(), from.clone());
                retry = Some((again, from));
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Absolute,
    /// Below a home folder that is not known.
    Home,
    /// Below a working directory that is not known.
    Working,
    /// Of a pattern that begins with `**`.
    Anywhere,
}

/// A path as components, of POSIX or Windows.
struct Place<'p> {
    root: Root,
    drive: Option<char>,
    /// What is joined, in order.
    parts: [&'p str; 3],
}

impl<'p> Place<'p> {
    fn new(path: &'p str, folders: Option<&Folders<'p>>) -> Self {
        if let Some((drive, rest)) = drive(path) {
            return Self { root: Root::Absolute, drive: Some(drive), parts: [rest, "", ""] };
        }
        let (root, parts) = match (below_home(path), folders) {
            _ if path.starts_with('/') => (Root::Absolute, [path, "", ""]),
            _ if path.starts_with("**") => (Root::Anywhere, [path, "", ""]),
            (Some(rest), Some(Folders { home: Some(home), .. })) => (Root::Absolute, [*home, rest, ""]),
            (Some(rest), _) => (Root::Home, [rest, "", ""]),
            (None, Some(folders)) => (Root::Absolute, [folders.working, path, ""]),
            (None, None) => (Root::Working, [path, "", ""]),
        };
        Self { root, drive: None, parts }
    }

    /// From the end.
    fn components(&self) -> Components<'p> {
        let separators = if self.drive.is_some() { &['/', '\\'][..] } else { &['/'][..] };
        let [first, second, last] = self.parts;
        Components { parts: [last, second, first], separators, skip: 0 }
    }
}

/// The letter of a Windows drive and what follows: of `C:\x`, `C:/x` and `/c/x`.
pub(crate) fn drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    match (characters.next(), characters.next(), characters.as_str()) {
        (Some(letter), Some(':'), rest)
            if letter.is_ascii_alphabetic() && (rest.is_empty() || rest.starts_with(['/', '\\'])) =>
        {
            Some((letter, rest))
        }
        (Some('/'), Some(letter), rest) if letter.is_ascii_alphabetic() && rest.starts_with('/') => {
            Some((letter, rest))
        }
        _ => None,
    }
}

/// The components that folding leaves, from the end: there a `..` only needs a counter to take away its folder.
#[derive(Clone)]
struct Components<'p> {
    /// What is left, last part first.
    parts: [&'p str; 3],
    separators: &'static [char],
    skip: usize,
}

impl<'p> Components<'p> {
    fn raw(&mut self) -> Option<&'p str> {
        let part = self.parts.iter_mut().find(|part| !part.is_empty())?;
        match part.rsplit_once(self.separators) {
            Some((rest, component)) => {
                *part = rest;
                Some(component)
            }
            None => Some(core::mem::take(part)),
        }
    }

    /// Takes the outermost component away.
    fn next_back(&mut self) -> Option<()> {
        let part = self.parts.iter_mut().rev().find(|part| !part.is_empty())?;
        let trimmed = part.trim_start_matches(self.separators);
        *part = trimmed.split_once(self.separators).map_or("", |(_, rest)| rest);
        Some(())
    }
}

impl<'p> Iterator for Components<'p> {
    type Item = &'p str;

    fn next(&mut self) -> Option<&'p str> {
        loop {
            match self.raw()? {
                "" | "." => {}
                ".." => self.skip += 1,
                _ if self.skip > 0 => self.skip -= 1,
                component => return Some(component),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{glob, globs_meet, path};
    use crate::path::Folders;

    #[test]
    fn globs_describe_whole_words() {
        for (pattern, word, described) in [
            ("describe-*", "describe-instances", true),
            ("describe-*", "xdescribe-instances", false),
            ("*.key", "a.key", true),
            ("a*b*c", "abbc", true),
            ("a*b*c", "abcb", false),
            ("?[a-c!]x", "ä!x", true),
            ("[!a-c]", "b", false),
            ("[]a]", "]", true),
            ("[a", "[a", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(glob(pattern, word, false), described, "{pattern} {word}");
        }
    }

    #[test]
    fn globs_meet_if_some_text_is_both() {
        for (one, other, meet) in [
            ("a*", "*b", true),
            ("a*", "b*", false),
            ("*/x", "/home/u/.ssh/*", true),
            ("/srv/*", "/home/u/.ssh/*", false),
            ("g?t", "git", true),
            ("g[i]t", "got", false),
            ("g[a-k]t", "gIt", true),
            ("x[0-9]", "x\u{fdd0}", true),
            ("x[a-f]*", "x\u{fdd0}", false),
            ("x", "x\u{fdd0}", false),
            ("", "*", true),
            ("", "?", false),
            ("*a*b*", "xxaxx", false),
            ("*a*b*", "*xxaxx*", true),
            ("A", "a", true),
        ] {
            assert_eq!(globs_meet(one, other), meet, "{one} {other}");
            assert_eq!(globs_meet(other, one), meet, "{other} {one}");
        }
    }

    #[test]
    fn paths_are_places() {
        let folders = Folders { working: "/home/u/app", home: Some("/home/u") };
        for (pattern, word, caseless, described) in [
            ("~/.ssh/**", "/home/u/.ssh/id_ed25519", false, true),
            ("~/.ssh/**", "../.ssh/x/../id", false, true),
            ("~/.ssh/**", "/home/u/.SSH/id", true, true),
            ("~/.ssh/**", "/home/u/.SSH/id", false, false),
            ("~/.ssh/**", "/home/u/.sshd/id", true, false),
            ("build/**", "./build//a/b", false, true),
            ("build/**", "build/../x", false, false),
            ("**/.env*", "/srv/.env.local", false, true),
            ("/**/.env*", "/srv/.env.local", false, true),
            ("/tmp/*", "/tmp/a/b", false, false),
            ("C:\\work\\app", "/c/Work/App", false, true),
            ("C:\\work\\app", "D:/work/app", false, false),
        ] {
            assert_eq!(path(pattern, word, Some(&folders), caseless), described, "{pattern} {word}");
        }
    }

    #[test]
    fn without_folders_a_restriction_holds_in_every_home() {
        assert!(path("~/.ssh/**", "/home/anybody/.ssh/id", None, true));
        assert!(path("~/.ssh/**", "~/.ssh/id", None, false));
        assert!(!path("~/.ssh/**", "/home/anybody/.ssh/id", None, false));
        assert!(!path("~/.ssh/**", "/home/anybody/ssh/id", None, true));
    }
}
