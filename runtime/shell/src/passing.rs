//! Variables that are set in passing: by arithmetic, defaults that stay, descriptors and coprocesses.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::atoms::{Atom, Meaning};
use crate::parser::{Parsed, Parser};
use crate::words::is_identifier;
use crate::{Assignment, MAX_COMMANDS, Nesting, Piece, ProblemKind, Redirect, SimpleCommand, Span, Word};

/// A variable that arithmetic reads or writes; its value is arithmetic too.
#[derive(Debug)]
pub(crate) struct Mention<'t> {
    pub(crate) name: Cow<'t, str>,
    /// The arithmetic.
    pub(crate) span: Span,
    pub(crate) nesting: Nesting,
}

impl<'t> Parser<'t> {
    /// Records what the construct from `start` to here sets.
    pub(crate) fn sets(&mut self, start: usize, assignments: Vec<Assignment<'t>>) -> Parsed {
        if assignments.is_empty() {
            return Ok(());
        }
        if self.commands.len() + self.passing.len() >= MAX_COMMANDS {
            return self.stop_here(ProblemKind::TooManyCommands);
        }
        let (span, nesting) = (self.span_from(start), self.nesting);
        self.passing.push(SimpleCommand { span, assignments, nesting, ..SimpleCommand::default() });
        Ok(())
    }

    /// Records that redirects from `start` to here, which no command has, open files.
    pub(crate) fn opens(&mut self, start: usize, redirects: Vec<Redirect<'t>>) -> Parsed {
        if self.commands.len() + self.passing.len() >= MAX_COMMANDS {
            return self.stop_here(ProblemKind::TooManyCommands);
        }
        let (span, nesting) = (self.span_from(start), self.nesting);
        self.passing.push(SimpleCommand { span, redirects, nesting, ..SimpleCommand::default() });
        Ok(())
    }

    /// Records that the construct from `start` to here sets a variable to what only the shell knows.
    pub(crate) fn sets_name(&mut self, start: usize, name: impl Into<Cow<'t, str>>) -> Parsed {
        let span = self.span_from(start);
        let name = name.into();
        self.numbers.push(name.clone());
        self.sets(start, vec![Assignment { span, name, value: unknown(span) }])
    }

    /// Records what the arithmetic from `start` to here sets. `flat` is the arithmetic with a `$` for each expansion,
    /// and its name if it is a variable.
    pub(crate) fn calculates(&mut self, start: usize, flat: &str) -> Parsed {
        self.calculates = true;
        let (span, nesting) = (self.span_from(start), self.nesting);
        let mut assignments = Vec::new();
        for variable in variables(flat) {
            let assignment = variable.assignment(span);
            self.numbers.extend(assignment.as_ref().map(|assignment| assignment.name.clone()));
            assignments.extend(assignment);
            self.mentions(variable.name, span, nesting);
        }
        self.sets(start, assignments)
    }

    /// Records that a text that only the run can know is evaluated, from `start` to here.
    pub(crate) fn evaluates_unknown(&mut self, start: usize) {
        let (span, nesting) = (self.span_from(start), self.nesting);
        if self.mentioned.last().is_none_or(|mention| !mention.name.is_empty()) {
            self.mentioned.push(Mention { name: Cow::Borrowed(""), span, nesting });
        }
    }

    /// Records that the value of a variable is evaluated.
    pub(crate) fn mentions(&mut self, name: &str, span: Span, nesting: Nesting) {
        let name = name.strip_prefix('$').unwrap_or(name);
        if is_identifier(name) && self.mentioned.last().is_none_or(|mention| mention.name != name) {
            self.mentioned.push(Mention { name: Cow::Owned(String::from(name)), span, nesting });
        }
    }

