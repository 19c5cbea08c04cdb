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
pub mod tree;

pub use call::{Located, Step, locate, locate_items};
pub use insertion::insertion;
pub use labels::{LoadPathError, load_path, module_label};
pub use lines::{LineIndex, line_index};
pub use loads::Load;
pub use removal::{removal, statement_removal};
pub use survey::{Outline, loads, outline};
pub use tree::Tree;

use crate::source::SourceFile;

/// The tree of a file.
#[must_use]
pub fn tree(db: &dyn salsa::Database, file: SourceFile) -> Tree {
    tree::of_file(db, file).clone()
}
