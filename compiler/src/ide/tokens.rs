//! Semantic tokens: what each piece of a file is, beyond what a grammar can tell.

use std::collections::{HashMap, HashSet};

use policyc_runtime::Decision;

use super::scope::{DefinedKind, resolved};
use crate::eval::{Signature, signatures, standard};
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{
    AstNode, Call, DefStatement, Kind, Lambda, Name, NodeKind, Parameters, SyntaxNode, SyntaxToken,
};

/// A piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The piece; never a blank, but maybe several lines.
    pub span: Span,
    /// What it is.
    pub kind: SemanticKind,
}

/// What a piece of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SemanticKind {
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// `#? git push`: a comment that is judged.
    Scratch,
    /// A number.
    Number,
    /// `None`, `True`, `False`.
    Constant,
    /// A string that means nothing in particular.
    String,
    /// A string that is a word of commands, in a pattern or a condition.
    Word,
    /// A string that is a command, or a list's word that is a part of one.
    Command,
    /// A string that is the decision `allow`.
    Allow,
    /// A string that is the decision `prompt`.
    Prompt,
    /// A string that is the decision `forbidden`.
    Forbidden,
    /// The path of a file to load.
    Path,
    /// A name that declares something: `prefix_rule`.
    Builtin,
    /// A function, of Starlark or of a policy.
    Function,
    /// A parameter, where it is bound or used.
    Parameter,
    /// Any other name.
    Variable,
    /// The name of an argument, or of a field.
    Property,
}

/// The pieces of a file that lie, in part at least, within `within`, in order.
#[must_use]
pub fn semantic_tokens(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, within: Span) -> Vec<SemanticToken> {
    let root = syntax::tree(db, file).root();
    let mut reader = Reader { db, set, file, names: HashMap::new() };
    let tokens = root.descendants_with_tokens().filter_map(|element| element.into_token());
    let spans = tokens.filter_map(|token| {
        let span = Span::from(token.text_range());
        if span.end <= within.start || span.start >= within.end {
            return None;
        }
        Some(SemanticToken { span, kind: reader.kind(&token)? })
    });
    spans.collect()
}

struct Reader<'db> {
    db: &'db dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
    /// What the names of the file are, outside of functions.
    names: HashMap<String, SemanticKind>,
}

impl Reader<'_> {
    fn kind(&mut self, token: &SyntaxToken) -> Option<SemanticKind> {
        use SemanticKind as S;
        use TokenKind as T;
        let parent = token.parent()?;
        Some(match token.kind().token()? {
            T::Comment if token.text().starts_with("#?") => S::Scratch,
            T::Comment => S::Comment,
            T::And | T::Def | T::Elif | T::Else | T::For | T::If | T::In | T::Lambda | T::Load | T::Not | T::Or => {
                S::Keyword
            }
            T::Int | T::Float => S::Number,
            T::String | T::UnclosedString => string(token, &parent),
            T::FStringStart | T::FStringText | T::FStringEnd => S::String,
            T::Name => self.name(token, &parent),
            _ => return None,
        })
    }

    fn name(&mut self, token: &SyntaxToken, parent: &SyntaxNode) -> SemanticKind {
        use NodeKind as N;
        use SemanticKind as S;
        match parent.kind().node() {
            Some(N::Literal) => S::Constant,
            Some(N::SimpleStatement | N::ReturnStatement) => S::Keyword,
            Some(N::Argument) => S::Property,
            Some(N::Dot) => match parent.parent().map(|outer| outer.kind()) {
                Some(Kind::Node(N::Call)) => S::Function,
                _ => S::Property,
            },
            Some(N::Name) => match parent.parent().and_then(|outer| outer.kind().node()) {
                Some(N::DefStatement) => S::Function,
                Some(N::Parameter) => S::Parameter,
                Some(N::LoadItem) => self.global(token.text()),
                _ => S::Variable,
            },
            _ if is_parameter(token.text(), parent) => S::Parameter,
            _ => self.global(token.text()),
        }
    }

    /// What a name is that no function binds.
    fn global(&mut self, name: &str) -> SemanticKind {
        if let Some(&kind) = self.names.get(name) {
            return kind;
        }
        let kind = match resolved(self.db, self.set, self.file, name).map(|(_, defined)| &defined.kind) {
            Some(DefinedKind::Function(_)) => SemanticKind::Function,
            Some(_) => SemanticKind::Variable,
            None if signature(name).is_some() => SemanticKind::Builtin,
            None if standard().iter().any(|standard| standard.name == name && standard.function) => {
                SemanticKind::Function
            }
            None => SemanticKind::Variable,
        };
        self.names.insert(name.to_owned(), kind);
        kind
    }
}

fn signature(name: &str) -> Option<&'static Signature> {
    signatures().into_iter().find(|signature| signature.builtin == name)
}

/// Whether a function around `node` has a parameter of this name.
fn is_parameter(name: &str, node: &SyntaxNode) -> bool {
    let names = |parameters: Option<Parameters>| -> HashSet<String> {
        let parameters = parameters.into_iter().flat_map(|parameters| parameters.parameters());
        let names = parameters.filter_map(|parameter| parameter.name().as_ref().and_then(Name::token));
        names.map(|token| token.text().to_owned()).collect()
    };
    node.ancestors().any(|outer| match outer.kind().node() {
        Some(NodeKind::DefStatement) => {
            names(DefStatement::cast(outer).and_then(|outer| outer.parameters())).contains(name)
        }
        Some(NodeKind::Lambda) => names(Lambda::cast(outer).and_then(|outer| outer.parameters())).contains(name),
        _ => false,
    })
}

