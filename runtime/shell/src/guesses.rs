//! Other readings of a command: what the text itself says about the values of its expansions.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::atoms::{Atom, Expansion, Meaning};
use crate::expansions::PARAMETERS;
use crate::home::begins_with_home;
use crate::parser::{ExplainedWord, Parser};
use crate::words::{Pieces, is_identifier};
use crate::{MAX_GUESSES, Piece, ProblemKind, RedirectKind, SimpleCommand, Span, Word};

/// How many words the guesses of one text may have, besides a few for each byte.
const MAX_GUESSED_WORDS: usize = 50_000;

/// How many elements that are set one by one are followed.
const MAX_ELEMENTS: usize = 16;

/// How many bytes of what commands read may become values, in one text.
const MAX_INPUT: usize = 32 << 10;

/// One value that an expansion may have.
enum Value<'a, 't> {
    Text(&'a str),
    Atoms(&'a [Atom<'t>]),
    Words { words: &'a [Word<'t>], joins: bool },
}

impl<'t> Parser<'t> {
    /// What can only be said when everything is read.
    pub(crate) fn put_together(&mut self) {
        if !self.functions.is_empty() {
            self.functions.sort_unstable();
            for command in &mut self.commands {
                let first = command.words.first().and_then(Word::known);
                command.defined =
                    first.is_some_and(|first| self.functions.binary_search_by(|name| name.as_ref().cmp(first)).is_ok());
            }
        }
        self.lists_of_calls();
        if !self.explained.is_empty() || !self.mentioned.is_empty() {
            self.values_of_arguments();
            // Stable, so that values keep their order.
            self.values.sort_by(|(a, _), (b, _)| a.cmp(b));
            self.values.dedup();
        }
        self.put_constants();
        self.put_guesses();
        self.evaluate_values();
        self.put_in_passing();
        self.forget_home();
    }

    fn put_guesses(&mut self) {
        let mut explained = core::mem::take(&mut self.explained);
        explained.sort_by_key(|word| (word.command, word.word));
        let mut words_left = MAX_GUESSED_WORDS;
        for of_command in explained.chunk_by(|a, b| a.command == b.command) {
            let Some(index) = of_command.first().map(|word| word.command) else { continue };
            let guesses = self.guesses(index, of_command, &mut words_left);
            if words_left == 0 {
                self.note(0, self.text.len(), ProblemKind::TooManyReadings);
                return;
            }
            if let Some(command) = self.commands.get_mut(index) {
                command.guesses = guesses;
            }
        }
    }

    /// The words behind a function's name are its parameters.
    fn lists_of_calls(&mut self) {
        if self.functions.is_empty() || self.explained.is_empty() {
            return;
        }
        let calls = self.commands.iter().filter(|command| command.defined).take(MAX_GUESSES);
        let calls: Vec<Vec<Word<'t>>> = calls.map(|command| command.words.clone()).collect();
        for words in calls {
            self.keep_parameters(words);
        }
    }

    /// Keeps words that may be the parameters; the first is the name of what has them.
    pub(crate) fn keep_parameters(&mut self, words: Vec<Word<'t>>) {
        for (number, word) in words.iter().enumerate().take(10) {
            if let Some(known) = word.known() {
                self.values.push((Cow::Owned(number.to_string()), Cow::Owned(String::from(known))));
            }
        }
        self.lists.push((Cow::Borrowed(PARAMETERS), words.into_iter().skip(1).collect()));
    }

    /// Keeps the elements of an array, the first of which is meant by the name alone.
    pub(crate) fn keep_list(&mut self, name: Cow<'t, str>, elements: Vec<Word<'t>>) {
        for (place, word) in elements.iter().enumerate().take(10) {
            if let Some(known) = word.known() {
                let value: Cow<'t, str> = Cow::Owned(String::from(known));
                if place == 0 {
                    self.values.push((name.clone(), value.clone()));
                }
                self.values.push((Cow::Owned([&name, "[", &place.to_string(), "]"].concat()), value));
            }
        }
        self.lists.push((name, elements));
    }

