//! Compiles command policies into decision tables, and explains every mistake on the way.

pub mod source;
pub mod rules;
pub mod diagnostics;
