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
        let after = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string);
        // The generator would run the lines together, under a heading that says nothing.
        let command = command.after_help(None::<&str>).after_long_help(None::<&str>);
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        page.extend(sections(&after.unwrap_or_default()).into_bytes());
        output::print(&page)?;
        Ok(0)
    }
}

/// What stands below the options in the help, a section a paragraph, with its lines as they are.
fn sections(help: &str) -> String {
    let mut page = String::new();
    for paragraph in help.split("\n\n") {
        let (title, text) = match paragraph.split_once(':') {
            Some(("Examples", text)) => ("EXAMPLES", text),
            Some(("Exit codes", text)) => ("EXIT STATUS", text),
            _ => ("NOTES", paragraph),
        };
        page.push_str(&format!(".SH {title}\n.nf\n"));
        for line in text.trim_start_matches('\n').lines() {
            // A line that begins with a dot or a quote would be a request to the formatter.
            let line = line.strip_prefix(' ').filter(|_| title == "EXIT STATUS").unwrap_or(line);
            page.push_str(&format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-")));
        }
        page.push_str(".fi\n");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::sections;

    #[test]
    fn paragraphs_are_sections_and_lines_stay() {
        let page = sections("Exit codes: 0 done.\n\nExamples:\n  a --b\n  .c \\d");
        let expected = ".SH EXIT STATUS\n.nf\n\\&0 done.\n.fi\n.SH EXAMPLES\n.nf\n\\&  a \\-\\-b\n\\&  .c \\ed\n.fi\n";
        assert_eq!(page, expected);
    }
}
