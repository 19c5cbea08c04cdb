//! The names of one file: where each is bound and used, and in which scope. What a name of another file is, `bonds` knows.

use std::collections::HashMap;

use crate::source::{SourceFile, Span};
use crate::syntax::tree;
use crate::syntax::tree::{
    Argument, AssignStatement, AstNode, Call, CompFor, Expression, LoadItem, LoadStatement, Name, NameRef, NodeKind,
    Parameter, SyntaxNode, Tree, span,
};

/// What a file names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// The scopes, of which the first is that of the file.
    pub(super) scopes: Vec<Scope>,
    /// What is bound, each once, however often it is bound.
    pub(super) symbols: Vec<Symbol>,
    /// Every place where a name stands, by position.
    pub(super) occurrences: Vec<Occurrence>,
    /// What is loaded.
    pub(super) loads: Vec<Loaded>,
    /// The calls of names, by position.
    pub(super) calls: Vec<Called>,
    by_name: HashMap<(usize, String), usize>,
}

/// Where names are bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    /// The scope around it.
    pub(super) parent: Option<usize>,
    /// The function whose parameters and body it is, and the statement that defines it.
    pub(super) function: Option<(usize, Span)>,
}

/// Something that is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    /// What it is called.
    pub(super) name: String,
    /// Where it is bound.
    pub(super) scope: usize,
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// The name, without quotes.
    pub(super) span: Span,
    /// What it stands for; nothing for a builtin, an unknown name, and what another file or function binds.
    pub(super) symbol: Option<usize>,
    /// The scope that it stands in.
    pub(super) scope: usize,
    /// What it is there for.
    pub(super) role: Role,
}

/// What a name stands in its place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is bound, as the variable of a statement that ends there or of a loop.
    Variable(Span),
    /// It is bound, as the function of a statement and of the scope of that.
    Function(Span, usize),
    /// It is bound, as a parameter.
    Parameter,
    /// It is bound, to what a `load` brings.
    Loaded(usize),
    /// What a `load` that gives another name brings is called so in its file.
    Original(usize),
    /// It names an argument of the call at that place of the calls.
    Keyword(usize),
    /// Its value is used and changed.
    Write,
    /// Its value is used.
    Read,
}

/// A name that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loaded {
    /// The path, as written.
    pub(super) path: String,
    /// What it is called in the loaded file.
    pub(super) name: String,
    /// What it is here.
    pub(super) symbol: usize,
    /// Whether it has the same name here.
    pub(super) same: bool,
    /// Where it is called as there.
    pub(super) original: Span,
}

/// A call of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Called {
    /// The place, among the occurrences, of what is called; nothing if that is no name.
    pub(super) callee: Option<usize>,
    /// The call.
    pub(super) span: Span,
    /// The scope that it stands in.
    pub(super) scope: usize,
    /// Whether names of arguments come from a dictionary.
    pub(super) spread: bool,
}

/// The names of a file.
#[salsa::tracked]
pub(super) fn names(db: &dyn salsa::Database, file: SourceFile) -> Names {
    Names::of(&tree(db, file))
}

/// The scope of the whole file.
pub(super) const GLOBAL: usize = 0;

impl Names {
    /// The names in a tree.
    pub(super) fn of(tree: &Tree) -> Self {
        let names = Self { scopes: vec![Scope::default()], ..Self::default() };
        let mut walk = Walk { names, pending: Vec::new() };
        walk.children(&tree.root(), GLOBAL);
        walk.finish()
    }

    /// The occurrence at an offset: if two touch there, the one that begins.
    pub(super) fn at(&self, offset: u32) -> Option<usize> {
        let after = self.occurrences.partition_point(|occurrence| occurrence.span.start <= offset);
        let index = after.checked_sub(1)?;
        (offset <= self.occurrences.get(index)?.span.end).then_some(index)
    }

    /// What the file binds for all of it under this name.
    pub(super) fn global(&self, name: &str) -> Option<usize> {
        self.bound(GLOBAL, name)
    }

    /// What a scope itself binds under this name.
    pub(super) fn bound(&self, scope: usize, name: &str) -> Option<usize> {
        self.by_name.get(&(scope, name.to_owned())).copied()
    }

