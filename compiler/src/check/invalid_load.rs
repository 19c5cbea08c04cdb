//! A `load` that cannot name a file.

use crate::diagnostics::{Code, Diagnostic, Site};
use crate::syntax::LoadPathError;

/// A `load` that cannot name a file.
pub const CODE: Code = Code("invalid-load");

/// The path `given` at `site` cannot name a file, for the reason `error`.
#[must_use]
pub fn path(site: &Site, given: &str, error: LoadPathError) -> Diagnostic {
    match error {
        LoadPathError::Form => {
            let diagnostic = Diagnostic::error(
                CODE,
                site,
                format!("`{given}` is not a path that `load` knows"),
                "begins with neither `./`, `../` nor `@std//`",
            )
            .with_note("a path is relative to the folder of the file that loads it; `@std//` is the shipped policies");
            if given.is_empty() || given.starts_with(['/', '@', '.']) {
                diagnostic
            } else {
                diagnostic.with_replacement("say that the path is relative", format!("\"./{given}\""))
            }
        }
        LoadPathError::Outside => {
            Diagnostic::error(CODE, site, format!("`{given}` leads out of the policy set"), "leads outside")
                .with_note("a policy loads only files below the folders that the policy set was made from")
                .with_help("move the loaded file into the policy's folder, or check a folder that holds both")
        }
    }
}

/// The file loaded as `given` at `site` loads this one again; `labels` are the files on the way, first and last the same.
#[must_use]
pub fn cycle(site: &Site, given: &str, labels: &[String]) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("`{given}` loads this file again"), "closes a cycle")
        .with_note(format!("the cycle is `{}`", labels.join("` → `")))
        .with_help("move what both files need into a third one")
}

/// Loads nest deeper than `most` files at `site`.
#[must_use]
pub fn depth(site: &Site, given: &str, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("loads nest more than {most} files deep at `{given}`"), "too deep")
}

#[cfg(test)]
mod tests {
    use super::{cycle, depth, path};
    use crate::check::testing::{message, site};
    use crate::syntax::LoadPathError;

    #[test]
    fn says_what_would_be_a_path() {
        let form = path(&site(), "common.rules", LoadPathError::Form);
        assert_eq!(message(&form), "`common.rules` is not a path that `load` knows");
        assert_eq!(form.fixes[0].edits[0].text, "\"./common.rules\"");
        let outside = path(&site(), "../../x", LoadPathError::Outside);
        assert_eq!(message(&outside), "`../../x` leads out of the policy set");
        let labels = ["a".to_owned(), "b".to_owned(), "a".to_owned()];
        let cycle = cycle(&site(), "./b", &labels);
        assert_eq!(cycle.notes, ["the cycle is `a` → `b` → `a`"]);
        assert_eq!(message(&depth(&site(), "./b", 64)), "loads nest more than 64 files deep at `./b`");
    }
}
