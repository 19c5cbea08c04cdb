//! Hover, with the place marked in the text.

use super::hover;
use crate::ide::fixture::fixture;

fn text(text: &str) -> String {
    let fixture = fixture(text);
    hover(&fixture.db, fixture.set, fixture.file, fixture.offset).map_or(String::new(), |hover| hover.text)
}

const PRELUDE: &str = "//- programs.rules prelude\n\
    program('git', options = [option('-C', value = True, harmless = True), option('-p')])\n\
    program(['git', 'push'], options = [option('--exec', value = True, runs = 'code')])\n//- git.rules\n";

#[test]
fn over_a_rule_stands_what_it_matches_with_and_without_guarded_readings_and_how_to_ask_in_a_terminal() {
    let rule = text(&format!(
        "{PRELUDE}pre<cursor>fix_rule(['git', ['push', 'pull'], glob('f*')], 'forbidden', having = ['-f'], justification = 'no\\nway', match = ['git push fx -f'])"
    ));
    let parts: Vec<&str> = rule.split("\n\n").collect();
    assert_eq!(
        parts[..5],
        [
            "**forbidden**: commands that begin with `git` (`push` or `pull`) a word like `f*`, with `-f` among the words after that.",
            "*Guarded*, as hosts match by default: also by any path of the program, with options in front of a word, with variables set, behind what runs it such as `sudo` or `xargs`, and inside shell text; what only the run can know counts as well.",
            "*As typed*, with `--matching reference`: these words and no others, by the name as it is written.",
            "> no\n> way",
            "```sh\npolicyc explain --rules git.rules git push fx -f\n```",
        ]
    );
    assert!(rule.contains("---") && rule.contains("- `pattern`: a list of elements"), "{rule}");
}

#[test]
fn of_an_allow_it_is_said_what_else_is_certain() {
    let rule = text(&format!(
        "{PRELUDE}host_executable('git', ['/usr/bin/git'])\n<cursor>prefix_rule(['git', 'push'], env = ['CI'], writes = ['out/**'], exact = True)"
    ));
    assert!(rule.starts_with("**allow**: commands that begin with `git` `push`, without any further word.\n\n*Guarded*, as hosts match by default: also with options in front of a word that are declared harmless (`-C`), also as `/usr/bin/git`, with inert variables and `CI`, writing to `out/**`; what is in doubt is asked about."), "{rule}");
}

#[test]
fn over_a_call_stand_the_rules_that_it_makes() {
    let made = text(
        "//- make.rules loaded\ndef deny(words):\n    'Refuses.'\n    [prefix_rule([word], 'forbidden') for word in words]\n//- a.rules\nload('./make.rules', 'deny')\nde<cursor>ny(['rm', 'dd'])\n",
    );
    assert_eq!(
        made,
        "**forbidden**: commands that begin with `rm`\n\n**forbidden**: commands that begin with `dd`\n\n---\n\n```policy\ndef deny(words)\n```\nRefuses.\n\nfrom make.rules"
    );
}

#[test]
fn over_a_word_stand_all_rules_that_it_can_belong_to() {
    let policy = "prefix_rule(['git', '<cursor>push'])\nprefix_rule(['git', ['push', 'pull'], '-f'], 'forbidden')\nprefix_rule(['hg', 'push'])\n\
                  prefix_rule(['git', glob('pu*')], 'prompt')\nprefix_rule(['git', glob('x*')])\n//- b.rules\nprefix_rule([any_word(), 'push'])\n";
    let word = text(&format!("{PRELUDE}{policy}"));
    let (rules, program) = word.split_once("\n\n---\n\n").unwrap();
    assert_eq!(
        rules.lines().collect::<Vec<_>>(),
        [
            "`push` after `git`: 4 rules",
            "",
            "- **allow** `[\"git\", \"push\"]`  git.rules:1",
            "- **forbidden** `[\"git\", [\"push\", \"pull\"], \"-f\"]`  git.rules:2",
            "- **prompt** `[\"git\", glob(\"pu*\")]`  git.rules:4",
            "- **allow** `[any_word(), \"push\"]`  b.rules:1",
        ]
    );
    assert_eq!(program, "program `git push`\n\ndeclared options:\n\n- `--exec`: takes a value, runs code");
    let listed = text("PUBLISHING = ['pu<cursor>sh']\nprefix_rule(['git', PUBLISHING])\n");
    assert_eq!(listed, "`push`: 1 rule\n\n- **allow** `[\"git\", \"push\"]`  a.rules:2");
}

