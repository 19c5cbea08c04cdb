//! The language server of command policies: protocol, and nothing else.
//!
//! An editor's messages become inputs of the compiler's database and questions to it, and the answers become messages. What
//! the answers are is decided there: no policy logic, no matching and no wording lives here.
//!
//! ```no_run
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! runtime.block_on(policyc_lsp::serve(tokio::io::stdin(), tokio::io::stdout()));
//! # Ok::<(), std::io::Error>(())
//! ```

mod protocol;
mod framing;
mod place;
mod positions;
mod abilities;
mod documents;
mod sets;
mod snapshot;
mod session;
mod diagnostics;
mod status;
mod checker;
mod edits;
mod answering;
mod requests;
mod capabilities;
mod server;

pub use server::serve;
