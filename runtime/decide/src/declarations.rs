//! What stands in a table, for those who list and explain it.

use crate::format::{CANONICAL_RULE, CONDITIONED, EXACT, JUSTIFIED, LAST, MATCHER, SOURCE_SHIFT};
use crate::matcher::Matcher;
use crate::path::Folders;
use crate::record::{Record, Records};
use crate::table::Table;
use crate::{Decision, Protocol};

/// What declarations of all kinds say in the same fields: of their decision, and of where they stand.
macro_rules! declared {
    ($declaration:ident, $decision:literal) => {
        impl<'t> $declaration<'t> {
            #[doc = $decision]
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

            /// The layer that the policy file belongs to; its name is empty if there is only one.
            #[must_use]
            pub fn layer(&self) -> Layer<'t> {
                layer(self.table, self.record)
            }
        }
    };
}

declared!(Rule, "What it says of a command that it matches.");
declared!(NetworkRule, "What the rule says.");
declared!(DefaultDecision, "Prompt or forbidden.");

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

    /// Whether words are compared under Unicode canonical caseless matching.
    #[must_use]
    pub fn canonical_matching(&self) -> bool {
        self.record.field(3) & CANONICAL_RULE != 0
    }

    /// The number of elements in its pattern: how many words it matches.
    #[must_use]
    pub fn length(&self) -> usize {
        self.record.field(2) as usize + 1
    }

    /// The elements of its pattern; the first has one alternative. Words of a canonical rule are folded.
    pub fn pattern(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        let table = self.table;
        core::iter::once(Element { table, terms: Terms::Head(self.record.field(0)) })
            .chain(table.elements(self.record.field(1), self.record.field(2)))
    }

    /// The term of its first element.
    pub(crate) fn head(&self) -> u32 {
        self.record.field(0)
    }

    /// What else it asks of a command that begins with its pattern.
    #[must_use]
    pub fn conditions(&self) -> Option<Conditions<'t>> {
        if self.record.field(3) & CONDITIONED == 0 {
            return None;
        }
        let before = |record: Record<'_, 64>| record.field(0) < self.id;
        let record = self.table.conditions.get(self.table.conditions.partition_point(before) as u32)?;
        (record.field(0) == self.id).then_some(Conditions { table: self.table, record })
    }
}

impl<'t> Table<'t> {
    /// `number` elements from `start` on.
    pub(crate) fn elements(&'t self, mut start: u32, number: u32) -> impl Iterator<Item = Element<'t>> {
        (0..number).map_while(move |_| {
            let length = self.elements.from(start).position(|term| term.field(0) & LAST != 0)? as u32 + 1;
            let terms = self.elements.range(start, length)?;
            start += length;
            Some(Element { table: self, terms: Terms::Alternatives(terms) })
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

pub(crate) fn justification<'t, const BYTES: usize>(
    table: &'t Table<'t>,
    record: Record<'t, BYTES>,
) -> Option<&'t str> {
    (record.field(3) & JUSTIFIED != 0).then(|| table.text(record.field(6), record.field(7)))
}

pub(crate) fn file<'t, const BYTES: usize>(table: &'t Table<'t>, record: Record<'t, BYTES>) -> &'t str {
    let source = table.sources.get(record.field(3) >> SOURCE_SHIFT);
    source.map_or("", |source| table.text(source.field(0), source.field(1)))
}

/// One place of a pattern, or one group of a condition.
#[derive(Clone, Copy)]
pub struct Element<'t> {
    table: &'t Table<'t>,
    terms: Terms<'t>,
}

#[derive(Clone, Copy)]
enum Terms<'t> {
    Head(u32),
    Alternatives(Records<'t, 4>),
}

/// One alternative of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative<'t> {
    /// This very word.
    Word(&'t str),
    /// Each word that it describes.
    Matcher(Matcher<'t>),
}

impl<'t> Element<'t> {
    /// What may stand there: at least one alternative.
    pub fn alternatives(&self) -> impl Iterator<Item = Alternative<'t>> + use<'t> {
        let table = self.table;
        self.terms().map(move |term| match term & MATCHER {
            0 => Alternative::Word(table.word(term)),
            _ => Alternative::Matcher(table.matcher(term & !MATCHER)),
        })
    }

    /// The alternatives but for words that are not `likely`, by their bytes.
    #[inline(always)]
    pub(crate) fn alternatives_if(&self, likely: impl Fn(&[u8]) -> bool) -> impl Iterator<Item = Alternative<'t>> {
        let table = self.table;
        self.terms().filter_map(move |term| match term & MATCHER {
            0 => likely(table.word_bytes(term)).then(|| Alternative::Word(table.word(term))),
            _ => Some(Alternative::Matcher(table.matcher(term & !MATCHER))),
        })
    }

    /// The alternatives that are words.
    pub fn words(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.alternatives().filter_map(|alternative| match alternative {
            Alternative::Word(word) => Some(word),
            Alternative::Matcher(_) => None,
        })
    }

    /// Whether one of the alternatives is `word`, or describes it.
    pub(crate) fn describes(&self, word: &str, folders: Option<&Folders<'_>>, caseless: bool) -> bool {
        self.alternatives().any(|alternative| match alternative {
            Alternative::Word(known) => known == word,
            Alternative::Matcher(matcher) => matcher.describes(word, folders, caseless),
        })
    }

    #[inline(always)]
    pub(crate) fn terms(&self) -> impl Iterator<Item = u32> + use<'t> {
        let (head, alternatives) = match self.terms {
            Terms::Head(term) => (Some(term), None),
            Terms::Alternatives(terms) => (None, Some(terms)),
        };
        let alternatives = alternatives.into_iter().flat_map(|terms| terms.iter()).map(|term| term.field(0) & !LAST);
        head.into_iter().chain(alternatives)
    }
}