    /// The places of a symbol.
    pub(super) fn of_symbol(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |occurrence| occurrence.symbol == Some(symbol))
    }

    /// The places where a symbol is bound.
    pub(super) fn definitions(&self, symbol: usize) -> impl Iterator<Item = &Occurrence> {
        self.of_symbol(symbol).filter(|occurrence| occurrence.role.binds())
    }

    /// The scopes of the functions that a symbol is defined as.
    pub(super) fn bodies(&self, symbol: usize) -> impl Iterator<Item = usize> {
        self.definitions(symbol).filter_map(|occurrence| match occurrence.role {
            Role::Function(_, scope) => Some(scope),
            _ => None,
        })
    }

    /// The load that binds a symbol, if one does.
    pub(super) fn load_of(&self, symbol: usize) -> Option<&Loaded> {
        self.loads.iter().find(|load| load.symbol == symbol)
    }

    /// The innermost function around a scope, with its statement.
    pub(super) fn function_of(&self, scope: usize) -> Option<(usize, Span)> {
        let mut scope = self.scopes.get(scope);
        while let Some(inner) = scope {
            if inner.function.is_some() {
                return inner.function;
            }
            scope = inner.parent.and_then(|parent| self.scopes.get(parent));
        }
        None
    }

    /// The function whose parameter a symbol is.
    pub(super) fn parameter_of(&self, symbol: usize) -> Option<usize> {
        let parameter = self.definitions(symbol).any(|occurrence| occurrence.role == Role::Parameter);
        let scope = self.scopes.get(self.symbols.get(symbol)?.scope)?;
        scope.function.filter(|_| parameter).map(|(function, _)| function)
    }
}

impl Role {
    /// Whether the name is bound there.
    pub(super) const fn binds(self) -> bool {
        matches!(self, Self::Variable(_) | Self::Function(..) | Self::Parameter | Self::Loaded(_))
    }
}

/// Collects names; those that are only used are looked up when all that is bound is known.
struct Walk {
    names: Names,
    /// The places where names are used, and the names.
    pending: Vec<(usize, String)>,
}

impl Walk {
    fn children(&mut self, node: &SyntaxNode, scope: usize) {
        node.children().for_each(|child| self.node(&child, scope));
    }

    fn node(&mut self, node: &SyntaxNode, scope: usize) {
        match node.kind().node() {
            Some(NodeKind::DefStatement) => self.function(node, scope),
            Some(NodeKind::Lambda) => {
                let inner = self.scope(scope);
                for child in node.children() {
                    match child.kind().node() {
                        Some(NodeKind::Parameters) => self.parameters(&child, scope, inner),
                        _ => self.node(&child, inner),
                    }
                }
            }
            Some(NodeKind::Comprehension) => self.comprehension(node, scope),
            Some(NodeKind::LoadStatement) => self.load(node),
            Some(NodeKind::Call) => self.call(node, scope),
            Some(NodeKind::AssignStatement) => self.assignment(node, scope),
            Some(NodeKind::Name) => {
                let statement = statement(node);
                self.bind(node, scope, Role::Variable(statement));
            }
            Some(NodeKind::NameRef) => {
                self.refer(node, scope, Role::Read);
            }
            _ => self.children(node, scope),
        }
    }

    fn function(&mut self, node: &SyntaxNode, scope: usize) {
        let inner = self.scope(scope);
        for child in node.children() {
            match child.kind().node() {
                Some(NodeKind::Name) => {
                    let symbol = self.bind(&child, scope, Role::Function(node.text_range().into(), inner));
                    if let (Some(inner), Some(symbol)) = (self.names.scopes.get_mut(inner), symbol) {
                        inner.function = Some((symbol, node.text_range().into()));
                    }
                }
                Some(NodeKind::Parameters) => self.parameters(&child, scope, inner),
                Some(NodeKind::Block) => self.children(&child, inner),
                _ => self.node(&child, scope),
            }
        }
    }

    /// Parameters are bound inside; their types and defaults belong to what is around.
    fn parameters(&mut self, node: &SyntaxNode, scope: usize, inner: usize) {
        for parameter in node.children().filter_map(Parameter::cast) {
            let name = parameter.name();
            for child in parameter.syntax().children() {
                match &name {
                    Some(name) if *name.syntax() == child => {
                        self.bind(&child, inner, Role::Parameter);
                    }
                    _ => self.node(&child, scope),
                }
            }
        }
    }

