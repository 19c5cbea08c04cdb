//! What a file declares and defines, and a search for it in all files of the set.

use super::Place;
use super::bonds::Bonds;
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::tree;
use crate::syntax::tree::{AstNode, Call, Expression, Name, NodeKind, SyntaxNode, span};

/// Something that a file declares or defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called: `prefix_rule git push → forbidden`, `program git`, or the name of a function or variable.
    pub name: String,
    /// What more there is to say, such as a function's parameters; may be empty.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub whole: Span,
    /// What names it: the pattern of a rule, the name of a function.
    pub span: Span,
    /// What is declared and defined in it.
    pub children: Vec<Symbol>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A `prefix_rule`, `network_rule` or `default_decision`.
    Rule,
    /// An `expect`.
    Expectation,
    /// A `program`, `host_executable` or `inert_env`.
    Knowledge,
    /// A function.
    Function,
    /// A variable.
    Variable,
}

/// A symbol that was searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// What names it.
    pub place: Place,
    /// All of it.
    pub whole: Span,
    /// The function that it is in, or the label of its file.
    pub container: String,
}

/// How many symbols a search finds at most.
const MOST_FOUND: usize = 256;

/// What a file declares and defines, by position, however broken the file is.
#[salsa::tracked]
pub fn document_symbols(db: &dyn salsa::Database, file: SourceFile) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let text = file.text(db);
    collect(&tree(db, file).root(), text, &mut symbols, true);
    symbols
}

/// The symbols of the set whose names have the letters of `query` in that order, the nearest first: those that begin with
/// it, then those that hold it, then the others. Letter case counts for nothing; shipped files are left out.
#[must_use]
pub fn workspace_symbols(db: &dyn salsa::Database, set: PolicySet, query: &str) -> Vec<Found> {
    let query: String = query.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for file in (Bonds { db, set }).files() {
        let label = file.label(db);
        for symbol in document_symbols(db, file) {
            search(symbol, (file, label), &query, &mut found);
        }
    }
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(MOST_FOUND).map(|(_, found)| found).collect()
}

fn search(symbol: &Symbol, (file, container): (SourceFile, &str), query: &str, found: &mut Vec<(usize, Found)>) {
    if let Some(distance) = distance(&symbol.name.to_lowercase(), query) {
        let place = Place { file, span: symbol.span };
        let container = container.to_owned();
        let Symbol { name, kind, whole, .. } = symbol.clone();
        found.push((distance, Found { name, kind, place, whole, container }));
    }
    symbol.children.iter().for_each(|child| search(child, (file, &symbol.name), query, found));
}

/// How far a name is from what is searched for; nothing if letters are missing.
fn distance(name: &str, query: &str) -> Option<usize> {
    // A rule is known by its pattern: what it is called with comes first for all of them.
    let pattern = name.split_once(' ').map_or(name, |(_, pattern)| pattern);
    if name.starts_with(query) || pattern.starts_with(query) {
        return Some(0);
    }
    if name.contains(query) {
        return Some(1);
    }
    let mut rest = name.chars();
    query.chars().all(|letter| letter == ' ' || rest.any(|other| other == letter)).then_some(2)
}

/// Collects what the statements below a node declare; variables only at top level.
fn collect(node: &SyntaxNode, text: &str, symbols: &mut Vec<Symbol>, top: bool) {
    for child in node.children() {
        match child.kind().node() {
            Some(NodeKind::DefStatement) => symbols.extend(function(&child, text)),
            Some(NodeKind::AssignStatement) => {
                if top {
                    variables(&child, symbols);
                }
                collect(&child, text, symbols, top);
            }
            Some(NodeKind::Call) => {
                if let Some(symbol) = Call::cast(child.clone()).and_then(|call| declaration(&call, text)) {
                    symbols.push(symbol);
                } else {
                    collect(&child, text, symbols, top);
                }
            }
            Some(NodeKind::Name | NodeKind::NameRef | NodeKind::Literal) => {}
            _ => collect(&child, text, symbols, top),
        }
    }
}

fn function(node: &SyntaxNode, text: &str) -> Option<Symbol> {
    let name = node.children().find_map(Name::cast)?;
    let mut children = Vec::new();
    let mut detail = String::new();
    for child in node.children() {
        match child.kind().node() {
            Some(NodeKind::Parameters) => detail = one_line(Span::from(child.text_range()).of(text)),
            Some(NodeKind::Block) => collect(&child, text, &mut children, false),
            _ => {}
        }
    }
    Some(Symbol {
        name: name.token()?.text().to_owned(),
        detail,
        kind: SymbolKind::Function,
        whole: node.text_range().into(),
        span: span(&name),
        children,
    })
}

/// The names that a statement binds.
fn variables(node: &SyntaxNode, symbols: &mut Vec<Symbol>) {
    for name in node.descendants().filter_map(Name::cast) {
        let inside = name.syntax().ancestors().take_while(|other| other != node);
        let bound_here = inside.skip(1).all(|other| {
            let kind = other.kind().node();
            matches!(kind, Some(NodeKind::Tuple | NodeKind::List | NodeKind::Paren))
        });
        if let Some(token) = name.token().filter(|_| bound_here) {
            symbols.push(Symbol {
                name: token.text().to_owned(),
                detail: String::new(),
                kind: SymbolKind::Variable,
                whole: node.text_range().into(),
                span: span(&name),
                children: Vec::new(),
            });
        }
    }
}

