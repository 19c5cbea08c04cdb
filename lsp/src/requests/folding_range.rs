//! `textDocument/foldingRange`: the parts of a file that can be put away.

use policyc::ide::{self, Fold, FoldKind};

use crate::protocol::{FoldingRange, FoldingRangeKind, FoldingRangeParams};
use crate::snapshot::Snapshot;

pub(crate) fn answer(snapshot: &Snapshot, params: &FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let here = snapshot.here(&params.text_document.uri)?;
    let lines = snapshot.lines(here.file);
    let text = here.file.text(&snapshot.db);
    let range = |fold: Fold| {
        let range = lines.range(fold.span);
        let last = text.get(..fold.span.end as usize).and_then(|before| before.lines().next_back());
        // A line that only closes stays, as the end of what is put away.
        let closes = last.is_some_and(|line| line.trim_start().starts_with([')', ']', '}']));
        let end_line = if closes { range.end.line.saturating_sub(1) } else { range.end.line };
        (end_line > range.start.line).then(|| FoldingRange {
            start_line: range.start.line,
            end_line,
            kind: match fold.kind {
                FoldKind::Code => None,
                FoldKind::Comment => Some(FoldingRangeKind::Comment),
                FoldKind::Loads => Some(FoldingRangeKind::Imports),
            },
            ..FoldingRange::default()
        })
    };
    Some(ide::folds(&snapshot.db, here.file).into_iter().filter_map(range).collect())
}
