use std::collections::BTreeMap;

use super::{Evaluated, evaluate};
use crate::db::Database;
use crate::rules::{Operands, OptionValue, Request, Runs, Text};
use crate::source::{Module, PolicySet, SourceFile};
use crate::syntax::guard::DEEPEST_NESTING;

/// A policy set of files in one folder, of which the first is evaluated.
struct Policy {
    db: Database,
    set: PolicySet,
    files: Vec<SourceFile>,
}

impl Policy {
    fn new(files: &[(&str, &str)]) -> Self {
        let db = Database::default();
        let files: Vec<SourceFile> =
            files.iter().map(|(label, text)| SourceFile::new(&db, (*label).to_owned(), (*text).to_owned())).collect();
        let modules: BTreeMap<String, Module> =
            files.iter().map(|file| (file.label(&db).clone(), Module::File(*file))).collect();
        let set = PolicySet::new(&db, files.clone(), modules, vec![String::new()], "/".to_owned(), None);
        Self { db, set, files }
    }

    fn of(text: &str) -> Self {
        Self::new(&[("a.rules", text)])
    }

    fn evaluated(&self, index: usize) -> &Evaluated {
        evaluate(&self.db, self.set, self.files[index])
    }

    /// The codes of the first file's mistakes, each with the text that it points at.
    fn mistakes(&self) -> Vec<(&str, &str)> {
        let diagnostics = &self.evaluated(0).diagnostics;
        let text = |file: SourceFile| file.text(&self.db).as_str();
        diagnostics.iter().map(|it| (it.code.0, it.primary.span.of(text(it.primary.file)))).collect()
    }

    fn patterns(&self, index: usize) -> Vec<Vec<&str>> {
        let rules = &self.evaluated(index).declarations.prefix_rules;
        rules.iter().map(|rule| rule.pattern.iter().map(|element| element.words[0].as_str()).collect()).collect()
    }
}

#[test]
fn a_run_reports_every_mistake_at_its_smallest_text() {
    let policy = Policy::of(
        r#"prefix_rule(pattern = ["head", ["-n", 5]], decision = "deny", reason = "x", match = ["head '"])
host_executable("git", ["bin/git", "/usr/bin/git", 1])
network_rule("*.example.com", protocol = "tcp")
prefix_rule(["ok"])
"#,
    );
    assert_eq!(
        policy.mistakes(),
        [
            ("invalid-element", "5"),
            ("unknown-decision", "\"deny\""),
            ("unknown-argument", "reason"),
            ("invalid-example", "\"head '\""),
            ("invalid-path", "\"bin/git\""),
            ("invalid-type", "1"),
            ("invalid-call", "network_rule"),
            ("invalid-host", "\"*.example.com\""),
            ("unknown-protocol", "\"tcp\""),
        ]
    );
    assert_eq!(policy.patterns(0), [["ok"]], "a call with mistakes declares nothing");
}

#[test]
fn a_mistake_made_by_a_function_shows_the_way_to_it() {
    let policy = Policy::of("def ro(program):\n    prefix_rule(pattern = [program, 1])\nro('git')\nro('jj')\n");
    let [mistake] = policy.evaluated(0).diagnostics.as_slice() else { panic!("one mistake at one place") };
    assert_eq!(mistake.labels[0].text, "in `ro`, called here");
    assert_eq!(mistake.labels[0].span.of(policy.files[0].text(&policy.db)), "ro('git')");
    assert_eq!(mistake.notes, ["the call's `pattern` is `[\"git\", 1]`", "this happens 2 times at this place"]);
}

#[test]
fn every_syntax_error_and_every_unknown_name_is_told() {
    let policy = Policy::of("f(a\nprefix_rule(['x'])\nx = 1 +\ny = 'é' 2\nif x:\n\ty\nz = [)\n");
    let codes = policy.mistakes();
    assert!(codes.iter().all(|(code, _)| *code == "invalid-syntax"), "{codes:?}");
    let texts: Vec<&str> = codes.iter().map(|(_, text)| *text).collect();
    assert_eq!(texts, ["(", "\n", "2", "\t", ")"]);

    let policy = Policy::of("READ = ['a']\ndef f(): return lenn(REED)\n[prefx_rule(x) for x in READD]\n");
    let names = policy.mistakes().into_iter().map(|(_, text)| text);
    assert_eq!(names.collect::<Vec<_>>(), ["lenn", "REED", "prefx_rule", "READD"]);
}

