//! What a part of a policy looks like, before it is known where it stands: text, and where lines may break.

/// How long a line may be, in characters.
pub const WIDTH: usize = 120;

/// How many columns a block or what brackets enclose stands to the right.
pub const INDENT: usize = 4;

/// A part, and what must be known of it to lay it out.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many characters it takes on one line; nothing if it can't stand on one.
    pub(super) width: Option<usize>,
    /// How many characters come before the first place where it may break.
    pub(super) lead: usize,
    /// Whether there is such a place.
    pub(super) breaks: bool,
    pub(super) shape: Shape,
}

#[derive(Debug)]
pub(super) enum Shape {
    /// As it is written; may span lines.
    Text(String),
    /// One after the other.
    Sequence(Vec<Layout>),
    /// Items between brackets.
    Brackets(Brackets),
    /// Operands, inside brackets, where lines may end after operators.
    Chain(Vec<Link>),
    /// A comment between parts, and whether it has a line of its own.
    Comment(String, bool),
    /// A backslash that joins lines.
    Join,
}

/// Items between brackets.
#[derive(Debug, Default)]
pub(super) struct Brackets {
    pub(super) open: String,
    pub(super) close: String,
    pub(super) items: Vec<Item>,
    /// Whether commas stand between the items.
    pub(super) commas: bool,
    /// Whether the last comma means something: in `(a,)`.
    pub(super) needs_comma: bool,
    /// Whether the author asks for a line an item, by a comma after the last.
    pub(super) exploded: bool,
    /// Whether lines hold as many items as fit.
    pub(super) filled: bool,
    /// Whether the last item may begin in the line of the opening bracket and end in that of the closing one.
    pub(super) hugging: bool,
    /// The comment after the opening bracket.
    pub(super) note: Option<String>,
    /// Comments before the closing bracket.
    pub(super) last: Vec<Lead>,
}

/// What stands between commas.
#[derive(Debug)]
pub(super) struct Item {
    /// Comments before it.
    pub(super) leads: Vec<Lead>,
    /// Whether a blank line precedes it.
    pub(super) spaced: bool,
    pub(super) layout: Layout,
    /// The comment after it.
    pub(super) note: Option<String>,
}

/// A comment in a line of its own.
#[derive(Debug)]
pub(super) struct Lead {
    /// Whether a blank line precedes it.
    pub(super) spaced: bool,
    pub(super) text: String,
}

/// An operand and the operator after it.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) leads: Vec<String>,
    pub(super) operand: Layout,
    pub(super) operator: Option<String>,
    pub(super) note: Option<String>,
}

impl Layout {
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let breaks = text.contains('\n');
        let lead = text.split('\n').next().unwrap_or_default().chars().count();
        Self { width: (!breaks).then_some(lead), lead, breaks, shape: Shape::Text(text) }
    }

    pub(super) fn comment(text: String, own_line: bool) -> Self {
        Self { width: None, lead: 0, breaks: true, shape: Shape::Comment(text, own_line) }
    }

    pub(super) fn join() -> Self {
        Self { width: None, lead: 0, breaks: true, shape: Shape::Join }
    }

    pub(super) fn sequence(parts: Vec<Self>) -> Self {
        let width = parts.iter().try_fold(0, |sum, part| Some(sum + part.width?));
        let (lead, breaks) = lead(&parts, 0);
        Self { width, lead, breaks, shape: Shape::Sequence(parts) }
    }

    pub(super) fn brackets(brackets: Brackets) -> Self {
        let remarks = brackets.note.is_some() || !brackets.last.is_empty();
        let remarked = |item: &Item| item.note.is_some() || !item.leads.is_empty();
        let between = if brackets.commas { 2 } else { 1 };
        let items = brackets.items.iter().try_fold(0, |sum, item| Some(sum + item.layout.width?));
        let width =
            items.filter(|_| !brackets.exploded && !remarks && !brackets.items.iter().any(remarked)).map(|items| {
                let separators = between * brackets.items.len().saturating_sub(1) + usize::from(brackets.needs_comma);
                brackets.open.len() + items + separators + brackets.close.len()
            });
        let empty = brackets.items.is_empty() && width.is_some();
        let lead = if empty { width.unwrap_or_default() } else { brackets.open.len() };
        Self { width, lead, breaks: !empty, shape: Shape::Brackets(brackets) }
    }

    pub(super) fn chain(links: Vec<Link>) -> Self {
        let width = links.iter().try_fold(0, |sum, link| {
            let plain = link.leads.is_empty() && link.note.is_none();
            let operator = link.operator.as_ref().map_or(0, |operator| operator.chars().count() + 2);
            Some(sum + link.operand.width.filter(|_| plain)? + operator)
        });
        let lead = links.first().map_or(0, |link| link.operand.lead);
        Self { width, lead, breaks: true, shape: Shape::Chain(links) }
    }
}

/// How many characters come before the first place where `parts`, and what takes `after` characters, may break.
pub(super) fn lead(parts: &[Layout], after: usize) -> (usize, bool) {
    let mut lead = 0;
    for part in parts {
        lead += part.lead;
        if part.breaks {
            return (lead, true);
        }
    }
    (lead + after, false)
}
