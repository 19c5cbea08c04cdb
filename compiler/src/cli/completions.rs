//! `policyc completions`: a script that teaches a shell the command line.

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, output};

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
        clap_complete::generate(self.shell, &mut for_people(), "policyc", &mut script);
        output::print(&script)?;
        Ok(0)
    }
}

/// The command line without the option by which this program starts itself: completions would offer it too.
fn for_people() -> Command {
    Arguments::command().mut_subcommand("check", |check| {
        let arguments: Vec<_> = check.get_arguments().filter(|argument| !argument.is_hide_set()).cloned().collect();
        Command::new("check").about(check.get_about().cloned().unwrap_or_default()).args(arguments)
    })
}
