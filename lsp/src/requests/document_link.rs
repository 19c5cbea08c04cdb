//! `textDocument/documentLink`: the files that `load` statements lead to.

use policyc::ide::{self, Link};

use crate::protocol::{DocumentLink, DocumentLinkParams};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    // A shipped file is on no disk, so there is nothing to open.
    let link = |link: Link| {
        let target = link.target.and_then(|file| snapshot.uri(&here.of, file))?;
        let range = lines.range(link.span);
        Some(DocumentLink { range, target: Some(target), tooltip: Some(link.label), data: None })
    };
    Some(ide::links(&snapshot.db, here.set, here.file).into_iter().filter_map(link).collect())
}
