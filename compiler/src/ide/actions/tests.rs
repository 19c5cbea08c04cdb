use super::testing::{after, edited, offered, said, titles};
use super::{ActionKind, fix_all};
use crate::db::diagnostics;
use crate::ide::fixture::fixture;

/// Mistakes, and what becomes of them by all ways that are sure.
const MENDED: &[(&str, &str)] = &[
    ("prefix_rule(['a'], 'alow')\n", "prefix_rule(['a'], \"allow\")\n"),
    ("prefix_rule(['a'], decison = 'prompt')\n", "prefix_rule(['a'], decision = 'prompt')\n"),
    ("prefix_rule(['a'], justification = ' ')\n", "prefix_rule(['a'])\n"),
    (
        "prefix_rule(\n    ['a'],\n    justification = '',  # why\n    match = ['a'],\n)\n",
        "prefix_rule(\n    ['a'],\n    match = ['a'],\n)\n",
    ),
    ("prefix_rule(['a'], justification = None)\n", "prefix_rule(['a'])\n"),
    ("prefix_rule('git push')\n", "prefix_rule([\"git\", \"push\"])\n"),
    ("prefix_rule(('git', 'push'))\n", "prefix_rule(['git', 'push'])\n"),
    (
        "prefix_rule(['a', 5, ('b', 'c'), ['d', ['e', 'f']]])\n",
        "prefix_rule(['a', \"5\", ['b', 'c'], ['d', 'e', 'f']])\n",
    ),
    ("prefix_rule(['git status'])\n", "prefix_rule([\"git\", \"status\"])\n"),
    (
        "prefix_rule(['git', 'log x'], match = ['git log x'])\n",
        "prefix_rule(['git', \"log\", \"x\"], match = ['git log x'])\n",
    ),
    ("prefix_rule(['a'], match = 'a')\n", "prefix_rule(['a'], match = ['a'])\n"),
    (
        "prefix_rule(['a'], match = ['a', '# x', ('a', 'b'), ['a', 1]])\n",
        "prefix_rule(['a'], match = ['a', ['a', 'b'], ['a', \"1\"]])\n",
    ),
    ("prefix_rule(['a'], exact = 'true')\n", "prefix_rule(['a'], exact = True)\n"),
    ("prefix_rule(['a'], exact = 0)\n", "prefix_rule(['a'], exact = False)\n"),
    ("prefix_rule(['a'], 'prompt', env = ['CI'], writes = ['x'])\n", "prefix_rule(['a'], 'prompt')\n"),
    ("prefix_rule(['a'], unless = ['a', 'b'])\n", "prefix_rule(['a'], unless = [['a', 'b']])\n"),
    ("prefix_rule(['a'], env = ['CI=1', '$CC'])\n", "prefix_rule(['a'], env = [\"CI\", \"CC\"])\n"),
    (
        "prefix_rule(['a'], 'allow', [], [], 'why', False, True)\n",
        "prefix_rule(['a'], 'allow', [], [], 'why', False, exact = True)\n",
    ),
    ("prefix_rule(['a', glob('x[z-a]')])\n", "prefix_rule(['a', glob(\"x[a-z]\")])\n"),
    ("prefix_rule(['a', glob('x\\\\')])\n", "prefix_rule(['a', glob(\"x\\\\\\\\\")])\n"),
    ("host_executable('/bin/git', ['/usr/bin/git'])\n", "host_executable(\"git\", ['/usr/bin/git', \"/bin/git\"])\n"),
    ("network_rule('https://a.com/x', 'https', 'allow')\n", "network_rule(\"a.com\", 'https', 'allow')\n"),
    ("network_rule('a.com', 'http2', 'allow')\n", "network_rule('a.com', \"http\", 'allow')\n"),
    ("program('a', placeholder = '')\n", "program('a')\n"),
    ("program('a', options = ['-x'])\n", "program('a', options = [option('-x')])\n"),
    ("program('a', options = [option('-x', '-x')])\n", "program('a', options = [option('-x')])\n"),
    ("program('a', options = [option('-x', harmless = [])])\n", "program('a', options = [option('-x')])\n"),
    (
        "program('a', options = [option('-x', until = ['.'], value = True)])\n",
        "program('a', options = [option('-x', until = ['.'])])\n",
    ),
    ("program('a')\nprogram('a')\n", "program('a')\n"),
    ("inert_env([])\nx = 1\n", "x = 1\n"),
    ("expect(('a', 'b'), None)\n", "expect(['a', 'b'], None)\n"),
    ("READ = ['a']\nprefix_rule(RAED)\n", "READ = ['a']\nprefix_rule(READ)\n"),
    ("load('@std//gti.rules', 'READ_ONLY')\n", "load(\"@std//git.rules\", 'READ_ONLY')\n"),
    ("load('@std//git.rules', 'READ_ONY')\nx = READ_ONY\n", "load('@std//git.rules', 'READ_ONLY')\nx = READ_ONLY\n"),
    ("load('@std//git.rules', X = 'READ_ONY')\n", "load('@std//git.rules', X = 'READ_ONLY')\n"),
    ("if True:\n\tx = 1\n", "if True:\n    x = 1\n"),
    ("\u{feff}x = 1\n", "x = 1\n"),
];

