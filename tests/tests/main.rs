//! The specification, run: one module a subject.

mod corruption;
mod differential;
mod effects;
mod formats;
mod golden;
mod harness;
mod house;
mod law;
mod naive_guarded;
mod network;
mod old_tables;
mod properties;
mod renaming;
mod scale;
mod suites;
mod trees;
