//! What Starlark itself defines, as its engine describes it.

use std::sync::LazyLock;

use starlark::docs::{DocItem, DocMember};

use super::builtins::GLOBALS;
use super::signatures;

/// A name that Starlark defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standard {
    /// The name.
    pub name: String,
    /// How it is called, as code.
    pub code: String,
    /// What it does, as Markdown; may be empty.
    pub documentation: String,
    /// Whether it is a function.
    pub function: bool,
}

/// The names that Starlark defines, beyond the builtins of policies, sorted.
#[must_use]
pub fn standard() -> &'static [Standard] {
    static STANDARD: LazyLock<Vec<Standard>> = LazyLock::new(|| {
        let members = GLOBALS.documentation().members.into_iter();
        let own = |name: &str| signatures().iter().any(|signature| signature.builtin == name);
        let mut standard: Vec<Standard> =
            members.filter(|(name, _)| !own(name)).map(|(name, item)| described(name, &item)).collect();
        standard.sort_by(|one, other| one.name.cmp(&other.name));
        standard
    });
    &STANDARD
}

fn described(name: String, item: &DocItem) -> Standard {
    let (code, function) = match item {
        DocItem::Member(DocMember::Function(function)) => (function.render_as_code(&name), true),
        DocItem::Type(ty) => (ty.constructor.as_ref().map_or(name.clone(), |new| new.render_as_code(&name)), true),
        _ => (name.clone(), false),
    };
    // The engine renders a definition, of which the head alone is wanted.
    let head = code.lines().find_map(|line| line.strip_prefix("def "));
    let head = head.map(|head| head.split(" -> ").next().unwrap_or(head).trim_end_matches([':', ' ']));
    let code = head.unwrap_or(&code).to_owned();
    let documentation = item.get_doc_string().map_or(String::new(), |docs| match &docs.details {
        Some(details) => format!("{}\n\n{details}", docs.summary),
        None => docs.summary.clone(),
    });
    Standard { name, code, documentation, function }
}

#[cfg(test)]
mod tests {
    use super::standard;

    #[test]
    fn the_engine_describes_its_own_functions() {
        let of = |name: &str| standard().iter().find(|it| it.name == name).unwrap();
        assert_eq!((of("len").code.as_str(), of("len").documentation.is_empty()), ("len(a, /)", false));
        assert_eq!(of("bytes").code, "bytes(x, /)");
        assert!(!of("True").function);
        assert!(standard().iter().all(|it| it.name != "prefix_rule"));
    }
}
