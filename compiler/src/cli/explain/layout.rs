//! Paragraphs that fit a terminal.

/// How wide an explanation is.
pub(super) const WIDTH: usize = 80;
/// Where what is said of a rule begins, after its decision.
pub(super) const INDENT: usize = 13;

pub(super) type Written = Result<(), std::fmt::Error>;

pub(super) fn indent(text: &mut String, columns: usize) {
    text.extend(std::iter::repeat_n(' ', columns));
}

/// Writes a paragraph, broken at blanks so that it fits; later lines are indented by two more columns if it is indented.
pub(super) fn wrap(text: &mut String, columns: usize, paragraph: &str) -> Written {
    let mut used = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if used == 0 {
            indent(text, columns);
            used = columns + length;
        } else if used + 1 + length > WIDTH {
            let columns = if columns > 0 { columns + 2 } else { 0 };
            text.push('\n');
            indent(text, columns);
            used = columns + length;
        } else {
            text.push(' ');
            used += 1 + length;
        }
        text.push_str(word);
    }
    text.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_fit() {
        let mut text = String::new();
        wrap(&mut text, INDENT, &"words and ".repeat(20)).unwrap();
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}
