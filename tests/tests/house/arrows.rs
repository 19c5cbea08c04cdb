//! Packages depend on one another only along the arrows of ARCHITECTURE.md.

use std::collections::BTreeSet;

use policyc_tests::workspace;

/// Who may use whom outside of tests and benches. `tests` may use everything.
const ARROWS: &[(&str, &[&str])] = &[
    ("policyc-runtime", &["policyc-shell"]),
    ("policyc-shell", &[]),
    ("policyc-host", &["policyc-shell", "policyc-runtime"]),
    ("policyc", &["policyc-runtime", "policyc-shell", "policyc-host"]),
    ("policyc-lsp", &["policyc"]),
];

/// What the runtime may use besides: what folds Unicode.
const RUNTIME_MAY_USE: &[&str] = &["caseless", "unicode-normalization"];

/// The name of the package that `manifest` describes, and what its sections `[…dependencies]` and `[…build-dependencies]` name.
fn package(manifest: &str) -> (String, BTreeSet<String>) {
    let (mut name, mut dependencies, mut section) = (String::new(), BTreeSet::new(), "");
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = header;
            if let Some((kind, dependency)) = header.rsplit_once('.')
                && counts(kind)
            {
                dependencies.insert(dependency.to_owned());
            }
        } else if let Some((key, value)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let key = key.trim().split('.').next().unwrap_or_default().trim_matches('"');
            if section == "package" && key == "name" {
                name = value.trim().trim_matches('"').to_owned();
            } else if counts(section) {
                dependencies.insert(key.to_owned());
            }
        }
    }
    (name, dependencies)
}

fn counts(section: &str) -> bool {
    let kind = section.rsplit('.').next().unwrap_or_default();
    section != "workspace.dependencies" && (kind == "dependencies" || kind == "build-dependencies")
}
/// R000.57, R003.24: whoever decides depends on no host, and starts nothing.
#[test]
fn packages_use_only_what_the_arrows_allow() {
    let manifests = workspace::files(&workspace::root(), "toml");
    let mut seen = 0;
    for path in manifests.iter().filter(|path| path.file_name().is_some_and(|name| name == "Cargo.toml")) {
        let (name, dependencies) = package(&std::fs::read_to_string(path).expect("a manifest can be read"));
        if name.is_empty() || path.starts_with(workspace::root().join("tests")) {
            continue;
        }
        seen += 1;
        let (_, allowed) = ARROWS
            .iter()
            .find(|(from, _)| *from == name)
            .unwrap_or_else(|| panic!("{name} has no place in the arrows"));
        for dependency in &dependencies {
            let ours = dependency.starts_with("policyc");
            assert!(!ours || allowed.contains(&dependency.as_str()), "{name} must not use {dependency}");
            assert!(
                ours || name != "policyc-runtime" || RUNTIME_MAY_USE.contains(&dependency.as_str()),
                "the runtime must not use {dependency}"
            );
        }
    }
    assert!(seen >= 2, "the manifests were not found");
}

#[test]
fn a_wrong_arrow_is_seen() {
    let (name, dependencies) = package(
        "[package]\nname = \"a\"\n[dependencies]\nb.workspace = true\n[target.'cfg(unix)'.dependencies.c]\nversion = \"1\"\n[dev-dependencies]\nd = \"1\"\n",
    );
    assert_eq!(name, "a");
    assert!(
        dependencies.contains("b") && dependencies.contains("c") && !dependencies.contains("d"),
        "{dependencies:?}"
    );
}
