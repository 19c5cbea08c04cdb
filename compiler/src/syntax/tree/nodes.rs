//! What stands in a tree, by type.

use rowan::ast::support;
pub use rowan::ast::{AstChildren, AstNode};

use super::kinds::{Kind, NodeKind, PolicyLanguage, SyntaxNode, SyntaxToken};
use crate::source::Span;
use crate::syntax::literal::{self, Decoded};
use crate::syntax::token::TokenKind;

/// Defines a type for each kind of node.
macro_rules! nodes {
    ($($name:ident)*) => {$(
        #[doc = concat!("A [`NodeKind::", stringify!($name), "`].")]
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub(super) SyntaxNode);

        impl AstNode for $name {
            type Language = PolicyLanguage;

            fn can_cast(kind: Kind) -> bool {
                kind == NodeKind::$name
            }

            fn cast(node: SyntaxNode) -> Option<Self> {
                Self::can_cast(node.kind()).then_some(Self(node))
            }

            fn syntax(&self) -> &SyntaxNode {
                &self.0
            }
        }
    )*};
}

/// Defines a type for a choice of kinds.
macro_rules! choice {
    ($(#[$doc:meta])* $choice:ident { $($name:ident)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $choice {
            $(#[doc = concat!("A [`NodeKind::", stringify!($name), "`].")] $name($name),)*
        }

        impl AstNode for $choice {
            type Language = PolicyLanguage;

            fn can_cast(kind: Kind) -> bool {
                matches!(kind, $(Kind::Node(NodeKind::$name))|*)
            }

            fn cast(node: SyntaxNode) -> Option<Self> {
                match node.kind().node()? {
                    $(NodeKind::$name => Some(Self::$name($name(node))),)*
                    _ => None,
                }
            }

            fn syntax(&self) -> &SyntaxNode {
                match self {
                    $(Self::$name(node) => node.syntax(),)*
                }
            }
        }
    };
}

nodes! {
    File LoadStatement LoadItem DefStatement IfStatement ForStatement ReturnStatement AssignStatement ExpressionStatement
    SimpleStatement Block Parameters Parameter Name NameRef Literal FString Call Arguments Argument List Tuple Paren Dict
    DictEntry Comprehension CompFor CompIf Binary Unary Conditional Lambda Dot Index Slice
}

choice! {
    /// A statement.
    Statement {
        LoadStatement DefStatement IfStatement ForStatement ReturnStatement AssignStatement ExpressionStatement
        SimpleStatement
    }
}

choice! {
    /// An expression, or what is assigned to.
    Expression {
        Name NameRef Literal FString Call List Tuple Paren Dict Comprehension Binary Unary Conditional Lambda Dot Index
        Slice
    }
}

/// The bytes of a node, without blanks and comments around it.
#[must_use]
pub fn span(node: &impl AstNode<Language = PolicyLanguage>) -> Span {
    node.syntax().text_range().into()
}

/// The only child of a type, or the one at a place among those of the type.
fn child<N: AstNode<Language = PolicyLanguage>>(node: &SyntaxNode, place: usize) -> Option<N> {
    support::children(node).nth(place)
}

fn token(node: &SyntaxNode, kind: TokenKind) -> Option<SyntaxToken> {
    support::token(node, Kind::Token(kind))
}

/// The first token that is not passed over.
fn first_token(node: &SyntaxNode) -> Option<SyntaxToken> {
    node.children_with_tokens().filter_map(|element| element.into_token()).find(|token| !token.kind().is_trivia())
}

impl File {
    /// Its top-level statements.
    #[must_use]
    pub fn statements(&self) -> AstChildren<Statement> {
        support::children(&self.0)
    }
}

impl Block {
    /// Its statements.
    #[must_use]
    pub fn statements(&self) -> AstChildren<Statement> {
        support::children(&self.0)
    }
}

impl LoadStatement {
    /// Which file is loaded.
    #[must_use]
    pub fn path(&self) -> Option<Literal> {
        child(&self.0, 0)
    }

    /// What is loaded from it.
    #[must_use]
    pub fn items(&self) -> AstChildren<LoadItem> {
        support::children(&self.0)
    }
}

impl LoadItem {
    /// What it is called here, if that is said.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        child(&self.0, 0)
    }

    /// What it is called there.
    #[must_use]
    pub fn original(&self) -> Option<Literal> {
        child(&self.0, 0)
    }
}

