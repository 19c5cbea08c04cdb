//! The server as an editor meets it, over a connection in memory.

mod editor;

mod documents;
