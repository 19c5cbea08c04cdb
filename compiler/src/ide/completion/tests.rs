//! Completion, with the place marked in the text.

use super::{Completion, CompletionKind, completions};
use crate::ide::fixture::fixture;

const PRELUDE: &str = "//- programs.rules prelude\n\
    program('git', options = [option('-C', value = True, harmless = True)])\n\
    program(['git', ['fetch', 'push']], options = [option('--force', harmless = False), option('--exec', value = True, runs = 'code')])\n";

fn found(text: &str) -> Vec<Completion> {
    let fixture = fixture(text);
    completions(&fixture.db, fixture.set, fixture.file, fixture.offset)
}

/// The labels of what is found in a policy after the prelude and a few rules.
fn labels(text: &str) -> String {
    let rules = "//- other.rules\nprefix_rule(['git', ['log', 'push'], ['-f', '--tags']])\nprefix_rule(['make'], having = ['-j'])\n";
    let found = found(&format!("{PRELUDE}{rules}//- a.rules\n{text}"));
    let labels: Vec<String> = found.into_iter().map(|completion| completion.label).collect();
    labels.join(" ")
}

/// The labels of one kind.
fn of_kind(text: &str, kind: CompletionKind) -> Vec<String> {
    found(text).into_iter().filter(|found| found.kind == kind).map(|found| found.label).collect()
}

/// The text with the completion of this label in its place.
fn applied(text: &str, label: &str) -> String {
    let fixture = fixture(text);
    let found = completions(&fixture.db, fixture.set, fixture.file, fixture.offset);
    let labels: Vec<&str> = found.iter().map(|found| found.label.as_str()).collect();
    let chosen = found.iter().find(|found| found.label == label).unwrap_or_else(|| panic!("{label} in {labels:?}"));
    let mut text = fixture.file.text(&fixture.db).clone();
    text.replace_range(chosen.span.start as usize..chosen.span.end as usize, &chosen.text);
    text
}

#[test]
fn in_a_pattern_stand_programs_then_subcommands_options_and_words_of_other_rules() {
    assert_eq!(labels("prefix_rule(['<cursor>'])"), "git make");
    assert_eq!(labels("prefix_rule(['git', '<cursor>"), "fetch push log -C");
    assert_eq!(labels("prefix_rule(['git', ['push', '<cursor>']])"), "fetch log -C");
    assert_eq!(labels("prefix_rule(pattern = ['git', 'push', '<cursor>'])"), "--tags -f --exec --force");
    assert_eq!(
        labels("prefix_rule(['git', ['fetch', 'log'], '<cursor>\n\nprefix_rule([])\n"),
        "--tags -f --exec --force"
    );
    assert_eq!(labels("prefix_rule(['nothing', '<cursor>'])"), "");
}

#[test]
fn in_conditions_stand_options_and_words_of_conditions() {
    assert_eq!(labels("prefix_rule(['git', 'push'], having = ['<cursor>'])"), "--exec --force -C");
    assert_eq!(labels("prefix_rule(['make'], without = [['-j', '<cursor>']])"), "");
    assert_eq!(labels("prefix_rule(['make'], without = [['<cursor>']])"), "-j");
    assert_eq!(labels("prefix_rule(['git'], unless = [['git', '<cursor>']])"), "fetch push log -C");
}

#[test]
fn in_commands_stand_the_words_that_may_follow() {
    assert_eq!(labels("prefix_rule(['git'], match = ['git -C x <cursor>'])"), "fetch push log -C");
    assert_eq!(labels("prefix_rule(['git'], match = [['git', 'push', '<cursor>']])"), "--tags -f --exec --force");
    assert_eq!(labels("expect('cd x && git pu<cursor>', 'allow')"), "fetch push log -C");
    assert_eq!(labels("expect(['<cursor>'])"), "git make");
    assert_eq!(labels("#? git <cursor>\n"), "fetch push log -C");
    assert_eq!(labels("#? <cursor>"), "git make");
    assert_eq!(labels("# git <cursor>"), "");
    assert_eq!(
        applied(&format!("{PRELUDE}//- a.rules\nexpect('git pu<cursor>ll x', None)"), "push"),
        "expect('git push x', None)"
    );
    assert_eq!(applied(&format!("{PRELUDE}//- a.rules\n#? git <cursor>"), "push"), "#? git push");
}

