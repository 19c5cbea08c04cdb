//! Atoms become words: braces, `~`, patterns.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::atoms::{Atom, Expansion, Meaning};
use crate::home::begins_with_home;
use crate::parser::{ExplainedWord, Parsed, Parser};
use crate::redirects::looks_like_descriptor;
use crate::{MAX_GUESSES, Piece, ProblemKind, Span, Word};

/// What the shell does with a word, which depends on where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A word of a command: braces, `~`, expansions that split, patterns.
    Argument,
    /// The value of an assignment: `~`, also after colons; expansions stay one word.
    Value,
    /// A word that stays one word: `~` and expansions.
    Single,
}

/// How many words all brace expansions of a text may become together.
const MAX_BRACED: usize = 50_000;

/// How many words with expansions that the text may explain are kept for that.
const MAX_EXPLAINED: usize = 50_000;

impl<'t> Parser<'t> {
    /// The one word that must start here.
    pub(crate) fn word(&mut self, role: Role) -> Parsed<Word<'t>> {
        let start = self.pos;
        let mut atoms = Vec::new();
        if self.peek() != Some(b'#') {
            self.atoms(&mut atoms)?;
        }
        if atoms.is_empty() && self.pos == start {
            return self.stop_here(ProblemKind::Unexpected);
        }
        // Digits before a redirect are its descriptor.
        if matches!(self.peek(), Some(b'<' | b'>'))
            && let [Atom::Bare(text)] = &*atoms
            && looks_like_descriptor(text)
        {
            return self.stop(start, ProblemKind::Unexpected);
        }
        let mut words = Vec::new();
        let span = self.span_from(start);
        self.finish(span, atoms, role, None, &mut words)?;
        let mut words = words.into_iter();
        match (words.next(), words.next()) {
            (Some(word), None) => Ok(word),
            (None, _) if role != Role::Argument => Ok(Word::fixed(span, "")),
            _ => self.stop(start, ProblemKind::MissingTarget),
        }
    }

    /// Appends the words that these atoms become. Those of a command may have other readings.
    pub(crate) fn finish(
        &mut self,
        span: Span,
        mut atoms: Vec<Atom<'t>>,
        role: Role,
        command: Option<usize>,
        words: &mut Vec<Word<'t>>,
    ) -> Parsed {
        if let [atom] = &mut *atoms {
            let text = match atom {
                Atom::Quoted(text) => Some(text),
                Atom::Bare(text) if !text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'{' | b'~')) => {
                    Some(text)
                }
                _ => None,
            };
            if let Some(text) = text {
                let word = Word::fixed(span, core::mem::take(text));
                self.look_for_literal_substitution(&word);
                words.push(word);
                return Ok(());
            }
        }
        if role == Role::Argument && atoms.iter().any(|atom| matches!(atom, Atom::Bare(text) if text.contains('{'))) {
            let Some(alternatives) = crate::braces::expand(&atoms) else {
                self.note(span.start as usize, span.end as usize, ProblemKind::TooManyWords);
                return Err(crate::parser::Stopped);
            };
            // A `$` that meets other text only after the expansion of braces would then expand.
            let lone = atoms.iter().any(|atom| matches!(atom, Atom::Bare(text) if text.contains('$')));
            let brittle = self.brittle_until > span.start as usize;
            if (alternatives.len() > 1 && lone) || brittle {
                self.note(span.start as usize, span.end as usize, ProblemKind::NotUnderstood);
                return Err(crate::parser::Stopped);
            }
            self.braced += alternatives.len();
            if self.braced > MAX_BRACED {
                self.note(span.start as usize, span.end as usize, ProblemKind::TooManyWords);
                return Err(crate::parser::Stopped);
            }
            for atoms in alternatives {
                self.push_word(span, atoms, role, command, words);
            }
        } else {
            self.push_word(span, atoms, role, command, words);
        }
        Ok(())
    }

    fn push_word(
        &mut self,
        span: Span,
        atoms: Vec<Atom<'t>>,
        role: Role,
        command: Option<usize>,
        words: &mut Vec<Word<'t>>,
    ) {
        // Nothing at all, not even empty quotes, is no word.
        if atoms.iter().all(|atom| matches!(atom, Atom::Bare(text) if text.is_empty())) {
            return;
        }
        let pieces = pieces(&atoms, role);
        let word = match &*pieces {
            [] => Word::fixed(span, ""),
            [Piece::Text(text)] => Word::fixed(span, text.clone()),
            _ => Word { span, text: Cow::Borrowed(span.of(self.text).unwrap_or_default()), pieces },
        };
        self.look_for_literal_substitution(&word);
        let explained = |atom: &Atom<'_>| matches!(atom, Atom::Any(expansion) if !matches!(expansion.meaning, Meaning::Unknown | Meaning::Number | Meaning::Descriptor));
        if let Some(command) = command
            && atoms.iter().any(explained)
        {
            if self.explained.len() >= MAX_EXPLAINED {
                self.note(span.start as usize, span.end as usize, ProblemKind::TooManyReadings);
                return words.push(word);
            }
            self.explained.push(ExplainedWord { command, word: words.len(), atoms });
        }
        words.push(word);
    }

    /// Notes text that arithmetic would run if it were the value of a variable: a subscript with a substitution.
    fn look_for_literal_substitution(&mut self, word: &Word<'t>) {
        let hidden = |text: &str| text.contains('[') && (text.contains("$(") || text.contains('`'));
        let found = match &*word.pieces {
            [] => hidden(&word.text).then_some(&word.text),
            pieces => pieces.iter().find_map(|piece| match piece {
                Piece::Text(text) if hidden(text) => Some(text),
                _ => None,
            }),
        };
        if let Some(text) = found {
            self.literal_substitution.get_or_insert(word.span);
            if self.evaluable.len() < MAX_GUESSES {
                self.evaluable.push(text.clone());
            }
        }
    }
}

