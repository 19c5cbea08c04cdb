//! Words for kinds: of operands, of text, of what an option runs.

use super::super::call::Call;
use crate::check::unknown_kind;
use crate::rules::{Operands, Runs, Stdin, Text};

/// Kinds by the words for them.
pub(super) type Kinds<T> = [(&'static str, T)];

/// What standard input is.
pub(super) const STDINS: [(&str, Stdin); 5] = [
    ("shell", Stdin::Text(Text::Shell)),
    ("powershell", Stdin::Text(Text::PowerShell)),
    ("cmd", Stdin::Text(Text::Cmd)),
    ("code", Stdin::Code),
    ("operands", Stdin::Operands),
];

/// What an option runs.
pub(super) const RUNS: [(&str, Runs); 7] = [
    ("command", Runs::Command),
    ("shell", Runs::Text(Text::Shell)),
    ("powershell", Runs::Text(Text::PowerShell)),
    ("cmd", Runs::Text(Text::Cmd)),
    ("code", Runs::Code),
    ("stdin", Runs::StandardInput),
    ("words", Runs::Words),
];

/// What operands are; text is joined by blanks.
pub(super) const OPERANDS: [(&str, Operands); 13] = [
    ("data", Operands::Data),
    ("command", Operands::Command),
    ("shell", Operands::Joined(Text::Shell)),
    ("powershell", Operands::Joined(Text::PowerShell)),
    ("cmd", Operands::Joined(Text::Cmd)),
    ("assignments", Operands::Assignments),
    ("aliases", Operands::Aliases),
    ("definition", Operands::Definition),
    ("arithmetic", Operands::Arithmetic),
    ("drops", Operands::Shift),
    ("parameters", Operands::Parameters),
    ("code", Operands::Code),
    ("script", Operands::Script),
];

/// The kind that is named for the parameter at `index`; `None` is none.
pub(super) fn kind<T: Copy>(call: &mut Call<'_, '_>, index: usize, kinds: &Kinds<T>) -> Option<T> {
    if call.value(index).is_some_and(|value| value.is_none()) {
        return None;
    }
    word(call, index, kinds)
}

/// The same where `None` is none of them.
pub(super) fn word<T: Copy>(call: &mut Call<'_, '_>, index: usize, kinds: &Kinds<T>) -> Option<T> {
    let given = call.string(index)?;
    let kind = kinds.iter().find(|(name, _)| *name == given).map(|(_, kind)| *kind);
    if kind.is_none() {
        let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
        unknown(call, index, &names);
    }
    kind
}

/// The string given for the parameter at `index` is none of the `known` kinds.
pub(super) fn unknown(call: &mut Call<'_, '_>, index: usize, known: &[&str]) {
    let Some(given) = call.string(index) else { return };
    let parameter = call.parameter(index);
    let part = call.part(&[parameter]);
    call.mistake(unknown_kind::diagnostic(&part.site, call.name(index), given, known, part.literal));
}
