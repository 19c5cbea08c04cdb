//! The words of a simple command, wherever they come from.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Piece, Span, Word};

use crate::matcher::NUMBER;
use crate::path::Folders;

/// Words that somebody else keeps.
pub(super) trait Typed {
    fn number(&self) -> usize;
    fn typed(&self, place: usize) -> Option<&str>;
}

/// The words of a command request.
pub(super) struct Command<'q, W>(pub(super) &'q [W]);

impl<W: AsRef<str>> Typed for Command<'_, W> {
    fn number(&self) -> usize {
        self.0.len()
    }

    fn typed(&self, place: usize) -> Option<&str> {
        self.0.get(place).map(AsRef::as_ref)
    }
}

#[derive(Clone, Copy)]
enum Source<'l> {
    Typed(&'l dyn Typed),
    Parsed(&'l [Word<'l>]),
}

/// The words of a simple command: a range of words of some source.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    source: Source<'l>,
    start: usize,
    end: usize,
    /// Whether it is given further words when it runs.
    pub(super) extended: bool,
    /// What stands for words, or parts of them, that only the run can know.
    placeholders: Option<&'l Placeholder<'l>>,
}

/// What a program that runs another puts something else in for, and what those around it do.
#[derive(Clone, Copy)]
pub(super) struct Placeholder<'l> {
    pub(super) text: &'l str,
    pub(super) outer: Option<&'l Self>,
}

impl Placeholder<'_> {
    /// Whether it, or one around it, stands in a text.
    fn stands_in(&self, text: &str) -> bool {
        let part =
            || self.opens().is_some_and(|opens| text.match_indices(opens).any(|(at, _)| self.part(text, at) > 0));
        text.contains(self.text) || part() || self.outer.is_some_and(|outer| outer.stands_in(text))
    }

    /// The first of the two brackets that it is.
    fn opens(&self) -> Option<char> {
        let mut brackets = self.text.chars();
        let (Some(opens), Some(closes), None) = (brackets.next(), brackets.next(), brackets.next()) else {
            return None;
        };
        matches!((opens, closes), ('{', '}') | ('[', ']') | ('(', ')') | ('<', '>')).then_some(opens)
    }

    /// How long it is at that place of a text if something stands between its brackets: which part of the item is meant,
    /// or which item.
    fn part(&self, text: &str, at: usize) -> usize {
        let Some(opens) = self.opens() else { return 0 };
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(opens) else { return 0 };
        let length = rest.find(|one: char| !one.is_ascii_digit() && !"./#%:-".contains(one)).unwrap_or(rest.len());
        let closes = self.text.strip_prefix(opens).unwrap_or_default();
        let closed = rest.get(length..).is_some_and(|rest| rest.starts_with(closes));
        if closed && !before.ends_with('$') { opens.len_utf8() + length + closes.len() } else { 0 }
    }

    /// How long the longest of those that stand at that place of a text is; zero if none does.
    fn length(&self, text: &str, at: usize) -> usize {
        let here = text.get(at..).is_some_and(|rest| rest.starts_with(self.text));
        let own = if here { self.text.len() } else { self.part(text, at) };
        own.max(self.outer.map_or(0, |outer| outer.length(text, at)))
    }

    /// A text with an expansion in the place of each; none if there is none.
    fn replaced(&self, text: &str) -> Option<String> {
        if !self.stands_in(text) {
            return None;
        }
        let mut replaced = String::new();
        let mut behind = 0;
        for (at, one) in text.char_indices() {
            if at < behind {
                continue;
            }
            match self.length(text, at) {
                0 => replaced.push(one),
                length => {
                    replaced.push_str(UNKNOWN);
                    behind = at + length;
                }
            }
        }
        Some(replaced)
    }
}

/// A word as it is judged: what the program receives, or the pieces of what only the run can know.
#[derive(Clone, Copy)]
pub(super) struct Judged<'l> {
    pub(super) text: &'l str,
    pub(super) pieces: &'l [Piece<'l>],
}

impl<'l> Line<'l> {
    pub(super) fn typed(words: &'l dyn Typed) -> Self {
        Self { source: Source::Typed(words), start: 0, end: words.number(), extended: false, placeholders: None }
    }