#[test]
fn every_sure_way_ends_its_mistakes() {
    for (text, expected) in MENDED {
        let broken = fixture(text);
        assert_ne!(diagnostics(&broken.db, broken.set), &[], "{text}");
        let mut mended = (*text).to_owned();
        // Two arguments that touch are taken out one after the other.
        for _ in 0..2 {
            let now = fixture(&mended);
            mended = edited(&now, now.file, &fix_all(&now.db, now.set, now.file));
        }
        assert_eq!(mended, *expected, "{text}");
        let again = fixture(&mended);
        let left: Vec<_> = diagnostics(&again.db, again.set).iter().map(|it| it.message.clone()).collect();
        assert_eq!(left, [""; 0], "{mended}");
    }
}

#[test]
fn what_is_not_sure_can_be_chosen() {
    for (text, title, expected) in [
        ("default_decision(<cursor>'allow')\n", "Write `prompt`", "default_decision(\"prompt\")\n"),
        ("prefix_rule(['a'], match = [<cursor>'b', 'a'])\n", "Drop", "prefix_rule(['a'], match = ['a'])\n"),
        (
            "prefix_rule(['a'], match = [<cursor>'b', 'a'])\n",
            "Make it an example of `not_match`",
            "prefix_rule(['a'], match = ['a'], not_match = ['b'])\n",
        ),
        (
            "prefix_rule(['a'], not_match = [<cursor>'a'], match = ['a x'])\n",
            "Make it an example of `match`",
            "prefix_rule(['a'], not_match = [], match = ['a x', 'a'])\n",
        ),
        (
            "prefix_rule(['a'])\nexpect(<cursor>'a', 'prompt')\n",
            "Expect `allow`",
            "prefix_rule(['a'])\nexpect('a', \"allow\")\n",
        ),
        ("expect(<cursor>'a', 'prompt')\n", "Expect no decision", "expect('a', None)\n"),
        (
            "prefix_rule(['a'], match = [<cursor>'a && b'])\n",
            "Write",
            "prefix_rule(['a'], match = [[\"a\", \"&&\", \"b\"]])\n",
        ),
        (
            "prefix_rule(['a'], 'prompt')\nprefix_rule(<cursor>['a', 'b'])\n",
            "Drop this rule",
            "prefix_rule(['a'], 'prompt')\n",
        ),
        (
            "prefix_rule(['a'], 'prompt')\nprefix_rule(<cursor>['a', 'b'])\n",
            "Except",
            "prefix_rule(['a'], 'prompt', unless = [[\"a\", \"b\"]])\nprefix_rule(['a', 'b'])\n",
        ),
        ("prefix_rule(['a'], <cursor>foo = 1)\n", "Leave `foo` out", "prefix_rule(['a'])\n"),
        ("prefix_rule(['a'], <cursor>pattern = ['b'])\n", "Keep the first", "prefix_rule(['a'])\n"),
        ("x = ['a' <cursor>'b']\n", "Put a comma", "x = ['a', 'b']\n"),
        ("x = ['a' <cursor>'b']\n", "Join", "x = ['a' + 'b']\n"),
        ("prefix_rule(['a', glob('<cursor>[x')])\n", "Put a backslash", "prefix_rule(['a', glob(\"\\\\[x\")])\n"),
        (
            "prefix_rule(['a'], exact = True, <cursor>having = ['b'])\n",
            "Drop `exact`",
            "prefix_rule(['a'], having = ['b'])\n",
        ),
    ] {
        assert_eq!(after(text, title), expected, "{text}");
    }
}

