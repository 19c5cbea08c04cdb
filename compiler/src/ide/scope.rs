//! The names that a file defines, and those that are there where something is typed.

use super::cursor::Cursor;
use crate::source::{Module, PolicySet, SourceFile, Span};
use crate::syntax::token::{Token, TokenKind, tokens};
use crate::syntax::{literal, module_label};

/// A name that a file defines outside of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Defined {
    /// The name.
    pub(super) name: String,
    /// Where it stands.
    pub(super) span: Span,
    /// What it is.
    pub(super) kind: DefinedKind,
}

/// What a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DefinedKind {
    /// A value.
    Variable,
    /// A function.
    Function(Function),
    /// What another file calls `name`.
    Loaded {
        /// The path in the `load`.
        path: String,
        /// The name there.
        name: String,
    },
}

/// A function as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// Its parameters as written, defaults included.
    pub(super) parameters: Vec<String>,
    /// The string that its body begins with.
    pub(super) documentation: String,
}

/// The names that a file defines outside of functions, in order; of one that is defined twice, the last.
#[salsa::tracked]
pub(super) fn defined(db: &dyn salsa::Database, file: SourceFile) -> Vec<Defined> {
    let text = file.text(db);
    let mut all: Vec<Defined> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        // No other line needs its tokens read.
        if line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            for defined in definitions(text, start) {
                all.retain(|other| other.name != defined.name);
                all.push(defined);
            }
        }
        start += line.len();
    }
    all
}

/// What the statement that starts at an offset defines.
fn definitions(text: &str, start: usize) -> Vec<Defined> {
    let rest = text.get(start..).unwrap_or_default();
    let name = rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_')).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(name).unwrap_or_default();
    let may = matches!(name, "def" | "load") || after.trim_start_matches([' ', '\t']).starts_with(['=', ',']);
    if !may {
        return Vec::new();
    }
    let (base, mut read) = (u32::try_from(start).unwrap_or(u32::MAX), Vec::new());
    let mut depth = 0_i32;
    for token in tokens(rest) {
        depth += i32::from(token.kind.opens()) - i32::from(token.kind.closes());
        // A definition's body begins with its documentation, in the next line.
        let ends = name != "def" && depth <= 0 && token.kind == TokenKind::Newline;
        if ends || read.len() == LONGEST {
            break;
        }
        if !token.kind.is_trivia() {
            read.push(Token { span: token.span.shifted(base), ..token });
            let body = read.len().checked_sub(2).and_then(|before| read.get(before));
            if name == "def" && depth <= 0 && body.is_some_and(|before| before.kind == TokenKind::Colon) {
                break;
            }
        }
    }
    Statement { text, tokens: read }.definitions()
}

/// How many tokens of a definition are read.
const LONGEST: usize = 2_000;

/// What a file calls `name`, followed to where it is written: at most through so many files.
pub(super) fn resolved<'db>(
    db: &'db dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    name: &str,
) -> Option<(SourceFile, &'db Defined)> {
    const MOST_LOADS: usize = 20;
    let (mut file, mut name) = (file, name.to_owned());
    for _ in 0..MOST_LOADS {
        let found = defined(db, file).iter().find(|defined| defined.name == name)?;
        match &found.kind {
            DefinedKind::Loaded { path, name: other } => {
                file = loaded(db, set, file, path)?;
                name.clone_from(other);
            }
            _ => return Some((file, found)),
        }
    }
    None
}

/// The file that `path` names in a `load` of `file`.
pub(super) fn loaded(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, path: &str) -> Option<SourceFile> {
    let label = module_label(file.label(db), path, set.roots(db)).ok()?;
    match set.modules(db).get(&label) {
        Some(Module::File(file)) => Some(*file),
        _ => None,
    }
}

/// The names that the statement around a place binds before it: parameters, targets of `for` and `=`.
pub(super) fn locals<'c>(cursor: &'c Cursor<'_>) -> Vec<&'c str> {
    let mut names: Vec<&str> = Vec::new();
    let tokens = cursor.tokens();
    let inside = tokens.first().is_some_and(|first| first.kind != TokenKind::Name);
    let mut parameters = false;
    for (place, token) in tokens.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| token.kind);
        let after = tokens.get(place + 1).map(|token| token.kind);
        match token.kind {
            TokenKind::Def | TokenKind::Lambda => parameters = true,
            TokenKind::Colon => parameters = false,
            TokenKind::Name => {
                let parameter = parameters
                    && before != Some(TokenKind::Def)
                    && matches!(
                        before,
                        Some(
                            TokenKind::OpenRound
                                | TokenKind::Comma
                                | TokenKind::Star
                                | TokenKind::StarStar
                                | TokenKind::Lambda
                        )
                    );
                let target = matches!(before, Some(TokenKind::For))
                    || before == Some(TokenKind::Comma) && after == Some(TokenKind::In);
                let assigned = inside
                    && !parameters
                    && after == Some(TokenKind::Equal)
                    && !matches!(before, Some(TokenKind::OpenRound | TokenKind::Comma))
                    && token.span.end <= cursor.offset;
                let name = cursor.text(*token);
                if (parameter || target || assigned) && !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => {}
        }
    }
    names
}

/// The tokens of a statement.
struct Statement<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

