//! Any text is a policy or is refused with diagnostics that point inside it; and what is a policy answers alike on every engine.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policyc_runtime::Folders;
use policyc_tests::engines::Engines;
use policyc_tests::policy::Policy;

fuzz_target!(|text: &str| {
    let policy = Policy::of(text);
    for diagnostic in policy.diagnostics() {
        for label in [&diagnostic.primary].into_iter().chain(&diagnostic.labels) {
            let text = policy.text(label.file);
            let span = label.span.start as usize..label.span.end as usize;
            assert!(text.get(span.clone()).is_some(), "{} points at {span:?} of {} bytes", diagnostic.code.0, text.len());
        }
    }
    if !policy.is_usable() {
        return;
    }
    let mut elsewhere = Vec::new();
    let engines = Engines::new(&policy, &mut elsewhere).expect("a good policy has a good table");
    let folders = Folders { working: "/oracle", home: Some("/home/dev") };
    // The rules' own examples, and the text's words: what is most likely to be matched.
    let examples = policy.declarations().prefix_rules.iter().flat_map(|rule| &rule.examples).take(8);
    let mut commands: Vec<Vec<String>> = examples.map(|example| example.words.clone()).collect();
    commands.push(text.split(['"', '\'']).take(6).map(str::to_owned).collect());
    for command in &commands {
        for folders in [None, Some(folders)] {
            engines.decide(command, folders).expect("the engines agree");
        }
    }
});
