//! Shells that are near to bash, as fish and csh.

use crate::parser::Parser;
use crate::{Parameters, Problem, ProblemKind, Script, Span, Variable};

/// Reads a text as bash does; what one of its kin reads in another way is refused.
pub(crate) fn parse<'t>(text: &'t str, parameters: &[Parameters], variables: &[Variable]) -> Script<'t> {
    let script = Parser::new(text).given(parameters, variables).script();
    let differs =
        differing(text).map(|place| Problem { span: Span::new(place, place + 1), kind: ProblemKind::NotUnderstood });
    Script { problem: script.problem.or(differs), ..script }
}

/// The first character that the kin of bash do not all read as bash does. A backslash escapes in quotes where it does not
/// in bash's and the other way around, and begins other escapes; parentheses begin a substitution without a `$` before
/// them, in double quotes too; `^` redirects and `!` recalls what was run before, in double quotes too.
fn differing(text: &str) -> Option<usize> {
    let mut before = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((place, one)) = characters.next() {
        let next = characters.peek().map_or(' ', |(_, next)| *next);
        let differs = match one {
            '\\' | '^' => true,
            '(' => before != '$',
            '!' => !next.is_whitespace() && next != '=',
            _ => false,
        };
        if differs {
            return Some(place);
        }
        before = one;
    }
    None
}
