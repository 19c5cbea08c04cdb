//! Compiles command policies into decision tables, and explains every mistake on the way.

pub mod source;
pub mod syntax;
pub mod eval;
pub mod rules;
pub mod check;
pub mod self_test;
pub mod lower;
pub mod diagnostics;
pub mod db;
pub mod shipped;
