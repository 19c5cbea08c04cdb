//! What requests do, and what profiles say of it: the vocabulary, the rows of commands, facts, profiles and limits of grants.

use crate::Decision;
use crate::declarations::{Element, Layer, Rule, file, layer};
use crate::format::{MOST_CAPABILITIES, NONE, capability, piece};
use crate::record::Record;
use crate::table::Table;
use crate::tools::ToolPattern;

/// A set of capabilities: of effects, or of claims.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects(u128);

impl Effects {
    /// None.
    pub const NONE: Self = Self(0);

    /// The one with this number; none if there can be none such.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        if (number as usize) < MOST_CAPABILITIES { Self(1 << number) } else { Self::NONE }
    }

    /// Whether the one with this number is among them.
    #[must_use]
    pub const fn has(self, number: u32) -> bool {
        self.0 & Self::of(number).0 != 0
    }

    /// Those in either.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those in both.
    #[must_use]
    pub const fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Those that are not in `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Their numbers, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let number = rest.trailing_zeros();
            (rest != 0).then(|| {
                rest &= rest - 1;
                number
            })
        })
    }
}

/// Where a declaration stands: the fields 3 to 5 of its record.
macro_rules! placed {
    ($declaration:ident) => {
        impl<'t> $declaration<'t> {
            /// The label of the policy file that made it.
            #[must_use]
            pub fn file(&self) -> &'t str {
                $crate::declarations::file(self.table, self.record)
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
            pub fn layer(&self) -> $crate::declarations::Layer<'t> {
                $crate::declarations::layer(self.table, self.record)
            }
        }
    };
}
pub(crate) use placed;

placed!(Requirement);
placed!(Profile);
placed!(GrantLimits);

impl<'t> Table<'t> {
    /// The effects and claims that there are, in the order of their numbers.
    pub fn capabilities(&'t self) -> impl ExactSizeIterator<Item = Capability<'t>> + Clone {
        let numbered = (0..).zip(self.capabilities.iter());
        // The numbers do not end before the records do.
        let of = move |(number, record)| Capability { table: self, number, record };
        ExactSize { rest: numbered.map(of), left: self.capabilities.len() }
    }

    /// The one with this number.
    #[must_use]
    pub fn capability(&'t self, number: u32) -> Option<Capability<'t>> {
        Some(Capability { table: self, number, record: self.capabilities.get(number)? })
    }

    /// The capabilities that mean something to whoever decides; nothing in a table that has none.
    #[must_use]
    pub fn vocabulary(&self) -> Option<Vocabulary> {
        let record = self.vocabulary.only()?;
        let declared = |number: u32| (number != NONE).then_some(number);
        Some(Vocabulary {
            unknown_process: record.field(0),
            listed: declared(record.field(1)),
            write_workspace: declared(record.field(2)),
            writes: self.effects(record.field(3)),
            claims: self.effects(record.field(4)),
        })
    }

    /// The set at this place.
    pub(crate) fn effects(&self, place: u32) -> Effects {
        let Some(mask) = self.masks.get(place) else { return Effects::NONE };
        Effects((0..4).fold(0, |bits, field| bits | u128::from(mask.field(field)) << (32 * field)))
    }

    /// What commands do, row by row, in order of definition, a row with alternative heads once for each head.
    pub fn commands(&'t self) -> impl ExactSizeIterator<Item = CommandRow<'t>> {
        let start = self.rules.len() as u32;
        self.commands
            .iter()
            .enumerate()
            .map(move |(place, record)| CommandRow { rule: Rule { table: self, id: start + place as u32, record } })
    }

    /// The row whose rule has this id.
    #[must_use]
    pub fn command(&'t self, id: u32) -> Option<CommandRow<'t>> {
        id.checked_sub(self.rules.len() as u32)?;
        Some(CommandRow { rule: self.rule(id)? })
    }

    /// The facts that effects require, in order of definition.
    pub fn requirements(&'t self) -> impl ExactSizeIterator<Item = Requirement<'t>> {
        self.requirements.iter().map(|record| Requirement { table: self, record })
    }

    /// The profiles, sorted by name.
    pub fn profiles(&'t self) -> impl ExactSizeIterator<Item = Profile<'t>> + Clone {
        self.profiles.iter().map(|record| Profile { table: self, record })
    }

    /// The profile of this name.
    #[must_use]
    pub fn profile(&'t self, name: &str) -> Option<Profile<'t>> {
        let named = |record: Record<'_, 32>| self.text(record.field(0), record.field(1));
        let record = match self.profiles.len() {
            // Lengths tell a few names apart faster than their order does.
            ..=16 => {
                self.profiles.iter().find(|record| record.field(1) as usize == name.len() && named(*record) == name)?
            }
            _ => self.profiles.get(self.profiles.partition_point(|record| named(record) < name) as u32)?,
        };
        Some(Profile { table: self, record }).filter(|profile| profile.name() == name)
    }

    /// The limits of grants, in order of definition: the tightest of each holds.
    pub fn grants(&'t self) -> impl ExactSizeIterator<Item = GrantLimits<'t>> {
        self.grants.iter().map(|record| GrantLimits { table: self, record })
    }
}

/// An iterator that knows how many are left.
#[derive(Clone)]
struct ExactSize<I> {
    rest: I,
    left: usize,
}

impl<I: Iterator> Iterator for ExactSize<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.saturating_sub(1);
        self.rest.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: Iterator> ExactSizeIterator for ExactSize<I> {}

/// An effect that a request can have, or a claim that it can make.
#[derive(Clone, Copy)]
pub struct Capability<'t> {
    table: &'t Table<'t>,
    number: u32,
    record: Record<'t, 32>,
}

impl<'t> Capability<'t> {
    /// Its number: its bit in [`Effects`].
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// Whether it changes something; so does what says nothing of it.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.record.field(2) & (capability::READ | capability::CLAIM) == 0
    }

    /// Whether it is an attribute that never restricts.
    #[must_use]
    pub fn is_claim(&self) -> bool {
        self.record.field(2) & capability::CLAIM != 0
    }

    /// The label of the policy file that declares it, the line and the column; nothing for one that is there anyway.
    #[must_use]
    pub fn place(&self) -> Option<(&'t str, u32, u32)> {
        let declared = self.record.field(2) & capability::UNDECLARED == 0;
        declared.then(|| (file(self.table, self.record), self.record.field(4), self.record.field(5)))
    }

    /// The layer of that file.
    #[must_use]
    pub fn layer(&self) -> Layer<'t> {
        layer(self.table, self.record)
    }
}

/// The capabilities that mean something to whoever decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// `command.unknown_process`: what a command does that nothing covers. No profile lists it.
    pub unknown_process: u32,
    /// `command.listed`, if it is declared: what a command does that an allow rule covers.
    pub listed: Option<u32>,
    /// `command.write_workspace`, if it is declared: what a redirect into a file does.
    pub write_workspace: Option<u32>,
    /// All that change something.
    pub writes: Effects,
    /// All that are claims.
    pub claims: Effects,
}

/// What the commands do that a pattern and its conditions describe.
#[derive(Clone, Copy)]
pub struct CommandRow<'t> {
    /// The pattern, the conditions and the place, as those of a rule; it decides nothing. Its id is the row's.
    pub rule: Rule<'t>,
}

impl CommandRow<'_> {
    /// What they do; at least one effect.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.rule.table.effects(self.rule.record.field(6))
    }

    /// How many operands stand before those that are paths; it describes only commands whose paths lie in the workspace,
    /// or where the host lets be read. Nothing for one that looks at no paths.
    #[must_use]
    pub fn paths_from(&self) -> Option<u32> {
        Some(self.rule.record.field(7)).filter(|operands| *operands != NONE)
    }
}

/// A fact that effects require.
#[derive(Clone, Copy)]
pub struct Requirement<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 32>,
}

impl<'t> Requirement<'t> {
    /// The effects, any of which requires it.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.table.effects(self.record.field(0))
    }

    /// The claims, any of which exempts from it.
    #[must_use]
    pub fn unless(&self) -> Effects {
        self.table.effects(self.record.field(1))
    }

    /// The fact.
    #[must_use]
    pub const fn fact(&self) -> Fact<'t> {
        Fact { table: self.table, record: self.record }
    }
}

/// A fact in which values of a call stand.
#[derive(Clone, Copy)]
pub struct Fact<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 32>,
}

/// A piece of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactPiece<'t> {
    /// The text itself.
    Literal(&'t str),
    /// The value of the parameter of this name.
    Parameter(&'t str),
    /// The target of the call.
    Target,
}

impl<'t> Fact<'t> {
    /// Its pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = FactPiece<'t>> + use<'t> {
        let table = self.table;
        let pieces = table.pieces.range(self.record.field(2), self.record.field(6));
        pieces.into_iter().flat_map(|pieces| pieces.iter()).map(move |record| {
            let text = table.text(record.field(1), record.field(2));
            match record.field(0) {
                piece::PARAMETER => FactPiece::Parameter(text),
                piece::TARGET => FactPiece::Target,
                _ => FactPiece::Literal(text),
            }
        })
    }
}

/// A fact as policies write it.
impl core::fmt::Display for Fact<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.pieces().try_for_each(|piece| match piece {
            FactPiece::Literal(text) => f.write_str(text),
            FactPiece::Parameter(name) => write!(f, "{{{name}}}"),
            FactPiece::Target => f.write_str("{target}"),
        })
    }
}

/// What a profile says of each effect.
#[derive(Clone, Copy)]
pub struct Profile<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 32>,
}

impl<'t> Profile<'t> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// The effects that it allows.
    #[must_use]
    pub fn allows(&self) -> Effects {
        self.table.effects(self.record.field(2))
    }

    /// The effects that it asks about.
    #[must_use]
    pub fn prompts(&self) -> Effects {
        self.table.effects(self.record.field(6))
    }

    /// What it says of a request with these effects: what is not written is forbidden.
    #[must_use]
    pub fn decision(&self, effects: Effects) -> Decision {
        let (allows, prompts) = (self.allows(), self.prompts());
        if !effects.without(allows.and(prompts)).is_empty() {
            Decision::Forbidden
        } else if effects.among(prompts).is_empty() {
            Decision::Allow
        } else {
            Decision::Prompt
        }
    }

    /// The names of the tools that it offers; nothing if it offers none.
    #[must_use]
    pub fn tools(&self) -> Option<ToolPattern<'t>> {
        ToolPattern::new(self.table, self.record.field(7))
    }

    /// Whether it offers the tool of this name.
    #[must_use]
    pub fn offers(&self, tool: &str) -> bool {
        self.tools().is_some_and(|tools| tools.describes(tool))
    }
}

/// Limits of temporary authority.
#[derive(Clone, Copy)]
pub struct GrantLimits<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 32>,
}

impl<'t> GrantLimits<'t> {
    /// How many seconds a grant may last: at most seven days.
    #[must_use]
    pub fn max_ttl(&self) -> u32 {
        self.record.field(0)
    }

    /// How many grants a requester may have asked for and not be answered, if that is limited.
    #[must_use]
    pub fn max_open(&self) -> Option<u32> {
        Some(self.record.field(1)).filter(|most| *most != NONE)
    }

    /// The names of components, which never decide over approvals and grants.
    pub fn reserved(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        let table = self.table;
        element(table, self.record.field(2)).into_iter().flat_map(|element| element.words())
    }
}

/// The element at this place, if one is named.
pub(crate) fn element<'t>(table: &'t Table<'t>, start: u32) -> Option<Element<'t>> {
    if start == NONE { None } else { table.elements(start, 1).next() }
}

#[cfg(test)]
mod tests {
    use super::Effects;

    #[test]
    fn sets_hold_every_capability_once() {
        let effects = Effects::of(0).and(Effects::of(127)).and(Effects::of(64));
        assert!(effects.numbers().eq([0, 64, 127]));
        assert!(effects.has(127) && !effects.has(1) && !effects.has(128) && Effects::of(128).is_empty());
        assert!(effects.without(Effects::of(64)).numbers().eq([0, 127]));
        assert_eq!(effects.among(Effects::of(64)), Effects::of(64));
    }
}
