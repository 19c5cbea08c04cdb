//! How requests are answered: on a snapshot, on a thread of its own, whatever happens there.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use policyc::db::Database;
use salsa::{Cancelled, Database as _};
use tokio::task::spawn_blocking;

use crate::protocol::{Error, ErrorCode, MessageType, Result};
use crate::server::Backend;
use crate::snapshot::Snapshot;

/// The code by which the protocol says that a document changed while its answer was made: who asked asks again.
const CONTENT_MODIFIED: ErrorCode = ErrorCode::ServerError(-32801);
/// The code of a request that was understood and cannot be answered.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// Ends the work on an answer that nobody waits for any more: a request that is cancelled drops its future, not its thread.
struct Abandon(salsa::CancellationToken);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Backend {
    /// What `question` makes of the session as it is now. A panic in it is an error and a line in the log, nothing more.
    pub(crate) async fn answer<T, Q>(&self, name: &'static str, question: Q) -> Result<T>
    where
        T: Send + 'static,
        Q: FnOnce(&Snapshot) -> T + Send + 'static,
    {
        // Before anything is awaited: what is asked is about the documents as they are at this message.
        let snapshot = catch_unwind(AssertUnwindSafe(|| self.shared.session().settled()));
        let Ok(snapshot) = snapshot else { return Err(self.failed(name).await) };
        let _abandon = Abandon(Database::cancellation_token(&snapshot.db));
        let answered = spawn_blocking(move || Cancelled::catch(AssertUnwindSafe(|| question(&snapshot))));
        match answered.await {
            Ok(Ok(answer)) => Ok(answer),
            // Who waited for a question that another thread was working on when an edit unwound it is told of a panic there.
            // A true one is told by the thread that it came to.
            Ok(Err(_)) => Err(error(CONTENT_MODIFIED, "a document changed meanwhile")),
            Err(_) => Err(self.failed(name).await),
        }
    }

    async fn failed(&self, name: &str) -> Error {
        self.client.log_message(MessageType::ERROR, format!("{name} failed; this is a bug of policyc-lsp")).await;
        error(ErrorCode::InternalError, "the answer could not be made")
    }
}

fn error(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Error {
    Error { code, message: message.into(), data: None }
}

/// What was asked cannot be answered.
pub(crate) fn failed(message: impl Into<Cow<'static, str>>) -> Error {
    error(REQUEST_FAILED, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::server::service;

    #[test]
    fn a_panic_in_a_feature_is_an_error_and_the_server_goes_on() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async {
            let (service, _socket) = service();
            let backend = service.inner();
            backend.shared.session().open("untitled:a.rules".parse().expect("an address"), 1, "x = 1\n".to_owned());
            let failed = backend.answer("hover", |_| -> u32 { panic!("this feature is broken") }).await;
            assert_eq!(failed.expect_err("it panicked").code, ErrorCode::InternalError);
            let documents = backend.answer("hover", |snapshot| snapshot.view.documents.iter().count()).await;
            assert_eq!(documents, Ok(1));
            // One that holds the session, too.
            let shared = std::sync::Arc::clone(&backend.shared);
            let held = std::thread::spawn(move || {
                let _session = shared.session();
                panic!("an edit is broken");
            });
            assert!(held.join().is_err());
            let evaluated = backend.answer("hover", |snapshot| json!(snapshot.view.revision)).await;
            assert!(evaluated.is_ok());
        });
    }
}