    /// What arithmetic sets by evaluating values that the text knows. The values are sorted.
    pub(crate) fn evaluate_values(&mut self) {
        let mut known = BTreeSet::new();
        let mut waiting = core::mem::take(&mut self.mentioned);
        if waiting.is_empty() {
            return;
        }
        let mut numbers: BTreeSet<Cow<'t, str>> = core::mem::take(&mut self.numbers).into_iter().collect();
        let unknown = self.names_of_unknown_values();
        let mut doubted: Option<(Span, Nesting)> = None;
        while let Some(Mention { name, span, nesting }) = waiting.pop() {
            let first = self.values.partition_point(|(other, _)| *other < name);
            let values = self.values.get(first..).unwrap_or_default();
            let values = values.iter().take_while(|(other, _)| *other == name);
            if known.contains(&name) {
                continue;
            }
            let is_known = !unknown.contains(&*name)
                && (values.clone().next().is_some() || numbers.contains(&*name) || SHELL_NUMBERS.contains(&&*name));
            if !is_known {
                doubted.get_or_insert((span, nesting));
            }
            let mut assignments = Vec::new();
            for (_, value) in values {
                for variable in variables(value) {
                    let assignment = variable.assignment(span);
                    numbers.extend(assignment.as_ref().map(|assignment| assignment.name.clone()));
                    assignments.extend(assignment);
                    if is_identifier(variable.name) {
                        let name = Cow::Owned(String::from(variable.name));
                        waiting.push(Mention { name, span, nesting });
                    }
                }
            }
            known.insert(name);
            if assignments.is_empty() {
                continue;
            }
            if self.commands.len() + self.passing.len() >= MAX_COMMANDS {
                self.note(0, self.text.len(), ProblemKind::TooManyCommands);
                return;
            }
            self.passing.push(SimpleCommand { span, assignments, nesting, ..SimpleCommand::default() });
        }
        if let Some((span, nesting)) = doubted {
            self.passing.push(SimpleCommand { span, nesting, evaluates: true, ..SimpleCommand::default() });
        }
    }

    /// The variables that may have values which the text does not know: programs may be told their names.
    fn names_of_unknown_values(&mut self) -> BTreeSet<String> {
        let mut names: BTreeSet<String> = core::mem::take(&mut self.unknown).into_iter().map(String::from).collect();
        for word in self.commands.iter().flat_map(|command| command.words.iter().skip(1)) {
            let text = match word.pieces.first() {
                None => &*word.text,
                Some(Piece::Text(text)) => {
                    let Some((name, _)) = text.split_once('=') else { continue };
                    name.strip_suffix('+').unwrap_or(name)
                }
                Some(_) => continue,
            };
            if is_identifier(text) {
                names.insert(String::from(text));
            }
        }
        names
    }

    /// Puts what is set in passing between the commands, by where it starts.
    pub(crate) fn put_in_passing(&mut self) {
        if self.passing.is_empty() {
            return;
        }
        let mut passing = core::mem::take(&mut self.passing);
        passing.sort_by_key(|command| command.span.start);
        let commands = core::mem::take(&mut self.commands);
        let mut places = Vec::with_capacity(commands.len());
        self.commands.reserve(commands.len() + passing.len());
        let mut passing = passing.into_iter().peekable();
        for mut command in commands {
            while let Some(before) = passing.next_if(|passing| passing.span.start < command.span.start) {
                self.commands.push(before);
            }
            command.fed_by = command.fed_by.and_then(|feeder| places.get(feeder).copied());
            command.fed_from = command.fed_from.and_then(|feeder| places.get(feeder).copied());
            places.push(self.commands.len());
            self.commands.push(command);
        }
        self.commands.extend(passing);
    }
}

/// Variables that the shell itself gives numbers. It evaluates what they are set to.
pub(crate) const SHELL_NUMBERS: [&str; 14] = [
    "BASHPID",
    "COLUMNS",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "LINENO",
    "LINES",
    "OPTIND",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SHLVL",
    "SRANDOM",
    "UID",
];

