//! The database and the questions that span a whole policy set.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::source::{PolicySet, SourceFile};

/// Holds the inputs and remembers every answer that still holds.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
}

#[salsa::db]
impl salsa::Database for Database {}