#[test]
fn what_a_parameter_takes_is_offered_in_and_out_of_quotes() {
    assert_eq!(labels("prefix_rule(['a'], '<cursor>')"), "allow prompt forbidden");
    assert_eq!(labels("network_rule('h', '<cursor>"), "http https socks5_tcp socks5_udp");
    assert_eq!(labels("default_decision('<cursor>')"), "prompt forbidden");
    assert_eq!(
        labels("program('x', operands = '<cursor>')"),
        "data command shell powershell cmd assignments aliases definition arithmetic drops parameters code script"
    );
    assert_eq!(applied("expect('x', <cursor>)", "\"forbidden\""), "expect('x', \"forbidden\")");
    assert_eq!(
        of_kind("expect('x', <cursor>)", CompletionKind::Value),
        ["\"allow\"", "\"prompt\"", "\"forbidden\"", "None"]
    );
    assert_eq!(of_kind("prefix_rule([], exact = <cursor>)", CompletionKind::Value), ["True", "False"]);
    assert_eq!(applied("network_rule('h', 'ht<cursor>tp', 'allow')", "https"), "network_rule('h', 'https', 'allow')");
    assert_eq!(
        applied(&format!("{PRELUDE}//- a.rules\nprefix_rule(['git', <cursor>])"), "\"fetch\""),
        "prefix_rule(['git', \"fetch\"])"
    );
}

#[test]
fn only_keyword_arguments_that_are_missing_are_offered() {
    let all = |text| of_kind(text, CompletionKind::Argument).join(" ");
    assert_eq!(all("host_executable(<cursor>)"), "name paths");
    assert_eq!(all("host_executable('x', <cursor>)"), "paths");
    assert_eq!(all("host_executable(name = 'x', pa<cursor>"), "paths");
    assert_eq!(
        all("prefix_rule(['x'], 'allow', match = [], <cursor>, env = [])"),
        "not_match justification canonical_matching exact having without unless writes"
    );
    assert_eq!(all("prefix_rule(['x'], decision = <cursor>)"), "");
    assert_eq!(all("prefix_rule([<cursor>])"), "");
    assert_eq!(all("def f(words, why = 'x', *more): pass\nf(1, <cursor>)"), "why");
    assert_eq!(
        applied("prefix_rule(['x'], ju<cursor>)", "justification"),
        "prefix_rule(['x'], justification = \"$1\")"
    );
    assert_eq!(applied("prefix_rule(['x'], ex<cursor>)", "exact"), "prefix_rule(['x'], exact = True)");
}

#[test]
fn arguments_and_builtins_come_with_their_documentation() {
    let found = found("prefix_rule(['x'], <cursor>)");
    let exact = found.iter().find(|found| found.label == "exact").unwrap();
    assert_eq!(
        (exact.detail.as_str(), exact.documentation.as_str()),
        ("exact = False", "```policy\nexact = False\n```\nNo words follow the pattern.")
    );
    let glob = self::found("prefix_rule([<cursor>])").into_iter().find(|found| found.label == "glob").unwrap();
    assert!(glob.snippet && glob.documentation.contains("describes"), "{glob:?}");
}

#[test]
fn a_line_begins_with_a_builtin_a_statement_or_a_name() {
    let builtins = of_kind("<cursor>", CompletionKind::Builtin).join(" ");
    assert_eq!(
        builtins,
        "prefix_rule host_executable network_rule default_decision expect inert_env program capability command tool requires \
         profile tool_rule grants"
    );
    assert_eq!(of_kind("x = 1\npre<cursor>", CompletionKind::Snippet).join(" "), "rule load def for if");
    assert_eq!(
        applied("ne<cursor>\nexpect('a', None)", "network_rule").lines().next().unwrap(),
        "network_rule(\"$1\", \"${2|https,http,socks5_tcp,socks5_udp|}\", \"${3|allow,prompt,forbidden|}\")"
    );
    assert_eq!(applied("ex<cursor>('a', None)", "expect"), "expect('a', None)");
    assert_eq!(of_kind("x = <cursor>", CompletionKind::Builtin), Vec::<String>::new());
    assert_eq!(of_kind("prefix_rule([<cursor>", CompletionKind::Builtin), ["any_word", "glob", "path"]);
    assert_eq!(of_kind("program('x', options = [<cursor>", CompletionKind::Builtin), ["option"]);
}