    /// Keeps one element of an array, with those that were set before.
    pub(crate) fn keep_element(&mut self, name: &'t str, number: usize, value: &Word<'t>) {
        let mut elements = match self.lists.iter().rfind(|(other, _)| other == name) {
            Some((_, elements)) => elements.clone(),
            None => Vec::new(),
        };
        if let Some(element) = elements.get_mut(number) {
            *element = value.clone();
        } else if elements.len() < MAX_ELEMENTS {
            elements.push(value.clone());
        }
        self.keep_list(Cow::Borrowed(name), elements);
    }

    /// Programs may set variables too: an argument `NAME=value` counts as one that does.
    fn values_of_arguments(&mut self) {
        let mut left = MAX_INPUT;
        for command in &self.commands {
            for word in command.words.iter().skip(1) {
                if let Some((name, value)) = word.known().and_then(|text| text.split_once('='))
                    && is_identifier(name)
                {
                    self.values.push((Cow::Owned(String::from(name)), Cow::Owned(String::from(value))));
                }
            }
            let names = command.words.iter().skip(1).filter_map(Word::known).filter(|name| is_identifier(name));
            let mut names = names.take(MAX_GUESSES).enumerate().peekable();
            if left == 0 || names.peek().is_none() {
                continue;
            }
            let input = self.input(command);
            for (place, name) in names {
                for line in input.lines().take(MAX_GUESSES) {
                    let part = line.split_ascii_whitespace().nth(place).unwrap_or_default();
                    let first = [name, "[0]"].concat();
                    for (name, value) in [(name, line), (name, part), (&*first, line)] {
                        left = left.saturating_sub(name.len() + value.len());
                        self.values.push((Cow::Owned(String::from(name)), Cow::Owned(String::from(value))));
                    }
                }
            }
        }
    }

    /// The beginning of what a command reads, as far as the text says it: programs may set variables to parts of it.
    fn input(&self, command: &SimpleCommand<'t>) -> String {
        let here = |kind| matches!(kind, RedirectKind::HereString | RedirectKind::HereDocument);
        let texts = command.redirects.iter().filter(|redirect| here(redirect.kind));
        let texts = texts.filter_map(|redirect| redirect.target.known()).take(1);
        let feeder = command.fed_by.and_then(|feeder| self.commands.get(feeder));
        let printed = feeder.into_iter().flat_map(|feeder| feeder.words.iter().skip(1).filter_map(Word::known));
        let mut input = String::new();
        for text in texts.chain(printed.take(MAX_GUESSES)) {
            input.push_str(text.get(..text.floor_char_boundary(MAX_INPUT / MAX_GUESSES)).unwrap_or_default());
            input.push(' ');
        }
        input
    }

