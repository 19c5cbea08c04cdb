//! `policyc man`: manual pages.

use clap::Args;

use super::{output, usage_error};

const EXAMPLES: &str = "\
Examples:
  policyc man > policyc.1
  policyc man eval | man -l -";

/// Print the manual page of policyc or of one of its subcommands
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Man {
    /// The subcommand; without it, policyc itself
    subcommand: Option<String>,
}

impl Man {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        let mut command = super::command();
        let command = match &self.subcommand {
            None => command,
            Some(name) => {
                let Some(subcommand) = command.find_subcommand_mut(name) else {
                    return Err(usage_error("man", format_args!("there is no subcommand '{name}'")));
                };
                subcommand.clone()
            }
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output::print(&page)?;
        Ok(0)
    }
}