/// Whether one of the atoms is a text that only the run can know, and no variable by its name.
pub(crate) fn is_unknown(atoms: &[Atom<'_>]) -> bool {
    atoms.iter().any(|atom| match atom {
        Atom::Any(expansion) => match &expansion.meaning {
            Meaning::Number => false,
            Meaning::Variable(name) => !is_identifier(name),
            _ => true,
        },
        _ => false,
    })
}

/// Whether an expansion among the atoms may become more than a number.
pub(crate) fn is_unknown_value(atoms: &[Atom<'_>]) -> bool {
    atoms.iter().any(|atom| matches!(atom, Atom::Any(expansion) if !matches!(expansion.meaning, Meaning::Number)))
}

/// Whether a word is known to be a number.
pub(crate) fn is_number(word: &Word<'_>) -> bool {
    word.known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Appends atoms to arithmetic.
pub(crate) fn flatten(atoms: &[Atom<'_>], flat: &mut String) {
    for atom in atoms {
        match atom {
            Atom::Bare(text) | Atom::Quoted(text) => flat.push_str(text),
            Atom::Any(expansion) => {
                flat.push('$');
                if let Meaning::Variable(name) = &expansion.meaning
                    && is_identifier(name)
                {
                    flat.push_str(name);
                }
            }
        }
    }
}

/// A value that only the shell knows. It has no text, so that many of them in one construct stay small.
fn unknown<'t>(span: Span) -> Word<'t> {
    Word { span, text: "".into(), pieces: vec![Piece::Any { splits: false }] }
}

/// A variable in arithmetic; its name has a `$` in it if an expansion is a part of it.
struct Variable<'f> {
    name: &'f str,
    change: Change<'f>,
}

/// What arithmetic does to a variable.
enum Change<'f> {
    None,
    /// It becomes this number.
    To(&'f str),
    /// It becomes what only the shell knows.
    Unknown,
}

impl Variable<'_> {
    fn assignment<'t>(&self, span: Span) -> Option<Assignment<'t>> {
        let value = match self.change {
            Change::None => return None,
            Change::To(number) => Word::fixed(span, String::from(number)),
            Change::Unknown => unknown(span),
        };
        Some(Assignment { span, name: Cow::Owned(String::from(self.name)), value })
    }
}

/// The variables in arithmetic. Where it is no valid arithmetic, they may be more than are set.
fn variables(flat: &str) -> Vec<Variable<'_>> {
    let mut variables: Vec<Variable<'_>> = Vec::new();
    // The variables whose subscripts are open.
    let mut open: Vec<Option<usize>> = Vec::new();
    // The variable before this place.
    let mut operand: Option<usize> = None;
    // Whether `++` or `--` is before this place.
    let mut stepped = false;
    let mut rest = flat;
    while let Some(&byte) = rest.as_bytes().first() {
        if is_word(byte) {
            let (word, after) = rest.split_at(rest.bytes().position(|byte| !is_word(byte)).unwrap_or(rest.len()));
            rest = after;
            operand = None;
            if !byte.is_ascii_digit() || word.contains('$') {
                operand = Some(variables.len());
                variables.push(Variable { name: word, change: if stepped { Change::Unknown } else { Change::None } });
            }
            stepped = false;
            continue;
        }
        let (length, assigns) = match rest.as_bytes() {
            [b' ' | b'\t' | b'\n' | b'\r', ..] => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => (3, true),
            [b'=' | b'<' | b'>' | b'!', b'=', ..] => (2, false),
            [b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'^' | b'|', b'=', ..] => (2, true),
            [b'+', b'+', ..] | [b'-', b'-', ..] => (2, true),
            [b'=', ..] => (1, true),
            _ => (rest.chars().next().map_or(1, char::len_utf8), false),
        };
        rest = rest.get(length..).unwrap_or_default();
        stepped = matches!(byte, b'+' | b'-') && length == 2 && assigns;
        let variable = operand.take();
        match byte {
            b'[' => open.push(variable),
            b']' => operand = open.pop().flatten(),
            _ if assigns => {
                if let Some(variable) = variable.and_then(|variable| variables.get_mut(variable)) {
                    let number = if length == 1 { number(rest) } else { None };
                    variable.change = number.map_or(Change::Unknown, Change::To);
                }
            }
            _ => {}
        }
    }
    variables
}

/// Whether a byte can be a part of a number, a name or an expansion.
const fn is_word(byte: u8) -> bool {
    byte == b'_' || byte == b'$' || byte.is_ascii_alphanumeric()
}

/// The decimal number that is the whole of what is assigned.
fn number(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches([' ', '\t', '\n']);
    let (digits, after) = rest.split_at(rest.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len()));
    let ends = matches!(after.trim_start_matches([' ', '\t', '\n']).as_bytes(), [] | [b',' | b';' | b')' | b']', ..]);
    let plain = matches!(digits.as_bytes(), [b'0'] | [b'1'..=b'9', ..]) && digits.len() < 19;
    (ends && plain).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_sets_variables() {
        for (text, expected) in [
            ("a=1", "a=1"),
            ("a = 07, b=0 , c=x=2", "a b=0 c x=2"),
            ("a+=1 b<<=2 c>>=2 d|=1 e**2 f^=1", "a b c d f"),
            ("a==1 b<=2 c>=3 d!=4 e<1 f&&g||h", ""),
            ("a++ ++b c-- -- d e+++f", "a b c d e"),
            ("a[i=1]=2 a[b[j++]]-=3 a[k]", "a i=1 a j"),
            ("$x=1, P$x=2, $=3, 1$x=4", "$x=1 P$x=2 $=3 1$x=4"),
            ("a ? b=1 : (c=2)", "b c=2"),
            ("a-b=3", "b=3"),
            ("é=1", ""),
            ("a=9999999999999999999", "a"),
        ] {
            let sets: Vec<String> = variables(text)
                .iter()
                .filter_map(|variable| match variable.change {
                    Change::None => None,
                    Change::To(number) => Some([variable.name, "=", number].concat()),
                    Change::Unknown => Some(String::from(variable.name)),
                })
                .collect();
            assert_eq!(sets.join(" "), expected, "{text}");
        }
    }
}
