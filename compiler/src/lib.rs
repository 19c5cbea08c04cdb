//! Compiles command policies into decision tables, and explains every mistake on the way.

pub mod check;
pub mod db;
pub mod diagnostics;
pub mod eval;
pub mod lower;
pub mod rules;
pub mod self_test;
pub mod shipped;
pub mod source;
pub mod syntax;
