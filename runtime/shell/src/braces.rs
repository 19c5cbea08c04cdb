//! Brace expansion, which happens before all other expansions, step by step as bash does it.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::atoms::Atom;
use crate::{MAX_BRACE_WORDS, MAX_DEPTH};

/// One character of unquoted text, or a whole atom in which braces mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symbol {
    Character(char),
    Atom(usize),
}

/// What is left of the work that one word may cause.
struct Budget {
    steps: usize,
    symbols: usize,
}

impl Budget {
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(steps)?;
        Some(())
    }
}

/// The words that one becomes, as atoms; none if they are too many or bash's rules for them are too odd.
pub(crate) fn expand<'t>(atoms: &[Atom<'t>]) -> Option<Vec<Vec<Atom<'t>>>> {
    let has = |what: &str| atoms.iter().any(|atom| matches!(atom, Atom::Bare(text) if text.contains(what)));
    if !has("}") || !(has(",") || has("..")) {
        return Some(vec![atoms.to_vec()]);
    }
    let mut symbols = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        match atom {
            Atom::Bare(text) => symbols.extend(text.chars().map(Symbol::Character)),
            _ => symbols.push(Symbol::Atom(index)),
        }
    }
    let mut budget = Budget { steps: 20_000 + 16 * symbols.len(), symbols: 20_000 + 4 * symbols.len() };
    let words = alternatives(&symbols, 0, &mut budget)?;
    Some(words.into_iter().map(|word| assembled(&word, atoms)).collect())
}

/// Symbols as atoms again.
fn assembled<'t>(symbols: &[Symbol], atoms: &[Atom<'t>]) -> Vec<Atom<'t>> {
    let mut word = Vec::new();
    let mut run = String::new();
    for symbol in symbols {
        match symbol {
            Symbol::Character(character) => run.push(*character),
            Symbol::Atom(index) => {
                if !run.is_empty() {
                    word.push(Atom::Bare(Cow::Owned(core::mem::take(&mut run))));
                }
                word.extend(atoms.get(*index).cloned());
            }
        }
    }
    if !run.is_empty() {
        word.push(Atom::Bare(Cow::Owned(run)));
    }
    word
}

fn alternatives(symbols: &[Symbol], depth: u32, budget: &mut Budget) -> Option<Vec<Vec<Symbol>>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut words = vec![Vec::new()];
    let mut rest = symbols;
    loop {
        let mut open = 0;
        let close = loop {
            if !find(rest, &mut open, '{', budget)? {
                append(&mut words, &[rest.to_vec()], budget)?;
                return Some(words);
            }
            let mut close = open + 1;
            if find(rest, &mut close, '}', budget)? {
                break close;
            }
            open += 1;
        };
        let (before, inside) = (rest.get(..open)?, rest.get(open + 1..close)?);
        let after = rest.get(close + 1..)?;
        append(&mut words, &[before.to_vec()], budget)?;
        if inside.contains(&Symbol::Character(',')) {
            let mut inner = Vec::new();
            let mut start = 0;
            loop {
                let mut end = start;
                let comma = find(inside, &mut end, ',', budget)?;
                inner.extend(alternatives(inside.get(start..end)?, depth + 1, budget)?);
                if inner.len() > MAX_BRACE_WORDS {
                    return None;
                }
                start = end + 1;
                if !comma {
                    break;
                }
            }
            append(&mut words, &inner, budget)?;
        } else if inside.iter().any(|symbol| matches!(symbol, Symbol::Atom(_))) {
            // bash looks for commas in quotes and expansions here too.
            return None;
        } else {
            let text: String = inside
                .iter()
                .filter_map(|symbol| if let Symbol::Character(it) = symbol { Some(*it) } else { None })
                .collect();
            match sequence(&text) {
                Sequence::Words(sequence) => {
                    let sequence: Vec<Vec<Symbol>> =
                        sequence.iter().map(|word| word.chars().map(Symbol::Character).collect()).collect();
                    append(&mut words, &sequence, budget)?;
                }
                Sequence::None => append(&mut words, &[rest.get(open..=close)?.to_vec()], budget)?,
                Sequence::Refused => return None,
            }
        }
        rest = after;
    }
}

/// Appends each of the endings to each of the words.
fn append(words: &mut Vec<Vec<Symbol>>, endings: &[Vec<Symbol>], budget: &mut Budget) -> Option<()> {
    if let [ending] = endings {
        for word in &mut *words {
            budget.symbols = budget.symbols.checked_sub(ending.len())?;
            word.extend(ending);
        }
        return Some(());
    }
    if words.len() * endings.len() > MAX_BRACE_WORDS {
        return None;
    }
    let mut longer = Vec::with_capacity(words.len() * endings.len());
    for word in &*words {
        for ending in endings {
            budget.symbols = budget.symbols.checked_sub(word.len() + ending.len() + 1)?;
            longer.push([&**word, ending].concat());
        }
    }
    *words = longer;
    Some(())
}

