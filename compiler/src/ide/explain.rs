//! The command line that asks in a terminal what an editor shows.

use crate::rules::Request;
use crate::shipped::PREFIX;
use crate::source::PolicySet;

/// How many policy files are named: those of a larger set are found by its configuration.
const MOST_FILES: usize = 4;

/// `policyc explain …` for a request to a policy set.
pub(super) fn explain(db: &dyn salsa::Database, set: PolicySet, request: &Request) -> String {
    let mut words = vec!["policyc", "explain"];
    let own = set.files(db).iter().map(|file| file.label(db).as_str()).filter(|label| !label.starts_with(PREFIX));
    let own: Vec<&str> = own.collect();
    if own.len() <= MOST_FILES {
        words.extend(own.into_iter().flat_map(|label| ["--rules", label]));
    }
    match request {
        Request::Text(text) => words.extend(["--shell", text]),
        Request::Command(command) => {
            let option = command.first().is_some_and(|program| program.starts_with('-'));
            words.extend(option.then_some("--"));
            words.extend(command.iter().map(String::as_str));
        }
    }
    shlex::Quoter::new().allow_nul(true).join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}