impl DefStatement {
    /// What it defines.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        child(&self.0, 0)
    }

    /// Its parameters.
    #[must_use]
    pub fn parameters(&self) -> Option<Parameters> {
        child(&self.0, 0)
    }

    /// What it does.
    #[must_use]
    pub fn block(&self) -> Option<Block> {
        child(&self.0, 0)
    }
}

impl IfStatement {
    /// The conditions of `if` and each `elif`.
    #[must_use]
    pub fn conditions(&self) -> AstChildren<Expression> {
        support::children(&self.0)
    }

    /// The block of each condition, and of `else`.
    #[must_use]
    pub fn blocks(&self) -> AstChildren<Block> {
        support::children(&self.0)
    }
}

impl ForStatement {
    /// What each item is bound to.
    #[must_use]
    pub fn target(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// Where the items come from.
    #[must_use]
    pub fn iterable(&self) -> Option<Expression> {
        child(&self.0, 1)
    }

    /// What is done with each.
    #[must_use]
    pub fn block(&self) -> Option<Block> {
        child(&self.0, 0)
    }
}

impl ReturnStatement {
    /// What is returned.
    #[must_use]
    pub fn value(&self) -> Option<Expression> {
        child(&self.0, 0)
    }
}

impl AssignStatement {
    /// What is assigned to.
    #[must_use]
    pub fn target(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// What is assigned, if the statement is whole.
    #[must_use]
    pub fn value(&self) -> Option<Expression> {
        let operator = token(&self.0, TokenKind::Equal).or_else(|| token(&self.0, TokenKind::Assignment))?;
        let after = |value: &Expression| value.syntax().text_range().start() >= operator.text_range().end();
        support::children(&self.0).find(after)
    }
}

impl ExpressionStatement {
    /// The expression.
    #[must_use]
    pub fn expression(&self) -> Option<Expression> {
        child(&self.0, 0)
    }
}

impl Parameters {
    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> AstChildren<Parameter> {
        support::children(&self.0)
    }
}

impl Parameter {
    /// What it is called; nothing for a lone `*`.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        child(&self.0, 0)
    }

    /// Its default.
    #[must_use]
    pub fn default(&self) -> Option<Expression> {
        let equal = token(&self.0, TokenKind::Equal)?;
        support::children(&self.0)
            .find(|value: &Expression| value.syntax().text_range().start() >= equal.text_range().end())
    }

    /// How many stars precede it.
    #[must_use]
    pub fn stars(&self) -> usize {
        stars(&self.0)
    }
}

impl Name {
    /// The name's token.
    #[must_use]
    pub fn token(&self) -> Option<SyntaxToken> {
        first_token(&self.0)
    }
}

impl NameRef {
    /// The name's token.
    #[must_use]
    pub fn token(&self) -> Option<SyntaxToken> {
        first_token(&self.0)
    }
}

impl Literal {
    /// Its first token, which is all of it but for `...`.
    #[must_use]
    pub fn token(&self) -> Option<SyntaxToken> {
        first_token(&self.0)
    }

    /// What it stands for, if it is a string.
    #[must_use]
    pub fn string(&self) -> Option<String> {
        let token = token(&self.0, TokenKind::String)?;
        literal::value(token.text())
    }

