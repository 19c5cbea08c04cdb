//! The call hierarchy: who calls the functions that make rules, and what they call.

use policyc::ide::{self, Caller, Calls, Place};

use crate::protocol::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, SymbolKind,
};
use crate::sets::Set;
use crate::snapshot::{Here, Snapshot};

pub(crate) fn prepare(snapshot: &Snapshot, params: &CallHierarchyPrepareParams) -> Option<Vec<CallHierarchyItem>> {
    let at = snapshot.at(&params.text_document_position_params)?;
    let callers = ide::callers(&snapshot.db, at.here.set, at.here.file, at.offset);
    let items: Vec<_> = callers.iter().filter_map(|caller| item(snapshot, &at.here.of, caller)).collect();
    Some(items).filter(|items| !items.is_empty())
}

pub(crate) fn incoming(
    snapshot: &Snapshot,
    params: &CallHierarchyIncomingCallsParams,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (here, function) = function(snapshot, &params.item)?;
    let call = |Calls { other, calls }: Calls| {
        let lines = snapshot.lines(other.place.file);
        let from_ranges = calls.iter().map(|span| lines.range(*span)).collect();
        Some(CallHierarchyIncomingCall { from: item(snapshot, &here.of, &other)?, from_ranges })
    };
    Some(ide::incoming(&snapshot.db, here.set, function).into_iter().filter_map(call).collect())
}

pub(crate) fn outgoing(
    snapshot: &Snapshot,
    params: &CallHierarchyOutgoingCallsParams,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (here, function) = function(snapshot, &params.item)?;
    let lines = snapshot.lines(function.file);
    let call = |Calls { other, calls }: Calls| {
        let from_ranges = calls.iter().map(|span| lines.range(*span)).collect();
        Some(CallHierarchyOutgoingCall { to: item(snapshot, &here.of, &other)?, from_ranges })
    };
    Some(ide::outgoing(&snapshot.db, here.set, function).into_iter().filter_map(call).collect())
}

/// The function that an item, which was given to the editor before, stands for.
fn function(snapshot: &Snapshot, item: &CallHierarchyItem) -> Option<(Here, Place)> {
    let here = snapshot.here(&item.uri)?;
    let span = snapshot.lines(here.file).span(item.selection_range);
    let place = Place { file: here.file, span };
    Some((here, place))
}

fn item(snapshot: &Snapshot, set: &Set, caller: &Caller) -> Option<CallHierarchyItem> {
    let lines = snapshot.lines(caller.place.file);
    Some(CallHierarchyItem {
        name: caller.name.clone(),
        kind: if caller.function { SymbolKind::FUNCTION } else { SymbolKind::FILE },
        tags: None,
        detail: None,
        uri: snapshot.uri(set, caller.place.file)?,
        range: lines.range(caller.whole),
        selection_range: lines.range(caller.place.span),
        data: None,
    })
}
