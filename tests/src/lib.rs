//! The specification harness: what every suite, property and bench of the workspace shares.
//!
//! It holds the naive reference, the engines a decision is judged on, the Markdown suites' reader and runner, and the
//! seeded generators. It holds no expected value: those are files (`spec/`, `golden/`, `tables/`, `docs/diagnostics/`).

pub mod command_line;
pub mod effects;
pub mod engines;
pub mod guarded_samples;
pub mod law;
pub mod markdown;
pub mod naive;
pub mod naive_effects;
pub mod naive_guarded;
mod naive_matchers;
pub mod policies;
pub mod policy;
pub mod random;
pub mod samples;
pub mod suite;
pub mod workload;
pub mod workspace;
pub mod wrappings;
