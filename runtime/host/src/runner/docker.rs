//! A container engine, with the argument vector that the requirements fix.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::local::{follow, streamed};
use super::staged::{Quota, Stage};
use super::{End, Job, Outcome, Runner};
use crate::resolve::Workspace;

/// The image where none is given.
pub const IMAGE: &str = "mcr.microsoft.com/dotnet/sdk:10.0";

/// Where the workspace is in a container.
const WORKSPACE: &str = "/workspace";

/// Who runs commands in a container: nobody that this host knows.
const USER: &str = "65532:65532";

/// How the workspace is given to a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mount {
    /// A copy, of which comes back what may.
    #[default]
    Staged,
    /// The workspace itself, for reading.
    ReadOnly,
    /// The workspace itself.
    Direct,
}

impl Mount {
    const fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::ReadOnly => "read-only",
            Self::Direct => "direct",
        }
    }
}

/// Runs commands in containers.
#[derive(Clone, Debug)]
pub struct Docker {
    /// The engine's client.
    pub engine: PathBuf,
    /// The variables that the client has; none of them reaches a command.
    pub engine_environment: Vec<(String, String)>,
    /// The image.
    pub image: String,
    /// How the workspace is given.
    pub mount: Mount,
    /// The memory, as the engine writes it.
    pub memory: String,
    /// How many processors.
    pub processors: String,
    /// A profile for system calls, absolute; without it, the engine's own.
    pub seccomp: Option<PathBuf>,
    /// The folder in the workspace where commands run; empty for the workspace.
    pub working: String,
    /// The variables that commands have.
    pub environment: Vec<(String, String)>,
    /// What may be copied, and copied back.
    pub quota: Quota,
}

impl Docker {
    /// Containers of an image, by an engine's client.
    #[must_use]
    pub fn new(engine: PathBuf, image: String) -> Self {
        Self {
            engine,
            engine_environment: Vec::new(),
            image,
            mount: Mount::default(),
            memory: "2g".to_owned(),
            processors: "2".to_owned(),
            seccomp: None,
            working: String::new(),
            environment: Vec::new(),
            quota: Quota::default(),
        }
    }

    /// The image: the flag's, or else the environment's, or else the one that is always there.
    #[must_use]
    pub fn image(flag: Option<String>, environment: Option<String>) -> String {
        let given = |image: &String| !image.is_empty();
        flag.filter(given).or(environment.filter(given)).unwrap_or_else(|| IMAGE.to_owned())
    }

    /// The words behind the engine's client for one command.
    ///
    /// # Errors
    /// When something in them would mean something else to the engine.
    pub fn arguments(&self, name: &str, source: &str, read_only: bool, words: &[String]) -> io::Result<Vec<String>> {
        let wrong = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what.to_owned()));
        if source.contains([',', '"', '\n', '\r']) {
            return wrong("the engine cannot be told a workspace with a comma, a quote or a line break in its path");
        }
        if self.image.is_empty() || self.image.starts_with('-') || self.image.contains(char::is_whitespace) {
            return wrong("the image has no name that the engine takes for one");
        }
        if self.working.starts_with('/') || self.working.split('/').any(|name| name == "..") {
            return wrong("commands cannot run outside of the workspace");
        }
        let workdir =
            if self.working.is_empty() { WORKSPACE.to_owned() } else { format!("{WORKSPACE}/{}", self.working) };
        let access = if read_only { ",readonly" } else { "" };
        let mount = format!("type=bind,src={source},dst={WORKSPACE}{access}");
        let mut arguments: Vec<String> = [
            "run",
            "--rm",
            "--name",
            name,
            "--workdir",
            &workdir,
            "--mount",
            &mount,
            "--memory",
            &self.memory,
            "--cpus",
            &self.processors,
            "--stop-timeout",
            "1",
            "--user",
            USER,
            "--cap-drop",
            "ALL",
            "--security-opt",
            "no-new-privileges",
        ]
        .map(str::to_owned)
        .to_vec();
        if let Some(seccomp) = &self.seccomp {
            let path = seccomp.to_str().filter(|_| seccomp.is_absolute());
            let Some(path) = path else { return wrong("the profile for system calls must be an absolute path") };
            arguments.extend(["--security-opt".to_owned(), format!("seccomp={path}")]);
        }
        let rest = ["--read-only", "--tmpfs", "/tmp:rw,noexec,nosuid,size=64m", "--network", "none"];
        arguments.extend(rest.map(str::to_owned));
        let mut environment = self.environment.clone();
        environment.sort();
        for (name, value) in environment {
            arguments.extend(["--env".to_owned(), format!("{name}={value}")]);
        }
        arguments.push(self.image.clone());
        arguments.extend_from_slice(words);
        Ok(arguments)
    }

    fn contained(&self, source: &str, read_only: bool, job: &Job<'_>) -> io::Result<Outcome> {
        static RUNS: AtomicU64 = AtomicU64::new(1);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let name = format!("policyc-{}-{number}", std::process::id());
        let mut command = self.client();
        command.args(self.arguments(&name, source, read_only, job.words)?);
        streamed(&mut command, job.streams);
        let child = command.spawn()?;
        #[cfg(target_os = "linux")]
        super::tree::begins(rustix::process::Pid::from_child(&child));
        let outcome = follow(child, job);
        // The client's end is not the container's.
        if !matches!(outcome, Ok(Outcome { end: End::Exited(_), .. })) {
            let _ = self.client().args(["rm", "--force", &name]).output();
        }
        outcome
    }

    fn client(&self) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(&self.engine);
        command.env_clear().envs(self.engine_environment.iter().map(|(name, value)| (name, value))).process_group(0);
        command
    }

    fn staged(&self, workspace: &Workspace, job: &Job<'_>) -> io::Result<Outcome> {
        let stage = Stage::copy(workspace, self.quota)?;
        let source = stage.path().to_str().ok_or_else(|| io::Error::other("the copy's path is not UTF-8"))?;
        let mut outcome = self.contained(source, false, job)?;
        if outcome.end == End::Exited(0) {
            match stage.copy_back(workspace) {
                Ok(changed) => outcome.notes.extend(changed.into_iter().map(|path| format!("copied back {path}"))),
                Err(problem) => {
                    outcome.notes.push(format!("nothing was copied back: {problem}"));
                    outcome.end = End::Rejected;
                }
            }
        } else {
            outcome.notes.push("nothing was copied back: the command failed".to_owned());
        }
        Ok(outcome)
    }
}

