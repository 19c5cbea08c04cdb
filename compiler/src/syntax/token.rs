//! Tokens that keep every byte: any text is a sequence of them, however broken it is.

use logos::Logos;

use crate::source::Span;

/// A token and the bytes it covers. The tokens of a text touch each other and leave nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// What a token is, as far as the shape of a policy goes.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// Spaces, tabs and continued lines.
    #[regex(r"([ \t]|\\\r?\n)+")]
    Blank,
    /// The end of a line.
    #[regex(r"\r?\n")]
    Newline,
    /// A comment, without the end of its line.
    #[regex(r"#[^\n]*")]
    Comment,
    /// A name.
    #[regex(r"[a-zA-Z_][a-zA-Z0-9_]*")]
    Name,
    /// A whole number.
    #[regex(r"[0-9]+|0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+")]
    Int,
    /// A number with a fraction or an exponent.
    #[regex(r"[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|\.[0-9]+([eE][-+]?[0-9]+)?")]
    Float,
    /// A string or bytes literal, prefix and quotes included.
    #[regex(r#"(r|b|br|rb)?""#, string)]
    #[regex(r"(r|b|br|rb)?'", string)]
    String,
    /// A string that its line, or the text, ends before its closing quote.
    UnclosedString,
    /// The prefix and opening quotes of an f-string.
    #[regex(r#"fr?""#, f_string)]
    #[regex(r"fr?'", f_string)]
    FStringStart,
    /// Text inside an f-string.
    FStringText,
    /// The `{` before an expression inside an f-string.
    FStringOpen,
    /// The `}` after it.
    FStringClose,
    /// The closing quotes of an f-string; no bytes if they are missing.
    FStringEnd,
    /// `and`
    #[token("and")]
    And,
    /// `def`
    #[token("def")]
    Def,
    /// `elif`
    #[token("elif")]
    Elif,
    /// `else`
    #[token("else")]
    Else,
    /// `for`
    #[token("for")]
    For,
    /// `if`
    #[token("if")]
    If,
    /// `in`
    #[token("in")]
    In,
    /// `lambda`
    #[token("lambda")]
    Lambda,
    /// `load`
    #[token("load")]
    Load,
    /// `not`
    #[token("not")]
    Not,
    /// `or`
    #[token("or")]
    Or,
    /// `(`
    #[token("(")]
    OpenRound,
    /// `)`
    #[token(")")]
    CloseRound,
    /// `[`
    #[token("[")]
    OpenSquare,
    /// `]`
    #[token("]")]
    CloseSquare,
    /// `{`
    #[token("{")]
    OpenCurly,
    /// `}`
    #[token("}")]
    CloseCurly,
    /// `,`
    #[token(",")]
    Comma,
    /// `:`
    #[token(":")]
    Colon,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `.`
    #[token(".")]
    Dot,
    /// `*`
    #[token("*")]
    Star,
    /// `**`
    #[token("**")]
    StarStar,
    /// `-`
    #[token("-")]
    Minus,
    /// `=`
    #[token("=")]
    Equal,
    /// Every other operator of an expression.
    #[regex(r"[+/%&|^~<>]|//|<<|>>|==|!=|<=|>=")]
    Operator,
    /// An assignment that changes its target, and `->`.
    #[regex(r"\+=|-=|\*=|/=|//=|%=|&=|\|=|\^=|<<=|>>=|->")]
    Assignment,
    /// A byte that no token starts with.
    Unknown,
}

impl TokenKind {
    /// Whether the parser passes over it.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Blank | Self::Newline | Self::Comment)
    }

    /// Whether it opens a bracket.
    #[must_use]
    pub fn opens(self) -> bool {
        matches!(self, Self::OpenRound | Self::OpenSquare | Self::OpenCurly | Self::FStringOpen)
    }

    /// Whether it closes a bracket.
    #[must_use]
    pub fn closes(self) -> bool {
        matches!(self, Self::CloseRound | Self::CloseSquare | Self::CloseCurly | Self::FStringClose)
    }
}

/// The tokens of `text`, in order.
#[must_use]
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { lexer: TokenKind::lexer(text), f_strings: Vec::new() }
}

/// The iterator behind [`tokens`].
pub struct Tokens<'t> {
    lexer: logos::Lexer<'t, TokenKind>,
    f_strings: Vec<FString>,
}

/// An f-string that is not closed yet.
struct FString {
    quote: Quote,
    /// Brackets open in the expression being read, its own `{` included; 0 in the text.
    brackets: u32,
}

#[derive(Clone, Copy)]
struct Quote {
    byte: u8,
    triple: bool,
}

impl Quote {
    fn length(self) -> usize {
        if self.triple { 3 } else { 1 }
    }

    /// Whether `rest` begins with the closing quotes.
    fn closes(self, rest: &[u8]) -> bool {
        rest.iter().take(self.length()).filter(|&&byte| byte == self.byte).count() == self.length()
    }
}

