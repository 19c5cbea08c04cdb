//! Any text, and its words as a command, is judged within bounds; and what is allowed is allowed piece by piece.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use policyc_runtime::{Answers, Decision, Request, ShellKind, Table};
use policyc_tests::engines::guarded;
use policyc_tests::law;
use policyc_tests::policy::{FOLDERS, Policy};

const POLICY: &str = r#"
prefix_rule(["git", ["status", "log", "diff"]])
prefix_rule([["echo", "ls", "cat", "make", "find", "xargs", "sudo", "env"]], env = ["A"], writes = ["/tmp/**"])
prefix_rule(["git", "push"], "forbidden", unless = [["git", "push", "--dry-run"]])
prefix_rule(["rm"], "forbidden", having = [["-r", "-R", "--recursive"], ["-f", "--force"]])
prefix_rule(["aws", any_word(), glob("describe-*")], exact = True)
prefix_rule([any_word()], "prompt", having = [path("~/.ssh/**")])
prefix_rule(["Docker"], "prompt", canonical_matching = True)
"#;

fn table() -> &'static Table<'static> {
    static TABLE: OnceLock<Table<'static>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let policy: &'static Policy = Box::leak(Box::new(Policy::guarded_of(POLICY)));
        assert!(policy.is_usable());
        Table::from_bytes(policy.table()).expect("a good policy has a good table")
    })
}

fn check(answers: &Answers<'_>, decision: Option<Decision>) {
    assert_eq!(answers.decision, decision);
    assert!(!answers.exhausted || decision >= Some(Decision::Prompt), "what was given up is {decision:?}");
    if let Err(why) = law::all_allowed(answers) {
        panic!("allowed, although {why}");
    }
}

fuzz_target!(|text: &str| {
    for folders in [Some(FOLDERS), None] {
        let context = guarded(folders);
        for kind in [ShellKind::Bash, ShellKind::PowerShell, ShellKind::Cmd] {
            let evaluation = table().decide::<&str>(Request::text(text, kind), &context);
            check(&evaluation.answers(), evaluation.decision());
        }
        let words: Vec<&str> = text.split([' ', '\n']).collect();
        let evaluation = table().decide(&words, &context);
        check(&evaluation.answers(), evaluation.decision());
    }
});