#[test]
fn loads_share_names_and_keep_their_own_rules() {
    let policy = Policy::new(&[
        ("a.rules", "load('./lib/b.rules', 'ro')\nro('git')\nprefix_rule(['own'])\n"),
        ("lib/b.rules", "prefix_rule(['loaded'])\ndef ro(program): prefix_rule([program])\n"),
    ]);
    assert_eq!(policy.patterns(0), [["git"], ["own"]], "who calls a helper declares its rules");
    assert_eq!(policy.patterns(1), [["loaded"]]);
    assert_eq!(policy.evaluated(0).loads, [policy.files[1]]);
    let rule = &policy.evaluated(0).declarations.prefix_rules[0];
    assert_eq!(rule.origin.file, policy.files[1]);
    assert_eq!(rule.origin.stack[0].file, policy.files[0]);
}

#[test]
fn what_cannot_be_loaded_is_told_at_the_path() {
    let others = [
        ("b.rules", "load('./c.rules', 'x')\n"),
        ("c.rules", "load('./b.rules', 'x')\nx = 1\n"),
        ("d.rules", "prefix_rule([])\n_y = 1\nNAME = 1\n"),
    ];
    for (text, expected) in [
        ("load('./b.rules', 'x')", vec![("failing-module", "'./b.rules'")]),
        ("load('./e.rules', 'x')", vec![("unknown-module", "'./e.rules'")]),
        ("load('../b.rules', 'x')", vec![("invalid-load", "'../b.rules'")]),
        ("load('b.rules', 'x')", vec![("invalid-load", "'b.rules'")]),
        ("load('./a.rules', 'x')", vec![("invalid-load", "'./a.rules'")]),
        ("load('./d.rules', n='NAMES')", vec![("failing-module", "'./d.rules'"), ("unknown-name", "NAMES")]),
        ("load('./d.rules', '_y')", vec![("failing-module", "'./d.rules'"), ("unknown-name", "_y")]),
        ("fail('x')\nload('./b.rules', 'x')", vec![("failing-evaluation", "fail('x')")]),
    ] {
        let policy = Policy::new(&[&[("a.rules", text)], others.as_slice()].concat());
        assert_eq!(policy.mistakes(), expected, "{text}");
    }
}

#[test]
fn a_run_is_bounded_and_says_where_it_was_stopped() {
    for (text, place) in [
        ("x = 1\nfor i in range(1000000000):\n    pass\n", "for i in range(1000000000):\n    pass\n"),
        ("def f(n):\n    return f(n + 1)\nf(0)\n", "f(n + 1)"),
        ("x = 'a'\nfor i in range(100):\n    x = x + x\n", "x = x + x"),
    ] {
        assert_eq!(Policy::of(text).mistakes(), [("unreachable-end", place)], "{text}");
    }
}

#[test]
fn what_the_guard_lets_pass_fits_the_stack() {
    let n = DEEPEST_NESTING as usize;
    for (open, middle, close, levels) in [
        ("[", "", "]", 1),
        ("(", "1", ")", 1),
        ("", "1", " + 1", 1),
        ("not ", "1", "", 1),
        ("", "len", "()", 2),
        ("lambda: ", "1", "", 1),
        ("1 if 1 else ", "1", "", 2),
        ("[1 for x in ", "[]", "]", 3),
        ("{1: ", "1", "}", 1),
        ("f\"{", "1", "}\"", 1),
        ("len(", "1", ")", 2),
    ] {
        for (levels, refused) in [(n / levels - 5, false), (n + 5, true)] {
            let text = format!("def f(): return {}{middle}{}\n", open.repeat(levels), close.repeat(levels));
            let policy = Policy::of(&text);
            assert_eq!(policy.mistakes().iter().any(|(code, _)| *code == "invalid-nesting"), refused, "{open}{close}");
        }
    }
    let elifs = |count| format!("if 0:\n  1\n{}", "elif 0:\n  1\n".repeat(count));
    assert_eq!(Policy::of(&elifs(n - 5)).mistakes(), []);
    assert_eq!(Policy::of(&elifs(n + 5)).mistakes().len(), 1);
    let blocks: String = (0..n - 5).map(|i| format!("{}if 1:\n", " ".repeat(i))).collect();
    assert_eq!(Policy::of(&format!("{blocks}{}1\n", " ".repeat(n - 5))).mistakes(), []);
}