/// What a string is there for: it is the argument of a builtin, or in a list that is.
fn string(token: &SyntaxToken, parent: &SyntaxNode) -> SemanticKind {
    let outer = parent.parent();
    if parent.kind() == NodeKind::Literal && outer.is_some_and(|outer| outer.kind() == NodeKind::LoadStatement) {
        return SemanticKind::Path;
    }
    let parameter = parent.ancestors().find(|node| !is_display(node)).and_then(|argument| parameter(&argument));
    let decision = || match syntax::literal::value(token.text()).as_deref().map(Decision::from_name) {
        Some(Some(Decision::Allow)) => SemanticKind::Allow,
        Some(Some(Decision::Prompt)) => SemanticKind::Prompt,
        Some(Some(Decision::Forbidden)) => SemanticKind::Forbidden,
        _ => SemanticKind::String,
    };
    match parameter {
        Some("decision") => decision(),
        Some("pattern" | "having" | "without" | "unless" | "path") => SemanticKind::Word,
        Some("match" | "not_match" | "request") => SemanticKind::Command,
        _ => SemanticKind::String,
    }
}

/// Whether a string means in `node` what `node` means around it.
fn is_display(node: &SyntaxNode) -> bool {
    use NodeKind as N;
    matches!(node.kind().node(), Some(N::Literal | N::List | N::Tuple | N::Paren | N::Binary | N::Comprehension))
}

/// The parameter of a builtin that an argument is passed for.
fn parameter(argument: &SyntaxNode) -> Option<&'static str> {
    let call = argument.parent()?.parent().and_then(Call::cast)?;
    let signature = signature(call.callee_name()?.text())?;
    let known = |name: &str| signature.parameters.iter().find(|parameter| **parameter == name).copied();
    let own = call.arguments()?.arguments().find(|found| found.syntax() == argument)?;
    if let Some(name) = own.name() {
        return known(name.text());
    }
    let place = call.arguments()?.positional().position(|found| found.syntax() == argument)?;
    let positional = |index: &usize| signature.position(*index) == Some(place);
    (0..signature.parameters.len()).find(positional).and_then(|index| signature.parameters.get(index).copied())
}

#[cfg(test)]
mod tests {
    use super::{SemanticKind as S, semantic_tokens};
    use crate::ide::fixture::fixture;

    fn kinds(text: &str) -> Vec<(String, S)> {
        let fixture = fixture(text);
        let text = fixture.file.text(&fixture.db);
        let tokens = semantic_tokens(&fixture.db, fixture.set, fixture.file, fixture.span);
        tokens.into_iter().map(|token| (token.span.of(text).to_owned(), token.kind)).collect()
    }

    fn kind(text: &str, piece: &str) -> Option<S> {
        kinds(text).into_iter().find(|(found, _)| found == piece).map(|(_, kind)| kind)
    }

    #[test]
    fn strings_are_what_they_are_there_for() {
        let text = "prefix_rule([\"git\", [\"push\", word]], 'prompt', match = [[\"git\", 'x']], justification = \"why\")\n\
                    expect('ls', \"forbidden\")\nload('./a.rules', 'A')\nx = f('allow')\n";
        for (piece, expected) in [
            ("\"git\"", S::Word),
            ("\"push\"", S::Word),
            ("'prompt'", S::Prompt),
            ("'x'", S::Command),
            ("\"why\"", S::String),
            ("'ls'", S::Command),
            ("\"forbidden\"", S::Forbidden),
            ("'./a.rules'", S::Path),
            ("'allow'", S::String),
            ("match", S::Property),
        ] {
            assert_eq!(kind(text, piece), Some(expected), "{piece}");
        }
    }

    #[test]
    fn names_are_what_they_stand_for() {
        let text = "//- b.rules loaded\ndef made(x):\n  prefix_rule([x])\nWORDS = ['a']\n//- a.rules\n\
                    load('./b.rules', 'made', W = 'WORDS')\ndef f(a):\n  return len(a)\nmade(W)\nf(None)\n#? ls\n# why\n<cursor><cursor>";
        let text = text.replace("<cursor><cursor>", "y = [z for z in W]\n");
        for (piece, expected) in [
            ("made", S::Function),
            ("W", S::Variable),
            ("f", S::Function),
            ("a", S::Parameter),
            ("return", S::Keyword),
            ("len", S::Function),
            ("None", S::Constant),
            ("#? ls", S::Scratch),
            ("# why", S::Comment),
            ("y", S::Variable),
            ("for", S::Keyword),
        ] {
            let text = text.replacen("//- a.rules\n", "//- a.rules\n<cursor>", 1) + "<cursor>";
            assert_eq!(kind(&text, piece), Some(expected), "{piece}");
        }
        assert_eq!(kind("<cursor>prefix_rule(['a'])\n<cursor>prefix_rule(['b'])", "prefix_rule"), Some(S::Builtin));
        assert_eq!(kinds("prefix_rule(['a'])\n<cursor>x<cursor> = 1\n").len(), 1);
    }
}
