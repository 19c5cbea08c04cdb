//! The tools of a host. Nothing is added to them once it has started.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::http::Web;
use super::{Tool, files, http, services, system};

/// The tools of a host, by every name that they have.
#[derive(Clone, Default)]
pub struct Registry {
    tools: BTreeMap<&'static str, Arc<dyn Tool>>,
    frozen: bool,
}

impl Registry {
    /// All tools of this host: the one place that lists them.
    ///
    /// # Errors
    /// When two of them have the same name.
    pub fn standard(web: &Web) -> Result<Self, RegistryProblem> {
        let mut registry = Self::default();
        files::register(&mut registry)?;
        services::register(&mut registry)?;
        system::register(&mut registry)?;
        http::register(&mut registry, web)?;
        Ok(registry)
    }

    /// Adds a tool under all of its names.
    ///
    /// # Errors
    /// When one of them is taken, or the host has started.
    pub fn add(&mut self, tool: impl Tool + 'static) -> Result<(), RegistryProblem> {
        if self.frozen {
            return Err(RegistryProblem::Frozen);
        }
        let tool: Arc<dyn Tool> = Arc::new(tool);
        if let Some(taken) = tool.names().iter().find(|name| self.tools.contains_key(*name)) {
            return Err(RegistryProblem::Taken(taken));
        }
        for name in tool.names() {
            self.tools.insert(name, Arc::clone(&tool));
        }
        Ok(())
    }

    /// The same, to which nothing can be added any more.
    #[must_use]
    pub fn frozen(self) -> Self {
        Self { frozen: true, ..self }
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        self.tools.get(name).map(|tool| &**tool)
    }

    /// All names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.tools.keys().copied()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Why a tool cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistryProblem {
    /// The host has started.
    Frozen,
    /// Another tool has this name.
    Taken(&'static str),
}

impl fmt::Display for RegistryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frozen => f.write_str("tools cannot be added once the host has started"),
            Self::Taken(name) => write!(f, "there is a tool `{name}` already"),
        }
    }
}

impl std::error::Error for RegistryProblem {}