/// Reads the quotes that a literal opens with, of which the lexer has taken the first.
fn opening(lexer: &mut logos::Lexer<'_, TokenKind>) -> Quote {
    let byte = lexer.slice().bytes().last().unwrap_or(b'"');
    let triple = lexer.remainder().as_bytes().starts_with(&[byte, byte]);
    if triple {
        lexer.bump(2);
    }
    Quote { byte, triple }
}

fn string(lexer: &mut logos::Lexer<'_, TokenKind>) -> TokenKind {
    let quote = opening(lexer);
    let rest = lexer.remainder().as_bytes();
    let mut offset = 0;
    loop {
        match rest.get(offset) {
            None => {
                lexer.bump(rest.len());
                return TokenKind::UnclosedString;
            }
            Some(b'\n') if !quote.triple => {
                lexer.bump(offset);
                return TokenKind::UnclosedString;
            }
            Some(b'\\') => offset += escape(rest.get(offset..).unwrap_or_default()),
            Some(_) if quote.closes(rest.get(offset..).unwrap_or_default()) => {
                lexer.bump(offset + quote.length());
                return TokenKind::String;
            }
            Some(_) => offset += 1,
        }
    }
}

/// How many bytes a backslash and what it escapes take: never a part of a character.
fn escape(rest: &[u8]) -> usize {
    match rest {
        [_, b'\r', b'\n', ..] => 3,
        [_, byte, ..] if byte.is_ascii() => 2,
        _ => 1,
    }
}

fn f_string(_: &mut logos::Lexer<'_, TokenKind>) -> TokenKind {
    TokenKind::FStringStart
}

impl Tokens<'_> {
    /// The next piece of the innermost f-string's text, or the bracket or quotes that end it.
    fn text(&mut self, quote: Quote) -> Token {
        let start = self.lexer.span().end;
        let rest = self.lexer.remainder().as_bytes();
        let mut offset = 0;
        let (kind, length) = loop {
            match rest.get(offset) {
                None => break (TokenKind::FStringEnd, 0),
                Some(b'\n') if !quote.triple => break (TokenKind::FStringEnd, 0),
                Some(b'\\') => offset += escape(rest.get(offset..).unwrap_or_default()),
                Some(b'{') if rest.get(offset + 1) == Some(&b'{') => offset += 2,
                Some(b'{') => break (TokenKind::FStringOpen, 1),
                Some(_) if quote.closes(rest.get(offset..).unwrap_or_default()) => {
                    break (TokenKind::FStringEnd, quote.length());
                }
                Some(_) => offset += 1,
            }
        };
        let (kind, length) = if offset > 0 { (TokenKind::FStringText, offset) } else { (kind, length) };
        self.lexer.bump(length);
        if kind == TokenKind::FStringEnd {
            self.f_strings.pop();
        }
        if let (TokenKind::FStringOpen, Some(f_string)) = (kind, self.f_strings.last_mut()) {
            f_string.brackets = 1;
        }
        Token { kind, span: span(start..start + length) }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if let Some(f_string) = self.f_strings.last()
            && f_string.brackets == 0
        {
            let quote = f_string.quote;
            return Some(self.text(quote));
        }
        let mut kind = self.lexer.next()?.unwrap_or(TokenKind::Unknown);
        if kind == TokenKind::FStringStart {
            let start = self.lexer.span().start;
            let quote = opening(&mut self.lexer);
            self.f_strings.push(FString { quote, brackets: 0 });
            return Some(Token { kind, span: span(start..self.lexer.span().end) });
        }
        if let Some(f_string) = self.f_strings.last_mut() {
            if kind.opens() {
                f_string.brackets += 1;
            } else if kind.closes() {
                f_string.brackets -= 1;
                if f_string.brackets == 0 {
                    kind = TokenKind::FStringClose;
                }
            }
        }
        Some(Token { kind, span: span(self.lexer.span()) })
    }
}

fn span(range: std::ops::Range<usize>) -> Span {
    Span::from(range)
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};

    #[test]
    fn every_byte_is_in_one_token() {
        for text in [
            "x = f\"a{b['c']}{{}} {f'{d}'}\"\n",
            "'unclosed\n\"\"\"unclosed too\n",
            "f\"{",
            "f'a\nb",
            "\u{feff}é\0\r \\\n\t\"\\",
            "f\"\\é{\"\\é\"}\"",
        ] {
            let mut end = 0;
            for token in tokens(text) {
                assert_eq!(token.span.start, end, "in {text:?}");
                end = token.span.end;
                assert!(text.is_char_boundary(end as usize), "in {text:?}");
            }
            assert_eq!(end as usize, text.len(), "in {text:?}");
        }
    }

    #[test]
    fn an_expression_in_an_f_string_is_made_of_tokens() {
        use TokenKind::{FStringClose, FStringEnd, FStringOpen, FStringStart, FStringText, Name};
        let kinds: Vec<_> = tokens("f\"{a}-{b}\"").map(|token| token.kind).collect();
        let expected =
            [FStringStart, FStringOpen, Name, FStringClose, FStringText, FStringOpen, Name, FStringClose, FStringEnd];
        assert_eq!(kinds, expected);
    }
}
