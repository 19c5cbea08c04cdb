use std::collections::BTreeMap;

use super::warnings;
use crate::db::Database;
use crate::source::{PolicySet, SourceFile};

/// The codes of what is told about a policy, each with the text that it points at.
fn told(text: &str) -> Vec<(&'static str, String)> {
    let db = Database::default();
    let file = SourceFile::new(&db, "a.rules".to_owned(), text.to_owned());
    let set = PolicySet::new(&db, vec![file], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
    warnings(&db, set, file).iter().map(|it| (it.code.0, it.primary.span.of(text).to_owned())).collect()
}

#[test]
fn programs_are_compared_with_those_that_are_shipped() {
    let db = Database::default();
    let file = |label: &str, text: &str| SourceFile::new(&db, label.to_owned(), text.to_owned());
    let shipped = "program([['m', 'gm']], operands = 'code', options = [option('-f', '-o', writes = True), option('-q')])\n\
        program('l')\n";
    let prelude = file("@std//programs/a.rules", shipped);
    let told = |text: &str| {
        let own = file("a.rules", text);
        let set = PolicySet::builder(vec![own], BTreeMap::new(), Vec::new(), "/".to_owned(), None);
        let set = set.prelude(vec![prelude]).new(&db);
        warnings(&db, set, own).iter().map(|it| (it.code.0, it.message.clone())).collect::<Vec<_>>()
    };
    let shadowed = |what: &str| vec![("shadowed-program", format!("this replaces what is shipped about `m`, {what}"))];
    assert_eq!(
        told("program('m', operands = 'code')"),
        shadowed("and drops `-f` and `-o`, which run code or write files")
    );
    assert_eq!(told("program('m', options = [option('-f', '-o')])"), shadowed("and drops that its operands are code"));
    assert_eq!(told("program('m', operands = 'code', options = [option('-f', '-o')])\nprogram('l')"), []);
    assert_eq!(told("program('m', inherit = True, options = [option('-j')])"), []);
}

#[test]
fn rules_are_looked_at_beside_others() {
    let programs = "program([['sh', 'zsh']], operands = 'code', stdin = 'shell', options = [option('-c', runs = 'shell')])\n\
        program(['d', 'exec'], operands = 'command')\nprogram('t', operands = 'command', skip = 1)\n\
        program('s', operands = 'command', options = [option('-u', value = True), option('-n', harmless = True), option('-V')])\n\
        program('f', options = [option('-x', until = [';'], runs = 'command')])\n";
    for (rules, expected) in [
        ("prefix_rule(['a b', 'c d'])", vec![("invalid-word", "'a b'")]),
        ("prefix_rule([['ok', 'a '], 'c'])", vec![("invalid-word", "'a '")]),
        ("prefix_rule(['/bin/sh', ['-c', '-lc'], 'a b'])", vec![("invalid-word", "'a b'")]),
        ("prefix_rule(['sh', '-x', 'a b'])\nprefix_rule(['git', '-c', 'a b'])", vec![]),
        ("prefix_rule([['sh', 'ls', 'zsh']])", vec![("broad-rule", "'sh'")]),
        ("prefix_rule(['a', ['b', 'Authorization: x']])", vec![("broad-secret", "'Authorization: x'")]),
        ("prefix_rule([['ls', '/bin/zsh']])", vec![("broad-rule", "'/bin/zsh'")]),
        ("prefix_rule(['d', 'exec'])", vec![("broad-rule", "'exec'")]),
        ("prefix_rule(['d', 'exec', 'x'])\nprefix_rule(['zsh'], 'prompt')", vec![]),
        (
            "prefix_rule(['sh', '-c'])\nprefix_rule(['zsh', '-ec'])",
            vec![("broad-rule", "'-c'"), ("broad-rule", "'-ec'")],
        ),
        ("prefix_rule([any_word()])", vec![("broad-rule", "any_word()")]),
        ("prefix_rule([['a', glob('**')]])", vec![("broad-rule", "['a', glob('**')]")]),
        ("prefix_rule([path('/**'), any_word()])", vec![("broad-rule", "path('/**')")]),
        ("prefix_rule(['sh', any_word()])", vec![("broad-rule", "'sh'")]),
        ("prefix_rule([any_word(), '--version'])", vec![]),
        ("prefix_rule([any_word()], without = ['x'])\nprefix_rule([any_word()], 'prompt')", vec![]),
        ("prefix_rule(['s', '-u', 'x'])\nprefix_rule(['s', '-u', 'x', 'y'])", vec![("broad-rule", "'x'")]),
        ("prefix_rule(['t', '5'])\nprefix_rule(['t', '5', 'y'])", vec![("broad-rule", "'5'")]),
        ("prefix_rule(['s', '-n'])", vec![("broad-rule", "'-n'")]),
        ("prefix_rule(['s', '-n', '-u', 'x'])", vec![("broad-rule", "'x'")]),
        ("prefix_rule(['s', '--version'])\nprefix_rule(['s', '-V'])", vec![]),
        ("prefix_rule(['d'])\nprefix_rule(['d', 'x'])", vec![("broad-rule", "'d'")]),
        (
            "prefix_rule(['f'])\nprefix_rule(['f', '.'])\nprefix_rule(['f'], without = ['-x'])",
            vec![("broad-rule", "'f'")],
        ),
        ("prefix_rule(['cd', '&&', 'x'])", vec![("invalid-word", "'&&'")]),
        (
            "prefix_rule(['a', ['*', 'b']])\nprefix_rule(['~/a'])",
            vec![("invalid-word", "'*'"), ("invalid-word", "'~/a'")],
        ),
        ("program('a', inherit = True)", vec![("unknown-program", "'a'")]),
        ("prefix_rule(['sh'], exact = True)\nprefix_rule(['sh'], having = ['x'])", vec![]),
        ("prefix_rule(['a'], 'prompt')\nprefix_rule(['a', 'b'])", vec![("shadowed-rule", "['a', 'b']")]),
        (
            "prefix_rule([['a', 'b']])\nprefix_rule(['a'], 'prompt')\nprefix_rule(['b'], 'forbidden')",
            vec![("shadowed-rule", "[['a', 'b']]")],
        ),
        ("prefix_rule([['a', 'b']])\nprefix_rule(['a'], 'prompt')", vec![]),
        ("prefix_rule(['a', glob('*')])\nprefix_rule(['a', 'x'], 'prompt')", vec![]),
        ("prefix_rule(['a', 'x'])\nprefix_rule(['a'], 'prompt', unless = [['a', 'x']])", vec![]),
        ("prefix_rule(['a', 'x'], canonical_matching = True)\nprefix_rule(['a'], 'prompt')", vec![]),
    ] {
        let told = told(&format!("{programs}{rules}\n"));
        let told: Vec<_> = told.iter().map(|(code, text)| (*code, text.as_str())).collect();
        assert_eq!(told, expected, "{rules}");
    }
}
