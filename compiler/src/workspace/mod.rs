//! From paths to a policy set: which files it has, what they load, and how each is called.
//!
//! A path is a file, or a folder, which is searched for `*.rules`: in the order of the labels' bytes, through folders
//! whose names do not begin with a dot. A symbolic link to a folder is not followed; one to a file is, if the file
//! is inside the folder, and a file that is reached twice in one search counts once.
//!
//! What the files are is asked of a [`FileSystem`]: the command line has the disk, an editor what is open in it before that.

mod configured;
mod disk;
mod file_system;
mod kept;
mod labels;
mod search;
mod sources;
mod surroundings;
mod unread;

pub use configured::configured_folder;
pub use disk::Disk;
pub use file_system::{Entry, FileSystem, Kind};
pub use kept::Kept;
pub use labels::{folder_of, label_of, path_of, shown};
pub use search::{Found, find};
pub use sources::{Given, Prelude, Repeats, Sources};
pub use surroundings::Surroundings;
pub use unread::{reason, unread_file};
