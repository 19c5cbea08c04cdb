//! A host in a folder of its own.

use std::fs;
use std::io::{BufReader, Read};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use policyc_host::grants::{GrantStore, NoGrants};
use policyc_host::runner::{Limits, Local, Runner};
use policyc_host::tools::{Call, Output, Registry, SideEffect, Tool, ToolFailure};
use policyc_host::trace::{Event, Trace, TraceMode, Verified, events};
use policyc_host::{Asked, Host, PolicySource, Search, Setup, Workspace};
use policyc_runtime::Sha256;
use policyc_tests::policy::Policy;
use tempfile::TempDir;

/// The table of policy.rules, made once.
pub(crate) fn table() -> Vec<u8> {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE
        .get_or_init(|| {
            let policy = Policy::guarded_of(include_str!("policy.rules"));
            let errors: Vec<_> = policy.errors().collect();
            assert!(errors.is_empty(), "{errors:#?}");
            policy.table().to_vec()
        })
        .clone()
}

/// Folders for a workspace, a trace and what is outside.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::at(TempDir::new().expect("a folder can be made"))
    }

    /// In memory, where there is such a place, for what makes many files.
    pub(crate) fn quick() -> Self {
        Self::at(TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder can be made"))
    }

    fn at(folder: TempDir) -> Self {
        for name in ["workspace", "outside", "granted", "state"] {
            fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        Self { folder }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there").join(below)
    }

    pub(crate) fn workspace(&self) -> Workspace {
        let home = self.path("workspace").to_str().map(str::to_owned);
        Workspace::open(&self.path("workspace"), home, &[self.path("granted")]).expect("the workspace is there")
    }

    pub(crate) fn setup(&self) -> Setup {
        let workspace = self.workspace();
        let search = Search::new("/usr/local/bin:/usr/bin:/bin", &workspace);
        let mut tools = Registry::default();
        tools.add(Reads).expect("the name is free");
        tools.add(Writes).expect("the name is free");
        Setup {
            policy: PolicySource::Bytes(table()),
            environment: vec![("PATH".to_owned(), search.path())],
            workspace,
            search,
            trace: Trace::open(&self.path("state/trace.jsonl"), TraceMode::Private).expect("a trace can be made"),
            grants: Box::new(NoGrants),
            runner: Box::new(Local::default()),
            tools,
            shell: ["/bin/bash", "--noprofile", "--norc", "-c"].map(str::to_owned).to_vec(),
            limits: Limits { time: Some(Duration::from_secs(20)), output: 1 << 16 },
        }
    }

    pub(crate) fn host(&self) -> Host {
        Host::start(self.setup()).expect("the host starts")
    }

    pub(crate) fn host_with(&self, runner: Arc<dyn Runner>, grants: Box<dyn GrantStore>) -> Host {
        Host::start(Setup { runner: Box::new(runner), grants, ..self.setup() }).expect("the host starts")
    }

    pub(crate) fn events(&self) -> (Vec<Event>, Verified) {
        let trace = fs::File::open(self.path("state/trace.jsonl")).expect("the trace is there");
        events(BufReader::new(trace)).expect("the trace can be read")
    }

    /// The names of all events, the first being that of the runner.
    pub(crate) fn names(&self) -> Vec<String> {
        let (events, verified) = self.events();
        assert_eq!(verified.broken, None);
        events.into_iter().map(|event| event.event).collect()
    }
}

pub(crate) fn command(text: &str) -> Asked {
    Asked::Command(text.split(' ').map(str::to_owned).collect())
}

pub(crate) fn text(text: &str) -> Asked {
    Asked::Text { text: text.to_owned(), kind: policyc_runtime::ShellKind::Bash }
}

pub(crate) fn tool(name: &str, arguments: serde_json::Value) -> Asked {
    Asked::Tool { tool: name.to_owned(), arguments: arguments.to_string(), target: None }
}

/// Reads a whole file.
struct Reads;

impl Tool for Reads {
    fn names(&self) -> &[&'static str] {
        &["file_read"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let place = call.places.get("path").ok_or_else(|| ToolFailure::new("no place"))?;
        let mut content = Vec::new();
        place.reader()?.read_to_end(&mut content)?;
        let effect = SideEffect::Read {
            path: place.path().to_owned(),
            digest: Sha256::of(&content),
            bytes: content.len() as u64,
            whole: true,
        };
        let content = String::from_utf8_lossy(&content).into_owned().into();
        Ok(Output { content, low_trust: false, side_effects: vec![effect] })
    }
}

/// Replaces a file: by the content that is given, or by another file's.
struct Writes;

impl Tool for Writes {
    fn names(&self) -> &[&'static str] {
        &["file_write", "file_copy", "file_take"]
    }

    fn call(&self, call: &Call<'_>) -> Result<Output, ToolFailure> {
        let place = call.places.get("path").or_else(|| call.places.get("dest")).ok_or_else(|| ToolFailure::new("?"))?;
        let mut content = call.text("content").unwrap_or_default().as_bytes().to_vec();
        if let Some(source) = call.places.get("source") {
            source.reader()?.read_to_end(&mut content)?;
        }
        let digest = place.replace(&content)?;
        let wrote = SideEffect::Wrote { path: place.path().to_owned(), digest, bytes: content.len() as u64 };
        Ok(Output { side_effects: vec![wrote], ..Output::default() })
    }
}