#[test]
fn names_in_scope_are_offered() {
    let names = |text| of_kind(text, CompletionKind::Variable).join(" ");
    assert_eq!(names("A = ['x']\nB = <cursor>\n"), "A");
    assert_eq!(names("A = ['x']\n<cursor>\nC = 1\n"), "A");
    assert_eq!(names("A = 1\ndef f(a):\n    b = 2\n    prefix_rule(<cursor>)\n"), "a b A");
    assert_eq!(names("[prefix_rule([x, <cursor>]) for x in ['a']]"), "x");
    assert_eq!(names("//- b.rules loaded\nX = 1\n//- a.rules\nload('./b.rules', y = 'X')\nprefix_rule(<cursor>"), "y");
    assert!(of_kind("x = le<cursor>", CompletionKind::Function).contains(&"len".to_owned()));
    assert_eq!(labels("x = 'a'.<cursor>"), "");
    assert_eq!(labels("def <cursor>"), "");
}

#[test]
fn loads_have_paths_and_the_names_of_the_file() {
    let files = "//- x/b.rules loaded\nX, _Y = 1, 2\ndef deny(words): 'Refuses.'\n//- x/y/c.rules loaded\n//- d.rules loaded\n//- x/a.rules\n";
    let paths = of_kind(&format!("{files}load('<cursor>"), CompletionKind::File);
    assert_eq!(paths[..3], ["../d.rules", "./b.rules", "./y/c.rules"]);
    assert!(paths.contains(&"@std//git.rules".to_owned()));
    assert!(of_kind(&format!("{files}load('@std<cursor>')"), CompletionKind::File)[0].starts_with("@std//"));
    assert_eq!(applied(&format!("{files}load('./<cursor>', 'X')"), "./b.rules"), "load('./b.rules', 'X')");
    let names = found(&format!("{files}load('./b.rules', '<cursor>'"));
    let names: Vec<_> = names.iter().map(|name| (name.label.as_str(), name.detail.as_str())).collect();
    assert_eq!(names, [("X", ""), ("deny", "deny(words)")]);
    assert_eq!(found(&format!("{files}load('./b.rules', 'X', 'd<cursor>')")).len(), 1);
    assert_eq!(found(&format!("{files}load('./none.rules', '<cursor>')")), []);
}

#[test]
fn no_text_and_no_place_does_harm() {
    let text = "load('./a', 'b')\nprefix_rule(['git', [\"é', f'{x}']], match = [\n#? a 'b\ndef f(:\n  x.y(\"\"\"";
    let fixture = fixture(text);
    for offset in 0..u32::try_from(text.len() + 3).unwrap() {
        let _ = completions(&fixture.db, fixture.set, fixture.file, offset);
    }
    for broken in [
        "(((((",
        "prefix_rule([[[[\"<cursor>",
        "prefix_rule(,,<cursor>,",
        ")<cursor>",
        "program([<cursor>",
        "load(<cursor>",
    ] {
        let _ = found(broken);
    }
}

#[test]
fn a_broken_file_offers_what_it_last_said() {
    let mut fixture = fixture("prefix_rule(['git', 'push'])\nprefix_rule(['make'])\n");
    let broken = "prefix_rule(['git', 'push'])\nprefix_rule(['git', '\n";
    fixture.edit(fixture.file, broken);
    let offset = u32::try_from(broken.len() - 1).unwrap();
    let found = completions(&fixture.db, fixture.set, fixture.file, offset);
    assert_eq!(found.iter().map(|found| found.label.as_str()).collect::<Vec<_>>(), ["push"]);
}
