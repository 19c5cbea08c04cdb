//! What a folder must not contain.

use std::collections::BTreeSet;

use policyc_tests::policy::{File, Policy};
use policyc_tests::workspace;

/// What only some folders may name, and why.
const ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("starlark::", &["compiler/src/eval/"], "one module knows the Starlark engine"),
    ("starlark_syntax::", &["compiler/src/eval/", "compiler/src/syntax/"], "one module knows the Starlark engine"),
    (
        "codespan_reporting::",
        &["compiler/src/cli/", "compiler/src/main.rs"],
        "diagnostics are data; the edges draw them",
    ),
    ("clap::", &["compiler/src/cli/", "compiler/src/main.rs"], "the library has no command line"),
    (
        "std::fs",
        &[
            "compiler/src/cli/",
            "compiler/src/main.rs",
            "compiler/src/workspace/disk.rs",
            "compiler/build.rs",
            "compiler/tests/",
            "compiler/benches/",
            "lsp/benches/",
            "lsp/tests/",
            "runtime/decide/tests/",
            "runtime/decide/benches/",
            "runtime/decide/examples/",
            "runtime/host/",
            "runtime/shell/tests/",
            "tests/",
        ],
        "one module of the library knows the disk, and the host, which resolves all paths",
    ),
    (
        "println!",
        &[
            "compiler/src/cli/",
            "compiler/src/main.rs",
            "compiler/build.rs",
            "compiler/benches/",
            "compiler/tests/",
            "lsp/benches/",
            "runtime/host/tests/",
            "runtime/decide/benches/",
            "runtime/decide/examples/",
            "runtime/shell/tests/",
            "tests/",
        ],
        "the library has no terminal",
    ),
    ("unsafe {", &["runtime/decide/tests/", "runtime/decide/benches/", "tests/"], "nothing that is shipped is unsafe"),
];

#[test]
fn folders_keep_to_themselves() {
    let files = workspace::files(&workspace::root(), "rs");
    assert!(!files.is_empty(), "there is no Rust code");
    let mut trespasses = Vec::new();
    for path in files {
        let name = workspace::relative(&path);
        let text = std::fs::read_to_string(&path).expect("a source file can be read");
        // Test modules come last in a file, and may do what they need.
        let shipped = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        for (number, line) in shipped.enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for (what, folders, why) in ONLY_IN {
                if code.contains(what) && !folders.iter().any(|folder| name.starts_with(folder)) {
                    trespasses.push(format!("{name}:{}: `{what}`: {why}", number + 1));
                }
            }
        }
    }
    let here = file!().replace('\\', "/");
    trespasses.retain(|trespass| !trespass.starts_with(&here));
    assert!(trespasses.is_empty(), "{}", trespasses.join("\n"));
}

/// Programs that are called as something else that the code must name, and what that is.
const NAMED_OTHERWISE: &[(&[&str], &str)] = &[
    (&["env", "expect", "host"], "keywords and builtins of the language"),
    (&["zip", "join", "pass"], "functions and keywords of Starlark"),
    (&["read", "timeout"], "what is said of effects and tools"),
    (&["true", "false"], "values of JSON"),
    (&["and", "or", "not"], "conjunctions"),
    (&["yes"], "what people write for a decision"),
    (
        &["command", "code", "script", "batch", "file", "bash", "cmd", "powershell", "pwsh"],
        "what people call the kinds of text",
    ),
    (&["http", "https"], "protocols"),
    (&["passwd"], "what secrets are called"),
    (&["defaults", "size"], "parts of a table"),
    (&["tty", "fd"], "devices"),
    (&["tail"], "a kind of doubt"),
    (&["local"], "a runner"),
    (&["start"], "a thread that starts commands"),
    (&["comm", "stat"], "what the kernel says of a process"),
    (&["cut", "format", "hash", "id", "kind", "patch", "source", "title"], "keys of JSON"),
    (&["granted"], "what becomes of a request"),
    (&["dd", "head", "meta", "tr"], "elements of HTML"),
    (&["time", "coproc"], "reserved words of shells"),
    (&["begin", "break", "continue", "exit", "parallel", "return", "trap"], "reserved words of PowerShell"),
];

