//! `textDocument/semanticTokens`: what each piece of a file is, all at once, in a range, or as it differs from before.

use policyc::ide::{self, SemanticKind};
use policyc::source::Span;

use crate::protocol::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit,
    SemanticTokensFullDeltaResult, SemanticTokensLegend, Uri,
};
use crate::snapshot::Snapshot;

const TYPES: [SemanticTokenType; 9] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::NUMBER,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PROPERTY,
];

const MODIFIERS: [SemanticTokenModifier; 8] = [
    SemanticTokenModifier::DEFAULT_LIBRARY,
    SemanticTokenModifier::DOCUMENTATION,
    SemanticTokenModifier::new("word"),
    SemanticTokenModifier::new("command"),
    SemanticTokenModifier::new("path"),
    SemanticTokenModifier::new("allow"),
    SemanticTokenModifier::new("prompt"),
    SemanticTokenModifier::new("forbidden"),
];

/// What the numbers in tokens mean.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// The number of a kind's type, and the bit of its modifier.
const fn numbers(kind: SemanticKind) -> (u32, u32) {
    match kind {
        SemanticKind::Keyword => (0, 0),
        SemanticKind::Comment => (1, 0),
        SemanticKind::Scratch => (1, 1 << 1),
        SemanticKind::Number => (2, 0),
        SemanticKind::Constant => (3, 0),
        SemanticKind::String => (4, 0),
        SemanticKind::Word => (4, 1 << 2),
        SemanticKind::Command => (4, 1 << 3),
        SemanticKind::Path => (4, 1 << 4),
        SemanticKind::Allow => (4, 1 << 5),
        SemanticKind::Prompt => (4, 1 << 6),
        SemanticKind::Forbidden => (4, 1 << 7),
        SemanticKind::Builtin => (5, 1),
        SemanticKind::Function => (5, 0),
        SemanticKind::Parameter => (6, 0),
        SemanticKind::Variable => (7, 0),
        SemanticKind::Property => (8, 0),
    }
}

/// The tokens of a range, or of the whole document.
pub(crate) fn answer(
    snapshot: &Snapshot,
    uri: &Uri,
    range: Option<crate::protocol::Range>,
) -> Option<Vec<SemanticToken>> {
    let here = snapshot.here(uri)?;
    let lines = snapshot.lines(here.file);
    let text = here.file.text(&snapshot.db);
    let whole = Span::from(0..text.len());
    let within = range.map_or(whole, |range| lines.span(range));
    let mut tokens = Vec::new();
    let (mut line, mut column) = (0, 0);
    for token in ide::semantic_tokens(&snapshot.db, here.set, here.file, within) {
        let (token_type, token_modifiers_bitset) = numbers(token.kind);
        // Few editors take a token of several lines.
        let mut start = token.span.start;
        for piece in token.span.of(text).split_inclusive('\n') {
            let length = u32::try_from(piece.trim_end_matches(['\n', '\r']).len()).unwrap_or_default();
            let range = lines.range(Span::new(start, start + length));
            start += u32::try_from(piece.len()).unwrap_or_default();
            if length == 0 {
                continue;
            }
            let delta_line = range.start.line - line;
            let before = if delta_line == 0 { column } else { 0 };
            tokens.push(SemanticToken {
                delta_line,
                delta_start: range.start.character.saturating_sub(before),
                length: range.end.character.saturating_sub(range.start.character),
                token_type,
                token_modifiers_bitset,
            });
            (line, column) = (range.start.line, range.start.character);
        }
    }
    Some(tokens)
}

/// The tokens that were last told of a document, by the id under which they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    id: u64,
    tokens: Vec<SemanticToken>,
}

impl Told {
    /// All tokens, under a new id.
    pub(crate) fn full(&mut self, tokens: Vec<SemanticToken>) -> SemanticTokens {
        self.id += 1;
        self.tokens.clone_from(&tokens);
        SemanticTokens { result_id: Some(self.id.to_string()), data: tokens }
    }

    /// What changed since those of `previous`, or all if that is not what was last told.
    pub(crate) fn delta(&mut self, previous: &str, tokens: Vec<SemanticToken>) -> SemanticTokensFullDeltaResult {
        if self.id == 0 || previous != self.id.to_string() {
            return self.full(tokens).into();
        }
        let old = std::mem::take(&mut self.tokens);
        let most = old.len().min(tokens.len());
        let before = old.iter().zip(&tokens).take_while(|(one, other)| one == other).count();
        let alike = old.iter().rev().zip(tokens.iter().rev()).take_while(|(one, other)| one == other).count();
        let after = alike.min(most - before);
        let number = |tokens: usize| u32::try_from(5 * tokens).unwrap_or(u32::MAX);
        let new = tokens.get(before..tokens.len() - after).unwrap_or_default().to_vec();
        let edit = SemanticTokensEdit {
            start: number(before),
            delete_count: number(old.len() - after - before),
            data: Some(new).filter(|new| !new.is_empty()),
        };
        let edits = if edit.delete_count == 0 && edit.data.is_none() { Vec::new() } else { vec![edit] };
        self.id += 1;
        self.tokens = tokens;
        SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id: Some(self.id.to_string()), edits })
    }
}
