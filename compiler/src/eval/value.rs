//! What a value is called in a message.

use starlark::values::Value;

/// How many characters of a value a message shows.
const MOST_CHARACTERS: usize = 120;

/// A value's type, with its article.
pub(super) fn kind(value: Value<'_>) -> String {
    match value.get_type() {
        "NoneType" => "`None`".to_owned(),
        "string" => "a string".to_owned(),
        "int" | "float" => "a number".to_owned(),
        "bool" => "a boolean".to_owned(),
        "list" => "a list".to_owned(),
        "tuple" => "a tuple".to_owned(),
        "dict" => "a dict".to_owned(),
        "range" => "a range".to_owned(),
        "bytes" => "a bytes value".to_owned(),
        "matcher" => "a matcher".to_owned(),
        "option" => "an option".to_owned(),
        "function" | "native_function" => "a function".to_owned(),
        other => format!("a value of type `{other}`"),
    }
}

/// A value as the author would write it, shortened to fit a line.
pub(super) fn shown(value: Value<'_>) -> String {
    let text = value.to_repr();
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