    pub(super) const fn parsed(words: &'l [Word<'l>]) -> Self {
        Self { source: Source::Parsed(words), start: 0, end: words.len(), extended: false, placeholders: None }
    }

    pub(super) const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Where it begins in the words that it is a part of.
    pub(super) const fn start(&self) -> usize {
        self.start
    }

    #[inline]
    pub(super) fn word(&self, place: usize) -> Option<Judged<'l>> {
        let place = self.start + place;
        if place >= self.end {
            return None;
        }
        let word = match self.source {
            Source::Typed(words) => Judged { text: words.typed(place)?, pieces: &[] },
            Source::Parsed(words) => words.get(place).map(Judged::new)?,
        };
        Some(match self.placeholders {
            Some(placeholders) if placeholders.stands_in(word.text) => {
                Judged { text: word.text, pieces: const { &[Piece::Any { splits: false }] } }
            }
            _ => word,
        })
    }

    pub(super) fn words(&self) -> impl Iterator<Item = Judged<'l>> + use<'l> {
        let line = *self;
        (0..line.len()).filter_map(move |place| line.word(place))
    }

    /// The bytes of a word in the text that it was read from.
    pub(super) fn span(&self, place: usize) -> Option<Span> {
        match self.source {
            Source::Typed(_) => None,
            Source::Parsed(words) => words.get(self.start + place).map(|word| word.span),
        }
    }

    /// The words in these places.
    pub(super) fn range(&self, start: usize, end: usize) -> Self {
        let end = (self.start + end).min(self.end);
        Self { start: (self.start + start).min(end), end, extended: self.extended && end == self.end, ..*self }
    }

    /// The same words, some of which stand for others, or which are followed by others.
    pub(super) const fn replacing(self, placeholders: Option<&'l Placeholder<'l>>, extended: bool) -> Self {
        Self { placeholders, extended, ..self }
    }

    /// What stands for others in it, with what a program within adds to that.
    pub(super) fn placeholders<'i>(&self, inner: Option<&'i Placeholder<'i>>) -> Option<&'i Placeholder<'i>>
    where
        'l: 'i,
    {
        inner.or(self.placeholders)
    }

    /// A word with `item` in the place of what stands for words there; none if nothing does.
    pub(super) fn replaced(&self, place: usize, item: &str) -> Option<String> {
        let text = self.word(place)?.text;
        let placeholders = self.placeholders.filter(|placeholders| text.contains(placeholders.text))?;
        Some(text.replace(placeholders.text, item))
    }

    /// A placeholder of a program within.
    pub(super) fn placeholder<'i>(&self, text: Option<&'i str>) -> Option<Placeholder<'i>>
    where
        'l: 'i,
    {
        Some(Placeholder { text: text.filter(|text| !text.is_empty())?, outer: self.placeholders })
    }

    /// The words in these places as one text, and whether the whole of it is known.
    pub(super) fn text(&self, start: usize, end: usize, offset: usize) -> (Cow<'l, str>, bool) {
        let first = self.word(start);
        if let Some(Judged { text, pieces: [] }) = first
            && start + 1 >= end
        {
            return (Cow::Borrowed(text.get(offset..).unwrap_or_default()), true);
        }
        let mut joined = String::new();
        let mut known = true;
        for place in start..end {
            let Some(word) = self.word(place) else { break };
            if place > start {
                joined.push(' ');
            }
            let behind = word.text.get(if place == start { offset } else { 0 }..).unwrap_or_default();
            if let Some(replaced) = self.placeholders.and_then(|placeholders| placeholders.replaced(behind)) {
                known = false;
                joined.push_str(&replaced);
            } else if word.is_dynamic() {
                known = false;
                word.push_source(&mut joined, if place == start { offset } else { 0 });
            } else {
                joined.push_str(behind);
            }
        }
        (Cow::Owned(joined), known)
    }
}

/// Of how many values of a variable each is looked at.
const MOST_VALUES: usize = 64;

/// What stands in a text for what only the run can know: an expansion that is nothing else.
const UNKNOWN: &str = "${_}";

impl<'l> Judged<'l> {
    /// A path below the home folder counts as known: path patterns begin with `~`, too.
    fn new(word: &'l Word<'l>) -> Self {
        let text: &'l str = &word.text;
        let below_home = match word.pieces.as_slice() {
            [Piece::Home] => text == "~",
            [Piece::Home, Piece::Text(rest)] => text.strip_prefix('~') == Some(&**rest),
            _ => false,
        };
        Self { text, pieces: if below_home { &[] } else { &word.pieces } }
    }