    fn guesses(&self, index: usize, explained: &[ExplainedWord<'t>], words_left: &mut usize) -> Vec<Vec<Word<'t>>> {
        let mut guesses: Vec<Vec<Word<'t>>> = Vec::new();
        let Some(command) = self.commands.get(index) else { return guesses };
        // Every variable counts through its own values; together they are the digits of one number.
        let mut radixes: Vec<(&str, usize)> = Vec::new();
        for expansion in explained.iter().flat_map(|word| &word.atoms).filter_map(expansion) {
            let count = self.alternatives(expansion);
            let name = variable(expansion);
            if count > 1 && !radixes.iter().any(|(known, _)| *known == name) && radixes.len() < 4 {
                radixes.push((name, count));
            }
        }
        let count = radixes.iter().map(|(_, count)| count).product::<usize>().min(MAX_GUESSES);
        // Where the text says what parts words, that parts some of them.
        let separators: String = self.values_of("IFS").iter().map(|(_, value)| &**value).collect();
        let ways = if separators.is_empty() { 1 } else { 2 };
        for (turn, separators) in
            (0..count).flat_map(|turn| ["", &separators].into_iter().take(ways).map(move |by| (turn, by)))
        {
            if command.words.len() > *words_left {
                *words_left = 0;
                break;
            }
            let mut words = Vec::with_capacity(command.words.len());
            let mut next = explained.iter().peekable();
            for (place, word) in command.words.iter().enumerate() {
                let explained = next.next_if(|explained| explained.word == place);
                let has_values = |word: &&ExplainedWord<'t>| {
                    word.atoms.iter().filter_map(expansion).any(|expansion| self.alternatives(expansion) > 0)
                };
                match explained.filter(has_values) {
                    Some(explained) => self.put_in(word, &explained.atoms, (turn, separators), &radixes, &mut words),
                    None => words.push(word.clone()),
                }
            }
            *words_left = words_left.saturating_sub(words.len());
            if *words_left == 0 {
                break;
            }
            let same = |other: &[Word<'_>]| {
                other.len() == words.len()
                    && other.iter().zip(&words).all(|(a, b)| a.text == b.text && a.pieces == b.pieces)
            };
            if !same(&command.words) && !guesses.iter().any(|guess| same(guess)) {
                guesses.push(words);
            }
        }
        guesses
    }

    fn values_of<'a>(&'a self, name: &str) -> &'a [(Cow<'t, str>, Cow<'t, str>)] {
        if name.is_empty() {
            return &[];
        }
        let start = self.values.partition_point(|(other, _)| other.as_ref() < name);
        let rest = self.values.get(start..).unwrap_or_default();
        rest.get(..rest.iter().take(MAX_GUESSES).take_while(|(other, _)| other == name).count()).unwrap_or_default()
    }

    fn lists_of<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a [Word<'t>]> {
        let lists = self.lists.iter().filter(move |(other, _)| other == name);
        lists.map(|(_, words)| words.as_slice()).take(MAX_GUESSES)
    }

    fn alternatives(&self, expansion: &Expansion<'t>) -> usize {
        match &expansion.meaning {
            Meaning::Unknown | Meaning::Number | Meaning::Descriptor => 0,
            Meaning::Separator => 1,
            Meaning::Variable(name) => self.values_of(name).len(),
            Meaning::List { name, .. } => self.lists_of(name).count(),
            Meaning::Default(name, _) => 1 + self.values_of(name).len(),
        }
    }

    fn alternative<'a>(&'a self, expansion: &'a Expansion<'t>, index: usize) -> Option<Value<'a, 't>> {
        match &expansion.meaning {
            Meaning::Unknown | Meaning::Number | Meaning::Descriptor => None,
            Meaning::Separator => Some(Value::Text(" ")),
            Meaning::Variable(name) => self.values_of(name).get(index).map(|(_, value)| Value::Text(value)),
            Meaning::List { name, joins, skip, take } => {
                let words = self.lists_of(name).nth(index)?;
                let words = words.get((*skip).min(words.len())..).unwrap_or_default();
                let words = words.get(..(*take).min(words.len())).unwrap_or_default();
                Some(Value::Words { words, joins: *joins })
            }
            Meaning::Default(_, atoms) if index == 0 => Some(Value::Atoms(atoms)),
            Meaning::Default(name, _) => self.values_of(name).get(index - 1).map(|(_, value)| Value::Text(value)),
        }
    }

    /// The words that one becomes with the values of this turn.
    fn put_in(
        &self,
        word: &Word<'t>,
        atoms: &[Atom<'t>],
        (turn, separators): (usize, &str),
        radixes: &[(&str, usize)],
        words: &mut Vec<Word<'t>>,
    ) {
        let mut builder = Builder {
            span: word.span,
            source: &word.text,
            separators,
            pieces: Pieces { list: Vec::new() },
            exists: false,
        };
        for (index, atom) in atoms.iter().enumerate() {
            let Atom::Any(expansion) = atom else {
                builder.add(atom);
                continue;
            };
            let name = variable(expansion);
            let mut number = turn;
            let mut digit = 0;
            for (other, count) in radixes {
                if *other == name {
                    digit = number % count;
                }
                number /= count;
            }
            let count = self.alternatives(expansion);
            match self.alternative(expansion, if count == 0 { 0 } else { digit % count }) {
                None if index == 0 && begins_with_home(atoms) => builder.pieces.list.push(Piece::Home),
                None => builder.add(atom),
                Some(Value::Text(text)) if expansion.bare => builder.split(text, words),
                Some(Value::Text(text)) => builder.add(&Atom::Quoted(Cow::Owned(String::from(text)))),
                Some(Value::Words { words: list, joins }) => builder.add_list(list, expansion.bare, joins, words),
                Some(Value::Atoms(atoms)) => {
                    for atom in atoms {
                        match atom {
                            Atom::Bare(text) if expansion.bare => builder.split(text, words),
                            atom => builder.add(atom),
                        }
                    }
                    builder.exists |= !expansion.bare;
                }
            }
        }
        builder.end_word(words);
    }
}