#[test]
fn matchers_are_values_that_loaded_files_share() {
    let policy = Policy::new(&[
        (
            "a.rules",
            "load('./b.rules', 'READ', 'SECRET')\nprefix_rule([READ, SECRET], having = [SECRET], unless = [[READ, READ]])\n",
        ),
        ("b.rules", "READ = ['cat', glob('*less')]\nSECRET = path('~/.ssh/**')\n"),
    ]);
    assert_eq!(policy.mistakes(), []);
    let rule = &policy.evaluated(0).declarations.prefix_rules[0];
    let shown: Vec<String> = rule.pattern.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["[\"cat\", glob(\"*less\")]", "path(\"~/.ssh/**\")"]);
    assert_eq!(rule.conditions.having, rule.pattern[1..]);
    assert_eq!(rule.conditions.unless, [[rule.pattern[0].clone(), rule.pattern[0].clone()]]);

    let policy = Policy::of(
        "x = {glob('a'): repr([path('/b'), any_word()])}\nfail(x[glob('a')] if glob('a') == glob('a') else '')\n",
    );
    assert_eq!(policy.evaluated(0).diagnostics[0].message, "the policy calls `fail`: [path(\"/b\"), any_word()]");
}

#[test]
fn mistakes_in_conditions_stand_at_their_smallest_text() {
    for (arguments, code, text) in [
        ("['a', glob('x[')]", "invalid-glob", "["),
        ("['a', [glob(r'[\\]')]]", "invalid-glob", "["),
        ("['a', glob('\\x41[')]", "invalid-glob", "'\\x41['"),
        ("['a', glob(1)]", "invalid-type", "1"),
        ("['a', glob()]", "invalid-call", "glob"),
        ("['a', path('')]", "invalid-glob", "''"),
        ("['a', any_word(1)]", "invalid-call", "1"),
        ("['a'], exact = 1", "invalid-type", "1"),
        ("['a'], having = '-x'", "invalid-type", "'-x'"),
        ("['a'], having = ['b', 1]", "invalid-element", "1"),
        ("['a'], having = [[]]", "empty-alternatives", "[]"),
        ("['a'], unless = [[]]", "empty-pattern", "[]"),
        ("['a'], unless = ['a']", "invalid-type", "'a'"),
        ("['a'], unless = [['a', ['b', 2]]]", "invalid-element", "2"),
        ("['a'], unless = [['b', 'a']]", "invalid-condition", "['b', 'a']"),
        ("['a', 'b'], unless = [[any_word()]]", "invalid-condition", "[any_word()]"),
        ("['a'], exact = True, unless = [['a', 'b']]", "invalid-condition", "['a', 'b']"),
        ("['a'], exact = True, without = ['x']", "invalid-condition", "without"),
        ("['a'], having = ['x', ['y', 'z']], without = [['w', 'x']]", "invalid-condition", "'x'"),
        ("['a'], env = ['A', 'B=1']", "invalid-variable", "'B=1'"),
        ("['a'], env = ['LC_*']", "invalid-variable", "'LC_*'"),
        ("['a'], 'prompt', env = ['A']", "invalid-condition", "env"),
        ("['a'], writes = ['/a', path('/b'), 1]", "invalid-type", "1"),
        ("['a'], writes = ['/a**']", "invalid-glob", "a**"),
        ("['a', [any_word()]], canonical_matching = True", "invalid-condition", "any_word()"),
        ("['a'], 'allow', [], [], 'x', False, True", "invalid-call", "True"),
        ("['a'], exact = True, exactly = True", "unknown-argument", "exactly"),
    ] {
        let policy = Policy::of(&format!("prefix_rule({arguments})"));
        let mistakes = policy.mistakes();
        let [mistake] = mistakes.as_slice() else { panic!("{arguments}: {mistakes:?}") };
        assert_eq!(*mistake, (code, text), "{arguments}");
    }
    let fine = "prefix_rule(['a'], exact = False, having = [], without = [], unless = [], env = [], writes = [])";
    assert_eq!(Policy::of(fine).mistakes(), []);
}