/// What a rule asks beyond its pattern.
#[derive(Clone, Copy)]
pub struct Conditions<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 64>,
}

impl<'t> Conditions<'t> {
    /// No words may follow the pattern.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.record.field(1) & EXACT != 0
    }

    /// Each occurs among the words after the pattern.
    pub fn having(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.elements(2)
    }

    /// None occurs among them.
    pub fn without(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.elements(4)
    }

    /// The signatures of what `having` and `without` name.
    pub(crate) fn signatures(&self) -> [u64; 2] {
        let signature = |field| u64::from(self.record.field(field)) | u64::from(self.record.field(field + 1)) << 32;
        [signature(12), signature(14)]
    }

    /// Patterns of commands that the rule is not about.
    pub fn unless(&self) -> impl Iterator<Item = Pattern<'t>> + use<'t> {
        let table = self.table;
        let patterns = table.patterns.range(self.record.field(6), self.record.field(7));
        patterns.into_iter().flat_map(|patterns| patterns.iter()).map(move |record| Pattern { table, record })
    }

    /// Environment variables that an allowed command may be given.
    pub fn env(&self) -> impl Iterator<Item = Alternative<'t>> + use<'t> {
        self.elements(8).flat_map(|element| element.alternatives())
    }

    /// Files that an allowed command may redirect to.
    pub fn writes(&self) -> impl Iterator<Item = Alternative<'t>> + use<'t> {
        self.elements(10).flat_map(|element| element.alternatives())
    }

    fn elements(&self, field: usize) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.table.elements(self.record.field(field), self.record.field(field + 1))
    }
}

/// A pattern that is not a rule's own.
#[derive(Clone, Copy)]
pub struct Pattern<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 8>,
}

impl<'t> Pattern<'t> {
    /// Its elements, in order.
    pub fn elements(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.table.elements(self.record.field(0), self.record.field(1))
    }
}

/// A layer of the policy set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layer<'t> {
    /// Its name.
    pub name: &'t str,
    /// Whether it may allow; others can only tighten.
    pub trusted: bool,
}

impl<'t> Layer<'t> {
    fn new(table: &Table<'t>, record: Record<'_, 12>) -> Self {
        Self { name: table.text(record.field(0), record.field(1)), trusted: record.field(2) != 0 }
    }
}

pub(crate) fn layer<'t, const BYTES: usize>(table: &'t Table<'t>, record: Record<'t, BYTES>) -> Layer<'t> {
    let source = table.sources.get(record.field(3) >> SOURCE_SHIFT);
    let layer = source.and_then(|source| table.layers.get(source.field(2)));
    layer.map_or(Layer::default(), |layer| Layer::new(table, layer))
}

impl<'t> Table<'t> {
    /// The layers of the policy set, the first declared first; one without a name if it has none.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'t>> {
        let table = *self;
        self.layers.iter().map(move |record| Layer::new(&table, record))
    }
}

/// What no match means.
#[derive(Clone, Copy)]
pub struct DefaultDecision<'t> {
    pub(crate) table: &'t Table<'t>,
    pub(crate) record: Record<'t, 32>,
}

impl core::fmt::Debug for DefaultDecision<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "DefaultDecision({} at {}:{}:{})", self.decision(), self.file(), self.line(), self.column())
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
    /// What stands on it; nothing if it leads to the wide rules of a head, whose alternatives are not spread over the
    /// trie.
    pub label: Option<Alternative<'t>>,
}

impl<'t> Edge<'t> {
    /// The ids of the rules that end where the edge leads, in order of definition.
    pub fn rules(&self) -> impl Iterator<Item = u32> + use<'t> {
        self.table.accepting(self.accepting).ids()
    }
}
