//! A policy that does not come to an end.

use crate::diagnostics::{Code, Diagnostic, Site};

/// A policy that does not come to an end.
pub const CODE: Code = Code("unreachable-end");

/// The run was stopped at `site` after `most` steps.
#[must_use]
pub fn steps(site: &Site, most: u64) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the policy takes more than {most} steps"), "stopped here")
        .with_note("a call of a function and a turn of a loop are steps")
}

/// The run was stopped at `site` because its values take more than `most` bytes.
#[must_use]
pub fn memory(site: &Site, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the policy needs more than {} MiB of memory", most >> 20), "stopped here")
}

/// The call at `site` is more than `most` calls deep.
#[must_use]
pub fn depth(site: &Site, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("calls nest more than {most} levels deep"), "stopped here")
        .with_note("a function that calls itself needs a case in which it does not")
}

/// The declarations up to the one at `site` take more than `most` bytes together.
#[must_use]
pub fn declarations(site: &Site, most: usize) -> Diagnostic {
    let message = format!("the policy declares more than {} MiB of rules", most >> 20);
    Diagnostic::error(CODE, site, message, "stopped here")
}

/// The calls up to the one at `site` make more than `most` mistakes together.
#[must_use]
pub fn mistakes(site: &Site, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the policy makes more than {most} mistakes"), "stopped here")
}

#[cfg(test)]
mod tests {
    use super::{declarations, depth, memory, mistakes, steps};
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_bound() {
        assert_eq!(message(&steps(&site(), 100)), "the policy takes more than 100 steps");
        assert_eq!(message(&memory(&site(), 512 << 20)), "the policy needs more than 512 MiB of memory");
        assert_eq!(message(&depth(&site(), 50)), "calls nest more than 50 levels deep");
        assert_eq!(message(&mistakes(&site(), 10)), "the policy makes more than 10 mistakes");
        assert_eq!(message(&declarations(&site(), 256 << 20)), "the policy declares more than 256 MiB of rules");
    }
}