    /// What it stands for if it is a string, and where in the file each part of that was written.
    #[must_use]
    pub fn decoded(&self) -> Option<Decoded> {
        let token = token(&self.0, TokenKind::String)?;
        Some(Decoded::of(token.text())?.shifted(token.text_range().start().into()))
    }
}

impl Call {
    /// What is called.
    #[must_use]
    pub fn callee(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// The name of what is called, if it is one.
    #[must_use]
    pub fn callee_name(&self) -> Option<SyntaxToken> {
        match self.callee()? {
            Expression::NameRef(name) => name.token(),
            _ => None,
        }
    }

    /// What is passed.
    #[must_use]
    pub fn arguments(&self) -> Option<Arguments> {
        child(&self.0, 0)
    }

    /// The value of a parameter: given by name or, failing that, by its place among the positional ones.
    #[must_use]
    pub fn argument(&self, name: &str, position: Option<usize>) -> Option<Expression> {
        let arguments = self.arguments()?;
        let named = arguments.arguments().find(|argument| argument.name().is_some_and(|token| token.text() == name));
        named.or_else(|| arguments.positional().nth(position?))?.value()
    }
}

impl Arguments {
    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> AstChildren<Argument> {
        support::children(&self.0)
    }

    /// Those without a name, up to the first that is spread.
    pub fn positional(&self) -> impl Iterator<Item = Argument> + use<> {
        let plain = |argument: &Argument| argument.name().is_none() && argument.stars() == 0;
        self.arguments().take_while(plain)
    }
}

impl Argument {
    /// The name it is passed by.
    #[must_use]
    pub fn name(&self) -> Option<SyntaxToken> {
        token(&self.0, TokenKind::Equal).and_then(|_| token(&self.0, TokenKind::Name))
    }

    /// What is passed, if the argument is whole.
    #[must_use]
    pub fn value(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// How many stars precede it.
    #[must_use]
    pub fn stars(&self) -> usize {
        stars(&self.0)
    }
}

fn stars(node: &SyntaxNode) -> usize {
    match first_token(node).and_then(|token| token.kind().token()) {
        Some(TokenKind::Star) => 1,
        Some(TokenKind::StarStar) => 2,
        _ => 0,
    }
}

impl List {
    /// Its items.
    #[must_use]
    pub fn items(&self) -> AstChildren<Expression> {
        support::children(&self.0)
    }
}

impl Tuple {
    /// Its items.
    #[must_use]
    pub fn items(&self) -> AstChildren<Expression> {
        support::children(&self.0)
    }
}

impl Paren {
    /// What is in it.
    #[must_use]
    pub fn expression(&self) -> Option<Expression> {
        child(&self.0, 0)
    }
}

impl Dict {
    /// Its entries.
    #[must_use]
    pub fn entries(&self) -> AstChildren<DictEntry> {
        support::children(&self.0)
    }
}

impl DictEntry {
    /// What stands before the colon.
    #[must_use]
    pub fn key(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// What stands after it.
    #[must_use]
    pub fn value(&self) -> Option<Expression> {
        child(&self.0, 1)
    }
}

impl Comprehension {
    /// What each item is made by, if it makes a list.
    #[must_use]
    pub fn item(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// What each entry is made by, if it makes a dictionary.
    #[must_use]
    pub fn entry(&self) -> Option<DictEntry> {
        child(&self.0, 0)
    }

    /// Its `for` clauses.
    #[must_use]
    pub fn loops(&self) -> AstChildren<CompFor> {
        support::children(&self.0)
    }
}

impl CompFor {
    /// What each item is bound to.
    #[must_use]
    pub fn target(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// Where the items come from.
    #[must_use]
    pub fn iterable(&self) -> Option<Expression> {
        child(&self.0, 1)
    }
}

impl Binary {
    /// What the operators combine.
    #[must_use]
    pub fn operands(&self) -> AstChildren<Expression> {
        support::children(&self.0)
    }
}

impl Lambda {
    /// Its parameters, if it has any.
    #[must_use]
    pub fn parameters(&self) -> Option<Parameters> {
        child(&self.0, 0)
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> Option<Expression> {
        child(&self.0, 0)
    }
}

impl Dot {
    /// What a field or method is read from.
    #[must_use]
    pub fn receiver(&self) -> Option<Expression> {
        child(&self.0, 0)
    }

    /// The name of the field or method.
    #[must_use]
    pub fn field(&self) -> Option<SyntaxToken> {
        token(&self.0, TokenKind::Name)
    }
}
