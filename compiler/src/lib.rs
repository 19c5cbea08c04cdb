//! Compiles command policies into decision tables, and explains every mistake on the way.

pub mod source;
pub mod syntax;
pub mod eval;
pub mod rules;
pub mod check;
pub mod diagnostics;
