//! Plain PowerShell commands: words, quotes, separators, redirects. Everything with a value of its own is refused.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::plain::Plain;
use crate::words::Pieces;
use crate::{Assignment, Piece, ProblemKind, RedirectKind, Script, Span, Word};

/// Words that start a statement and are no commands, whatever their case.
const KEYWORDS: &[&str] = &[
    "begin",
    "break",
    "catch",
    "class",
    "clean",
    "configuration",
    "continue",
    "data",
    "define",
    "do",
    "dynamicparam",
    "else",
    "elseif",
    "end",
    "enum",
    "exit",
    "filter",
    "finally",
    "for",
    "foreach",
    "from",
    "function",
    "hidden",
    "if",
    "in",
    "inlinescript",
    "param",
    "parallel",
    "process",
    "return",
    "sequence",
    "static",
    "switch",
    "throw",
    "trap",
    "try",
    "until",
    "using",
    "var",
    "while",
    "workflow",
];

/// Reads a PowerShell text.
pub(crate) fn parse(text: &str) -> Script<'_> {
    Reader::new(text).script()
}

/// PowerShell.
struct PowerShell;

type Reader<'t> = Plain<'t, PowerShell>;

impl<'t> Reader<'t> {
    fn script(mut self) -> Script<'t> {
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' => self.pos += 1,
                '`' if self.rest().starts_with("`\n") => self.pos += 2,
                '`' if self.rest().starts_with("`\r\n") => self.pos += 3,
                // A pipe goes on in the next line.
                '\n' if self.expected => self.pos += 1,
                '\n' => self.end_command(1, false),
                ';' => self.end_command(1, self.expected),
                '|' if self.rest().starts_with("||") => self.operator(2),
                '&' if self.rest().starts_with("&&") => self.operator(2),
                '|' => self.pipe(),
                '&' if self.is_new() => self.call(),
                '#' => self.comment(),
                '<' if self.rest().starts_with("<#") => self.block_comment(),
                // What a block or a group holds are commands; what becomes of them is not looked into.
                '{' | '}' | '(' | ')' => self.bracket(character),
                _ if character.is_whitespace() => self.refuse(),
                '>' => self.redirect(self.pos),
                '*' | '1'..='6' if self.rest().get(1..).is_some_and(|rest| rest.starts_with('>')) => {
                    self.redirect(self.pos)
                }
                '$' if self.is_new() => self.assignment_or_word(),
                _ => self.word(),
            }
            if self.is_full() {
                break;
            }
        }
        self.finish()
    }

    fn comment(&mut self) {
        let rest = self.rest();
        self.pos += rest.find('\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        match self.rest().find("#>") {
            Some(length) => self.pos += length + 2,
            None => {
                self.note(start, start + 2, ProblemKind::NotUnderstood);
                self.pos += 2;
            }
        }
    }

    /// A bracket, behind which a command begins or another goes on. To the command before a group, that is any words.
    fn bracket(&mut self, bracket: char) {
        self.note(self.pos, self.pos + 1, ProblemKind::NotUnderstood);
        if bracket == '(' && !self.command.words.is_empty() {
            let span = Span::new(self.pos, self.pos + 1);
            let pieces = [Piece::Any { splits: true }].into();
            self.command.words.push(Word { span, text: Cow::Borrowed("("), pieces });
        }
        self.end_command(1, false);
    }

    /// The literal text between `@'` and `'@` on lines of their own; whether it is one.
    fn here_string(&mut self, pieces: &mut Pieces<'t>) -> bool {
        let rest = self.rest();
        let Some(line) = rest.find('\n').filter(|line| rest.get(2..*line).is_some_and(|rest| rest.trim().is_empty()))
        else {
            return false;
        };
        let body = rest.get(line..).unwrap_or_default();
        let Some(end) = body.find("\n'@") else { return false };
        pieces.text(Cow::Borrowed(body.get(1..end).unwrap_or_default()));
        self.pos += line + end + 3;
        true
    }

    /// The call operator, which runs what its word says.
    fn call(&mut self) {
        let start = self.pos;
        self.pos += 1;
        while self.peek() == Some(' ') {
            self.pos += 1;
        }
        let words = self.command.words.len();
        if self.peek().is_some_and(|character| !matches!(character, '\n' | ';' | '|' | '&')) {
            self.word();
        }
        let known = self.command.words.get(words).is_some_and(|word| !word.is_dynamic());
        if !known {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
    }

    /// `>`, `>>`, `2>` and their like. Only files, `$null` and `&1` are targets.
    fn redirect(&mut self, start: usize) {
        let operator = self.rest().find('>').map_or(self.text.len(), |index| self.pos + index);
        self.pos = operator + 1;
        if self.rest().starts_with('>') {
            self.pos += 1;
        }
        if self.rest().starts_with("&1") || self.rest().starts_with("&2") {
            let span = Span::new(self.pos + 1, self.pos + 2);
            let target = Word::fixed(span, span.of(self.text).unwrap_or_default());
            self.pos += 2;
            return self.push_redirect(start, RedirectKind::Duplicate, target);
        }
        while self.peek() == Some(' ') {
            self.pos += 1;
        }
        let words = self.command.words.len();
        if self.rest().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("$null")) {
            let span = Span::new(self.pos, self.pos + 5);
            self.pos += 5;
            return self.push_redirect(
                start,
                RedirectKind::Write,
                // The file by which every program knows it.
                Word::fixed(span, "nul"),
            );
        }
        if self.peek().is_some_and(|character| !matches!(character, '\n' | ';' | '|' | '&' | '>')) {
            self.word();
        }
        match self.command.words.len() > words {
            true => {
                let target = self.command.words.pop().unwrap_or_default();
                self.push_redirect(start, RedirectKind::Write, target);
            }
            false => self.note(start, self.pos, ProblemKind::MissingTarget),
        }
    }

    /// `$name = 'literal'`, a statement of its own; anything else is an expression.
    fn assignment_or_word(&mut self) {
        let start = self.pos;
        let name_length =
            self.rest().bytes().skip(1).take_while(|&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count();
        let name = self.text.get(start + 1..start + 1 + name_length).unwrap_or_default();
        let behind = self.text.get(start + 1 + name_length..).unwrap_or_default();
        let value = behind.trim_start_matches([' ', '\t']);
        if !name.is_empty()
            && let Some(value) = value.strip_prefix('=')
            && value.trim_start_matches([' ', '\t']).starts_with('\'')
        {
            let value = value.trim_start_matches([' ', '\t']);
            let value_start = self.text.len() - value.len();
            self.pos = value_start + 1;
            let mut pieces = Pieces { list: Vec::new() };
            if self.single_quoted(&mut pieces) {
                let text = match pieces.list.pop() {
                    Some(Piece::Text(text)) => text,
                    _ => Cow::Borrowed(""),
                };
                let ended = self.rest().trim_start_matches([' ', '\t', '\r']);
                if ended.is_empty() || ended.starts_with(['\n', ';', '#']) {
                    let span = Span::new(start, self.pos);
                    let value = Word::fixed(Span::new(value_start, self.pos), text);
                    self.command.span = span;
                    self.command.assignments.push(Assignment { span, name: Cow::Borrowed(name), value });
                    return;
                }
            }
        }
        // A command cannot start with a variable: this is an expression, unless it is set to what a command puts out.
        self.pos = start;
        self.note(start, start + 1 + name_length, ProblemKind::NotUnderstood);
        let operator = ["=", "+=", "??="].into_iter().find(|operator| value.starts_with(operator));
        match operator.filter(|_| !name.is_empty()) {
            Some(operator) => self.pos = self.text.len() - value.len() + operator.len(),
            None => self.word(),
        }
    }

    /// One word, or a list of constants that becomes one word.
    fn word(&mut self) {
        let start = self.pos;
        let first = self.is_new();
        let mut pieces = Pieces { list: Vec::new() };
        let (mut quoted, mut here) = (false, false);
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '>' => break,
                '(' | ')' | '{' | '}' if self.pos > start => break,
                '@' if self.pos == start && self.rest().starts_with("@'") && self.here_string(&mut pieces) => {
                    here = true;
                    break;
                }
                '\'' | '‘' | '’' | '‚' | '‛' if character != '\'' => self.refuse(),
                '“' | '”' | '„' | '–' | '—' | '―' => self.refuse(),
                '\'' => {
                    self.pos += 1;
                    (quoted, _) = (true, self.single_quoted(&mut pieces));
                }
                '"' => {
                    self.pos += 1;
                    quoted = true;
                    self.double_quoted(&mut pieces);
                }
                '`' => self.escape(&mut pieces),
                '$' => self.variable(&mut pieces),
                ',' if first || self.pos == start => self.refuse(),
                '(' | ')' | '{' | '}' | '<' => self.refuse(),
                // The elements of a variable, or a literal of them: any words.
                '@' if self.pos == start => {
                    self.refuse();
                    pieces.list.push(Piece::Any { splits: true });
                }
                // Some platforms expand these for programs.
                '*' | '?' | '[' => {
                    let token = self.text.get(self.pos..self.pos + 1).unwrap_or_default();
                    pieces.list.push(Piece::Glob(Cow::Borrowed(token)));
                    self.pos += 1;
                }
                '~' if self.pos == start => {
                    pieces.list.push(Piece::Home);
                    self.pos += 1;
                }
                // A token that starts so has a meaning of its own.
                '#' if self.pos == start => break,
                _ => {
                    let length = self
                        .rest()
                        .find(|character: char| {
                            character.is_whitespace()
                                || !character.is_ascii()
                                || matches!(
                                    character,
                                    ';' | '|'
                                        | '&'
                                        | '>'
                                        | '<'
                                        | '\''
                                        | '"'
                                        | '`'
                                        | '$'
                                        | ','
                                        | '('
                                        | ')'
                                        | '{'
                                        | '}'
                                        | '*'
                                        | '?'
                                        | '['
                                )
                        })
                        .unwrap_or(self.rest().len())
                        .max(character.len_utf8());
                    if character.is_whitespace() {
                        break;
                    }
                    pieces.text(Cow::Borrowed(self.text.get(self.pos..self.pos + length).unwrap_or_default()));
                    self.pos += length;
                }
            }
        }
        let span = Span::new(start, self.pos);
        let source = span.of(self.text).unwrap_or_default();
        // Where a quote starts or ends in the middle, or a list mixes with quotes, words may come apart.
        let whole = (source.starts_with('\'') && source.ends_with('\'')
            || source.starts_with('"') && source.ends_with('"'))
            && source.len() > 1;
        if quoted
            && (!whole || first && self.text.get(start.saturating_sub(1)..start) != Some(" ") && !self.called(start))
        {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
        let expression = |first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '!' | '[' | ':' | '*');
        let keyword = KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(source));
        if !here && (source == "--%" || first && (source == "." || source.starts_with(expression) || keyword)) {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
        if source.ends_with(',') {
            self.note(start, self.pos, ProblemKind::NotUnderstood);
        }
        if self.pos == start {
            return self.refuse();
        }
        self.extend_span(start);
        let word = match &mut *pieces.list {
            [] => Word::fixed(span, ""),
            [Piece::Text(text)] => Word::fixed(span, core::mem::take(text)),
            _ => Word { span, text: Cow::Borrowed(source), pieces: pieces.list },
        };
        self.command.words.push(word);
    }

    /// Whether the call operator stands before the word that starts here.
    fn called(&self, start: usize) -> bool {
        self.text.get(..start).is_some_and(|before| before.trim_end_matches(' ').ends_with('&'))
    }

    /// The rest of a literal string, in which two quotes are one; whether it ends.
    fn single_quoted(&mut self, pieces: &mut Pieces<'t>) -> bool {
        let mut text = String::new();
        loop {
            let start = self.pos;
            let Some(length) = self.rest().find(['\'', '‘', '’', '‚', '‛']) else {
                self.note(start - 1, start, ProblemKind::UnclosedQuote);
                self.pos = self.text.len();
                return false;
            };
            let part = self.text.get(start..start + length).unwrap_or_default();
            self.pos += length;
            if self.peek() != Some('\'') {
                self.refuse();
                continue;
            }
            self.pos += 1;
            if !self.rest().starts_with('\'') {
                if text.is_empty() {
                    pieces.text(Cow::Borrowed(part));
                } else {
                    text.push_str(part);
                    pieces.text(Cow::Owned(text));
                }
                return true;
            }
            self.pos += 1;
            text.push_str(part);
            text.push('\'');
        }
    }

    fn double_quoted(&mut self, pieces: &mut Pieces<'t>) {
        let open = self.pos - 1;
        loop {
            let start = self.pos;
            let length = self.rest().find(['"', '`', '$', '“', '”', '„']).unwrap_or(self.rest().len());
            pieces.text(Cow::Borrowed(self.text.get(start..start + length).unwrap_or_default()));
            self.pos += length;
            match self.peek() {
                None => return self.note(open, open + 1, ProblemKind::UnclosedQuote),
                Some('"') if self.rest().starts_with("\"\"") => {
                    pieces.text(Cow::Borrowed("\""));
                    self.pos += 2;
                }
                Some('"') => {
                    self.pos += 1;
                    return;
                }
                Some('`') => self.escape(pieces),
                Some('$') => self.variable(pieces),
                Some(_) => self.refuse(),
            }
        }
    }

    /// A backtick and what it escapes.
    fn escape(&mut self, pieces: &mut Pieces<'t>) {
        let text = match self.rest().chars().nth(1) {
            Some('n') => "\n",
            Some('t') => "\t",
            Some('r') => "\r",
            Some('a') => "\u{7}",
            Some('b') => "\u{8}",
            Some('f') => "\u{C}",
            Some('v') => "\u{B}",
            // Ends the string for some programs, or differs between versions.
            Some('0' | 'e' | 'u' | '\r' | '\n') | None => {
                self.refuse();
                return;
            }
            Some(character) => {
                let end = self.pos + 1 + character.len_utf8();
                pieces.text(Cow::Borrowed(self.text.get(self.pos + 1..end).unwrap_or_default()));
                self.pos = end;
                return;
            }
        };
        pieces.text(Cow::Borrowed(text));
        self.pos += 2;
    }

    /// `$name`, which may be anything; `$(`, `${` and the like are not understood.
    fn variable(&mut self, pieces: &mut Pieces<'t>) {
        let length =
            self.rest().bytes().skip(1).take_while(|&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count();
        if length == 0 {
            return self.refuse();
        }
        self.pos += 1 + length;
        // Members, elements and drives of a variable run code.
        if self.rest().starts_with(['.', '[', ':']) {
            self.note(self.pos, self.pos + 1, ProblemKind::NotUnderstood);
        }
        pieces.list.push(Piece::Any { splits: true });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn shown(text: &str) -> String {
        let script = parse(text);
        let commands = script.commands.iter().map(|command| {
            let assignments = command.assignments.iter().map(|it| format!("{}:={}", it.name, it.value.text));
            let words = command.words.iter().map(|word| match word.is_dynamic() {
                true => format!("<{}>", word.text),
                false => String::from(&*word.text),
            });
            let redirects = command.redirects.iter().map(|it| format!("{:?}:{}", it.kind, it.target.text));
            let fed = command.fed_by.map(|index| format!("^{index}"));
            fed.into_iter().chain(assignments).chain(words).chain(redirects).collect::<Vec<_>>().join("_")
        });
        let problem = if script.problem.is_some() { " ?" } else { "" };
        format!("{}{problem}", commands.collect::<Vec<_>>().join(" | "))
    }

    #[test]
    fn plain_commands_are_understood() {
        for (text, expected) in [
            ("npm test", "npm_test"),
            ("glab issue view 7 --output json,number,title", "glab_issue_view_7_--output_json,number,title"),
            ("a 'it''s' \"x `\"y`\" \"\"z\"\"\"", "a_it's_x \"y\" \"z\""),
            ("a; b\nc && d || e", "a | b | c | d | e"),
            ("Get-Content a.txt | Select-String 'b c'", "Get-Content_a.txt | ^0_Select-String_b c"),
            ("a > o 2>&1", "a_Write:o_Duplicate:1"),
            ("a 2>$null", "a_Write:nul"),
            ("a <# b; c #> d", "a_d"),
            ("a @'\nb; 'c'\n'@ d", "a_b; 'c'_d"),
            ("& 'C:\\x y\\a.exe' -b", "C:\\x y\\a.exe_-b"),
            ("$u = 'https://example.com'; a $u", "u:=https://example.com | a_<$u>"),
            ("a # b", "a"),
            ("a |\n b", "a | ^0_b"),
            ("g`it push", "git_push"),
            ("a u@h *.c ~/x", "a_u@h_<*.c>_<~/x>"),
            ("a `\n b", "a_b"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn everything_else_is_a_problem() {
        for (text, expected) in [
            ("Get-Content a.txt; $(", "Get-Content_a.txt | "),
            ("git push; {", "git_push | "),
            ("& $x a", "<$x>_a"),
            ("a | ", "a"),
            ("a 'b", "a_"),
            ("a @x", "a_<@x>"),
            ("'a' b", "a_b"),
            ("a (b)", "a_<(>"),
            ("$x.Run()", ""),
            ("a --% b", "a_--%_b"),
            ("a &", "a"),
            ("return git push", "return_git_push"),
            (". ./x", "._./x"),
            ("-join a", "-join_a"),
        ] {
            let shown = shown(text);
            assert!(shown.ends_with('?') && shown.starts_with(expected.trim_end_matches(" | ")), "{text}: {shown}");
        }
    }
}