#[test]
fn mistakes_of_functions_are_left_to_the_author() {
    let text = "def f(decision):\n    prefix_rule(['a'], decision, env = ['CI'])\nf('prompt')\n";
    let broken = fixture(text);
    assert_eq!(diagnostics(&broken.db, broken.set).len(), 1);
    assert_eq!(fix_all(&broken.db, broken.set, broken.file), []);
}

#[test]
fn only_what_is_sure_is_preferred_and_mended_with_the_rest() {
    let (_, actions) = offered("prefix_rule(['a'], <cursor>'alow')\nprefix_rule(['b'], 'promt')\n");
    let shown: Vec<_> = actions.iter().map(|it| (it.title.as_str(), it.kind, it.preferred, it.edits.len())).collect();
    assert_eq!(shown[0], ("Write `allow`", ActionKind::QuickFix, true, 1));
    assert_eq!(actions[0].mends.map(|(code, _)| code.0), Some("unknown-decision"));
    assert_eq!(shown.last().unwrap(), &("Mend all that has a sure way in this file", ActionKind::FixAll, false, 2));
}

#[test]
fn a_scratch_line_is_kept() {
    let text = "prefix_rule(['git', 'push'], 'prompt', match = ['git push'])\n#? git <cursor>push -f\n";
    assert_eq!(
        after(text, "Make it an expectation: `prompt`"),
        "prefix_rule(['git', 'push'], 'prompt', match = ['git push'])\nexpect(\"git push -f\", \"prompt\")\n"
    );
    assert_eq!(
        after(text, "Make it an example of the rule that says `prompt`"),
        "prefix_rule(['git', 'push'], 'prompt', match = ['git push', \"git push -f\"])\n"
    );
    let other = "//- git.rules\nprefix_rule(['git'])\n//- a.rules\n#? <cursor>git log\nx = 1\n";
    assert_eq!(
        after(other, "Make it an example"),
        "//- a.rules\nx = 1\n//- git.rules\nprefix_rule(['git'], match = [\"git log\"])\n"
    );
    assert_eq!(after("#? <cursor>ls\n", "Make it"), "expect(\"ls\", None)\n");
    assert_eq!(titles("prefix_rule(['a'])\n#? <cursor>a; b\n"), ["Make it an expectation: no decision"]);
}

#[test]
fn what_is_answered_now_is_expected() {
    let text = "prefix_rule([<cursor>'git', 'push'], 'prompt', match = ['git push x'])\nx = 1\n";
    let expected =
        "prefix_rule(['git', 'push'], 'prompt', match = ['git push x'])\nexpect(\"git push x\", \"prompt\")\nx = 1\n";
    assert_eq!(after(text, "Expect what is answered now: `prompt`"), expected);
    assert_eq!(said(expected, &[]).0, [""; 0]);
    let example = "prefix_rule(['a'], match = ['a 1', <cursor>['a', '$x']])\n";
    let expected = "prefix_rule(['a'], match = ['a 1', ['a', '$x']])\nexpect([\"a\", \"$x\"], \"allow\")\n";
    assert_eq!(after(example, "Expect"), expected);
    assert_eq!(said(expected, &[]).0, [""; 0]);
    let known = "prefix_rule([<cursor>'a'])\nexpect('a', 'allow')\n";
    assert!(!titles(known).iter().any(|title| title.starts_with("Expect")));
}

#[test]
fn a_path_is_declared() {
    let text = "x = 1\nprefix_rule(['<cursor>/usr/bin/git', 'log'])\n";
    let declared =
        "x = 1\nhost_executable(name = \"git\", paths = [\"/usr/bin/git\"])\nprefix_rule(['/usr/bin/git', 'log'])\n";
    assert_eq!(after(text, "Declare `host_executable`"), declared);
    assert_eq!(said(declared, &[]).0, [""; 0]);
    let known = "host_executable('git', ['/bin/git'])\n#? <cursor>/usr/bin/git log\n";
    assert_eq!(
        after(known, "Declare"),
        "host_executable('git', ['/bin/git', \"/usr/bin/git\"])\n#? /usr/bin/git log\n"
    );
    for none in [
        "host_executable('git', ['<cursor>/bin/git'])\n",
        "prefix_rule(['cat', '<cursor>/etc/passwd'])\n",
        "prefix_rule(['<cursor>/bin/'])\n",
        "host_executable('git', ['/bin/git'])\nprefix_rule(['<cursor>/bin/git'])\n",
    ] {
        assert!(!titles(none).iter().any(|title| title.starts_with("Declare")), "{none}");
    }
}

