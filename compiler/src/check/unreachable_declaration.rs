//! A declaration that never counts, because its layer is not trusted.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A declaration that never counts, because its layer is not trusted.
pub const CODE: Code = Code("unreachable-declaration");

/// `what` (such as "an allow rule") at `site` is ignored, and `more` others of the file with it: `layer` may only restrict.
#[must_use]
pub fn diagnostic(site: &Site, what: &str, layer: &str, more: usize) -> Diagnostic {
    let layer = if layer.is_empty() { "its layer".to_owned() } else { format!("the layer `{}`", layer.escape_debug()) };
    let message = format!("{what} is ignored, because {layer} is not trusted");
    let diagnostic = Diagnostic::warning(CODE, site, message, "has no effect")
        .with_note("an untrusted layer restricts: its `prompt` and `forbidden` count, and nothing that permits")
        .with_help("move it into a file of a trusted layer");
    if more > 0 {
        diagnostic.with_note(format!("{more} more declarations of the file are ignored"))
    } else {
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_layer() {
        let diagnostic = super::diagnostic(&site(), "an allow rule", "project", 2);
        assert_eq!(message(&diagnostic), "an allow rule is ignored, because the layer `project` is not trusted");
        assert_eq!(diagnostic.notes.last().unwrap(), "2 more declarations of the file are ignored");
    }
}
