//! Text in which values of a tool call stand: words of the command that it runs, and facts.

use crate::check::invalid_fact::Problem;
use crate::check::invalid_name::Named;
use crate::rules::effects::Piece;

/// A word of `argv`: all of it is the parameter between its braces, or none of it.
pub(super) fn word(text: &str) -> Result<Piece, &str> {
    match braced(text) {
        Some(("", name, "")) => Ok(Piece::Parameter(name.to_owned())),
        Some((_, name, _)) => Err(name),
        None => Ok(Piece::Literal(text.to_owned())),
    }
}

/// The first name in braces, with what stands before and after them. Braces around anything else are text.
fn braced(text: &str) -> Option<(&str, &str, &str)> {
    text.match_indices('{').find_map(|(open, _)| {
        let (before, inner) = (text.get(..open)?, text.get(open + 1..)?);
        let (name, after) = inner.split_once('}')?;
        Named::Parameter.permits(name).then_some((before, name, after))
    })
}

/// The pieces of a fact.
pub(super) fn fact(text: &str) -> Result<Vec<Piece>, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::Blank);
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['{', '}']).unwrap_or(rest.len());
        let (literal, after) = rest.split_at(end);
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal.to_owned()));
        }
        rest = after;
        if let Some(inner) = after.strip_prefix('{') {
            let (name, after) = inner.split_once('}').ok_or(Problem::Brace)?;
            pieces.push(match name {
                "target" => Piece::Target,
                name if Named::Parameter.permits(name) => Piece::Parameter(name.to_owned()),
                _ => return Err(Problem::NoName),
            });
            rest = after;
        } else if !after.is_empty() {
            return Err(Problem::Brace);
        }
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::{Problem, fact, word};
    use crate::rules::effects::Piece;

    #[test]
    fn a_word_is_a_parameter_or_text() {
        assert_eq!(word("{unit}"), Ok(Piece::Parameter("unit".to_owned())));
        for text in ["--lines={n}", "{n}.service", "{a}{b}"] {
            assert!(word(text).is_err(), "{text}");
        }
        for text in ["{}", "{a b}", "a}", "{", "", "{{}"] {
            assert_eq!(word(text), Ok(Piece::Literal(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn a_fact_is_text_with_values_in_it() {
        let literal = |text: &str| Piece::Literal(text.to_owned());
        assert_eq!(fact("read:{path}"), Ok(vec![literal("read:"), Piece::Parameter("path".to_owned())]));
        assert_eq!(fact("{target}!"), Ok(vec![Piece::Target, literal("!")]));
        for (text, problem) in
            [(" ", Problem::Blank), ("a{b", Problem::Brace), ("a}b", Problem::Brace), ("{}", Problem::NoName)]
        {
            assert_eq!(fact(text), Err(problem), "{text}");
        }
    }
}
