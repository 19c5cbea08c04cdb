//! The rules of the house, kept by tests.

mod arrows;
mod boundaries;
mod cases;
mod diagnostic_pages;
mod example_host;
mod formatting;
mod links;
mod requirements;
