//! What the nodes and tokens of a tree are.

use crate::syntax::token::TokenKind;

/// What a node or a token of a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A node.
    Node(NodeKind),
    /// A token.
    Token(TokenKind),
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    File,
    /// `load("./a.rules", "name", other = "name")`; the path is a [`Literal`](Self::Literal) in it.
    LoadStatement,
    /// A name that is loaded: `"name"`, or a [`Name`](Self::Name) and what it is called in the other file.
    LoadItem,
    /// `def name(parameters): block`
    DefStatement,
    /// `if condition: block`, with every `elif` and `else` that belongs to it.
    IfStatement,
    /// `for targets in iterable: block`
    ForStatement,
    /// `return`, with or without a value.
    ReturnStatement,
    /// `target = value`, `target: type = value`, `target += value`.
    AssignStatement,
    /// An expression that stands alone.
    ExpressionStatement,
    /// `pass`, `break` or `continue`.
    SimpleStatement,
    /// The statements after a `:`, in lines of their own or in the same line.
    Block,
    /// Those of a `def`, brackets included, or of a `lambda`.
    Parameters,
    /// One of them: stars, [`Name`](Self::Name), type, default.
    Parameter,
    /// A name where it is bound: by `=`, `for`, `def`, a parameter or a `load`. Not by `+=`, which needs it bound before.
    Name,
    /// A name where it is used.
    NameRef,
    /// A string, a number, `None`, `True`, `False` or `...`.
    Literal,
    /// An f-string, with its expressions.
    FString,
    /// What is called, and [`Arguments`](Self::Arguments).
    Call,
    /// Brackets included.
    Arguments,
    /// A value, after `name =` or stars if it has them.
    Argument,
    /// `[a, b]`
    List,
    /// `(a, b)`, `()`, or `a, b` without brackets.
    Tuple,
    /// `(a)`
    Paren,
    /// `{a: b}`
    Dict,
    /// `a: b`
    DictEntry,
    /// `[a for b in c if d]`, `{a: b for c in d}`
    Comprehension,
    /// `for targets in iterable`
    CompFor,
    /// `if condition`
    CompIf,
    /// Operands and the operators of one precedence between them: `a + b - c` is one node of three operands.
    Binary,
    /// `not a`, `-a`, `+a`, `~a`
    Unary,
    /// `a if b else c`
    Conditional,
    /// `lambda parameters: value`
    Lambda,
    /// `a.name`
    Dot,
    /// `a[b]`
    Index,
    /// `a[b:c:d]`
    Slice,
    /// Tokens that fit nowhere, or are nested too deep.
    Error,
}

impl Kind {
    /// The kind of a node.
    #[must_use]
    pub fn node(self) -> Option<NodeKind> {
        match self {
            Self::Node(kind) => Some(kind),
            Self::Token(_) => None,
        }
    }

    /// The kind of a token.
    #[must_use]
    pub fn token(self) -> Option<TokenKind> {
        match self {
            Self::Node(_) => None,
            Self::Token(kind) => Some(kind),
        }
    }

    /// Whether it is a token that the parser passes over.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        self.token().is_some_and(TokenKind::is_trivia)
    }
}

impl PartialEq<NodeKind> for Kind {
    fn eq(&self, other: &NodeKind) -> bool {
        *self == Self::Node(*other)
    }
}

impl PartialEq<TokenKind> for Kind {
    fn eq(&self, other: &TokenKind) -> bool {
        *self == Self::Token(*other)
    }
}

/// The language of policies, as rowan asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PolicyLanguage {}

/// A node of a tree.
pub type SyntaxNode = rowan::SyntaxNode<PolicyLanguage>;
/// A token of a tree.
pub type SyntaxToken = rowan::SyntaxToken<PolicyLanguage>;
/// A node or a token of a tree.
pub type SyntaxElement = rowan::SyntaxElement<PolicyLanguage>;

impl rowan::Language for PolicyLanguage {
    type Kind = Kind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> Kind {
        let index = usize::from(raw.0);
        let token = index.checked_sub(NODE_KINDS.len()).map(|index| TOKEN_KINDS.get(index).copied());
        match (NODE_KINDS.get(index), token) {
            (Some(&kind), _) => Kind::Node(kind),
            (None, token) => Kind::Token(token.flatten().unwrap_or(TokenKind::Unknown)),
        }
    }

    fn kind_to_raw(kind: Kind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(match kind {
            Kind::Node(kind) => u16::from(kind as u8),
            Kind::Token(kind) => u16::from(NodeKind::Error as u8) + 1 + u16::from(kind as u8),
        })
    }
}

/// Every kind of node, in order.
const NODE_KINDS: [NodeKind; NodeKind::Error as usize + 1] = {
    use NodeKind::*;
    [
        File,
        LoadStatement,
        LoadItem,
        DefStatement,
        IfStatement,
        ForStatement,
        ReturnStatement,
        AssignStatement,
        ExpressionStatement,
        SimpleStatement,
        Block,
        Parameters,
        Parameter,
        Name,
        NameRef,
        Literal,
        FString,
        Call,
        Arguments,
        Argument,
        List,
        Tuple,
        Paren,
        Dict,
        DictEntry,
        Comprehension,
        CompFor,
        CompIf,
        Binary,
        Unary,
        Conditional,
        Lambda,
        Dot,
        Index,
        Slice,
        Error,
    ]
};

/// Every kind of token, in order.
const TOKEN_KINDS: [TokenKind; TokenKind::Unknown as usize + 1] = {
    use TokenKind::*;
    [
        Blank,
        Newline,
        Comment,
        Name,
        Int,
        Float,
        String,
        UnclosedString,
        FStringStart,
        FStringText,
        FStringOpen,
        FStringClose,
        FStringEnd,
        And,
        Def,
        Elif,
        Else,
        For,
        If,
        In,
        Lambda,
        Load,
        Not,
        Or,
        OpenRound,
        CloseRound,
        OpenSquare,
        CloseSquare,
        OpenCurly,
        CloseCurly,
        Comma,
        Colon,
        Semicolon,
        Dot,
        Star,
        StarStar,
        Minus,
        Equal,
        Operator,
        Assignment,
        Unknown,
    ]
};

#[cfg(test)]
mod tests {
    use rowan::Language;

    use super::{Kind, NODE_KINDS, PolicyLanguage, TOKEN_KINDS};

    #[test]
    fn raw_kinds_are_the_kinds() {
        let kinds = NODE_KINDS.into_iter().map(Kind::Node).chain(TOKEN_KINDS.into_iter().map(Kind::Token));
        for (raw, kind) in kinds.enumerate() {
            assert_eq!(usize::from(PolicyLanguage::kind_to_raw(kind).0), raw);
            assert_eq!(PolicyLanguage::kind_from_raw(rowan::SyntaxKind(raw.try_into().unwrap())), kind);
        }
    }
}
