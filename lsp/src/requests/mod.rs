//! The requests, one a file: each turns its parameters into a question of `policyc::ide`, and the answer into the protocol's.

pub(crate) mod call_hierarchy;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod document_highlight;
pub(crate) mod document_link;
pub(crate) mod document_symbol;
pub(crate) mod evaluate;
pub(crate) mod folding_range;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hint;
pub(crate) mod pull;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod run_all;
pub(crate) mod selection_range;
pub(crate) mod semantic_tokens;
pub(crate) mod shipped;
pub(crate) mod signature_help;
pub(crate) mod table;
pub(crate) mod workspace_symbol;
