//! Where a policy set is judged.

/// The folders that paths in examples are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// The absolute folder that relative paths start from.
    pub working_directory: String,
    /// What `~` stands for.
    pub home: Option<String>,
}

impl Surroundings {
    /// Those of this process. Without a current folder that can be named, relative paths name nothing.
    #[must_use]
    pub fn of_process() -> Self {
        let folder = std::env::current_dir().ok();
        let folder = folder.and_then(|folder| folder.into_os_string().into_string().ok());
        Self { working_directory: folder.unwrap_or_else(|| "/".to_owned()), home: Self::home() }
    }

    /// What `~` stands for: `HOME`, or without it what the system knows of the user.
    #[must_use]
    pub fn home() -> Option<String> {
        std::env::home_dir()?.into_os_string().into_string().ok().filter(|home| !home.is_empty())
    }
}
