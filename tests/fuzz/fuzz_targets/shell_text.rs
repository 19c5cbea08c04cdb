//! Any text is read as commands, or refused with a reason; and every span is a part of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use policyc_shell::{ShellKind, Span, Word, parse};

fuzz_target!(|text: &str| {
    for kind in [ShellKind::Bash, ShellKind::PowerShell, ShellKind::Cmd] {
        let script = parse(text, kind);
        let inside = |span: Span| assert!(span.of(text).is_some(), "{span:?} is no part of {} bytes", text.len());
        let word = |word: &Word<'_>| {
            inside(word.span);
            assert!(word.is_dynamic() || word.known() == Some(&*word.text));
        };
        script.problem.iter().for_each(|problem| inside(problem.span));
        script.scan.iter().for_each(word);
        assert!(script.problem.is_some() || script.scan.is_empty());
        let mut start = 0;
        for (index, command) in script.commands.iter().enumerate() {
            inside(command.span);
            assert!(start <= command.span.start, "commands are ordered by where they start");
            start = command.span.start;
            command.words.iter().chain(command.guesses.iter().flatten()).for_each(word);
            command.assignments.iter().for_each(|assignment| word(&assignment.value));
            command.redirects.iter().for_each(|redirect| word(&redirect.target));
            assert!(command.fed_by.is_none_or(|feeder| feeder < index));
        }
    }
});
