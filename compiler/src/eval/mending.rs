//! Edits of a call's own text, for mistakes that can be mended by one.

use starlark::values::Value;

use super::call::{Call, Part};
use crate::diagnostics::{Edit, Site};
use crate::source::Span;
use crate::syntax::{Step, insertion, literal, locate, removal, statement_removal};

impl<'v> Call<'_, 'v> {
    /// `text` in place of what stands at `span`, in the file that holds the call.
    pub(super) fn edit(&self, span: Span, text: impl Into<String>) -> Edit {
        Edit { file: self.origin().file, span, text: text.into() }
    }

    /// `text` in place of the literal that `part` shows.
    pub(super) fn rewritten(&self, part: &Part, text: impl Into<String>) -> Option<Edit> {
        part.literal.then(|| self.edit(part.site.span, text))
    }

    /// The literal of the list that `part` shows, or of the item of one, goes.
    pub(super) fn dropped(&self, part: &Part) -> Option<Edit> {
        let removed = part.literal.then(|| removal(self.source(), self.origin().span, part.site.span));
        removed.flatten().map(|span| self.edit(span, ""))
    }

    /// What stands at `site`, an item or an argument of a call, goes.
    pub(super) fn taken_out(&self, site: &Site) -> Option<Edit> {
        removal(self.source(), self.origin().span, site.span).map(|span| self.edit(span, ""))
    }

    /// The call goes, which is a statement at top level.
    pub(super) fn gone(&self) -> Option<Edit> {
        let origin = self.origin();
        let removed = origin.stack.is_empty().then(|| statement_removal(self.source(), origin.span)).flatten();
        removed.map(|span| self.edit(span, ""))
    }

    /// The argument that gives the parameter at `index` by name goes.
    pub(super) fn left_out(&self, index: usize) -> Option<Edit> {
        self.keyword_left_out(self.name(index))
    }

    /// The last argument called `name` goes.
    pub(super) fn keyword_left_out(&self, name: &str) -> Option<Edit> {
        let keyword = locate(self.source(), self.origin().span, &[Step::Keyword(name)]).span;
        let after = self.source().get(keyword.end as usize..)?.trim_start();
        let named = keyword.of(self.source()) == name && after.starts_with('=') && !after.starts_with("==");
        let removed = named.then(|| removal(self.source(), self.origin().span, keyword)).flatten();
        removed.map(|span| self.edit(span, ""))
    }

    /// The positional arguments from the one at `first` on, each with the name of the parameter at its place; nothing if
    /// there are more of them than parameters, or one is named already.
    pub(super) fn named(&self, parameters: &[&str], first: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        for position in first.. {
            let span = locate(self.source(), self.origin().span, &[Step::Positional(position)]).span;
            if span == self.origin().span {
                break;
            }
            let keyword = |name| locate(self.source(), self.origin().span, &[Step::Keyword(name)]).span;
            match parameters.get(position) {
                Some(name) if keyword(*name) == self.origin().span => {
                    edits.push(self.edit(Span::new(span.start, span.start), format!("{name} = ")));
                }
                _ => return Vec::new(),
            }
        }
        edits
    }

    /// Whether the call's text shows the value of the parameter at `index`, if one is given.
    pub(super) fn shows(&self, index: usize) -> bool {
        !self.is_given(index) || locate(self.source(), self.origin().span, &[self.parameter(index)]).literal
    }

    /// The argument `argument` as a further one.
    pub(super) fn further(&self, argument: &str) -> Option<Edit> {
        let (span, text) = insertion(self.source(), self.origin().span, argument)?;
        Some(self.edit(span, text))
    }

    /// The text at `part`, without its first and last bytes, between `open` and `close`.
    fn bracketed(&self, part: &Part, open: &str, close: &str) -> Vec<Edit> {
        let Span { start, end } = part.site.span;
        vec![self.edit(Span::new(start, start + 1), open), self.edit(Span::new(end - 1, end), close)]
    }

    /// `open` and `close` around the literal that `part` shows.
    pub(super) fn enclosed(&self, part: &Part, open: &str, close: &str) -> Vec<Edit> {
        let Span { start, end } = part.site.span;
        let edits = || vec![self.edit(Span::new(start, start), open), self.edit(Span::new(end, end), close)];
        if part.literal { edits() } else { Vec::new() }
    }

    /// A list in place of the tuple that `part` shows.
    pub(super) fn listed(&self, part: &Part) -> Vec<Edit> {
        let text = part.site.span.of(self.source());
        let tuple = part.literal && text.starts_with('(') && text.ends_with(')');
        if tuple { self.bracketed(part, "[", "]") } else { Vec::new() }
    }

    /// The items of the list that `part` shows, without its brackets.
    pub(super) fn spliced(&self, part: &Part) -> Vec<Edit> {
        let text = part.site.span.of(self.source());
        let items = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).map(str::trim_end);
        match items {
            Some(items) if part.literal && !items.is_empty() && !items.ends_with(',') => self.bracketed(part, "", ""),
            _ => Vec::new(),
        }
    }

    /// What makes the value given for the parameter at `index` one that is `expected`.
    pub(super) fn retyped(&self, index: usize, part: &Part, value: Value<'_>, expected: &str) -> Vec<Edit> {
        if !part.literal {
            return Vec::new();
        }
        let edit = match (value.get_type(), value.unpack_str()) {
            ("NoneType", _) if !self.is_required(index) => self.left_out(index),
            ("tuple", _) if expected.contains("a list") => return self.listed(part),
            (_, Some(text)) if expected == "a list" && self.name(index) == "pattern" => {
                let words: Vec<String> = text.split_whitespace().map(literal::written).collect();
                Some(self.edit(part.site.span, format!("[{}]", words.join(", "))))
            }
            (_, Some(_)) if expected == "a list" => {
                Some(self.edit(part.site.span, format!("[{}]", part.site.span.of(self.source()))))
            }
            (_, Some(text)) if expected == "a boolean" => {
                let meant = ["True", "False"].into_iter().find(|value| value.eq_ignore_ascii_case(text));
                meant.map(|value| self.edit(part.site.span, value))
            }
            ("int", _) if expected == "a boolean" => match value.unpack_i32() {
                Some(0) => Some(self.edit(part.site.span, "False")),
                Some(1) => Some(self.edit(part.site.span, "True")),
                _ => None,
            },
            _ => None,
        };
        edit.into_iter().collect()
    }
}
