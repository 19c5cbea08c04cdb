//! Shapes of trees; that every text has one is tested in `tests/tests/trees.rs`, where all policies are.

use std::fmt::Write;

use super::{AstNode, Call, DEEPEST_TREE, Kind, Literal, NodeKind, SyntaxNode, Tree, parse};

/// The tree as nested brackets, without what the parser passes over.
fn shape(node: &SyntaxNode) -> String {
    let mut text = format!("({:?}", node.kind().node().unwrap());
    for child in node.children_with_tokens().filter(|child| !child.kind().is_trivia()) {
        match child {
            rowan::NodeOrToken::Node(node) => write!(text, " {}", shape(&node)).unwrap(),
            rowan::NodeOrToken::Token(token) => write!(text, " {}", token.text()).unwrap(),
        }
    }
    text + ")"
}

fn errors(tree: &Tree) -> usize {
    tree.root().descendants().filter(|node| node.kind() == NodeKind::Error).count()
}

/// Checks that `text` is what the tree holds, and gives its shape.
fn shown(text: &str) -> String {
    let tree = parse(text);
    assert_eq!(tree.root().text().to_string(), text);
    shape(&tree.root())
}

#[test]
fn chains_are_flat_and_bind_as_the_engine_binds() {
    assert_eq!(
        shown("not a + b + -c in d and e\n"),
        "(File (ExpressionStatement (Binary (Unary not (Binary (Binary (NameRef a) + (NameRef b) + (Unary - (NameRef c))) in \
         (NameRef d))) and (NameRef e))))"
    );
    assert_eq!(
        shown("a.b[c](d, *e, f = 1)[1:2]"),
        "(File (ExpressionStatement (Slice (Call (Index (Dot (NameRef a) . b) [ (NameRef c) ]) (Arguments ( (Argument (NameRef d)) , \
         (Argument * (NameRef e)) , (Argument f = (Literal 1)) ))) [ (Literal 1) : (Literal 2) ])))"
    );
    assert_eq!(
        shown("lambda a, b=1: a if b else f'{a!r}-'"),
        "(File (ExpressionStatement (Lambda lambda (Parameters (Parameter (Name a)) , (Parameter (Name b) = (Literal 1))) : \
         (Conditional (NameRef a) if (NameRef b) else (FString f' { (NameRef a) ! r } - ')))))"
    );
}

#[test]
fn names_that_are_bound_are_told_from_names_that_are_used() {
    assert_eq!(
        shown("(a, [b]), c.d, e[f] = g"),
        "(File (AssignStatement (Tuple (Tuple ( (Name a) , (List [ (Name b) ]) )) , (Dot (NameRef c) . d) , (Index (NameRef e) [ \
         (NameRef f) ])) = (NameRef g)))"
    );
    assert_eq!(
        shown("[x for x, y in z if y]"),
        "(File (ExpressionStatement (Comprehension [ (NameRef x) (CompFor for (Tuple (Name x) , (Name y)) in (NameRef z)) (CompIf if \
         (NameRef y)) ])))"
    );
    assert_eq!(
        shown("load('./a.rules', 'b', c = 'd')\nx: int = 1\nx += 1"),
        "(File (LoadStatement load ( (Literal './a.rules') , (LoadItem (Literal 'b')) , (LoadItem (Name c) = (Literal 'd')) )) \
         (AssignStatement (Name x) : (NameRef int) = (Literal 1)) (AssignStatement (NameRef x) += (Literal 1)))"
    );
}