/// Commands on which a rewriting has no influence.
const COMMANDS: [&str; 7] = ["git push", "git pull x", "git -C a pull", "git log", "hg push", "git", "env git push"];

#[test]
fn alternatives_become_rules_that_say_the_same() {
    let text = "prefix_rule(\n    ['git', [<cursor>'push', \"pull\"]],\n    'prompt',\n    match = ['git push', 'git pull x', 'git push y'],\n    not_match = ['git log'],\n)\n";
    let expected = "prefix_rule(\n    ['git', 'push'],\n    'prompt',\n    match = ['git push', 'git push y'],\n    not_match = ['git log'],\n)\nprefix_rule(\n    ['git', \"pull\"],\n    'prompt',\n    match = ['git pull x'],\n    not_match = ['git log'],\n)\n";
    assert_eq!(after(text, "Turn the alternatives into several rules"), expected);
    assert_eq!(said(expected, &COMMANDS), said(&text.replace("<cursor>", ""), &COMMANDS));
    let one = "prefix_rule([<cursor>['a', 'b']], match = ['a'])\n";
    assert_eq!(after(one, "Turn"), "prefix_rule(['a'], match = ['a'])\nprefix_rule(['b'])\n");
    for none in [
        "prefix_rule([[<cursor>'a', x]])\n",
        "prefix_rule([[<cursor>'a', 'b']], unless = [['a', 'c']])\n",
        "prefix_rule([[<cursor>'a', 'b']], match = ['/bin/a'])\n",
        "def f():\n    prefix_rule([[<cursor>'a', 'b']])\n",
    ] {
        assert!(!titles(none).iter().any(|title| title.starts_with("Turn")), "{none}");
    }
}

#[test]
fn rules_that_differ_in_a_word_become_one_that_says_the_same() {
    let text = "<cursor>prefix_rule(['git', 'push'], decision = 'prompt', match = ['git push'])\nprefix_rule([\"git\", ['pull', 'push']], decision = 'prompt', match = ['git pull'])\nprefix_rule(['git', 'fetch'], match = ['git fetch'], decision = 'prompt')\nprefix_rule(['hg'], 'prompt')\n";
    let expected = "prefix_rule(['git', ['push', 'pull', 'fetch']], decision = 'prompt', match = ['git push', 'git pull', 'git fetch'])\nprefix_rule(['hg'], 'prompt')\n";
    assert_eq!(after(text, "Join the rules"), expected);
    assert_eq!(said(expected, &COMMANDS), said(&text.replace("<cursor>", ""), &COMMANDS));
    let selected = "<cursor>prefix_rule(['a'])\nprefix_<cursor>rule(['b'])\nprefix_rule(['c'])\n";
    assert_eq!(after(selected, "Join"), "prefix_rule([['a', 'b']])\nprefix_rule(['c'])\n");
    for none in [
        "<cursor>prefix_rule(['a'])\nprefix_rule(['b'], 'prompt')\n",
        "<cursor>prefix_rule(['a', 'b'])\nprefix_rule(['c', 'd'])\n",
        "<cursor>prefix_rule(['a'])\n# why\nprefix_rule(['b'])\n",
        "<cursor>prefix_rule(['a'])\n\nprefix_rule(['b'])\n",
        "<cursor>prefix_rule(['a'], not_match = ['b'])\nprefix_rule(['b'], not_match = ['a'])\n",
    ] {
        assert!(!titles(none).iter().any(|title| title.starts_with("Join the")), "{none}");
    }
}

#[test]
fn lists_are_laid_out_both_ways() {
    let wide = "  x = [<cursor>'a', f(b), ['c']]\n";
    let tall = "  x = [\n      'a',\n      f(b),\n      ['c'],\n  ]\n";
    assert_eq!(after(wide, "Put each item"), tall);
    assert_eq!(after(&tall.replace("[\n", "[<cursor>\n"), "Put it on one line"), wide.replace("<cursor>", ""));
    assert_eq!(after("x = (<cursor>1,)\n", "Put each"), "x = (\n    1,\n)\n");
    assert_eq!(after("x = (<cursor>\n    1,\n)\n", "Put it"), "x = (1,)\n");
    assert_eq!(titles("x = [<cursor>\n    1,  # one\n]\n"), [""; 0]);
    assert_eq!(titles("x = <cursor>[]\n"), [""; 0]);
}

