//! What the tests share: a random generator of hostile text, the committed cases, and a real shell as a witness.
#![allow(
    dead_code,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "each test uses its part, and may panic"
)]

pub(crate) mod bash;
pub(crate) mod corpus;
pub(crate) mod hostile;
pub(crate) mod random;
