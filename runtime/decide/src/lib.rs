//! Reads a decision table and answers one command.
#![no_std]
#![forbid(unsafe_code)]

mod decision;

pub use decision::{Decision, Protocol};
