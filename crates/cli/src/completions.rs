//! `papamu completions`: what a shell needs to complete command lines.

use crate::Cli;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::process::ExitCode;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(
    after_help = "Example: papamu completions bash > ~/.local/share/bash-completion/completions/papamu"
)]
pub struct Args {
    shell: Shell,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "papamu", &mut script);
        std::io::stdout().lock().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
