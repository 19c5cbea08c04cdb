//! The host as its users see it: real folders, real traces, real processes.

mod crashes;
mod disk;
mod grants;
mod paths;
mod pipeline;
mod properties;
mod read_only;
mod runners;
mod setup;
mod staged;
mod tools;
mod traces;
mod updates;
