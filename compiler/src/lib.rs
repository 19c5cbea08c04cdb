//! Compiles command policies into decision tables, and explains every mistake on the way.

pub mod db;
pub mod diagnostics;
pub mod lower;
pub mod rules;
pub mod source;
