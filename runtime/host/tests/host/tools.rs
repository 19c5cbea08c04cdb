//! The host's own tools, as sessions call them under the shipped profiles.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use policyc_host::runner::{Cancel, End, Limits, Outcome, Recording, Streams};
use policyc_host::tools::http::{Reach, Url, Web, register};
use policyc_host::tools::{Output, Registry, RegistryProblem, services};
use policyc_host::{Host, PolicySource, RefusalKind, RunProblem, Session, Setup};
use policyc_runtime::Table;
use policyc_tests::policy::Policy;
use serde_json::{Value, json};

use super::setup::{Place, tool};

/// A table of all shipped profiles.
fn shipped() -> Vec<u8> {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    let made = || {
        let loads = [
            "load('@std//profiles/files.rules', 'FILE_READ')",
            "load('@std//profiles/operations.rules', 'SERVICE_READ')",
            "load('@std//profiles/profiles.rules', 'READERS')",
            "load('@std//profiles/web.rules', 'WEB_READ')",
        ];
        let policy = Policy::guarded_of(&loads.join("\n"));
        let errors: Vec<_> = policy.errors().collect();
        assert!(errors.is_empty(), "{errors:#?}");
        policy.table().to_vec()
    };
    TABLE.get_or_init(made).clone()
}

fn host(place: &Place, tools: Registry) -> Host {
    let setup = Setup { policy: PolicySource::Bytes(shipped()), tools, ..place.setup() };
    Host::start(setup).expect("the host starts")
}

fn standard(place: &Place) -> Host {
    host(place, Registry::standard(&Web::default()).expect("each name is there once"))
}

/// What a tool answers, or why it fails or is refused.
fn call(session: &Session<'_>, name: &str, arguments: Value) -> Result<Output, String> {
    call_until(session, name, arguments, &Cancel::default())
}

fn call_until(session: &Session<'_>, name: &str, arguments: Value, cancel: &Cancel) -> Result<Output, String> {
    let authorisation = session.authorise(tool(name, arguments)).map_err(|refusal| format!("refused: {refusal}"))?;
    match authorisation.run(Streams::Captured, cancel) {
        Ok(completion) => completion.output.expect("a tool answers"),
        Err(RunProblem::Refused(refusal)) => Err(format!("refused: {refusal}")),
        Err(problem) => Err(problem.to_string()),
    }
}

/// R002.46: each tool that is shipped as a declaration is there, and the host has no other.
#[test]
fn tools_are_those_that_the_shipped_profiles_declare() {
    let bytes = shipped();
    let table = Table::from_bytes(&bytes).expect("the table is valid");
    let search = Some(Url::parse("http://localhost:8080").expect("an address"));
    let registry = Registry::standard(&Web { search, ..Web::default() }).expect("each name is there once");
    // What only runs a command needs no tool, and `sudo_shell` is there to be refused. `apply_patch` is a name for hosts of
    // their own policies.
    let declared = table.tools().filter(|tool| tool.command().next().is_none() || registry.get(tool.name()).is_some());
    let mut declared: Vec<_> = declared.map(|tool| tool.name()).filter(|name| *name != "sudo_shell").collect();
    declared.push("apply_patch");
    declared.sort_unstable();
    assert_eq!(registry.names().collect::<Vec<_>>(), declared);
}

/// R001.27, R001.28.
#[test]
fn no_tool_is_added_once_a_host_has_started_and_none_takes_the_name_of_another() {
    let standard = || Registry::standard(&Web::default()).expect("each name is there once");
    let name_of = |problem: RegistryProblem| problem.to_string();
    assert_eq!(
        services::register(&mut standard()).map_err(name_of),
        Err("there is a tool `service.status` already".into())
    );
    let frozen = register(&mut standard().frozen(), &Web::default());
    assert_eq!(frozen, Err(RegistryProblem::Frozen));
}

