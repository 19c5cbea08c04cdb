use std::collections::BTreeMap;

use super::{Evaluated, evaluate};
use crate::db::Database;
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
