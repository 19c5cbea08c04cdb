//! What else than commands can be asked about, and under which terms.

use clap::Args;
use policyc_runtime::{Approval, Request, Terms};

use super::asked::Asked;
use super::question::{Question, ShellText};
use super::usage_error;

/// Who approves on a command line.
pub(super) const OPERATOR: &str = "operator";

/// A tool call or a host in place of a command.
#[derive(Args)]
pub(super) struct Other {
    /// Judge a call of this tool: NAME, or SERVER/NAME
    #[arg(long, value_name = "NAME", conflicts_with_all = ["words", "shell", "network"])]
    tool: Option<String>,
    /// The arguments of the call, a JSON object
    #[arg(long, value_name = "JSON", requires = "tool", default_value = "{}", hide_default_value = true)]
    args: String,
    /// What the call is said to be done to; refused if its arguments say otherwise
    #[arg(long, value_name = "TARGET", requires = "tool")]
    target: Option<String>,
    /// Judge a host that is to be reached
    #[arg(long, num_args = 2, value_names = ["PROTOCOL", "HOST"], conflicts_with_all = ["words", "shell"])]
    network: Vec<String>,
}

impl Other {
    /// What is asked about: the tool call or the host, or else the text or the words.
    pub(super) fn asked(
        self,
        question: &Question,
        subcommand: &str,
        text: ShellText,
        words: Vec<String>,
    ) -> anyhow::Result<Asked> {
        if question.is_as_typed() && (self.tool.is_some() || !self.network.is_empty()) {
            let message = "reference matching compares the words of a command; leave out '--matching reference'";
            return Err(usage_error(subcommand, message));
        }
        if let Some(tool) = self.tool {
            return Ok(Asked::tool(tool, self.args, self.target));
        }
        if let Ok([protocol, host]) = <[String; 2]>::try_from(self.network) {
            return Ok(Asked::network(protocol, host));
        }
        question.asked(subcommand, text, words)
    }
}

/// The terms under which a request is judged.
#[derive(Args, Default)]
pub(super) struct TermOptions {
    /// Judge under this profile of the policy: what it does not list is forbidden
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Forbid whatever changes something
    #[arg(long)]
    read_only: bool,
    /// Approve of what is asked about, for this reason; give it with one request only
    #[arg(long, value_name = "REASON")]
    approve_risk: Option<String>,
    /// A fact that holds, as `requires` names it; give the option again for each further one
    #[arg(long, value_name = "FACT")]
    fact: Vec<String>,
    /// A folder outside the current one that may be read; give the option again for each further one
    #[arg(long, value_name = "DIR")]
    read_root: Vec<String>,
}

impl TermOptions {
    /// Whether rules alone decide.
    pub(super) const fn is_none(&self) -> bool {
        self.profile.is_none()
            && !self.read_only
            && self.approve_risk.is_none()
            && self.fact.is_empty()
            && self.read_root.is_empty()
    }

    /// Refuses what cannot be asked.
    pub(super) fn check(&self, subcommand: &str, as_typed: bool, batch: bool) -> anyhow::Result<()> {
        if as_typed && !self.is_none() {
            let message = "reference matching knows no profiles; leave out '--matching reference'";
            return Err(usage_error(subcommand, message));
        }
        match &self.approve_risk {
            Some(reason) if reason.trim().is_empty() => Err(usage_error(subcommand, "'--approve-risk' needs a reason")),
            Some(_) if batch => {
                Err(usage_error(subcommand, "'--approve-risk' is about one request, and a batch asks about many"))
            }
            _ => Ok(()),
        }
    }

    /// What the terms borrow from.
    pub(super) fn kept(&self) -> Kept<'_> {
        Kept {
            facts: self.fact.iter().map(String::as_str).collect(),
            roots: self.read_root.iter().map(String::as_str).collect(),
        }
    }

    /// The terms, for one request or for a batch of them.
    pub(super) fn terms<'q>(&'q self, kept: &'q Kept<'q>, request: Option<Request<'_, String>>) -> Terms<'q> {
        let approval = self.approve_risk.as_deref().zip(request);
        Terms {
            profile: self.profile.as_deref(),
            read_only: self.read_only,
            facts: &kept.facts,
            approval: approval.map(|(reason, request)| Approval { by: OPERATOR, reason, digest: request.digest() }),
            read_roots: &kept.roots,
            ..Terms::NONE
        }
    }
}

/// What the terms borrow from.
pub(super) struct Kept<'q> {
    facts: Vec<&'q str>,
    roots: Vec<&'q str>,
}