#[test]
fn no_program_has_a_name_in_the_code() {
    let prelude = policyc::shipped::prelude().iter().map(|(label, text)| File::new(*label, *text)).collect::<Vec<_>>();
    let policy = Policy::new(&prelude, &[]);
    let heads = policy.declarations().programs.iter().filter_map(|program| program.path.first());
    let programs: BTreeSet<&str> = heads.flat_map(|head| head.words.iter().map(String::as_str)).collect();
    assert!(programs.len() > 200 && programs.contains("git"), "the prelude was not read: {programs:?}");
    let (mut literals, mut found) = (0, Vec::new());
    for folder in ["compiler/src", "runtime"] {
        for path in workspace::files(&workspace::root().join(folder), "rs") {
            let name = workspace::relative(&path);
            // The command line's help shows commands, and a container engine's client is spoken to in its own words.
            if ["/cli/", "/tests", "/benches/", "/examples/", "build.rs", "runner/docker.rs"]
                .iter()
                .any(|part| name.contains(part))
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file can be read");
            for literal in string_literals(&text) {
                literals += 1;
                // In the runtime no text is meant for people but a few errors: there every word counts.
                let words = literal.split(|one: char| !(one.is_alphanumeric() || "-_.".contains(one)));
                let words: Vec<&str> =
                    if folder == "runtime" && !literal.contains(' ') { words.collect() } else { vec![&literal] };
                let named = words.into_iter().filter(|word| word.len() > 1 && programs.contains(word));
                for word in named {
                    if !NAMED_OTHERWISE.iter().any(|(known, _)| known.contains(&word)) {
                        found.push(format!("{name} knows the program {word}: {literal:?}"));
                    }
                }
            }
        }
    }
    assert!(literals > 500, "only {literals} string literals were looked at");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The string literals of Rust code outside of comments and of the test module, which comes last in a file.
fn string_literals(text: &str) -> Vec<String> {
    let code: String =
        text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).map(|line| format!("{line}\n")).collect();
    let mut literals = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find(['"', '/', '\'', 'r']) {
        let (before, from) = rest.split_at(at);
        let is_word = before.ends_with(|one: char| one.is_alphanumeric() || one == '_');
        let hashes = from.strip_prefix('r').map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        let raw = !is_word && from.strip_prefix('r').is_some_and(|raw| raw.trim_start_matches('#').starts_with('"'));
        rest = if let Some(comment) = from.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, rest)| rest)
        } else if raw {
            let body = from.split_once('"').map_or("", |(_, body)| body);
            let (literal, rest) = body.split_once(&format!("\"{}", "#".repeat(hashes))).unwrap_or((body, ""));
            literals.push(literal.to_owned());
            rest
        } else if let Some(body) = from.strip_prefix('"') {
            let mut literal = String::new();
            let mut characters = body.chars();
            while let Some(character) = characters.next() {
                match character {
                    '"' => break,
                    '\\' => literal.extend(characters.next()),
                    plain => literal.push(plain),
                }
            }
            literals.push(literal);
            characters.as_str()
        } else if let Some(character) = ["'\"'", "'\\\"'", "'\\''", "'\\\\'"].iter().find(|one| from.starts_with(**one))
        {
            from.get(character.len()..).unwrap_or_default()
        } else {
            from.get(1..).unwrap_or_default()
        };
    }
    literals
}

#[test]
fn string_literals_are_found() {
    let text =
        "a(\"one\"); // \"no\"\nb('\"', r#\"t\"wo\"#, for_r, \"th\\\"ree\"); /// \"no\"\n#[cfg(test)]\nc(\"no\")";
    assert_eq!(string_literals(text), ["one", "t\"wo", "th\"ree"]);
}

#[test]
fn nothing_is_called_by_a_name_that_says_nothing() {
    for path in workspace::files(&workspace::root(), "rs") {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        assert!(
            !["utils", "util", "helpers", "common", "manager", "core", "misc"].contains(&name.as_str()),
            "{}",
            path.display()
        );
    }
}