#[test]
fn over_a_program_stand_its_declared_options() {
    let program = text(&format!("{PRELUDE}prefix_rule(['g<cursor>it'])"));
    let (_, program) = program.split_once("\n\n---\n\n").unwrap();
    assert_eq!(
        program,
        "program `git`\n\nsubcommands: `push`\n\ndeclared options:\n\n- `-C`: takes a value, harmless\n- `-p`"
    );
    let option = text(&format!("{PRELUDE}prefix_rule(['git', '-<cursor>C'])"));
    assert!(option.ends_with("option `-C` of `git`: takes a value, harmless"), "{option}");
}

#[test]
fn over_a_command_stands_its_answer_and_how_to_ask_in_a_terminal() {
    let rule = "prefix_rule(['git', 'push'], 'prompt', justification = 'look first', match = ['git <cursor>push'])\n";
    assert_eq!(
        text(rule),
        "`git push`: **prompt** by the rule at a.rules:1\n\n- look first\n\n```sh\npolicyc explain --rules a.rules git push\n```"
    );
    let expected = text("prefix_rule(['a'])\nexpect(['a', '<cursor>b c'], 'allow')\n");
    assert!(
        expected.contains("**allow**") && expected.ends_with("policyc explain --rules a.rules a 'b c'\n```"),
        "{expected}"
    );
    let scratch = text("#? ls | <cursor>x\n");
    assert_eq!(scratch, "`ls | x`: no rule\n\n```sh\npolicyc explain --rules a.rules --shell 'ls | x'\n```");
}

#[test]
fn over_builtins_arguments_and_values_stands_the_documentation() {
    assert!(text("net<cursor>work_rule('h', 'http', 'allow')").contains("- `host`: its name or address"));
    assert_eq!(
        text("prefix_rule(['a'], ex<cursor>act = True)"),
        "```policy\nexact = False\n```\nNo words follow the pattern."
    );
    assert!(text("prefix_rule(['a'], 'pro<cursor>mpt')").contains("the strictest wins"));
    assert!(text("prefix_rule([gl<cursor>ob('a')])").contains("describes from end to end"));
    assert!(text("x = l<cursor>en([])").contains("length of a sequence"));
    assert!(text("lo<cursor>ad('./a.rules', 'x')").contains("Brings names from another file"));
    assert_eq!(text("prefix_rule(['a'], unknown<cursor> = 1)"), "");
}

#[test]
fn over_names_and_loads_stands_what_they_are() {
    let files = "//- words.rules loaded\n# Words that publish.\n# All of them.\nPUBLISHING = ['push']\nprefix_rule(['x'])\n//- a.rules\n";
    assert_eq!(
        text(&format!("{files}load('./wor<cursor>ds.rules', 'PUBLISHING')")),
        "words.rules: 1 rule\n\nWords that publish. All of them."
    );
    let name = "```policy\nPUBLISHING = ['push']\n```";
    assert_eq!(
        text(&format!("{files}load('./words.rules', 'PUB<cursor>LISHING')")),
        format!("{name}\nfrom words.rules")
    );
    assert_eq!(
        text(&format!("{files}load('./words.rules', P = 'PUBLISHING')\nx = <cursor>P")),
        format!("{name}\n\nfrom words.rules")
    );
}

#[test]
fn no_text_and_no_place_does_harm() {
    let text = "load('./a', 'b')\nprefix_rule(['git', [\"é', f'{x}']], match = [\n#? a 'b\ndef f(:\n  x.y(\"\"\"";
    let fixture = fixture(text);
    for offset in 0..u32::try_from(text.len() + 3).unwrap() {
        let _ = hover(&fixture.db, fixture.set, fixture.file, offset);
    }
}
