//! Tools and the rules for their calls, as a table holds them.

use core::num::NonZeroU32;

use crate::declarations::{Element, justification};
use crate::effects::{Effects, element, placed};
use crate::format::{NONE, parameter, piece, tool};
use crate::matcher::{Matcher, glob};
use crate::record::{Record, Records};
use crate::table::Table;
use crate::{Alternative, Decision};

/// What the value of a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A place in the workspace.
    Path,
    /// A place that is only read.
    SourcePath,
    /// An address.
    Url,
    /// A host.
    Host,
    /// A unit of the system's services.
    Unit,
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A list.
    List,
    /// An object.
    Object,
    /// Any of these.
    Any,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 12] = [
        Self::Path,
        Self::SourcePath,
        Self::Url,
        Self::Host,
        Self::Unit,
        Self::Text,
        Self::Integer,
        Self::Number,
        Self::Boolean,
        Self::List,
        Self::Object,
        Self::Any,
    ];

    /// The word that policies use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::SourcePath => "source_path",
            Self::Url => "url",
            Self::Host => "host",
            Self::Unit => "unit",
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::List => "list",
            Self::Object => "object",
            Self::Any => "any",
        }
    }

    /// Whether its values are strings.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Path | Self::SourcePath | Self::Url | Self::Host | Self::Unit | Self::Text)
    }

    /// Whether one word can hold any of its values.
    #[must_use]
    pub const fn is_word(self) -> bool {
        self.is_text() || matches!(self, Self::Integer | Self::Number | Self::Boolean)
    }
}

/// What a call of a tool costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cost {
    /// Next to nothing.
    Low,
    /// Something.
    Medium,
    /// Enough to think twice.
    High,
}

impl Cost {
    /// Every cost, from the lowest on.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The word that policies use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

placed!(Tool);
placed!(ToolRule);

impl<'t> Table<'t> {
    /// The tools, sorted by name.
    pub fn tools(&'t self) -> impl ExactSizeIterator<Item = Tool<'t>> {
        self.tools.iter().map(|record| Tool { table: self, record })
    }

    /// The tool of this name.
    #[must_use]
    pub fn tool(&'t self, name: &str) -> Option<Tool<'t>> {
        let before = |record: Record<'_, 52>| self.text(record.field(0), record.field(1)) < name;
        let record = self.tools.get(self.tools.partition_point(before) as u32)?;
        Some(Tool { table: self, record }).filter(|tool| tool.name() == name)
    }

    /// The rules for tool calls, in order of definition.
    pub fn tool_rules(&'t self) -> impl ExactSizeIterator<Item = ToolRule<'t>> {
        self.tool_rules.iter().map(|record| ToolRule { table: self, record })
    }
}

/// A tool that can be called.
#[derive(Clone, Copy)]
pub struct Tool<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 52>,
}

impl<'t> Tool<'t> {
    /// Its name: a word, or `server/tool`.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// What a call does; at least one effect.
    #[must_use]
    pub fn effects(&self) -> Effects {
        self.table.effects(self.record.field(2))
    }

    /// What a call claims.
    #[must_use]
    pub fn claims(&self) -> Effects {
        self.table.effects(self.record.field(6))
    }

    /// Whether neither approvals nor grants discharge what it asks.
    #[must_use]
    pub fn locked(&self) -> bool {
        self.record.field(3) & tool::LOCKED != 0
    }

    /// Whether calling it again changes nothing more.
    #[must_use]
    pub fn idempotent(&self) -> bool {
        self.record.field(3) & tool::IDEMPOTENT != 0
    }

    /// What it costs, if that is said.
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        Cost::ALL.get((self.record.field(3) & tool::COST).checked_sub(1)? as usize).copied()
    }

    /// How many seconds a call may take, if that is said.
    #[must_use]
    pub fn timeout(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(self.record.field(12))
    }

    /// What it takes, in the order of its declaration: at most
    /// [`MOST_TOOL_PARAMETERS`](crate::format::MOST_TOOL_PARAMETERS).
    pub fn parameters(&self) -> impl Iterator<Item = ToolParameter<'t>> + use<'t> {
        let table = self.table;
        let parameters = table.tool_parameters.range(self.record.field(7), self.record.field(8));
        parameters.into_iter().flat_map(|all| all.iter()).map(move |record| ToolParameter { table, record })
    }

    /// The parameter whose value is the target of a call. It is one that a call must give, and a text.
    #[must_use]
    pub fn target(&self) -> Option<ToolParameter<'t>> {
        let place = self.record.field(9);
        if place == NONE { None } else { self.parameters().nth(place as usize) }
    }

