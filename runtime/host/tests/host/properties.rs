//! P7 and P9 over random requests.

use std::io;
use std::sync::Arc;

use policyc_host::grants::NoGrants;
use policyc_host::runner::{Cancel, Job, Outcome, Runner, Streams};
use policyc_host::trace::replay;
use policyc_host::{ApprovalRecord, Asked, Request};
use policyc_runtime::Table;
use policyc_tests::random::Random;
use serde_json::{Value, json};

use super::setup::{Place, table};

/// Reads the trace from the disk whenever something would start.
struct Witness(std::path::PathBuf);

impl Runner for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn configuration(&self) -> Value {
        json!({})
    }

    fn finds_programs_here(&self) -> bool {
        false
    }

    fn run(&self, job: &Job<'_>) -> io::Result<Outcome> {
        let file = std::fs::File::open(&self.0)?;
        let (events, verified) = policyc_host::trace::events(io::BufReader::new(file))?;
        assert_eq!(verified.broken, None);
        let started = events.last().expect("there are events");
        assert_eq!(started.event, "exec.started");
        let decision = started.data.get("decision").and_then(Value::as_u64).expect("it says which");
        let decision = events.iter().find(|event| event.sequence == decision).expect("it is there");
        assert_eq!(decision.data.get("decision"), Some(&Value::from("allow")));
        let words = decision.data.get("request").expect("it says what was asked for");
        let words = words.get("command").or(words.get("shell")).unwrap_or(&Value::Null);
        let last = job.words.last().expect("there are words");
        assert!(
            words.to_string().contains(last.trim()) || decision.data.get("tool").is_some_and(Value::is_string),
            "{words} {last}"
        );
        Ok(Outcome::default())
    }
}

fn asked(random: &mut Random) -> Asked {
    let words =
        ["echo", "hi", "make", "touch", "never", "shutdown", "cat", "a", "-c", "env", "sh", ">", "&&", ";", "x y"];
    let mut some = |most| (0..random.between(1, most)).map(|_| (*random.pick(&words)).to_owned()).collect::<Vec<_>>();
    let (first, second) = (some(4), some(6));
    match random.below(4) {
        0 => Asked::Text { text: second.join(" "), kind: policyc_runtime::ShellKind::Bash },
        1 => {
            let names = ["list", "vault", "nobody", "file_read", "unheard_of"];
            let arguments = random.pick(&["{}", "{\"path\":\"a\"}", "{\"path\":\"../a\"}", "[]", "{", "{\"x\":1}"]);
            let tool = (*random.pick(&names)).to_owned();
            Asked::Tool { tool, arguments: (*arguments).to_owned(), target: None }
        }
        _ => Asked::Command(first),
    }
}

/// R000.62.
#[test]
fn p7_no_process_starts_without_a_durable_allow_and_p9_every_decision_replays() {
    let place = Place::new();
    let witness = Arc::new(Witness(place.path("state/trace.jsonl")));
    let host = place.host_with(witness, Box::new(NoGrants));
    let mut random = Random::seeded(7);
    let (mut ran, mut refused) = (0, 0);
    for number in 0..500 {
        let mut session = host.session(format!("s{number}"), "dev");
        if !random.one_in(8) {
            session = session.under(*random.pick(&["work", "work", "readonly", "unheard_of"]));
        }
        if random.one_in(5) {
            session = session.read_only();
        }
        let asked = asked(&mut random);
        let mut request = Request::new(asked.clone());
        if random.one_in(2) {
            request = request.approved(ApprovalRecord::of(&asked, *random.pick(&["ann", "executor"]), "why"));
        }
        request.per_request = random.one_in(3);
        match session.authorise(request) {
            Ok(authorisation) => {
                authorisation.run(Streams::Captured, &Cancel::default()).expect("its end is recorded");
                ran += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(ran > 40 && refused > 40, "{ran} ran, {refused} refused");
    let (events, verified) = place.events();
    assert_eq!((verified.broken, verified.unfinished.len()), (None, 0));
    let bytes = table();
    let table = Table::from_bytes(&bytes).expect("the table is sound");
    drop(place);
    for again in [replay(&events, None), replay(&events, Some(&table))] {
        let differ: Vec<_> = again.decisions.iter().filter(|one| !one.agrees()).collect();
        assert!(differ.is_empty(), "{differ:#?}");
        assert_eq!(again.decisions.len(), ran + refused);
    }
}
