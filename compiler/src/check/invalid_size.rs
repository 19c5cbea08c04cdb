//! Something too large to be read or made.

use crate::diagnostics::{Code, Diagnostic, Site};

/// Something too large to be read or made.
pub const CODE: Code = Code("invalid-size");

/// The file at `site` has `bytes` bytes, more than `most`.
#[must_use]
pub fn file(site: &Site, bytes: usize, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, site, format!("the file is larger than {} MiB", most >> 20), format!("{bytes} bytes"))
        .with_note("a policy this large is most likely not a policy")
        .with_help("split the policy into several files")
}

/// The repetition at `site` makes `bytes` bytes, more than `most`.
#[must_use]
pub fn sequence(site: &Site, bytes: u64, most: u64) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        format!("a value would take more than {} MiB", most >> 20),
        format!("makes about {bytes} bytes"),
    )
}

/// At `site` all `items` numbers of a range are copied, more than `most`.
#[must_use]
pub fn range(site: &Site, items: u64, most: u64) -> Diagnostic {
    Diagnostic::error(
        CODE,
        site,
        format!("more than {most} numbers would be copied at once"),
        format!("{items} numbers"),
    )
    .with_help("loop over the range itself")
}

#[cfg(test)]
mod tests {
    use super::{file, range, sequence};
    use crate::check::testing::{message, site};

    #[test]
    fn names_the_bound() {
        assert_eq!(message(&file(&site(), 50 << 20, 16 << 20)), "the file is larger than 16 MiB");
        assert_eq!(message(&sequence(&site(), 1 << 31, 128 << 20)), "a value would take more than 128 MiB");
        assert_eq!(message(&range(&site(), 1 << 30, 1000)), "more than 1000 numbers would be copied at once");
    }
}
