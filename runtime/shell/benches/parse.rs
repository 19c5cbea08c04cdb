//! How long it takes to read shell text.

fn main() {}