/// Pieces under construction: neighbouring text becomes one piece.
pub(crate) struct Pieces<'t> {
    pub(crate) list: Vec<Piece<'t>>,
}

impl<'t> Pieces<'t> {
    pub(crate) fn text(&mut self, text: Cow<'t, str>) {
        match self.list.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(before)) => before.to_mut().push_str(&text),
            _ => self.list.push(Piece::Text(text)),
        }
    }

    /// What is known of an expansion.
    pub(crate) fn expansion(&mut self, expansion: &Expansion<'t>, splits: bool) {
        match expansion.meaning {
            Meaning::Number => self.list.push(Piece::Number { splits }),
            Meaning::Descriptor => {
                self.text(Cow::Borrowed("/dev/fd/"));
                self.list.push(Piece::Number { splits: false });
            }
            _ => self.list.push(Piece::Any { splits }),
        }
    }
}

/// What a word is made of. A static word is one text, or nothing.
pub(crate) fn pieces<'t>(atoms: &[Atom<'t>], role: Role) -> Vec<Piece<'t>> {
    let mut pieces = Pieces { list: Vec::new() };
    // An argument that looks like an assignment has its `~` expanded like one.
    let assigns = match atoms.first() {
        _ if role == Role::Value => true,
        Some(Atom::Bare(text)) if role == Role::Argument => looks_like_assignment(text),
        _ => false,
    };
    // Whether a `~` here would be expanded.
    let mut home_may_start = role == Role::Value || !assigns;
    let mut first = true;
    let closes = |atom: &Atom<'_>| matches!(atom, Atom::Bare(text) if text.contains(']'));
    let last_bracket = atoms.iter().rposition(closes).unwrap_or(0);
    for (index, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Quoted(text) => pieces.text(text.clone()),
            Atom::Any(expansion) => {
                if first && begins_with_home(atoms) {
                    pieces.list.push(Piece::Home);
                } else {
                    pieces.expansion(expansion, expansion.splits && role == Role::Argument);
                }
            }
            Atom::Bare(text) => {
                let followed = index + 1 < atoms.len();
                let closes_later = index < last_bracket;
                let around = Surroundings { role, assigns, first, home_may_start, followed, closes_later };
                if !bare_pieces(text, around, &mut pieces) {
                    break;
                }
            }
        }
        first = false;
        home_may_start = false;
    }
    pieces.list
}

