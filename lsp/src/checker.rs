//! The one task that publishes diagnostics: what it sends belongs to one version of a document, and nothing is sent of a
//! check that an edit cut short.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use policyc::diagnostics::Severity;
use policyc::eval::evaluate;
use policyc::source::SourceFile;
use salsa::Cancelled;
use tokio::sync::Notify;
use tokio::task::spawn_blocking;

use crate::abilities::Abilities;
use crate::diagnostics::{self, Report};
use crate::protocol::{Client, MessageType};
use crate::server::Shared;
use crate::snapshot::Snapshot;
use crate::status::{self, Status, StatusNotification};

/// What a check found.
struct Checked {
    reports: Vec<Report>,
    statuses: Vec<Status>,
    /// Files that run without an error.
    good: Vec<SourceFile>,
    revision: u64,
}

/// Checks after each edit, for as long as the server lives.
pub(crate) async fn run(shared: Arc<Shared>, edited: Arc<Notify>, client: Client) {
    let mut publisher = Publisher { client, published: BTreeMap::new(), statuses: Vec::new() };
    loop {
        edited.notified().await;
        let checking = Arc::clone(&shared);
        match spawn_blocking(move || check(&checking)).await {
            Ok(Ok(Checked { reports, statuses, good, revision })) => {
                let abilities = {
                    let mut session = shared.session();
                    session.note_good(revision, good);
                    session.abilities.clone()
                };
                publisher.publish(reports, &abilities).await;
                publisher.tell(statuses, &abilities).await;
            }
            // The edit that cut it short asks for the next check.
            Ok(Err(Cancelled::PendingWrite)) => {}
            // It waited for a question that another thread was working on, and that thread unwound: because of an edit, or
            // by a panic, which then comes to this one too.
            Ok(Err(_)) => edited.notify_one(),
            Err(_) => {
                publisher.client.log_message(MessageType::ERROR, "a check failed; the next edit starts another").await;
            }
        }
    }
}

fn check(shared: &Shared) -> Result<Checked, Cancelled> {
    let (snapshot, unproven) = {
        let mut session = shared.session();
        (session.settled(), session.unproven())
    };
    Cancelled::catch(AssertUnwindSafe(|| {
        let all = diagnostics::of_all(&snapshot);
        let reports = diagnostics::reports(&snapshot, &all);
        let statuses = all.iter().map(|(set, told)| status::of(&snapshot, set, told)).collect();
        let sets = snapshot.view.sets.iter();
        let files = sets.flat_map(|set| set.files.values().map(move |file| (set, *file)));
        let good = files.filter(|(set, file)| unproven.contains(file) && runs(&snapshot, set.set, *file));
        let good = good.map(|(_, file)| file).collect();
        Checked { reports, statuses, good, revision: snapshot.view.revision }
    }))
}

fn runs(snapshot: &Snapshot, set: policyc::source::PolicySet, file: SourceFile) -> bool {
    let diagnostics = &evaluate(&snapshot.db, set, file).diagnostics;
    diagnostics.iter().all(|diagnostic| diagnostic.severity < Severity::Error)
}

/// Knows what the editor was told, so that it is told of every change and of nothing else.
struct Publisher {
    client: Client,
    published: BTreeMap<String, Report>,
    statuses: Vec<Status>,
}

impl Publisher {
    async fn publish(&mut self, reports: Vec<Report>, abilities: &Abilities) {
        let reports: BTreeMap<String, Report> =
            reports.into_iter().map(|report| (report.uri.as_str().to_owned(), report)).collect();
        if abilities.pulls {
            if self.published != reports {
                self.published = reports;
                let _ = self.client.workspace_diagnostic_refresh().await;
            }
            return;
        }
        for (address, old) in &self.published {
            if !reports.contains_key(address) && (old.version.is_some() || !old.diagnostics.is_empty()) {
                self.client.publish_diagnostics(old.uri.clone(), Vec::new(), None).await;
            }
        }
        for (address, report) in &reports {
            if self.published.get(address) != Some(report) {
                let Report { uri, version, diagnostics } = report.clone();
                self.client.publish_diagnostics(uri, diagnostics, version).await;
            }
        }
        self.published = reports;
    }

    /// Tells how the sets are, and that what was shown beside the text may be outdated.
    async fn tell(&mut self, statuses: Vec<Status>, abilities: &Abilities) {
        for status in &statuses {
            self.client.send_notification::<StatusNotification>(status.clone()).await;
        }
        // What is beside the text of the document that is typed in, the editor asks for anyway.
        let elsewhere = self.published.values().filter(|report| report.version.is_some()).count() > 1;
        let outdated = elsewhere || self.statuses != statuses;
        self.statuses = statuses;
        if !outdated {
            return;
        }
        let client = self.client.clone();
        let abilities = abilities.clone();
        // The editor answers when it likes; the next check does not wait for that.
        tokio::spawn(async move {
            if abilities.refreshes_inlay_hints {
                let _ = client.inlay_hint_refresh().await;
            }
            if abilities.refreshes_code_lenses {
                let _ = client.code_lens_refresh().await;
            }
        });
    }
}