    /// The command that it runs, word by word; none for one that runs no command.
    pub fn command(&self) -> impl Iterator<Item = ArgumentWord<'t>> + use<'t> {
        let table = self.table;
        let pieces = table.pieces.range(self.record.field(10), self.record.field(11));
        pieces.into_iter().flat_map(|pieces| pieces.iter()).map(move |record| {
            let text = table.text(record.field(1), record.field(2));
            if record.field(0) == piece::LITERAL { ArgumentWord::Literal(text) } else { ArgumentWord::Parameter(text) }
        })
    }
}

/// A word of the command that a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentWord<'t> {
    /// This word.
    Literal(&'t str),
    /// The value of the parameter of this name, as one word.
    Parameter(&'t str),
}

/// A parameter of a tool.
#[derive(Clone, Copy)]
pub struct ToolParameter<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 12>,
}

impl<'t> ToolParameter<'t> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'t str {
        self.table.text(self.record.field(0), self.record.field(1))
    }

    /// What its value is.
    #[must_use]
    pub fn role(&self) -> Role {
        Role::ALL.get((self.record.field(2) & parameter::ROLE) as usize).copied().unwrap_or(Role::Any)
    }

    /// Whether a call may leave it out.
    #[must_use]
    pub fn optional(&self) -> bool {
        self.record.field(2) & parameter::OPTIONAL != 0
    }
}

/// Names of tools.
#[derive(Clone, Copy)]
pub struct ToolPattern<'t>(Element<'t>);

impl<'t> ToolPattern<'t> {
    pub(crate) fn new(table: &'t Table<'t>, start: u32) -> Option<Self> {
        element(table, start).map(Self)
    }

    /// The names: words, and matchers of which a glob describes the server and the tool each for itself.
    pub fn alternatives(&self) -> impl Iterator<Item = Alternative<'t>> + use<'t> {
        self.0.alternatives()
    }

    /// Whether this is one of the names. No wildcard of a glob stands for the `/` between a server and its tool.
    #[must_use]
    pub fn describes(&self, name: &str) -> bool {
        self.alternatives().any(|alternative| match alternative {
            Alternative::Word(known) => known == name,
            Alternative::Matcher(Matcher::AnyWord) => true,
            Alternative::Matcher(Matcher::Glob(pattern)) => describes_tool(pattern, name),
            Alternative::Matcher(Matcher::Path(_)) => false,
        })
    }
}

/// Whether the glob describes the tool of this name: its server and the tool each for itself.
#[must_use]
pub fn describes_tool(pattern: &str, name: &str) -> bool {
    match (pattern.split_once('/'), name.split_once('/')) {
        (None, None) => glob(pattern, name, false),
        (Some((server, tool)), Some((named, called))) => {
            !called.contains('/') && glob(server, named, false) && glob(tool, called, false)
        }
        _ => false,
    }
}

/// A rule for tool calls.
#[derive(Clone, Copy)]
pub struct ToolRule<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 40>,
}

impl<'t> ToolRule<'t> {
    /// What it says of a call that it matches.
    #[must_use]
    pub fn decision(&self) -> Decision {
        Decision::from_bits(self.record.field(3))
    }

    /// Why, in the author's words.
    #[must_use]
    pub fn justification(&self) -> Option<&'t str> {
        justification(self.table, self.record)
    }

    /// The names of the tools that it is about.
    #[must_use]
    pub fn tool(&self) -> Option<ToolPattern<'t>> {
        ToolPattern::new(self.table, self.record.field(0))
    }

    /// What a call must be given, each as a JSON pointer and what its value may be.
    pub fn arguments(&self) -> impl Iterator<Item = (&'t str, Element<'t>)> + use<'t> {
        arguments(self.table, self.record.field(1), self.record.field(2))
    }

    /// Calls that it is not about.
    pub fn unless(&self) -> impl Iterator<Item = ToolException<'t>> + use<'t> {
        let table = self.table;
        let exceptions: Option<Records<'t, 12>> =
            table.tool_exceptions.range(self.record.field(8), self.record.field(9));
        exceptions.into_iter().flat_map(|all| all.iter()).map(move |record| ToolException { table, record })
    }
}

/// Calls that a rule is not about: those that it describes in all respects.
#[derive(Clone, Copy)]
pub struct ToolException<'t> {
    table: &'t Table<'t>,
    record: Record<'t, 12>,
}

impl<'t> ToolException<'t> {
    /// The names of the tools; nothing for all that the rule is about.
    #[must_use]
    pub fn tool(&self) -> Option<ToolPattern<'t>> {
        ToolPattern::new(self.table, self.record.field(0))
    }

    /// What the call is given, as in the rule.
    pub fn arguments(&self) -> impl Iterator<Item = (&'t str, Element<'t>)> + use<'t> {
        arguments(self.table, self.record.field(1), self.record.field(2))
    }
}

fn arguments<'t>(table: &'t Table<'t>, first: u32, number: u32) -> impl Iterator<Item = (&'t str, Element<'t>)> {
    let arguments = table.tool_arguments.range(first, number);
    arguments.into_iter().flat_map(|all| all.iter()).filter_map(move |record| {
        let pointer = table.text(record.field(0), record.field(1));
        Some((pointer, element(table, record.field(2))?))
    })
}

#[cfg(test)]
mod tests {
    use super::describes_tool;

    #[test]
    fn no_wildcard_stands_for_the_slash() {
        for (pattern, name) in [("wiki/*", "wiki/read"), ("*/read_*", "a/read_x"), ("fs_*", "fs_read"), ("*/*", "a/b")]
        {
            assert!(describes_tool(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("fs*", "fs/read"),
            ("*", "a/b"),
            ("a/*", "a/b/c"),
            ("*/*", "a"),
            ("w[!x]*/b", "wiki/a"),
            ("a_*/x", "a-b/x"),
        ] {
            assert!(!describes_tool(pattern, name), "{pattern} {name}");
        }
    }
}
