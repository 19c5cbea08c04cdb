//! Pieces of sentences.

/// The names in backticks, with commas and, before the last, `conjunction`.
pub(crate) fn list(names: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {conjunction} {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// `text` without its first capital, unless that begins a name.
pub(crate) fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if !characters.clone().next().is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::list;

    #[test]
    fn the_last_name_is_joined_by_a_word() {
        assert_eq!(list(&["a"], "or"), "`a`");
        assert_eq!(list(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    }
}