#[test]
fn mistakes_in_programs_stand_at_their_smallest_text() {
    for (call, code, text) in [
        ("program()", "invalid-call", "program"),
        ("program('a', [])", "invalid-call", "[]"),
        ("program(1)", "invalid-type", "1"),
        ("program([])", "empty-pattern", "[]"),
        ("program(['a', glob('b')])", "invalid-element", "glob('b')"),
        ("program('a', operands = 'comand')", "unknown-kind", "'comand'"),
        ("program('a', options = ['-x'])", "invalid-type", "'-x'"),
        ("program('a', options = [option('-x'), option('-y', '-x')])", "duplicate-option", "'-x'"),
        ("x = option('-x')\nprogram('a', options = [x, x])", "duplicate-option", "x"),
        ("program('a', skip = '1')", "invalid-type", "'1'"),
        ("program('a', skip = -1)", "invalid-program", "-1"),
        ("program('a', skip = 1)", "invalid-program", "skip"),
        ("program('a', operands = 'command', joined = True)", "invalid-program", "joined"),
        ("program('a', assignments = True)", "invalid-program", "assignments"),
        ("program('a', letters = True)", "invalid-program", "letters"),
        ("program('a', extends = True)", "invalid-program", "extends"),
        ("program('a', operands = 'command', moves = True)", "invalid-program", "moves"),
        ("program('a', placeholder = '')", "invalid-program", "''"),
        ("program('a', stdin = 'data')", "unknown-kind", "'data'"),
        ("program('a', paths = ['bin/a'])", "invalid-path", "'bin/a'"),
        ("program('a', paths = ['/bin/b'])", "invalid-path", "'/bin/b'"),
        ("program([['a', 'b']])\nprogram(['a'])", "duplicate-program", "['a']"),
        ("option()", "invalid-call", "option"),
        ("option(1)", "invalid-type", "1"),
        ("option('x')", "invalid-option", "'x'"),
        ("option('-x', 'y=')", "invalid-option", "'y='"),
        ("option('-x', value = 'atached')", "unknown-kind", "'atached'"),
        ("option('-x', value = 1)", "invalid-type", "1"),
        ("option('-x', until = ';')", "invalid-type", "';'"),
        ("option('-x', until = [])", "empty-list", "[]"),
        ("option('-x', value = True, until = [';'])", "invalid-option", "value"),
        ("option('x=', value = 'rest')", "invalid-option", "'rest'"),
        ("option('-x', harmless = 'a')", "invalid-type", "'a'"),
        ("option('-x', harmless = ['a'])", "invalid-option", "harmless"),
        ("option('-x', value = True, harmless = ['a['])", "invalid-glob", "["),
        ("option('-x', runs = 'shel')", "unknown-kind", "'shel'"),
        ("option('-x', runs = 'code', harmless = True)", "invalid-option", "harmless"),
        ("option('-x', value = True, runs = 'shell', writes = True)", "invalid-option", "writes"),
        ("option('x=', runs = 'command')", "invalid-option", "runs"),
        ("option('-x', moves = True)", "invalid-option", "moves"),
        ("option('-x', placeholder = True)", "invalid-option", "placeholder"),
        ("inert_env([])", "empty-list", "[]"),
        ("inert_env(['A B'])", "invalid-variable", "'A B'"),
        ("default_decision('allow')", "broad-default", "'allow'"),
        ("default_decision('prompt', ' ')", "empty-justification", "' '"),
        ("expect('a')", "invalid-call", "expect"),
        ("expect(' ', 'allow')", "empty-example", "' '"),
        ("expect([], None)", "empty-example", "[]"),
        ("expect(['a', 1], 'deny')", "invalid-type", "1"),
        ("prefix_rule(['a', option('-x')])", "invalid-element", "option('-x')"),
    ] {
        let policy = Policy::of(call);
        assert_eq!(policy.mistakes().first(), Some(&(code, text)), "{call}");
    }
}

#[test]
fn programs_are_declared_as_they_are_written() {
    let policy = Policy::of(
        r#"
program(["env"], assignments = True, operands = "command", harmless = True, paths = ["/usr/bin/env", "C:\\bin\\env.exe"])
program([["sh", "dash"]], options = [option("-c", runs = "shell", harmless = True)], operands = "code", stdin = "shell")
program("find", options = [option("-exec", "-ok", until = [";", "+"], runs = "command")], extends = True, placeholder = "{}")
program("ssh", operands = "shell", joined = False, skip = 1, placeholder = None, stdin = None)
program("make", options = [option("SHELL=", runs = "code"), option("-f", value = True, runs = "code")])
default_decision("prompt", justification = None)
expect("ls", None)
expect(["ls"], "prompt")
"#,
    );
    assert_eq!(policy.mistakes(), []);
    let declarations = &policy.evaluated(0).declarations;
    let programs = &declarations.programs;
    assert_eq!(programs[1].options[0].runs, Some(Runs::Text(Text::Shell)));
    assert_eq!(programs[2].options[0].value, OptionValue::Until(vec![";".to_owned(), "+".to_owned()]));
    assert_eq!((programs[3].operands, programs[3].skip), (Operands::First(Text::Shell), 1));
    assert_eq!(programs[4].options[0].value, OptionValue::Attached, "what follows the `=`");
    assert_eq!(declarations.default_decisions[0].justification, None);
    assert_eq!(declarations.expectations[1].request, Request::Command(vec!["ls".to_owned()]));
}