    pub(super) const fn is_dynamic(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// What it begins with, as far as that is known.
    pub(super) fn beginning(&self) -> &'l str {
        match self.pieces {
            [] => self.text,
            [Piece::Text(text), ..] => text,
            _ => "",
        }
    }

    /// Whether it may be an option, or something else in front of the words that count.
    pub(super) fn may_be_option(&self) -> bool {
        match self.pieces.first() {
            None => self.text.starts_with('-'),
            Some(Piece::Text(text)) => text.starts_with('-'),
            Some(piece) => !matches!(piece, Piece::Home),
        }
    }

    /// Whether what it becomes may be split into words of any kind.
    pub(super) fn splits(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Any { splits: true }))
    }

    /// Whether a number outside of quotes is a part of it.
    pub(super) fn has_number(&self) -> bool {
        self.pieces.contains(&Piece::Number { splits: true })
    }

    /// Whether it may become several words.
    pub(super) fn multiplies(&self) -> bool {
        let several = |piece: &Piece<'_>| matches!(piece, Piece::Glob(_) | Piece::Known { several: true, .. });
        self.splits() || self.pieces.iter().any(several)
    }

    /// Whether nothing at all is known of it: it may be any words, or none.
    pub(super) fn is_anything(&self) -> bool {
        self.is_dynamic() && self.pieces.iter().all(|piece| matches!(piece, Piece::Any { splits: true }))
    }

    /// Whether nothing is known of it but perhaps that it is one word, or of which option it is the value.
    pub(super) fn is_unknown(&self) -> bool {
        let name = |one: char| one.is_ascii_alphanumeric() || matches!(one, '-' | '_');
        let option = |text: &str| text.starts_with('-') && text.strip_suffix('=').unwrap_or(text).chars().all(name);
        let pieces = match self.pieces {
            [Piece::Text(text), rest @ ..] if option(text) => rest,
            pieces => pieces,
        };
        !pieces.is_empty() && pieces.iter().all(|piece| matches!(piece, Piece::Any { .. }))
    }

    /// Whether a part of it is anything, and not only what the shell puts in for a pattern.
    pub(super) fn varies(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Any { .. }))
    }

    /// The glob that describes what it may become if such parts of it have this value.
    pub(super) fn glob_with(&self, value: &str, folders: Option<&Folders<'_>>, dots: bool) -> String {
        let known = |piece: &Piece<'l>| match piece {
            Piece::Any { .. } => Piece::Text(Cow::Borrowed(value)),
            piece => piece.clone(),
        };
        let pieces: alloc::vec::Vec<Piece<'_>> = self.pieces.iter().map(known).collect();
        Judged { text: self.text, pieces: &pieces }.glob(folders, dots)
    }

    /// Whether it may become no word at all: an expansion without quotes, or a pattern that describes no file where such
    /// patterns are taken away.
    pub(super) fn vanishes(&self) -> bool {
        let nothing = |piece: &Piece<'_>| match piece {
            Piece::Any { splits } | Piece::Number { splits } => *splits,
            Piece::Known { values, several } => *several && values.is_empty(),
            _ => false,
        };
        self.is_dynamic() && self.pieces.iter().all(nothing)
            || self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }

    /// Whether it surely begins with the name of a variable that has no subscript, or names none at all.
    pub(super) fn names_a_variable(&self) -> bool {
        let known = match self.pieces {
            [] => self.text,
            [Piece::Text(text), ..] => text,
            _ => return false,
        };
        let length = known.bytes().position(|byte| byte != b'_' && !byte.is_ascii_alphanumeric());
        match length.and_then(|length| known.get(length..)) {
            None => !self.is_dynamic(),
            Some(rest) => !rest.starts_with('['),
        }
    }

    /// The path that it is, if that is known but for the home folder.
    pub(super) fn known_path(&self) -> Option<Cow<'l, str>> {
        match self.pieces {
            [] => Some(Cow::Borrowed(self.text)),
            [Piece::Home] => Some(Cow::Borrowed("~")),
            [Piece::Home, Piece::Text(rest)] => Some(Cow::Owned(["~", rest].concat())),
            _ => None,
        }
    }

    /// The glob that describes what it may become. Files whose names begin with a dot are left out where that is written as
    /// a star, unless the shell may have been told otherwise: `dots`.
    pub(super) fn glob(&self, folders: Option<&Folders<'_>>, dots: bool) -> String {
        let home = folders.and_then(|folders| folders.home);
        let mut glob = String::with_capacity(self.text.len());
        let mut stars = 0;
        for piece in self.pieces {
            let before = stars;
            stars = if is_star(piece) { before + 1 } else { 0 };
            let begins = !dots && (glob.is_empty() || glob.ends_with('/'));
            match piece {
                // Two stars of the shell, which may stand for no folder at all.
                Piece::Glob(_) if stars > 1 => {}
                Piece::Glob(_) if stars == 1 && glob.ends_with('*') => {}
                Piece::Text(text) if before > 1 => push_quoted(&mut glob, text.strip_prefix('/').unwrap_or(text)),
                Piece::Text(text) => push_quoted(&mut glob, text),
                Piece::Home if home.is_some() => push_quoted(&mut glob, home.unwrap_or_default()),
                // Two stars: what may hold slashes, `..` and all.
                Piece::Home | Piece::Any { .. } | Piece::Known { .. } => glob.push_str("**"),
                Piece::Number { .. } => glob.push(NUMBER),
                Piece::Glob(pattern) if pattern == "*" && begins => glob.push_str("[!.]*"),
                Piece::Glob(pattern) if pattern == "?" && begins => glob.push_str("[!.]"),
                Piece::Glob(pattern) if matches!(&**pattern, "*" | "?") || pattern.starts_with('[') => {
                    glob.push_str(pattern);
                }
                // What may be `..`, or hold it.
                Piece::Glob(pattern) if pattern.contains(['.', '/']) => glob.push_str("**"),
                Piece::Glob(_) => glob.push('*'),
            }
        }
        glob
    }

    /// Such globs, one for each value of the variable in it.
    pub(super) fn globs(&self, folders: Option<&Folders<'_>>, dots: bool) -> Vec<String> {
        let known = |piece: &Piece<'_>| matches!(piece, Piece::Known { .. });
        let place = self.pieces.iter().position(known);
        let Some((before, [Piece::Known { values, .. }, behind @ ..])) =
            place.and_then(|place| self.pieces.split_at_checked(place))
        else {
            return [self.glob(folders, dots)].into();
        };
        let deep = |value: &Word<'_>| Judged { text: "", pieces: &value.pieces }.is_deep();
        if behind.iter().any(known) || values.iter().any(deep) || values.len() > MOST_VALUES {
            return [self.glob(folders, dots)].into();
        }
        let glob = |value: &Word<'l>| {
            let text = value.known().map(|text| Piece::Text(Cow::Borrowed(text)));
            let pieces: Vec<Piece<'_>> = before
                .iter()
                .cloned()
                .chain(text)
                .chain(value.pieces.iter().cloned())
                .chain(behind.iter().cloned())
                .collect();
            Judged { text: self.text, pieces: &pieces }.glob(folders, dots)
        };
        values.iter().map(glob).collect()
    }

    /// Whether it may hold slashes that two stars of the shell stand for.
    pub(super) fn is_deep(&self) -> bool {
        self.pieces.windows(2).any(|pair| pair.iter().all(is_star))
    }

    /// Adds what it is to a text, without so many bytes that are known, with an expansion for what is not known.
    fn push_source(&self, text: &mut String, offset: usize) {
        for (number, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Text(known) if number == 0 => text.push_str(known.get(offset..).unwrap_or_default()),
                Piece::Text(known) => text.push_str(known),
                Piece::Home => text.push('~'),
                Piece::Any { .. } | Piece::Number { .. } | Piece::Known { .. } | Piece::Glob(_) => {
                    text.push_str(UNKNOWN)
                }
            }
        }
    }

    /// Adds it as one more word of a text.
    pub(super) fn push_word(&self, text: &mut String) {
        text.push(' ');
        self.push_to_word(text);
    }

    /// Adds it to the word that a text ends with.
    pub(super) fn push_to_word(&self, text: &mut String) {
        if self.is_dynamic() {
            text.push_str(UNKNOWN);
            return;
        }
        text.push('\'');
        for part in self.text.split_inclusive('\'') {
            match part.strip_suffix('\'') {
                Some(part) => {
                    text.push_str(part);
                    text.push_str("'\\''");
                }
                None => text.push_str(part),
            }
        }
        text.push('\'');
    }
}

fn is_star(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Glob(pattern) if pattern == "*")
}

pub(super) fn push_quoted(glob: &mut String, text: &str) {
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | '\\' | NUMBER) {
            glob.push('\\');
        }
        glob.push(character);
    }
}
