//! The `policyc` command.
fn main() {}
