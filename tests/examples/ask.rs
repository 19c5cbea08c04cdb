//! Asks a policy file (first argument) about the texts that follow, and shows everything.
#![allow(missing_docs)]
use policyc_runtime::*;
fn main() {
    let mut args = std::env::args().skip(1);
    let text = std::fs::read_to_string(args.next().unwrap()).unwrap();
    let policy = policyc_tests::policy::Policy::guarded_of(&text);
    for error in policy.errors() {
        println!("{}", error.message);
    }
    let table = Table::from_bytes(policy.table()).unwrap();
    for text in args {
        let answers = table
            .decide::<&str>(
                Request::text(&text, ShellKind::Bash),
                &policyc_tests::engines::guarded(Some(policyc_tests::policy::FOLDERS)),
            )
            .answers();
        println!("{answers:#?}");
    }
}
