//! The reference enforcement host: it loads a decision table and enforces it. Nothing runs that was not decided, and the
//! proof stays.
//!
//! There is one way in, [`Session::authorise`], and one way on: to consume the [`Authorisation`] that it gave, which can be
//! neither copied nor made elsewhere. In order:
//!
//! ```text
//! canonicalise → resolve → decide → discharge → durable event → consume → run → durable completion event
//!   request      resolve   session  approval     trace          grants    runner, tools    trace
//! ```
//!
//! It has no second way to decide: every decision is `policyc_runtime::Table::decide` on a real table. What it stops and
//! what it does not is on one page: `docs/threat-model.md`.
//!
//! | module | what it is |
//! | --- | --- |
//! | `request` | what is asked for, bounded and with its digest |
//! | `resolve` | the one resolver: paths to handles below the workspace, programs to files |
//! | `facts` | what a session has read: by resolved path and digest of the content |
//! | `approval` | a named person's word for one request |
//! | `grants/` | temporary authority and requests for it: [`grants::GrantStore`], [`grants::GrantQueue`], `limits`, `request`, `sqlite` |
//! | `trace/` | `event` what is written, `chain` how it lasts, `verify`, `replay`, `show` how it is read |
//! | `runner/` | how commands run: `local`, `docker` with `staged` copies; [`runner::Runner`] |
//! | `tools/` | what tools do: [`tools::Tool`], `registry`, `files`, `services` with `mask`, `system`, `http` |
//! | `session` | the pipeline; [`Authorisation`] and [`Refusal`] |
//! | `guard` | the read-only layers that stand before and behind the pipeline: the same decision, asked again |
//! | `update` | the table: watched by digest, swapped whole between requests |
//! | `host` | what is configured once, and sessions on it |

#![cfg(unix)]

mod request;
mod resolve;
mod facts;
mod approval;
pub mod grants;
pub mod trace;
pub mod runner;
pub mod tools;
mod account;
mod session;
mod guard;
mod update;
mod host;
mod hex;

pub use approval::ApprovalRecord;
pub use facts::Facts;
pub use guard::{ChangeSet, ReadOnlyProblem, check_command, check_write};
pub use host::{Host, HostError, Setup};
pub use request::{Asked, Request, RequestProblem};
pub use resolve::{Found, Identity, Kind, Place, Prepared, Program, ResolveProblem, Search, Workspace};
pub use session::{Authorisation, Completion, Refusal, RefusalKind, RunProblem, Session};
pub use update::{Policy, PolicySource};