#[test]
fn blocks_hold_their_lines_and_comments() {
    let text = "def f(a, *, b: int = 1) -> str:\n  if a:\n    pass\n    # inner\n  # outer\n  elif b: return\n  else:\n    g(a)\n  # end\n# file\nx\n";
    assert_eq!(
        shown(text),
        "(File (DefStatement def (Name f) (Parameters ( (Parameter (Name a)) , (Parameter *) , (Parameter (Name b) : (NameRef int) = \
         (Literal 1)) )) -> (NameRef str) : (Block (IfStatement if (NameRef a) : (Block (SimpleStatement pass)) elif (NameRef b) : \
         (Block (ReturnStatement return)) else : (Block (ExpressionStatement (Call (NameRef g) (Arguments ( (Argument (NameRef a)) \
         )))))))) (ExpressionStatement (NameRef x)))"
    );
    let root = parse(text).root();
    let of = |comment: &str| {
        let place = u32::try_from(text.find(comment).unwrap()).unwrap();
        root.token_at_offset(place.into()).right_biased().unwrap().parent().unwrap()
    };
    assert_eq!(of("# inner").kind(), NodeKind::Block);
    assert_eq!(of("# outer").kind(), NodeKind::IfStatement);
    assert_eq!(of("# end").parent().unwrap().kind(), NodeKind::DefStatement);
    assert_eq!(of("# file").kind(), NodeKind::File);
}

#[test]
fn a_mistake_stays_in_its_statement() {
    assert_eq!(
        shown("rule([a,\n\nrule(b)\nx = = 1\nf(])\ng(a b, ,)\n"),
        "(File (ExpressionStatement (Call (NameRef rule) (Arguments ( (Argument (List [ (NameRef a) ,))))) (ExpressionStatement (Call \
         (NameRef rule) (Arguments ( (Argument (NameRef b)) )))) (AssignStatement (Name x) =) (Error = 1) (ExpressionStatement (Call \
         (NameRef f) (Arguments ( (Error ]) )))) (ExpressionStatement (Call (NameRef g) (Arguments ( (Argument (NameRef a)) (Argument \
         (NameRef b)) , , )))))"
    );
}

#[test]
fn what_nests_too_deep_is_an_error_and_no_overflow() {
    let many = 100_000;
    for text in [
        "[".repeat(many),
        format!("{}1{}", "[".repeat(many), "]".repeat(many)),
        "f(".repeat(many),
        "not ".repeat(many),
        format!("f{}", "()".repeat(many)),
        "{a:".repeat(5_000),
        "-".repeat(5_000),
        "lambda: ".repeat(5_000),
        "a if b else ".repeat(5_000),
        format!("a{}", ".b".repeat(5_000)),
        "f'{".repeat(5_000),
        "lambda x=".repeat(5_000),
        "[for ".repeat(5_000),
        "a or b and not c | d ^ e & f << g + h * (".repeat(5_000),
        ")]}".repeat(5_000),
        (0..1_000).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect(),
    ] {
        let tree = parse(&text);
        assert_eq!(tree.root().text().len(), u32::try_from(text.len()).unwrap().into(), "{text:.40}");
        assert!(errors(&tree) > 0, "{text:.40}");
    }
    let depth = DEEPEST_TREE as usize / 2;
    assert_eq!(errors(&parse(&format!("x = {}1{}", "[".repeat(depth), "]".repeat(depth)))), 0);
    assert_eq!(errors(&parse(&format!("x = 1{}", " + 1".repeat(many)))), 0);
}

#[test]
fn typed_parts_are_found() {
    let root = parse(r#"prefix_rule(["git", "push"], decision = "prompt", match = x)"#).root();
    let call = root.descendants().find_map(Call::cast).unwrap();
    assert_eq!(call.callee_name().unwrap().text(), "prefix_rule");
    let text = |name, position| call.argument(name, position).map(|value| value.syntax().text().to_string());
    assert_eq!(text("pattern", Some(0)).as_deref(), Some(r#"["git", "push"]"#));
    assert_eq!(text("match", Some(2)).as_deref(), Some("x"));
    assert_eq!(text("justification", Some(3)), None);
    let strings: Vec<_> = root.descendants().filter_map(Literal::cast).filter_map(|literal| literal.string()).collect();
    assert_eq!(strings, ["git", "push", "prompt"]);
}

#[test]
fn nodes_begin_and_end_with_something_significant() {
    let text = "# a\nif  b :\n  f( c ) # d\n\n  g\n# e\n";
    for node in parse(text).root().descendants().skip(1).filter(|node| node.kind() != NodeKind::Block) {
        let ends = [node.first_token(), node.last_token()].map(|token| token.unwrap().kind());
        assert!(!ends.into_iter().any(Kind::is_trivia), "{node:?}");
    }
}
