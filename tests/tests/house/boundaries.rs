//! What a folder must not contain.

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
            "compiler/build.rs",
            "compiler/tests/",
            "compiler/benches/",
            "runtime/decide/tests/",
            "runtime/decide/benches/",
            "runtime/decide/examples/",
            "runtime/shell/tests/",
            "tests/",
        ],
        "the library has no files",
    ),
    (
        "println!",
        &[
            "compiler/src/cli/",
            "compiler/src/main.rs",
            "compiler/build.rs",
            "compiler/benches/",
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

#[test]
fn no_program_has_a_name_in_the_code() {
    // Not `env`, which is a keyword of the language as well.
    let programs = ["git", "rm", "sudo", "nohup", "xargs", "npm", "cargo", "docker", "bash", "python"];
    for folder in ["compiler/src", "runtime"] {
        for path in workspace::files(&workspace::root().join(folder), "rs") {
            let text = std::fs::read_to_string(&path).expect("a source file can be read");
            let name = workspace::relative(&path);
            // The command line's help shows commands.
            if ["/cli/", "/tests", "/benches/", "/examples/"].iter().any(|part| name.contains(part)) {
                continue;
            }
            for line in text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")) {
                let code = line.split("//").next().unwrap_or_default();
                for program in programs {
                    assert!(!code.contains(&format!("\"{program}\"")), "{name} knows the program {program}: {line}");
                }
            }
        }
    }
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