#[test]
fn files_are_read_before_they_are_written_and_in_the_workspace_alone() {
    let place = Place::new();
    fs::write(place.path("workspace/a.txt"), "one two one").expect("a file can be written");
    fs::write(place.path("outside/b.txt"), "secret").expect("a file can be written");
    symlink(place.path("outside/b.txt"), place.path("workspace/link")).expect("a link can be made");
    let host = standard(&place);
    let session = host.session("s", "dev").under("files");
    let edit = json!({ "path": "a.txt", "old": "two", "new": "2" });
    let early = call(&session, "file_edit", edit.clone()).expect_err("it was not read");
    assert!(early.starts_with("refused") && early.contains("read:"), "{early}");
    let read = call(&session, "file_read", json!({ "path": "a.txt" })).expect("it can be read");
    assert_eq!((&read.content["content"], read.low_trust), (&json!("one two one"), false));
    call(&session, "file_edit", edit).expect("it was read");
    assert_eq!(fs::read_to_string(place.path("workspace/a.txt")).expect("it is there"), "one 2 one");
    // Own writes count as read; others' do not.
    let several = call(&session, "file_edit", json!({ "path": "a.txt", "old": "one", "new": "x" }));
    assert!(several.expect_err("it is there twice").contains("2 times"));
    fs::write(place.path("workspace/a.txt"), "changed").expect("a file can be written");
    call(&session, "file_delete", json!({ "path": "a.txt" })).expect_err("somebody else has changed it");
    for path in ["link", "../outside/b.txt", "~/../outside/b.txt", "/etc/passwd", ".env", "a\0b", "/dev/null"] {
        call(&session, "file_read", json!({ "path": path })).expect_err(path);
    }
    let copied = call(&session, "file_copy", json!({ "source": "a.txt", "dest": "c.txt" })).expect("it is there");
    assert_eq!(copied.content["bytes"], 7);
    call(&session, "file_write", json!({ "path": "new.txt", "content": "n" })).expect("nothing is there");
    call(&session, "file_delete", json!({ "path": "new.txt" })).expect("it is the session's own");
    assert!(!place.path("workspace/new.txt").exists() && place.path("workspace/c.txt").exists());
    fs::write(place.path("workspace/bin"), [0xff, 0xfe]).expect("a file can be written");
    assert!(call(&session, "file_read", json!({ "path": "bin" })).expect_err("it is no text").contains("UTF-8"));
    call(&session, "file_delete", json!({ "path": "bin" })).expect_err("nobody has seen it");
}

#[test]
fn what_is_longer_than_may_be_said_is_cut_and_not_read() {
    let place = Place::new();
    fs::write(place.path("workspace/long"), "é".repeat(100)).expect("a file can be written");
    let tools = Registry::standard(&Web::default()).expect("each name is there once");
    let limits = Limits { output: 51, ..Limits::default() };
    let setup = Setup { policy: PolicySource::Bytes(shipped()), tools, limits, ..place.setup() };
    let host = Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("files");
    let read = call(&session, "file_read", json!({ "path": "long" })).expect("it can be read");
    assert_eq!((&read.content["content"], &read.content["whole"]), (&json!("é".repeat(25)), &json!(false)));
    call(&session, "file_write", json!({ "path": "long", "content": "" })).expect_err("it was not read whole");
}

/// A patch is of one file, and deletes none (R002.38).
#[test]
fn patches_fit_or_change_nothing() {
    let place = Place::new();
    fs::write(place.path("workspace/a"), "1\n2\n3\n").expect("a file can be written");
    let host = standard(&place);
    let reads = host.session("s", "dev").under("files");
    call(&reads, "file_read", json!({ "path": "a" })).expect("it can be read");
    let session = host.session("t", "dev").under("repair");
    let patch = |text: &str| call(&session, "qre_apply_patch", json!({ "path": "a", "patch": text }));
    patch("--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n").expect("it fits");
    assert_eq!(fs::read_to_string(place.path("workspace/a")).expect("it is there"), "1\ntwo\n3\n");
    for (text, expected) in [
        ("no patch", "changes nothing"),
        ("--- a\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n", "does not fit"),
        ("--- a\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-two\n-3\n", "removes the file"),
        ("--- a\n+++ b\n@@ -1,3 +1 @@\n 1\n", "no unified diff"),
    ] {
        let told = patch(text).expect_err("it changes nothing");
        assert!(told.contains(expected), "{told}");
        assert_eq!(fs::read_to_string(place.path("workspace/a")).expect("it is there"), "1\ntwo\n3\n");
    }
}