    /// All of it is a scope, but for what the first loop goes over.
    fn comprehension(&mut self, node: &SyntaxNode, scope: usize) {
        let inner = self.scope(scope);
        let first = node.children().find_map(CompFor::cast);
        let outer = first.and_then(|first| first.iterable()).map(|iterable| iterable.syntax().clone());
        for child in node.children() {
            match CompFor::cast(child.clone()) {
                Some(clause) => {
                    for part in clause.syntax().children() {
                        let scope = if outer.as_ref() == Some(&part) { scope } else { inner };
                        self.node(&part, scope);
                    }
                }
                None => self.node(&child, inner),
            }
        }
    }

    fn load(&mut self, node: &SyntaxNode) {
        let Some(load) = LoadStatement::cast(node.clone()) else { return };
        let path = load.path().and_then(|path| path.string()).unwrap_or_default();
        for item in load.items() {
            self.load_item(&item, &path);
        }
    }

    fn load_item(&mut self, item: &LoadItem, path: &str) {
        let Some(literal) = item.original() else { return };
        let (Some(name), Some(original)) = (literal.string(), inside(literal.syntax())) else { return };
        let index = self.names.loads.len();
        let symbol = match item.name() {
            Some(alias) => {
                let symbol = self.bind(alias.syntax(), GLOBAL, Role::Loaded(index));
                let role = Role::Original(index);
                self.names.occurrences.push(Occurrence { span: original, symbol: None, scope: GLOBAL, role });
                symbol
            }
            None => Some(self.bind_at(original, &name, GLOBAL, Role::Loaded(index))),
        };
        let same = item.name().is_none();
        if let Some(symbol) = symbol {
            self.names.loads.push(Loaded { path: path.to_owned(), name, symbol, same, original });
        }
    }

    fn call(&mut self, node: &SyntaxNode, scope: usize) {
        let Some(call) = Call::cast(node.clone()) else { return };
        let callee = match call.callee() {
            Some(Expression::NameRef(name)) => self.refer(name.syntax(), scope, Role::Read),
            Some(other) => {
                self.node(other.syntax(), scope);
                None
            }
            None => None,
        };
        let arguments: Vec<Argument> = call.arguments().into_iter().flat_map(|all| all.arguments()).collect();
        let spread = arguments.iter().any(|argument| argument.stars() == 2);
        let index = self.names.calls.len();
        self.names.calls.push(Called { callee, span: span(&call), scope, spread });
        for argument in arguments {
            if let Some(name) = argument.name() {
                let span = name.text_range().into();
                let role = Role::Keyword(index);
                self.names.occurrences.push(Occurrence { span, symbol: None, scope, role });
            }
            self.children(argument.syntax(), scope);
        }
    }

    fn assignment(&mut self, node: &SyntaxNode, scope: usize) {
        let target = AssignStatement::cast(node.clone()).and_then(|assignment| assignment.target());
        for child in node.children() {
            match &target {
                Some(Expression::NameRef(name)) if *name.syntax() == child => {
                    self.refer(&child, scope, Role::Write);
                }
                _ => self.node(&child, scope),
            }
        }
    }

    fn scope(&mut self, parent: usize) -> usize {
        self.names.scopes.push(Scope { parent: Some(parent), function: None });
        self.names.scopes.len() - 1
    }

    fn bind(&mut self, node: &SyntaxNode, scope: usize, role: Role) -> Option<usize> {
        let token = Name::cast(node.clone())?.token()?;
        Some(self.bind_at(token.text_range().into(), token.text(), scope, role))
    }

    fn bind_at(&mut self, span: Span, name: &str, scope: usize, role: Role) -> usize {
        let symbols = &mut self.names.symbols;
        let symbol = *self.names.by_name.entry((scope, name.to_owned())).or_insert_with(|| {
            symbols.push(Symbol { name: name.to_owned(), scope });
            symbols.len() - 1
        });
        self.names.occurrences.push(Occurrence { span, symbol: Some(symbol), scope, role });
        symbol
    }

    /// Keeps that a name is used; which it is, its place says until all is bound.
    fn refer(&mut self, node: &SyntaxNode, scope: usize, role: Role) -> Option<usize> {
        let token = NameRef::cast(node.clone())?.token()?;
        let span = token.text_range().into();
        self.pending.push((self.names.occurrences.len(), token.text().to_owned()));
        self.names.occurrences.push(Occurrence { span, symbol: None, scope, role });
        Some(self.names.occurrences.len() - 1)
    }
}

