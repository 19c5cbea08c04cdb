//! What it costs to ask a host: the whole way to an authorisation, with the event in memory's file system and on a disk.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use policyc_host::grants::NoGrants;
use policyc_host::runner::{Cancel, Limits, Recording, Streams};
use policyc_host::tools::Registry;
use policyc_host::trace::{Trace, TraceMode};
use policyc_host::{Asked, Host, PolicySource, Search, Setup, Workspace};
use policyc_tests::policy::Policy;

const POLICY: &str = "capability(\"look\", access = \"read\")\ncommand([\"echo\"], [\"look\"])\n\
    profile(\"work\", allow = [\"look\"])\n";

fn host(state: &Path, table: &[u8]) -> Host {
    let workspace = Workspace::open(&std::env::temp_dir(), None, &[]).expect("there is a folder for temporary files");
    let setup = Setup {
        policy: PolicySource::Bytes(table.to_vec()),
        workspace,
        search: Search::default(),
        trace: Trace::open(&state.join("trace.jsonl"), TraceMode::Private).expect("a trace can be made"),
        grants: Box::new(NoGrants),
        runner: Box::new(Recording::default()),
        tools: Registry::default(),
        environment: Vec::new(),
        shell: Vec::new(),
        limits: Limits::default(),
    };
    Host::start(setup).expect("the host starts")
}

fn authorise(criterion: &mut Criterion) {
    let policy = Policy::guarded_of(POLICY);
    let asked = Asked::Command(["echo", "hello"].map(str::to_owned).to_vec());
    let target = std::env::current_exe().expect("a bench knows its own file");
    let disk = target.parent().expect("a file is in a folder");
    let places = [("in memory", Path::new("/dev/shm")), ("on the disk", disk)];
    for (name, folder) in places.into_iter().filter(|(_, folder)| folder.exists()) {
        let state = tempfile::tempdir_in(folder).expect("a folder can be made");
        let host = host(state.path(), policy.table());
        let session = host.session("bench", "dev").under("work");
        criterion.bench_function(&format!("authorise, the event {name}"), |bencher| {
            bencher.iter(|| black_box(session.authorise(asked.clone()).is_ok()));
        });
        criterion.bench_function(&format!("authorise, run and record, {name}"), |bencher| {
            bencher.iter(|| {
                let authorisation = session.authorise(asked.clone()).expect("it is allowed");
                black_box(authorisation.run(Streams::Captured, &Cancel::default()).is_ok())
            });
        });
    }
}

criterion_group!(benches, authorise);
criterion_main!(benches);