/// R002.40, R002.41, R002.42, R002.43.
#[test]
fn listings_are_shallow_and_follow_a_chain_of_folders() {
    let place = Place::new();
    for folder in ["java/com/example/app", "java/com/example/lib", "links"] {
        fs::create_dir_all(place.path("workspace").join(folder)).expect("a folder can be made");
    }
    fs::write(place.path("workspace/java/com/example/app/a.rs"), "// TODO one\n").expect("a file can be written");
    symlink(place.path("outside"), place.path("workspace/links/out")).expect("a link can be made");
    let host = standard(&place);
    let session = host.session("s", "dev").under("files");
    let names = |output: &Output| {
        let entries = output.content["entries"].as_array().expect("there are entries").clone();
        entries.iter().map(|entry| format!("{} {}", entry["kind"], entry["name"])).collect::<Vec<_>>().join(", ")
    };
    let list = |arguments: Value| call(&session, "list_dir", arguments).expect("it can be listed");
    let chain = list(json!({ "path": "java" }));
    assert_eq!(names(&chain), r#""folder" "app", "folder" "lib""#);
    let said = chain.content["collapsed"].as_str().expect("it says so");
    assert!(said.ends_with("holds only `com/example`, which is listed instead"), "{said}");
    // A link is no folder to go on into, and a branch ends the chain.
    assert_eq!(names(&list(json!({ "path": "links" }))), r#""link" "out""#);
    let top = list(json!({}));
    assert_eq!(names(&top), r#""folder" "java", "folder" "links""#);
    assert!(top.content.get("collapsed").is_none());
    let whole = list(json!({ "path": "java", "recursive": true }));
    assert!(whole.content.get("collapsed").is_none());
    assert_eq!(whole.content["entries"].as_array().map(Vec::len), Some(5));
    let reader = host.session("t", "dev").under("readonly");
    let found = call(&reader, "qre_search", json!({ "pattern": "TODO" })).expect("it can be searched");
    assert_eq!(
        found.content["found"],
        json!([{ "file": "java/com/example/app/a.rs", "line": 1, "text": "// TODO one" }])
    );
}

#[test]
fn the_host_tells_of_its_disks_memory_and_processes() {
    let place = Place::new();
    let runner = Arc::new(Recording::default());
    let tools = Registry::standard(&Web::default()).expect("each name is there once");
    let policy = PolicySource::Bytes(shipped());
    let setup = Setup { policy, tools, runner: Box::new(runner.clone()), ..place.setup() };
    let host = Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("operations").read_only();
    let memory = call(&session, "host.memory.status", json!({})).expect("the kernel tells");
    assert!(memory.content["totalBytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20), "{memory:?}");
    let disks = call(&session, "host.disk.usage", json!({})).expect("the kernel tells");
    assert!(disks.content["disks"].is_array());
    let processes = call(&session, "host.process.list", json!({})).expect("the kernel tells");
    let first = &processes.content["processes"][0];
    assert_eq!(
        first.as_object().map(|fields| fields.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["name".into(), "number".into()])
    );
    assert!(runner.ran().is_empty());
}

/// A runner that answers as the manager of services would.
struct Answers(Outcome);

impl policyc_host::runner::Runner for Answers {
    fn name(&self) -> &'static str {
        "answers"
    }

    fn configuration(&self) -> Value {
        json!({})
    }

    fn finds_programs_here(&self) -> bool {
        false
    }

    fn run(&self, job: &policyc_host::runner::Job<'_>) -> std::io::Result<Outcome> {
        let names: Vec<_> = job.environment.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["PATH", "LC_ALL"]);
        Ok(Outcome { stdout: job.words.join(" ").into_bytes(), ..self.0.clone() })
    }
}

/// R001.11, R001.16, R001.55. No test touches a real unit.
#[test]
fn services_are_asked_by_fixed_words_and_only_where_there_is_a_manager() {
    let place = Place::new();
    let host = |code, manager: &str| {
        let mut tools = Registry::default();
        services::register_with(&mut tools, place.path(manager)).expect("the names are free");
        let outcome = Outcome { end: End::Exited(code), stderr: b"no: ana@example.org".to_vec(), ..Outcome::default() };
        let policy = PolicySource::Bytes(shipped());
        let setup = Setup { policy, tools, runner: Box::new(Answers(outcome)), ..place.setup() };
        Host::start(setup).expect("the host starts")
    };
    let call = |host: &Host, name: &str, arguments: Value| {
        call(&host.session("s", "dev").under("operations"), name, arguments)
    };
    let (well, ill, nowhere) = (host(0, "state"), host(4, "state"), host(0, "nowhere"));
    let status = call(&well, "service.status", json!({ "unit": "web" })).expect("it answers");
    assert_eq!(status.content["output"], "systemctl status --no-pager -- web");
    let logs = call(&well, "logs.query", json!({ "unit": "web", "lines": 5 })).expect("it answers");
    assert_eq!(logs.content["output"], "journalctl --no-pager --unit web --lines 5");
    assert!(logs.low_trust);
    let failed = call(&ill, "service.status", json!({ "unit": "web" })).expect_err("there is no such unit");
    assert!(failed.ends_with("no: (masked)"), "{failed}");
    call(&host(3, "state"), "service.status", json!({ "unit": "web" })).expect("it is told that it does not run");
    let restart = call(&well, "service.restart", json!({ "unit": "web" })).expect_err("it is asked about");
    assert!(restart.starts_with("refused"), "{restart}");
    for name in ["service.status", "logs.query"] {
        let told = call(
            &nowhere,
            name,
            json!({ "unit": "web", "lines": 1 })
                .as_object()
                .map(|all| {
                    let mut all = all.clone();
                    all.retain(|key, _| key == "unit" || name == "logs.query");
                    Value::Object(all)
                })
                .expect("it is an object"),
        );
        assert!(told.expect_err("nobody would answer").contains("no manager of services"));
    }
    for unit in ["-x", "a/b", "../x", "a b", ""] {
        call(&well, "service.status", json!({ "unit": unit })).expect_err(unit);
    }
}

#[test]
fn no_tool_changes_anything_where_nothing_may_be_changed() {
    let place = Place::new();
    let host = standard(&place);
    let session = host.session("s", "dev").under("files").read_only();
    for (name, arguments) in [
        ("file_write", json!({ "path": "a", "content": "" })),
        ("file_copy", json!({ "source": "a", "dest": "b" })),
        ("file_delete", json!({ "path": "a" })),
    ] {
        let refused = session.authorise(tool(name, arguments)).expect_err(name);
        assert_eq!(refused.kind, RefusalKind::Denied);
    }
}

/// Answers each request by what its path says, and counts them.
fn serve(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    let served = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&served);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            counted.fetch_add(1, Ordering::SeqCst);
            let path = asked(&mut stream);
            let _ = stream.write_all(&answer(&path));
        }
    });
    (address, served)
}

