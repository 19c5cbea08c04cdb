//! The README shows the example host as it is.

use policyc_tests::workspace;
/// R003.3: hosts use it as a library.
#[test]
fn the_readme_shows_the_example_host() {
    let read = |path: &str| std::fs::read_to_string(workspace::root().join(path)).expect("the file can be read");
    let host = read("runtime/decide/examples/host.rs");
    assert!(read("README.md").contains(&format!("```rust\n{host}```")), "README.md shows another example host");
}
