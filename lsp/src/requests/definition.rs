//! `textDocument/definition`: where what is named at a place is defined.

use policyc::ide::{self, Target};

use crate::protocol::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};
use crate::snapshot::Snapshot;

pub(crate) fn answer(
    snapshot: &Snapshot,
    params: &GotoDefinitionParams,
    linked: bool,
) -> Option<GotoDefinitionResponse> {
    let at = snapshot.at(&params.text_document_position_params)?;
    let definition = ide::definition(&snapshot.db, at.here.set, at.here.file, at.offset)?;
    let targets = definition.targets.iter();
    if !linked {
        let location = |target: &Target| snapshot.location(&at.here.of, target.name.file, target.name.span);
        let locations: Vec<Location> = targets.filter_map(location).collect();
        return Some(GotoDefinitionResponse::Array(locations));
    }
    let link = |target: &Target| {
        let lines = snapshot.lines(target.name.file);
        Some(LocationLink {
            origin_selection_range: Some(at.lines.range(definition.asked)),
            target_uri: snapshot.uri(&at.here.of, target.name.file)?,
            target_range: lines.range(target.whole),
            target_selection_range: lines.range(target.name.span),
        })
    };
    Some(GotoDefinitionResponse::Link(targets.filter_map(link).collect()))
}