fn asked(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        request.push(byte[0]);
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    assert!(!request.to_ascii_lowercase().contains("cookie"), "{request}");
    request.split(' ').nth(1).unwrap_or_default().to_owned()
}

fn page(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn web(place: &Place, web: &Web) -> Host {
    let mut tools = Registry::default();
    register(&mut tools, web).expect("the names are free");
    host(place, tools)
}

/// R001.12, R001.38, R002.14, R002.21.
#[test]
fn pages_come_from_the_host_that_was_asked_for_and_nobody_vouches_for_them() {
    let (address, _) = serve(|path| match path {
        "/page" => page("200 OK", "Content-Type: text/html\r\n", b"<title>T</title><h1>Hi</h1><a href=/next>on</a>"),
        "/again" => page("302 Found", "Location: /page\r\n", b""),
        "/loop" => page("302 Found", "Location: /loop\r\n", b""),
        "/away" => page("302 Found", "Location: http://example.org/\r\n", b""),
        "/port" => page("302 Found", "Location: http://127.0.0.1:1/\r\n", b""),
        "/user" => page("302 Found", "Location: http://u:p@127.0.0.1/\r\n", b""),
        "/packed" => page("200 OK", "Content-Encoding: gzip\r\n", &[0; 64]),
        "/large" => page("200 OK", "", &vec![b'x'; 5 << 20]),
        "/endless" => [&b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"[..], &vec![b'x'; 5 << 20]].concat(),
        "/headers" => page("200 OK", &format!("X: {}\r\n", "y".repeat(1 << 20)), b""),
        "/none" => b"no HTTP at all\r\n\r\n".to_vec(),
        _ => page("404 Not Found", "", b"?"),
    });
    let place = Place::new();
    let host = web(&place, &Web { reach: Reach::Anywhere, ..Web::default() });
    let session = host.session("s", "dev").under("operations");
    let fetch = |name: &str, path: &str| call(&session, name, json!({ "url": format!("http://{address}{path}") }));
    let fetched = fetch("http.fetch", "/again").expect("it leads to the page");
    assert!(fetched.low_trust && fetched.content["body"].as_str().is_some_and(|body| body.contains("<h1>")));
    assert_eq!((&fetched.content["status"], fetched.side_effects.len()), (&json!(200), 2));
    assert_eq!(fetch("browser.navigate", "/page").expect("it is there").content["title"], "T");
    let markdown = fetch("browser.read", "/page").expect("it is there").content["markdown"].clone();
    assert!(markdown.as_str().is_some_and(|text| text.starts_with("# Hi")), "{markdown}");
    let links = fetch("browser.links", "/page").expect("it is there").content["links"].clone();
    assert_eq!(links, json!([{ "url": format!("http://{address}/next"), "text": "on" }]));
    assert_eq!(fetch("http.fetch", "/nothing").expect("that is an answer").content["status"], 404);
    for (path, expected) in [
        ("/loop", "redirects too often"),
        ("/away", "another host"),
        ("/port", "another host"),
        ("/user", "another host"),
        ("/packed", "packed"),
        ("/large", "more than"),
        ("/endless", "more than"),
        ("/headers", "cannot be reached"),
        ("/none", "cannot be reached"),
    ] {
        let told = fetch("http.fetch", path).expect_err(path);
        assert!(told.contains(expected), "{path}: {told}");
    }
}

#[test]
fn what_not_everybody_can_reach_is_not_reached() {
    let (address, served) = serve(|_| page("200 OK", "", b"inside"));
    let place = Place::new();
    let host = web(&place, &Web::default());
    let session = host.session("s", "dev").under("operations");
    let port = address.port();
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0:{port}/"),
    ] {
        call(&session, "http.fetch", json!({ "url": url })).expect_err(&url);
    }
    // What some read as one host, and others as another.
    for url in [
        "http://example.org\\@127.0.0.1/",
        "http://ex%61mple.org/",
        "http:example.org",
        "http:///example.org",
        "http://\texample.org/",
    ] {
        call(&session, "http.fetch", json!({ "url": url })).expect_err(url);
    }
    // A name that stands for such an address, among others or only when it is looked up again.
    for inside in [vec![address], vec!["8.8.8.8:80".parse().expect("an address"), address]] {
        let look_up = Arc::new(move |_: &str, _: u16| Ok(inside.clone()));
        let host = web(&place, &Web { look_up, ..Web::default() });
        let session = host.session("s", "dev").under("operations");
        let told = call(&session, "http.fetch", json!({ "url": "http://example.org/" })).expect_err("it leads inside");
        assert!(told.contains("not everybody can reach"), "{told}");
    }
    assert_eq!(served.load(Ordering::SeqCst), 0);
}

/// A name is looked up once for a request: what it stands for afterwards makes no difference.
#[test]
fn the_address_that_was_looked_at_is_the_one_that_is_reached() {
    let (good, _) = serve(|_| page("200 OK", "", b"good"));
    let (_, bad) = serve(|_| page("200 OK", "", b"bad"));
    let times = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&times);
    let look_up = Arc::new(move |_: &str, _: u16| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(vec![good])
    });
    let place = Place::new();
    let host = web(&place, &Web { look_up, reach: Reach::Anywhere, search: None });
    let session = host.session("s", "dev").under("operations");
    let fetched = call(&session, "http.fetch", json!({ "url": "http://example.org/" })).expect("it is there");
    assert_eq!((&fetched.content["body"], times.load(Ordering::SeqCst)), (&json!("good"), 1));
    assert_eq!(bad.load(Ordering::SeqCst), 0);
}

