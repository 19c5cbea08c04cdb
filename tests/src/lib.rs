//! The specification harness.
