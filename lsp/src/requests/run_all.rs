//! The command `policyc.runAll`: says how the examples and expectations of a document fare.

use policyc::ide;

use crate::protocol::{MessageType, Uri};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, uri: &Uri) -> Option<(MessageType, String)> {
    let here = snapshot.here(uri)?;
    let counts = ide::counts(&snapshot.db, here.set, here.file);
    let fails = counts.failing_examples + counts.failing_expectations > 0;
    let kind = if fails { MessageType::WARNING } else { MessageType::INFO };
    Some((kind, format!("{}: {counts}", here.file.label(&snapshot.db))))
}
