//! What a policy set is made of, before its files are found.

use std::path::PathBuf;

use super::surroundings::Surroundings;
use crate::source::Layer;

/// What to do about a file that is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Say so: it is a slip.
    Refused,
    /// Its rules count twice, as in the reference engine.
    Kept,
}

/// Whether a policy set begins with what is shipped about programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prelude {
    /// It does.
    Shipped,
    /// It says all there is to say of programs itself.
    Empty,
}

/// What a policy set is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The folder that paths and labels are relative to; empty for the current one.
    pub folder: PathBuf,
    /// Where the files are.
    pub paths: Vec<Given>,
    /// None if no layer was named.
    pub layers: Vec<Layer>,
    /// What to do about a file that is given twice.
    pub repeats: Repeats,
    /// What is known of programs.
    pub prelude: Prelude,
    /// Names of files; a folder that holds one of them is left out of a search that did not begin there.
    pub boundary: Option<&'static str>,
    /// Where the set is judged.
    pub surroundings: Surroundings,
}

/// A path and the layer, by its place, that its files belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The path.
    pub path: PathBuf,
    /// The place of its layer.
    pub layer: usize,
}
