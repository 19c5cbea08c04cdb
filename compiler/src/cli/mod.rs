//! The command line: one file a subcommand, and what they share.

mod build;
mod check;
mod completions;
mod eval;
#[cfg(unix)]
mod exec;
mod explain;
mod fmt;
#[cfg(unix)]
mod grants;
mod inspect;
mod man;
mod matrix;
#[cfg(unix)]
mod trace;

mod compile;
mod configuration;
mod draw;
mod excerpt;
mod isolate;
mod json;
mod output;
mod paint;
mod progress;
mod question;
#[cfg(unix)]
mod records;
mod remainder;
mod replace;
mod sources;
mod subject;
mod tables;

use std::io::{self, Write};
use std::process::ExitCode;
use std::{panic, thread};

use clap::{CommandFactory, Parser, Subcommand};

use paint::{OnTerminal, Paint};
use policyc::answers::{asked, literal, reasons, suggestion};
use policyc::escape;
use policyc::eval::THREAD;

/// Something is wrong with what was given: a policy, a table, a file.
const FAILED: u8 = 1;
/// The command line itself is wrong.
const USAGE: u8 = 2;

#[derive(Parser)]
#[command(
    name = "policyc",
    version,
    about = "Compiles command policies into decision tables, and explains every mistake on the way",
    long_about = "Compiles command policies into decision tables, and explains every mistake on the way.\n\n\
        A policy is a set of .rules files, written in Starlark. Each rule says of the commands that begin with \
        its words whether they may run (allow), must be asked about (prompt) or may never run (forbidden); of \
        all the rules that match a command, the strictest wins.",
    after_help = EXAMPLES,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 90
)]
struct Arguments {
    #[command(subcommand)]
    subcommand: Subcommands,
}

const EXAMPLES: &str = "\
Examples:
  policyc check policies                         is the policy sound?
  policyc explain --rules git.rules git push     what does it say of a command, and why?
  policyc explain --rules git.rules --shell 'cd /srv && sudo git push'
                                                 and of all that a shell would run?
  policyc build policies -o policy.table         make a table for programs to ask
  policyc eval --table policy.table git push     ask it; the answer is JSON
  policyc exec --table policy.table git push     run it, if the table allows it";

#[derive(Subcommand)]
enum Subcommands {
    Check(check::Check),
    Eval(eval::Eval),
    Explain(explain::Explain),
    Build(build::Build),
    #[cfg(unix)]
    Exec(exec::Exec),
    #[cfg(unix)]
    Grants(grants::Grants),
    #[cfg(unix)]
    Trace(trace::Trace),
    Inspect(inspect::Inspect),
    Matrix(matrix::Matrix),
    Fmt(fmt::Fmt),
    Completions(completions::Completions),
    Man(man::Man),
}

/// Does what the command line says.
pub(crate) fn run() -> ExitCode {
    quiet_engine_panics();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    let done = match arguments.subcommand {
        Subcommands::Check(check) => check.run(),
        Subcommands::Eval(eval) => eval.run(),
        Subcommands::Explain(explain) => explain.run(),
        Subcommands::Build(build) => build.run(),
        #[cfg(unix)]
        Subcommands::Exec(exec) => exec.run(),
        #[cfg(unix)]
        Subcommands::Grants(grants) => grants.run(),
        #[cfg(unix)]
        Subcommands::Trace(trace) => trace.run(),
        Subcommands::Inspect(inspect) => inspect.run(),
        Subcommands::Matrix(matrix) => matrix.run(),
        Subcommands::Fmt(fmt) => fmt.run(),
        Subcommands::Completions(completions) => completions.run(),
        Subcommands::Man(man) => man.run(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => failure(&error),
    }
}

/// A panic of the Starlark engine becomes a diagnostic; its own text would help nobody.
fn quiet_engine_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(THREAD) {
            report(panic);
        }
    }));
}

/// Prints what clap has to say: help and versions are answers, all else is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        Err(broken) if broken.kind() != io::ErrorKind::BrokenPipe => return ExitCode::from(FAILED),
        _ => {}
    }
    if error.use_stderr() { ExitCode::from(USAGE) } else { ExitCode::SUCCESS }
}

/// Prints why nothing could be done. What cannot be printed is not worth a second failure.
fn failure(error: &anyhow::Error) -> ExitCode {
    if let Some(usage_error) = error.downcast_ref::<clap::Error>() {
        return usage(usage_error);
    }
    let paint = Paint::for_stderr();
    let text = format!("{} {}\n", paint.error("error:"), escape::lines(&format!("{error:#}")));
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::from(FAILED)
}

/// The command line as a whole, built for completions and man pages.
fn command() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// A usage error in the words and colours of clap.
fn usage_error(subcommand: &str, message: impl std::fmt::Display) -> anyhow::Error {
    let mut command = command();
    let error = match command.find_subcommand_mut(subcommand) {
        Some(command) => command.error(clap::error::ErrorKind::InvalidValue, message),
        None => command.error(clap::error::ErrorKind::InvalidValue, message),
    };
    error.into()
}