#[test]
fn any_text_can_be_asked() {
    for text in ["", "prefix_rule([[", "x = [1, ", "#?", "#? '", "prefix_rule(['a', ['b', 'c']", "é = ['é']"] {
        for offset in 0..=text.len() + 1 {
            let fixture = fixture(text);
            let offset = u32::try_from(offset).unwrap();
            let span = crate::source::Span::new(offset, offset);
            let _ = super::code_actions(&fixture.db, fixture.set, fixture.file, span);
        }
    }
}

/// What all edits of an action that only adds have in common: nothing that was there is replaced.
fn only_adds(text: &str, title: &str) -> bool {
    let (_, actions) = offered(text);
    let action = actions.iter().find(|action| action.title.starts_with(title)).expect("the action is offered");
    action.edits.iter().all(|edit| edit.span.start == edit.span.end)
}

#[test]
fn write_1_what_is_added_leaves_the_rest_as_it_is() {
    let text = "prefix_rule(pattern=[\"a\"], decision=\"allow\")\nprefix_rule(pattern=[<cursor>\"b\"], decision=\"forbidden\")\n";
    let before = text.replace("<cursor>", "");
    assert!(only_adds(text, "Expect"));
    assert_eq!(after(text, "Expect"), format!("{before}expect(\"b\", \"forbidden\")\n"));
}

#[test]
fn write_2_text_of_a_shell_becomes_no_example() {
    for script in ["for f in *.c; do echo \"$f\"; done", "a <<E", "a | b", "a $(b)"] {
        let text = format!("prefix_rule(['a'])\nprefix_rule(['for'])\nprefix_rule(['echo'])\n#? <cursor>{script}\n");
        let offered = titles(&text);
        assert!(!offered.iter().any(|title| title.starts_with("Make it an example")), "{script}: {offered:?}");
    }
}

#[test]
fn write_4_comments_and_layout_are_kept_where_an_example_is_added() {
    let text = "# why: nightly job needs it (ticket 12)\nprefix_rule(\n    pattern = [\"jq\"],  # keep\n    decision = \"allow\",\n)\n#? <cursor>jq . x\n";
    let expected = "# why: nightly job needs it (ticket 12)\nprefix_rule(\n    pattern = [\"jq\"],  # keep\n    decision = \"allow\",\n    match = [\"jq . x\"],\n)\n";
    assert_eq!(after(text, "Make it an example"), expected);
}

#[test]
fn write_5_nothing_is_added_to_a_file_that_cannot_be_read() {
    let text = "prefix_rule(pattern=[<cursor>\"a\"], decision=\"allow\")\nprefix_rule(pattern=[\"b\n";
    let offered = titles(text);
    assert!(!offered.iter().any(|title| title.starts_with("Expect") || title.starts_with("Make it")), "{offered:?}");
}

#[test]
fn write_7_a_rule_goes_and_the_rest_stays() {
    let rest = "# first\nprefix_rule(['git'], 'forbidden')\n\n# last\nx = 1\n";
    let text = rest.replace("\n\n", "\nprefix_rule([<cursor>'git', 'push'])\n\n");
    assert_eq!(after(&text, "Drop this rule"), rest);
}

#[test]
fn write_8_what_is_added_holds_when_it_is_read() {
    for command in ["SSH_AUTH_SOCK=/tmp/a ssh-add -l", "a 'b c' \\\"", "x; y && z", "é 😀", "a $HOME *"] {
        let policy = "prefix_rule(['ssh-add', '-l'], 'prompt')\nprefix_rule(['a'], 'prompt')\n";
        let text = format!("{policy}#? <cursor>{command}\n");
        for title in ["Make it an expectation", "Make it an example"] {
            let (fixture, actions) = offered(&text);
            let Some(action) = actions.iter().find(|action| action.title.starts_with(title)) else { continue };
            let changed = edited(&fixture, fixture.file, &action.edits);
            assert_eq!(said(&changed, &[]).0, [""; 0], "{changed}");
        }
    }
}

#[test]
fn a_list_of_thousands_becomes_no_rule_for_each() {
    let words: Vec<String> = (0..5_000).map(|number| format!("'w{number}'")).collect();
    let text = format!("prefix_rule(['a', [<cursor>{}]])\n", words.join(", "));
    assert!(!titles(&text).iter().any(|title| title.starts_with("Turn")));
}