impl<'t> Statement<'t> {
    fn text(&self, token: Token) -> &'t str {
        token.span.of(self.text)
    }

    fn get(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(ahead).copied()
    }

    fn is(&self, ahead: usize, kind: TokenKind) -> bool {
        self.get(ahead).is_some_and(|token| token.kind == kind)
    }

    /// What the statement defines.
    fn definitions(&self) -> Vec<Defined> {
        match self.get(0).map(|token| token.kind) {
            Some(TokenKind::Def) if self.is(1, TokenKind::Name) => self.function(),
            Some(TokenKind::Load) if self.is(1, TokenKind::OpenRound) => self.load(),
            Some(TokenKind::Name) => self.targets(),
            _ => Vec::new(),
        }
    }

    /// The names before a `=`.
    fn targets(&self) -> Vec<Defined> {
        let mut names = Vec::new();
        let mut ahead = 0;
        while let Some(token) = self.get(ahead).filter(|token| token.kind == TokenKind::Name) {
            names.push(token);
            match self.get(ahead + 1).map(|token| token.kind) {
                Some(TokenKind::Comma) => ahead += 2,
                Some(TokenKind::Equal) => {
                    let variable = |token: Token| Defined {
                        name: self.text(token).to_owned(),
                        span: token.span,
                        kind: DefinedKind::Variable,
                    };
                    return names.into_iter().map(variable).collect();
                }
                _ => break,
            }
        }
        Vec::new()
    }

    fn function(&self) -> Vec<Defined> {
        let Some(name) = self.get(1) else { return Vec::new() };
        let mut function = Function::default();
        let (mut ahead, mut depth, mut start) = (2, 0_u32, None);
        while let Some(token) = self.get(ahead) {
            let ends = depth == 1 && (token.kind == TokenKind::Comma || token.kind.closes());
            if ends {
                let end = token.span.start;
                let written = start.take().map(|start| Span::new(start, end).of(self.text).trim().to_owned());
                function.parameters.extend(written);
            } else if depth > 0 && start.is_none() {
                start = Some(token.span.start);
            }
            if token.kind.opens() {
                depth += 1;
            } else if token.kind.closes() {
                depth = depth.saturating_sub(1);
            }
            ahead += 1;
            if depth == 0 {
                break;
            }
        }
        while self.get(ahead).is_some_and(|token| token.kind != TokenKind::Colon) && ahead < 64 {
            ahead += 1;
        }
        let body = self.get(ahead + 1).filter(|token| token.kind == TokenKind::String);
        function.documentation = body.and_then(|body| literal::value(self.text(body))).unwrap_or_default();
        let name = Defined { name: self.text(name).to_owned(), span: name.span, kind: DefinedKind::Function(function) };
        vec![name]
    }

    fn load(&self) -> Vec<Defined> {
        let mut found = Vec::new();
        let Some(path) = self.get(2).and_then(|token| literal::value(self.text(token))) else { return found };
        let (mut ahead, mut alias) = (3, None);
        while let Some(token) = self.get(ahead) {
            match token.kind {
                TokenKind::Name => alias = Some(token),
                TokenKind::String => {
                    if let Some(name) = literal::value(self.text(token)) {
                        let local = alias.take();
                        found.push(Defined {
                            name: local.map_or(name.clone(), |alias| self.text(alias).to_owned()),
                            span: local.unwrap_or(token).span,
                            kind: DefinedKind::Loaded { path: path.clone(), name },
                        });
                    }
                }
                TokenKind::Comma | TokenKind::Equal => {}
                _ => break,
            }
            ahead += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{DefinedKind, defined, locals, resolved};
    use crate::ide::cursor::Cursor;
    use crate::ide::fixture::fixture;

    #[test]
    fn the_names_of_a_broken_file_are_known() {
        let fixture = fixture(
            "load('./b.rules', 'X', y = 'Y')\nA, B = 1, 2\nC = [\ndef f(a, b = [1, 2], *c):\n    'what it does'\n    d = 1\nA = 3\nD == 4\n",
        );
        let names: Vec<&str> = defined(&fixture.db, fixture.file).iter().map(|defined| defined.name.as_str()).collect();
        assert_eq!(names, ["X", "y", "B", "C", "f", "A"]);
        let function = defined(&fixture.db, fixture.file).iter().find(|it| it.name == "f").unwrap();
        let DefinedKind::Function(function) = &function.kind else { panic!("{function:?}") };
        assert_eq!(function.parameters, ["a", "b = [1, 2]", "*c"]);
        assert_eq!(function.documentation, "what it does");
    }

    #[test]
    fn loaded_names_are_followed() {
        let fixture = fixture(
            "//- c.rules loaded\ndef g(): pass\n//- b.rules loaded\nload('./c.rules', f = 'g')\n//- a.rules\n<cursor>load('./b.rules', 'f')\nload('./a.rules', x = 'x')\n",
        );
        let (file, found) = resolved(&fixture.db, fixture.set, fixture.file, "f").unwrap();
        assert_eq!((file.label(&fixture.db).as_str(), found.name.as_str()), ("c.rules", "g"));
        assert_eq!(resolved(&fixture.db, fixture.set, fixture.file, "x"), None);
        assert_eq!(resolved(&fixture.db, fixture.set, fixture.file, "y"), None);
    }

    #[test]
    fn names_of_the_statement_are_there_too() {
        let fixture = fixture("def f(a, b = c, *d):\n    x = 1\n    for e, g in a:\n        <cursor>\n        y = 2\n");
        let cursor = Cursor::new(&fixture.db, fixture.file, fixture.offset);
        assert_eq!(locals(&cursor), ["a", "b", "d", "x", "e", "g"]);
    }
}