impl Walk {
    /// Looks up what is used, from the inside out.
    fn finish(self) -> Names {
        let Self { mut names, pending } = self;
        for (index, name) in pending {
            let mut scope = names.occurrences.get(index).map(|occurrence| occurrence.scope);
            let mut key = (GLOBAL, name);
            let mut symbol = None;
            while let (Some(inner), None) = (scope, symbol) {
                key.0 = inner;
                symbol = names.by_name.get(&key).copied();
                scope = names.scopes.get(inner).and_then(|scope| scope.parent);
            }
            if let Some(occurrence) = names.occurrences.get_mut(index) {
                occurrence.symbol = symbol;
            }
        }
        names
    }
}

/// The statement or clause that binds a name.
fn statement(name: &SyntaxNode) -> Span {
    let binds = |node: &SyntaxNode| {
        let kind = node.kind().node();
        matches!(kind, Some(NodeKind::AssignStatement | NodeKind::ForStatement | NodeKind::CompFor))
    };
    name.ancestors().find(binds).unwrap_or_else(|| name.clone()).text_range().into()
}

/// What stands between the quotes of a string.
fn inside(literal: &SyntaxNode) -> Option<Span> {
    let token = literal.first_token()?;
    let text = token.text();
    let prefix = text.len() - text.trim_start_matches(|character: char| character.is_ascii_alphabetic()).len();
    let quoted = text.get(prefix..)?;
    let quotes = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
    let inside = prefix + quotes..text.len().checked_sub(quotes)?;
    text.get(inside.clone())?;
    Some(Span::from(inside).shifted(token.text_range().start().into()))
}

#[cfg(test)]
mod tests {
    use super::{Names, Role};
    use crate::syntax::tree::parse;

    /// Each name with the place of what it stands for, by the place of its first definition.
    fn resolved(text: &str) -> Vec<String> {
        let names = Names::of(&parse(text));
        let shown = names.occurrences.iter().map(|occurrence| {
            let name = occurrence.span.of(text);
            let first = occurrence.symbol.and_then(|symbol| names.definitions(symbol).next());
            let index = first.and_then(|first| names.occurrences.iter().position(|other| other == first));
            let mark = match occurrence.role {
                Role::Keyword(_) => "=",
                Role::Write => "+",
                role if role.binds() => "!",
                _ => "",
            };
            index.map_or_else(|| format!("{name}{mark}?"), |index| format!("{name}{mark}{index}"))
        });
        shown.collect()
    }

    #[test]
    fn names_are_looked_up_from_the_inside_out() {
        for (text, expected) in [
            ("A = 1\nA = A\nA += B\n", "A!0 A!0 A0 A+0 B?"),
            ("if x:\n  A = 1\nelse:\n  A = 2\nA\n", "x? A!1 A!1 A1"),
            ("x = 1\ndef f(x, y = x):\n  z = x\n  return y + z\nz\n", "x!0 f!1 x!2 y!3 x0 z!5 x2 y3 z5 z?"),
            ("def f():\n  g(a)\n  a = 1\na = 2\n", "f!0 g? a3 a!3 a!4"),
            ("x = 1\n[x for x in x if x]\n", "x!0 x2 x!2 x0 x2"),
            ("[x for y in a for x in y]\n", "x3 y!1 a? x!3 y1"),
            ("{k: v for k, v in d}\n", "k2 v3 k!2 v!3 d?"),
            ("lambda a, *b, c = a: a + c\n", "a!0 b!1 c!2 a? a0 c2"),
            ("for a, (b, c) in d:\n  a\n", "a!0 b!1 c!2 d? a0"),
            ("load('./a.rules', 'A', B = 'C')\nA + B\n", "A!0 B!1 C? A0 B1"),
            ("def f(a):\n  pass\nf(a = a, b = 1)\n", "f!0 a!1 f0 a=? a? b=?"),
            ("x.y(z).w[v]\n", "x? z? v?"),
            ("f\"{x} {y + 1}\"\n", "x? y?"),
        ] {
            assert_eq!(resolved(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn any_text_has_names_in_order() {
        for text in
            ["def", "def (", "load(", "load('a', b = ", "[x for", "f(a = ", "lambda", "a = (", "for in", "((((((a"]
        {
            let names = Names::of(&parse(text));
            assert!(names.occurrences.is_sorted_by_key(|occurrence| occurrence.span), "{text}");
        }
    }
}
