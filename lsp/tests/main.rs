//! The server as an editor meets it, over a connection in memory.
#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

mod editor;

mod answers;
mod documents;
mod folders;
mod rough;
mod typing;
mod page;