/// Moves `index` to the next `wanted` outside of nested braces; a closing brace only counts behind a comma or `..`.
fn find(symbols: &[Symbol], index: &mut usize, wanted: char, budget: &mut Budget) -> Option<bool> {
    let mut level = 0_usize;
    let mut separated = wanted != '}';
    let start = *index;
    let character = |index: usize| match symbols.get(index) {
        Some(Symbol::Character(character)) => Some(*character),
        _ => None,
    };
    while *index < symbols.len() {
        let here = character(*index);
        if here == Some(wanted) && level == 0 && separated {
            // A brace pair that starts the text, or a brace alone, is left as it is.
            let ignored = wanted == '{' && *index == 0 && (symbols.len() == 1 || character(1) == Some('}'));
            if !ignored {
                budget.spend(*index - start)?;
                return Some(true);
            }
            *index += 1;
            continue;
        }
        match here {
            Some('{') => level += 1,
            Some('}') if level > 0 => level -= 1,
            Some(',') if level == 0 => separated = true,
            Some('.') if level == 0 && character(*index + 1) == Some('.') && character(*index + 2) != Some('}') => {
                separated = true;
            }
            _ => {}
        }
        *index += 1;
    }
    budget.spend(*index - start)?;
    Some(false)
}

/// What the text between braces is, if it has no comma.
enum Sequence {
    Words(Vec<String>),
    None,
    /// A sequence, but of too many words or of characters that would mean something.
    Refused,
}

/// `1..5`, `a..e`, with a step if there is one.
fn sequence(text: &str) -> Sequence {
    let Some((first, rest)) = text.split_once("..") else { return Sequence::None };
    let (last, step) = match rest.split_once("..") {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    let step = match step.map(number) {
        None => 1,
        Some(Some(step)) => step,
        Some(None) => return Sequence::None,
    };
    if let (Some(from), Some(to)) = (number(first), number(last)) {
        let padded = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            digits.len() > 1 && digits.starts_with('0')
        };
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        return match numbers(from, to, step) {
            Some(numbers) => Sequence::Words(numbers.iter().map(|number| format!("{number:0width$}")).collect()),
            None => Sequence::Refused,
        };
    }
    let letter = |text: &str| match text.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(*letter),
        _ => None,
    };
    let (Some(from), Some(to)) = (letter(first), letter(last)) else {
        // Numbers beyond what is safe to count with.
        let counts = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        return if counts(first) && counts(last) { Sequence::Refused } else { Sequence::None };
    };
    if from.is_ascii_uppercase() != to.is_ascii_uppercase() {
        return Sequence::Refused;
    }
    match numbers(i64::from(from), i64::from(to), step) {
        Some(letters) => Sequence::Words(
            letters
                .iter()
                .filter_map(|&letter| u8::try_from(letter).ok())
                .map(|it| String::from(char::from(it)))
                .collect(),
        ),
        None => Sequence::Refused,
    }
}

/// A number with at most nine digits, so that nothing overflows.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let valid = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| text.parse().ok()).flatten()
}

/// From one number to another; the step's sign does not matter.
fn numbers(from: i64, to: i64, step: i64) -> Option<Vec<i64>> {
    let step = step.abs().max(1);
    let count = from.abs_diff(to) / step.unsigned_abs() + 1;
    if count > MAX_BRACE_WORDS as u64 {
        return None;
    }
    let direction = if from <= to { step } else { -step };
    Some((0..).take(usize::try_from(count).ok()?).map(|index: i64| from + index * direction).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &'static str) -> Option<Vec<String>> {
        let words = expand(&[Atom::Bare(Cow::Borrowed(text))])?;
        Some(words.iter().map(|atoms| atoms.iter().filter_map(Atom::text).collect()).collect())
    }

    #[test]
    fn braces_become_several_words() {
        for (text, expanded) in [
            ("{a,b}", "a b"),
            ("x{a,b}y", "xay xby"),
            ("{a,b}{c,d}", "ac ad bc bd"),
            ("{a,{b,c}d}", "a bd cd"),
            ("{a}", "{a}"),
            ("{}", "{}"),
            ("{a,b", "{a,b"),
            ("{{a,b}", "{a {b"),
            ("{a,b}}", "a} b}"),
            ("{a},b}", "a} b"),
            ("{1..3}", "1 2 3"),
            ("{3..1..2}", "3 1"),
            ("{08..10}", "08 09 10"),
            ("{-1..1}", "-1 0 1"),
            ("{a..e..2}", "a c e"),
            ("{1..a}", "{1..a}"),
            ("{a..b}{1..x}", "a{1..x} b{1..x}"),
        ] {
            assert_eq!(words(text).map(|words| words.join(" ")).as_deref(), Some(expanded), "{text}");
        }
        assert_eq!(words("{1..1000}").map(|words| words.len()), Some(1000));
        assert!(words("{1..1001}").is_none());
        assert!(words("{a..Z}").is_none());
    }
}