fn expansion<'a, 't>(atom: &'a Atom<'t>) -> Option<&'a Expansion<'t>> {
    match atom {
        Atom::Any(expansion) => Some(expansion),
        _ => None,
    }
}

fn variable<'a>(expansion: &'a Expansion<'_>) -> &'a str {
    match &expansion.meaning {
        Meaning::Variable(name) | Meaning::Default(name, _) | Meaning::List { name, .. } => name,
        Meaning::Unknown | Meaning::Number | Meaning::Descriptor | Meaning::Separator => "",
    }
}

/// Words under construction.
struct Builder<'a, 't> {
    span: Span,
    source: &'a Cow<'t, str>,
    /// What parts words, beside blanks.
    separators: &'a str,
    pieces: Pieces<'t>,
    /// Whether there is a word even if it is empty.
    exists: bool,
}

impl<'t> Builder<'_, 't> {
    fn add(&mut self, atom: &Atom<'t>) {
        match atom {
            Atom::Any(expansion) => self.pieces.expansion(expansion, expansion.splits),
            Atom::Bare(text) => {
                self.pieces.text(text.clone());
            }
            Atom::Quoted(text) => {
                self.exists = true;
                self.pieces.text(text.clone());
            }
        }
    }

    /// Adds the words of a list: what stands before and behind them joins the first and the last.
    fn add_list(&mut self, list: &[Word<'t>], bare: bool, joins: bool, words: &mut Vec<Word<'t>>) {
        for (place, word) in list.iter().enumerate() {
            match place {
                0 => {}
                _ if joins && !bare => self.pieces.text(Cow::Borrowed(" ")),
                _ => self.end_word(words),
            }
            match word.known() {
                Some(known) if bare => self.split(known, words),
                Some(known) => self.add(&Atom::Quoted(Cow::Owned(String::from(known)))),
                None => self.pieces.list.extend(word.pieces.iter().cloned()),
            }
        }
    }

    /// Adds unquoted text, which ends words at its blanks.
    fn split(&mut self, text: &str, words: &mut Vec<Word<'t>>) {
        for (index, part) in text.split(|one: char| " \t\n".contains(one) || self.separators.contains(one)).enumerate()
        {
            if index > 0 {
                self.end_word(words);
            }
            self.pieces.text(Cow::Owned(String::from(part)));
        }
    }

    fn end_word(&mut self, words: &mut Vec<Word<'t>>) {
        let exists = core::mem::take(&mut self.exists);
        let mut pieces = core::mem::take(&mut self.pieces.list);
        match &mut *pieces {
            [] if exists => words.push(Word::fixed(self.span, "")),
            [] => {}
            [Piece::Text(text)] => words.push(Word::fixed(self.span, core::mem::take(text))),
            _ => words.push(Word { span: self.span, text: self.source.clone(), pieces }),
        }
    }
}
