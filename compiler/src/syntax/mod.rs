//! Tolerant tokens and shapes: what can be said of a file's text before, and whether or not, it runs.

pub mod call;
pub mod guard;
pub mod labels;
pub mod lines;
pub mod literal;
pub mod loads;
pub mod insertion;
pub mod removal;

pub mod statements;
pub mod survey;
pub mod token;

pub use call::{Located, Step, locate};
pub use insertion::insertion;
pub use labels::{LoadPathError, load_path, module_label};
pub use lines::{LineIndex, line_index};
pub use loads::Load;
pub use removal::{removal, statement_removal};
pub use survey::{Outline, loads, outline};
