//! What the tests share: a random generator of hostile text, the committed cases, and a real shell as a witness.
#![allow(dead_code, reason = "each test uses its part")]

pub mod bash;
pub mod corpus;
pub mod hostile;
pub mod random;
