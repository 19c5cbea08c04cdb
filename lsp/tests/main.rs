//! The server as an editor meets it, over a connection in memory.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod editor;

mod documents;
