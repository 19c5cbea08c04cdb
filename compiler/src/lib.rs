//! Compiles command policies into decision tables, and explains every mistake on the way.
//!
//! Policy files come in as text and labels, and tables and diagnostics go out as data: the `policyc` command and other
//! edges read files and draw. It does not decide; `policyc_runtime` does, from the table.
//!
//! ```
//! use policyc::{db, source::{PolicySet, SourceFile}};
//!
//! let database = db::Database::default();
//! let file = SourceFile::new(&database, "git.rules".to_owned(), r#"prefix_rule(["git", "push"], "prompt")"#.to_owned());
//! let set = PolicySet::new(&database, vec![file], Default::default(), vec![String::new()], "/".to_owned(), None);
//! assert!(db::usable(&database, set), "{:?}", db::diagnostics(&database, set));
//! let table = policyc_runtime::Table::from_bytes(db::table(&database, set))?;
//! assert_eq!(table.rules().len(), 1);
//! # Ok::<(), policyc_runtime::TableError>(())
//! ```

pub mod source;
pub mod syntax;
pub mod eval;
pub mod programs;
pub mod format;
pub mod rules;
pub mod check;
pub mod layers;
pub mod effects;
pub mod dialect;
pub mod lint;
pub mod self_test;
pub mod lower;
pub mod diagnostics;
pub mod db;
pub mod config;
pub mod ide;
pub mod shipped;
pub mod workspace;
pub mod escape;
pub mod count;
pub mod duration;
pub mod paint;
pub mod answers;
pub mod listing;
