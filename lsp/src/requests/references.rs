//! `textDocument/references`: every place of what is named at one.

use policyc::ide::{self, Access};

use crate::protocol::{Location, ReferenceParams};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &ReferenceParams) -> Option<Vec<Location>> {
    let at = snapshot.at(&params.text_document_position)?;
    let references = ide::references(&snapshot.db, at.here.set, at.here.file, at.offset);
    let defined = params.context.include_declaration;
    let asked = references.into_iter().filter(|reference| defined || reference.access != Access::Definition);
    Some(asked.filter_map(|it| snapshot.location(&at.here.of, it.place.file, it.place.span)).collect())
}