impl Runner for Docker {
    fn name(&self) -> &'static str {
        "docker"
    }

    fn configuration(&self) -> Value {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        json!({
            "image": self.image,
            "mount": self.mount.name(),
            "memory": self.memory,
            "cpus": self.processors,
            "user": USER,
            "network": "none",
            "capabilities": "none",
            "noNewPrivileges": true,
            "readOnlyRoot": true,
            "tmpfs": "/tmp:rw,noexec,nosuid,size=64m",
            "seccomp": self.seccomp.as_ref().map_or_else(|| json!("default"), |path| json!(path)),
            "environment": names,
        })
    }

    fn finds_programs_here(&self) -> bool {
        false
    }

    fn run(&self, job: &Job<'_>) -> io::Result<Outcome> {
        match self.mount {
            Mount::Staged if !job.read_only => self.staged(job.workspace, job),
            Mount::Direct if !job.read_only => self.contained(job.workspace.path(), false, job),
            _ => self.contained(job.workspace.path(), true, job),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    /// R000.67, R000.68, R000.69, R000.70, R000.71, R000.72, R000.73, R000.74.
    fn the_arguments_are_those_of_the_requirements() {
        let mut docker = Docker::new("engine".into(), Docker::image(None, None));
        docker.environment = vec![("B".to_owned(), "2".to_owned()), ("A".to_owned(), "1".to_owned())];
        let words = ["rg".to_owned(), "x y".to_owned()];
        let arguments = docker.arguments("n", "/w", true, &words).expect("a plain workspace");
        let expected = "run|--rm|--name|n|--workdir|/workspace|--mount|type=bind,src=/w,dst=/workspace,readonly|--memory|2g|\
            --cpus|2|--stop-timeout|1|--user|65532:65532|--cap-drop|ALL|--security-opt|no-new-privileges|--read-only|--tmpfs|\
            /tmp:rw,noexec,nosuid,size=64m|--network|none|--env|A=1|--env|B=2|mcr.microsoft.com/dotnet/sdk:10.0|rg|x y";
        assert_eq!(arguments.join("|"), expected);
        docker.seccomp = Some("/s.json".into());
        docker.working = "src".to_owned();
        let arguments = docker.arguments("n", "/w", false, &words).expect("a plain workspace").join("|");
        assert!(arguments.contains("|no-new-privileges|--security-opt|seccomp=/s.json|--read-only|"), "{arguments}");
        assert!(
            arguments.contains("|--workdir|/workspace/src|--mount|type=bind,src=/w,dst=/workspace|"),
            "{arguments}"
        );
    }

    #[test]
    fn nothing_that_means_something_else_reaches_the_engine() {
        let words = ["x".to_owned()];
        let docker = |image: &str| Docker::new("engine".into(), image.to_owned());
        assert!(docker("i").arguments("n", "/w,readonly=false", true, &words).is_err());
        assert!(docker("--privileged").arguments("n", "/w", true, &words).is_err());
        assert!(Docker { working: "../x".to_owned(), ..docker("i") }.arguments("n", "/w", true, &words).is_err());
        assert!(Docker { seccomp: Some("s".into()), ..docker("i") }.arguments("n", "/w", true, &words).is_err());
    }

    #[test]
    /// R000.83, R000.84, R000.85.
    fn the_image_is_the_flags_or_the_environments() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(Docker::image(text("flag"), text("environment")), "flag");
        assert_eq!(Docker::image(None, text("environment")), "environment");
        assert_eq!(Docker::image(None, None), "mcr.microsoft.com/dotnet/sdk:10.0");
    }
}
