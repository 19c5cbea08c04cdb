//! `textDocument/completion`: what may be written at a place.

use policyc::ide::{self, Completion, CompletionKind};

use crate::protocol::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse, CompletionTextEdit,
    Documentation, InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use crate::snapshot::{At, Snapshot};

pub(crate) fn answer(snapshot: &Snapshot, params: &CompletionParams, snippets: bool) -> Option<CompletionResponse> {
    let at = snapshot.at(&params.text_document_position)?;
    let completions = ide::completions(&snapshot.db, at.here.set, at.here.file, at.offset);
    let (completions, more) = ide::fitting(completions, at.here.file.text(&snapshot.db), at.offset);
    let items: Vec<_> = completions.into_iter().enumerate().map(|(place, it)| item(&at, place, it, snippets)).collect();
    if more {
        // For those that are left out, the editor asks again as more is typed.
        return Some(CompletionResponse::List(CompletionList { is_incomplete: true, items }));
    }
    Some(CompletionResponse::Array(items))
}

fn item(at: &At<'_>, place: usize, completion: Completion, snippets: bool) -> CompletionItem {
    let Completion { label, kind, detail, documentation, span, text, snippet } = completion;
    let plain = if snippet { label.clone() } else { text.clone() };
    let new_text = if snippet && !snippets { without_places(&text) } else { text };
    let documentation = MarkupContent { kind: MarkupKind::Markdown, value: documentation };
    CompletionItem {
        kind: Some(self::kind(kind)),
        detail: Some(detail).filter(|detail| !detail.is_empty()),
        documentation: Some(documentation).filter(|it| !it.value.is_empty()).map(Documentation::MarkupContent),
        // What fits best comes first, and editors sort by this text.
        sort_text: Some(format!("{place:05}")),
        filter_text: Some(plain).filter(|text| *text != label),
        insert_text_format: (snippet && snippets).then_some(InsertTextFormat::SNIPPET),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: at.lines.range(span), new_text })),
        label,
        ..CompletionItem::default()
    }
}

/// A snippet as plain text, for an editor that knows no places to fill in.
fn without_places(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\\' => text.extend(rest.next()),
            '$' => {
                if rest.next_if_eq(&'{').is_some() {
                    // `${1:word}` stands for its word.
                    let inside: String = rest.by_ref().take_while(|character| *character != '}').collect();
                    text.push_str(inside.split_once(':').map_or("", |(_, word)| word));
                } else {
                    while rest.next_if(char::is_ascii_digit).is_some() {}
                }
            }
            character => text.push(character),
        }
    }
    text
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Builtin | CompletionKind::Function => CompletionItemKind::FUNCTION,
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Argument => CompletionItemKind::FIELD,
        CompletionKind::Value => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Program => CompletionItemKind::MODULE,
        CompletionKind::Option => CompletionItemKind::PROPERTY,
        CompletionKind::Word => CompletionItemKind::TEXT,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    }
}

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn a_snippet_reads_well_without_its_places() {
        assert_eq!(without_places(r#"prefix_rule([$1], "${2:prompt}")$0"#), r#"prefix_rule([], "prompt")"#);
        assert_eq!(without_places(r"a\$b"), "a$b");
    }
}
