//! `policyc completions`: a script that teaches a shell the command line.

use clap::Args;
use clap_complete::Shell;

use super::output;

const EXAMPLES: &str = "\
Examples:
  policyc completions bash > ~/.local/share/bash-completion/completions/policyc
  policyc completions zsh > ~/.zfunc/_policyc
  policyc completions fish > ~/.config/fish/completions/policyc.fish";

/// Print a script that completes policyc's options in a shell
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        // The generator panics on a writer that fails, such as a closed pipe, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "policyc", &mut script);
        output::print(&script)?;
        Ok(0)
    }
}
