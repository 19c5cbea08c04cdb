//! What stands in a table, for those who list and explain it.

use crate::format::{CANONICAL_RULE, JUSTIFIED, LAST, SOURCE_SHIFT};
use crate::record::{Record, Records};
use crate::table::Table;
use crate::{Decision, Protocol};

/// One rule of a table: a `prefix_rule`, or one head of it.
#[derive(Clone, Copy)]
pub struct Rule<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) id: u32,
    pub(crate) record: Record<'t, 32>,
}

impl<'t> Rule<'t> {
    /// Its place in the order of definition, from 0.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// What it says of a command that it matches.
    #[must_use]
    pub fn decision(&self) -> Decision {
        Decision::from_bits(self.record.field(3))
    }

    /// Why, in the author's words.
    #[must_use]
    pub fn justification(&self) -> Option<&'t str> {
        justification(self.table, self.record)
    }

    /// Whether words are compared under Unicode canonical caseless matching.
    #[must_use]
    pub fn canonical_matching(&self) -> bool {
        self.record.field(3) & CANONICAL_RULE != 0
    }

    /// The label of the policy file that made it.
    #[must_use]
    pub fn file(&self) -> &'t str {
        file(self.table, self.record)
    }

    /// The line of the call that made it, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.record.field(4)
    }

    /// The column of that call, from 1, in characters.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.record.field(5)
    }

    /// The number of elements in its pattern: how many words it matches.
    #[must_use]
    pub fn length(&self) -> usize {
        self.record.field(2) as usize + 1
    }

    /// The elements of its pattern; the first has one word. Words of a canonical rule are folded.
    pub fn pattern(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        let table = self.table;
        core::iter::once(Element { table, words: Words::Head(self.record.field(0)) })
            .chain(self.elements().map(move |words| Element { table, words: Words::Alternatives(words) }))
    }

    /// The elements after the first, as words of the table.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Records<'t, 4>> + use<'t> {
        let elements = self.table.elements;
        let mut start = self.record.field(1);
        (0..self.record.field(2)).map_while(move |_| {
            let length = elements.from(start).position(|word| word.field(0) & LAST != 0)? as u32 + 1;
            let words = elements.range(start, length);
            start += length;
            words
        })
    }
}

impl core::fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Rule({} at {}:{}:{})", self.id, self.file(), self.line(), self.column())
    }
}

impl Decision {
    pub(crate) fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Allow,
            1 => Self::Prompt,
            _ => Self::Forbidden,
        }
    }
}

fn justification<'t>(table: &'t Table<'t>, record: Record<'t, 32>) -> Option<&'t str> {
    (record.field(3) & JUSTIFIED != 0).then(|| table.text(record.field(6), record.field(7)))
}

fn file<'t>(table: &'t Table<'t>, record: Record<'t, 32>) -> &'t str {
    let source = table.sources.get(record.field(3) >> SOURCE_SHIFT);
    source.map_or("", |source| table.text(source.field(0), source.field(1)))
}

/// One place of a pattern.
#[derive(Clone, Copy)]
pub struct Element<'t> {
    table: &'t Table<'t>,
    words: Words<'t>,
}

#[derive(Clone, Copy)]
enum Words<'t> {
    Head(u32),
    Alternatives(Records<'t, 4>),
}

impl<'t> Element<'t> {
    /// The words that may stand there, at least one.
    pub fn words(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let table = self.table;
        let (head, alternatives) = match self.words {
            Words::Head(word) => (Some(word), None),
            Words::Alternatives(words) => (None, Some(words)),
        };
        let alternatives = alternatives.into_iter().flat_map(|words| words.iter()).map(|word| word.field(0) & !LAST);
        head.into_iter().chain(alternatives).map(move |word| table.word(word))
    }
}

/// The absolute paths that may stand for a bare name.
#[derive(Clone, Copy)]
pub struct HostExecutable<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) record: Record<'t, 16>,
}

impl<'t> HostExecutable<'t> {
    /// The bare name.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// The paths, folded: absolute, without `.`, `..` and repeated slashes.
    pub fn paths(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let table = self.table;
        let paths = table.host_paths.range(self.record.field(2), self.record.field(3));
        paths.into_iter().flat_map(|paths| paths.iter()).map(move |path| table.text(path.field(0), path.field(1)))
    }
}

/// A rule for a network destination.
#[derive(Clone, Copy)]
pub struct NetworkRule<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) record: Record<'t, 32>,
}

impl<'t> NetworkRule<'t> {
    /// The host: lower case, without port, brackets and trailing dots.
    #[must_use]
    pub fn host(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// How it is reached.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        Protocol::ALL.get(self.record.field(2) as usize).copied().unwrap_or(Protocol::Http)
    }

    /// What the rule says.
    #[must_use]
    pub fn decision(&self) -> Decision {
        Decision::from_bits(self.record.field(3))
    }

    /// Why, in the author's words.
    #[must_use]
    pub fn justification(&self) -> Option<&'t str> {
        justification(self.table, self.record)
    }

    /// The label of the policy file that made it.
    #[must_use]
    pub fn file(&self) -> &'t str {
        file(self.table, self.record)
    }

    /// The line of the call that made it, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.record.field(4)
    }

    /// The column of that call, from 1, in characters.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.record.field(5)
    }
}

/// A place in the trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Before the first word of rules compared byte for byte.
    Root,
    /// Before the first word of rules compared under canonical caseless matching.
    CanonicalRoot,
    /// After the edge with this number.
    After(u32),
}

/// One edge of the trie.
pub struct Edge<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) accepting: u32,
    /// The state that it leaves.
    pub from: State,
    /// The number of the state that it leads to.
    pub to: u32,
    /// The word on it; none if it leads to the wide rules of a head, whose alternatives are not spread over the trie.
    pub word: Option<&'t str>,
}

impl<'t> Edge<'t> {
    /// The ids of the rules that end where the edge leads, in order of definition.
    pub fn rules(&self) -> impl Iterator<Item = u32> + use<'t> {
        self.table.accepting(self.accepting).ids()
    }
}