/// R002.44.
#[test]
fn a_request_ends_when_it_is_cancelled_or_its_time_is_over() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    let place = Place::new();
    let mut tools = Registry::default();
    register(&mut tools, &Web { reach: Reach::Anywhere, ..Web::default() }).expect("the names are free");
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let setup = Setup { policy: PolicySource::Bytes(shipped()), tools, limits, ..place.setup() };
    let host = Host::start(setup).expect("the host starts");
    let session = host.session("s", "dev").under("operations");
    let arguments = json!({ "url": format!("http://{address}/") });
    let told = call(&session, "http.fetch", arguments.clone()).expect_err("nobody answers");
    assert!(told.contains("time") || told.contains("cannot be reached"), "{told}");
    let cancel = Cancel::default();
    cancel.cancel();
    assert!(call_until(&session, "http.fetch", arguments, &cancel).expect_err("it is cancelled").contains("cancelled"));
    // The host may have been reached all the same.
    let (events, _) = place.events();
    let ends: Vec<_> = events.iter().filter(|event| event.event == "invocation.completed").collect();
    let first = ends.first().map(|event| event.data["sideEffects"][0]["address"].clone());
    assert_eq!(first, Some(json!("127.0.0.1")));
}

/// R002.14: search is there only with an endpoint, which may be anywhere.
#[test]
fn a_search_engine_is_asked_where_there_is_one() {
    let (address, _) = serve(|path| match path {
        "/search?q=a+%26+b&format=json" => {
            let answer = json!({ "results": [{ "title": "T", "url": "https://example.org/", "content": "c" }] });
            page("200 OK", "", answer.to_string().as_bytes())
        }
        _ => page("200 OK", "", b"<html>"),
    });
    let place = Place::new();
    let search = Some(Url::parse(&format!("http://{address}/")).expect("an address"));
    let host = web(&place, &Web { search, ..Web::default() });
    let session = host.session("s", "dev").under("web");
    let found = call(&session, "web.search", json!({ "query": "a & b" })).expect("it answers");
    assert_eq!(found.content["results"][0]["url"], "https://example.org/");
    assert!(found.low_trust);
    let told = call(&session, "web.search", json!({ "query": "x" })).expect_err("that is no answer");
    assert!(told.contains("no JSON"), "{told}");
    let without = web(&place, &Web::default());
    let told = call(&without.session("s", "dev").under("web"), "web.search", json!({ "query": "x" }));
    assert!(told.expect_err("there is none").contains("has no tool"));
}