/// What decides how a run of unquoted text is read.
#[derive(Clone, Copy)]
struct Surroundings {
    role: Role,
    /// The word is an assignment or looks like one.
    assigns: bool,
    first: bool,
    home_may_start: bool,
    /// Other atoms follow.
    followed: bool,
    /// One of them closes brackets.
    closes_later: bool,
}

/// Appends the pieces of a run of unquoted text; whether those of the atoms behind it may follow.
#[expect(clippy::ptr_arg, reason = "parts of borrowed text stay borrowed")]
fn bare_pieces<'t>(text: &Cow<'t, str>, around: Surroundings, pieces: &mut Pieces<'t>) -> bool {
    let special = |byte: u8| matches!(byte, b'~' | b'*' | b'?' | b'[');
    if !text.bytes().any(special) {
        pieces.text(text.clone());
        return true;
    }
    let part = |from: usize, to: usize| -> Cow<'t, str> {
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(from..to).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(String::from(text.get(from..to).unwrap_or_default())),
        }
    };
    let bytes = text.as_bytes();
    let byte_at = |index: usize| bytes.get(index).copied();
    let last_bracket = bytes.iter().rposition(|&byte| byte == b']').unwrap_or(0);
    let (mut done, mut index) = (0, 0);
    let mut seen_equals = around.role == Role::Value || !around.first;
    while let Some(byte) = byte_at(index) {
        let before = index.checked_sub(1).and_then(byte_at);
        let starts_home = byte == b'~'
            && match before {
                None => around.home_may_start,
                Some(b'=') => around.assigns && around.role == Role::Argument && !seen_equals,
                Some(b':') => around.assigns && (around.role == Role::Value || seen_equals),
                _ => false,
            };
        if byte == b'=' && before.is_some() && index > 0 {
            // Only the first `=` of an assignment counts; the `~` right behind it is looked at in the next turn.
            if byte_at(index + 1) != Some(b'~') {
                seen_equals = true;
            }
        }
        if starts_home {
            seen_equals = true;
            let name_end = |byte: u8| byte == b'/' || (byte == b':' && around.assigns);
            let length = bytes.iter().skip(index + 1).position(|&byte| name_end(byte));
            let end = length.map_or(bytes.len(), |length| index + 1 + length);
            pieces.text(part(done, index));
            let open = length.is_none() && around.followed;
            if end == index + 1 && !open {
                pieces.list.push(Piece::Home);
            } else {
                pieces.list.push(Piece::Any { splits: false });
            }
            (done, index) = (end, end);
            continue;
        }
        let glob = around.role == Role::Argument
            && match byte {
                b'*' | b'?' => true,
                b'[' => index < last_bracket || around.closes_later,
                _ => false,
            };
        if glob {
            pieces.text(part(done, index));
            let Some(token) = glob_token(bytes, index) else {
                // What such a bracket matches, and where it ends, is anybody's guess.
                pieces.list.push(Piece::Any { splits: true });
                return false;
            };
            pieces.list.push(Piece::Glob(part(index, index + token)));
            index += token;
            done = index;
            continue;
        }
        index += 1;
    }
    pieces.text(part(done, bytes.len()));
    true
}

/// The length of the pattern token at `index`; none for brackets that hold more than plain characters.
fn glob_token(bytes: &[u8], index: usize) -> Option<usize> {
    let token = bytes.get(index..)?;
    if token.first() != Some(&b'[') {
        return Some(1);
    }
    let inside = token.get(1..)?;
    let negation = usize::from(matches!(inside.first(), Some(b'!' | b'^')));
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b',' | b'*' | b'?');
    let length = inside.iter().skip(negation).take_while(|byte| plain(byte)).count();
    (length > 0 && inside.get(negation + length) == Some(&b']')).then_some(negation + length + 2)
}

/// Whether unquoted text starts with a name, a subscript if any, and `=` or `+=`.
fn looks_like_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    is_identifier(name)
}

/// Whether it can be the name of a variable.
pub(crate) fn is_identifier(name: &str) -> bool {
    name.bytes().next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
