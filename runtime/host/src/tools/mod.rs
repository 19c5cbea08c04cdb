//! What tools do once a call of them was decided: the trait, and what every call is given.

pub mod files;
pub mod http;
mod mask;
pub mod registry;
pub mod services;
pub mod system;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::hex::hex;
use crate::resolve::{Place, Program, Search, Workspace};
use crate::runner::{Cancel, Limits, Runner};

pub use registry::{Registry, RegistryProblem};

/// A tool that the host itself performs.
pub trait Tool: Send + Sync {
    /// Its names, as tables declare them: its own first, then those that mean the same.
    fn names(&self) -> &[&'static str];

    /// Does it. The call was decided and is recorded; every path in it is a handle already. Whatever it does to anything
    /// must be among the side effects, also where it fails half-way.
    ///
    /// # Errors
    /// When it could not be done, or only in part.
    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure>;
}

/// A call that was decided.
pub struct Call<'c> {
    /// The name that it was called by.
    pub name: &'c str,
    /// The arguments, as declared.
    pub arguments: &'c Map<String, Value>,
    /// The places that its paths name, by parameter.
    pub places: &'c BTreeMap<String, Place>,
    /// The command that the table says it runs; empty if it runs none.
    pub command: &'c [String],
    /// The program of that command, where it is a file of this host.
    pub program: Option<&'c Program>,
    /// All variables that commands have.
    pub environment: &'c [(String, String)],
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// How long it may take, and how much it may say.
    pub limits: Limits,
    /// What commands run in.
    pub runner: &'c dyn Runner,
    /// Where programs are searched.
    pub search: &'c Search,
    /// The folders that it may reach.
    pub workspace: &'c Workspace,
    /// Whether it should stop.
    pub cancel: &'c Cancel,
}

impl Call<'_> {
    /// The text of a parameter.
    #[must_use]
    pub fn text(&self, parameter: &str) -> Option<&str> {
        self.arguments.get(parameter)?.as_str()
    }
}

/// What a call gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What is answered.
    pub content: Value,
    /// Whether nobody vouches for the content: it came from outside.
    pub low_trust: bool,
    /// What was done to anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub side_effects: Vec<SideEffect>,
}

/// Something that a tool did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "did")]
#[non_exhaustive]
pub enum SideEffect {
    /// A file was read.
    Read {
        /// The resolved path.
        path: String,
        /// The digest of what was read.
        #[serde(serialize_with = "in_hexadecimal")]
        digest: [u8; 32],
        /// How many bytes.
        bytes: u64,
        /// Whether that is all of it.
        whole: bool,
    },
    /// A file has this content now.
    Wrote {
        /// The resolved path.
        path: String,
        /// The digest of all of it.
        #[serde(serialize_with = "in_hexadecimal")]
        digest: [u8; 32],
        /// How many bytes.
        bytes: u64,
    },
    /// A file is gone.
    Deleted {
        /// The resolved path.
        path: String,
    },
    /// A folder was listed.
    Listed {
        /// The resolved path.
        path: String,
    },
    /// A command ran.
    Ran {
        /// Its words.
        words: Vec<String>,
        /// How it ended.
        outcome: String,
    },
    /// A host was reached.
    Fetched {
        /// The host.
        host: String,
        /// The address that its name stood for.
        address: String,
        /// The status.
        status: u16,
        /// How many bytes came.
        bytes: u64,
    },
}

fn in_hexadecimal<S: Serializer>(digest: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(digest))
}

/// Why a call failed, and what it had done by then.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolFailure {
    /// Why, as a sentence without its full stop.
    pub message: String,
    /// What was done to anything.
    pub side_effects: Vec<SideEffect>,
}

impl ToolFailure {
    /// A failure before anything was done.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), side_effects: Vec::new() }
    }
}

impl From<std::io::Error> for ToolFailure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error.to_string())
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
