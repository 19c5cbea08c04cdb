//! The one task that publishes diagnostics: what it sends belongs to one version of a document, and nothing is sent of a
//! check that an edit cut short.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use salsa::Cancelled;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;

use crate::diagnostics;
use crate::protocol::{self, Client, MessageType, Uri};
use crate::server::Shared;

/// The diagnostics of one version of a document.
struct Published {
    uri: Uri,
    version: i32,
    diagnostics: Vec<protocol::Diagnostic>,
}

/// Checks after each edit, for as long as the server lives.
pub(crate) async fn run(shared: Arc<Shared>, edited: Arc<Notify>, client: Client) {
    loop {
        edited.notified().await;
        let shared = Arc::clone(&shared);
        let check = spawn_blocking(move || {
            let snapshot = shared.session().snapshot();
            Cancelled::catch(AssertUnwindSafe(|| {
                let published = snapshot.documents.iter().map(|document| Published {
                    uri: document.uri.clone(),
                    version: document.version,
                    diagnostics: diagnostics::of(&snapshot, document),
                });
                published.collect::<Vec<_>>()
            }))
        });
        match check.await {
            Ok(Ok(published)) => {
                for Published { uri, version, diagnostics } in published {
                    client.publish_diagnostics(uri, diagnostics, Some(version)).await;
                }
            }
            // The edit that cut it short asks for the next check.
            Ok(Err(Cancelled::PendingWrite)) => {}
            Ok(Err(_)) | Err(_) => client.log_message(MessageType::ERROR, "a check failed").await,
        }
    }
}