/// What a call declares, if it is one of a builtin that does.
fn declaration(call: &Call, text: &str) -> Option<Symbol> {
    let callee = call.callee_name()?;
    let builtin = callee.text();
    let (kind, subject, decision) = match builtin {
        "prefix_rule" => (SymbolKind::Rule, ("pattern", 0), Some(("decision", 1))),
        "network_rule" => (SymbolKind::Rule, ("host", 0), Some(("decision", 2))),
        "default_decision" => (SymbolKind::Rule, ("decision", 0), None),
        "expect" => (SymbolKind::Expectation, ("request", 0), Some(("decision", 1))),
        "program" => (SymbolKind::Knowledge, ("path", 0), None),
        "host_executable" => (SymbolKind::Knowledge, ("name", 0), None),
        "inert_env" => (SymbolKind::Knowledge, ("names", 0), None),
        _ => return None,
    };
    let given = |(name, position): (&str, usize)| call.argument(name, Some(position));
    let subject = given(subject);
    let shown = subject.as_ref().map(|subject| words(subject, text)).unwrap_or_default();
    let decided = decision.map(|parameter| match given(parameter) {
        Some(value) => plain(&value, text),
        None if builtin == "prefix_rule" => "allow".to_owned(),
        None => "…".to_owned(),
    });
    let decided = decided.map(|decision| format!(" → {decision}")).unwrap_or_default();
    Some(Symbol {
        name: format!("{builtin} {shown}{decided}").trim_end().to_owned(),
        detail: String::new(),
        kind,
        whole: span(call),
        span: subject.map_or_else(|| callee.text_range().into(), |subject| span(&subject)),
        children: Vec::new(),
    })
}

/// A pattern, or another list, as words between blanks: `git push|pull`.
fn words(value: &Expression, text: &str) -> String {
    let alternatives = |item: &Expression| match item {
        Expression::List(list) => list.items().map(|item| plain(&item, text)).collect::<Vec<_>>().join("|"),
        item => plain(item, text),
    };
    match value {
        Expression::List(list) => list.items().map(|item| alternatives(&item)).collect::<Vec<_>>().join(" "),
        value => plain(value, text),
    }
}

/// What a string stands for, or how a value is written.
fn plain(value: &Expression, text: &str) -> String {
    match value {
        Expression::Literal(literal) => literal.string().unwrap_or_else(|| span(value).of(text).to_owned()),
        value => one_line(span(value).of(text)),
    }
}

/// A text on one line, shortened.
fn one_line(text: &str) -> String {
    const MOST: usize = 60;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Symbol, document_symbols, workspace_symbols};
    use crate::ide::fixture::fixture;

    fn outline(symbols: &[Symbol], indent: usize, shown: &mut Vec<String>) {
        for symbol in symbols {
            shown.push(format!("{}{}{}", "  ".repeat(indent), symbol.name, symbol.detail));
            outline(&symbol.children, indent + 1, shown);
        }
    }

    #[test]
    fn a_file_is_its_declarations() {
        let fixture = fixture(
            "READ, (A, B) = ['log'], x\nprefix_rule(pattern = ['git', ['push', \"pull\"], glob('a')], decision = 'forbidden')\n\
             def rules(names, more = 1):\n    local = 1\n    for name in names:\n        prefix_rule([name] + READ, decision = more)\n\
             if A:\n    host_executable('git', ['/bin/git'])\n[program(p) for p in ['a']]\nnetwork_rule('x.com', 'https', 'deny')\n\
             expect('cd b', None)\ndefault_decision('prompt')\nprefix_rule(['broken', \n",
        );
        let mut shown = Vec::new();
        outline(document_symbols(&fixture.db, fixture.file), 0, &mut shown);
        assert_eq!(
            shown,
            [
                "READ",
                "A",
                "B",
                "prefix_rule git push|pull glob('a') → forbidden",
                "rules(names, more = 1)",
                "  prefix_rule [name] + READ → more",
                "host_executable git",
                "program p",
                "network_rule x.com → deny",
                "expect cd b → None",
                "default_decision prompt",
                "prefix_rule broken → allow",
            ]
        );
    }

    #[test]
    fn a_search_finds_the_nearest_first() {
        let fixture = fixture(
            "//- a.rules\nprefix_rule(['agit', 'xpush'])\nprefix_rule(['git', 'push'], 'prompt')\n//- b.rules\ndef push_git():\n  \
             prefix_rule(['hg', 'push'])\n",
        );
        let found = |query| {
            let found = workspace_symbols(&fixture.db, fixture.set, query);
            found.iter().map(|it| format!("{}: {}", it.container, it.name)).collect::<Vec<_>>()
        };
        assert_eq!(
            found("git p"),
            ["a.rules: prefix_rule git push → prompt", "a.rules: prefix_rule agit xpush → allow", "b.rules: push_git"]
                [..2]
        );
        assert_eq!(found("HG  push"), ["push_git: prefix_rule hg push → allow"]);
        assert_eq!(found("zzz"), [""; 0]);
        assert_eq!(found("").len(), 4);
    }
}
