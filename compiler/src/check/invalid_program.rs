//! A program whose parts contradict one another.

use crate::diagnostics::{Code, Diagnostic, Edit, Fix, Site};

/// A program whose parts contradict one another.
pub const CODE: Code = Code("invalid-program");

/// `skip` at `site` is not a number of operands.
#[must_use]
pub fn skip(site: &Site) -> Diagnostic {
    Diagnostic::error(CODE, site, "`skip` of `program` is not a number of operands", "less than none, or far too many")
}

/// `keyword` at `site` is about what the program runs, and `operands` and the options say that it runs nothing.
/// `left_out` takes it out of the call.
#[must_use]
pub fn nothing_runs(site: &Site, keyword: &str, left_out: Option<Edit>) -> Diagnostic {
    let message = format!("`{keyword}` is about what a program runs, and this one runs nothing");
    let help = match keyword {
        "joined" => "say what text the operands are, as in `operands = \"shell\"`",
        "assignments" => "say that the operands are a command: `operands = \"command\"`",
        _ => "say what its `operands` are, or which option `runs` something",
    };
    Diagnostic::error(CODE, site, message, "without meaning")
        .with_help(help)
        .with_fix(Fix::choice(format!("leave `{keyword}` out"), left_out))
}

/// `keyword` at `site` says what the program inherits from its declaration before.
#[must_use]
pub fn inherited(site: &Site, keyword: &str) -> Diagnostic {
    let message = format!("`{keyword}` is inherited, and cannot be said again");
    Diagnostic::error(CODE, site, message, "inherited").with_help(
        "with `inherit = True` say no more than `options` and `paths`, or leave that out and declare all of the program",
    )
}

/// `moves` at `site` has the first operand be a folder, and `operands` says that it is something else.
#[must_use]
pub fn moves(site: &Site) -> Diagnostic {
    let message = "the first operand of a program is the folder to work in, and something else";
    Diagnostic::error(CODE, site, message, "contradicts `operands`")
        .with_help("keep one of them: an operand is only one thing")
}

/// The placeholder at `site` is empty; `left_out` takes it out of the call.
#[must_use]
pub fn placeholder(site: &Site, left_out: Option<Edit>) -> Diagnostic {
    Diagnostic::error(CODE, site, "the `placeholder` of `program` is empty", "stands for nothing")
        .with_help("write what stands for further words, such as `\"{}\"`, or leave it out")
        .with_fix(Fix::sure("leave `placeholder` out", left_out))
}

/// The path at `site` stands for more than `most` programs.
#[must_use]
pub fn too_many(site: &Site, most: usize) -> Diagnostic {
    let message = format!("a path of `program` stands for more than {most} programs");
    Diagnostic::error(CODE, site, message, "too many alternatives").with_help("declare fewer at once")
}

#[cfg(test)]
mod tests {
    use super::{inherited, moves, nothing_runs, placeholder, skip, too_many};
    use crate::check::testing::{message, site};

    #[test]
    fn says_what_has_no_meaning() {
        assert_eq!(message(&skip(&site())), "`skip` of `program` is not a number of operands");
        assert_eq!(
            message(&moves(&site())),
            "the first operand of a program is the folder to work in, and something else"
        );
        assert_eq!(message(&placeholder(&site(), None)), "the `placeholder` of `program` is empty");
        assert_eq!(
            message(&nothing_runs(&site(), "extends", None)),
            "`extends` is about what a program runs, and this one runs nothing"
        );
        assert_eq!(message(&inherited(&site(), "skip")), "`skip` is inherited, and cannot be said again");
        assert_eq!(message(&too_many(&site(), 9)), "a path of `program` stands for more than 9 programs");
    }
}
