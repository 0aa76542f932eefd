//! `papamu gtp`.
use anyhow::Result;
use std::process::ExitCode;
/// GTP
#[derive(clap::Args)]
pub struct Args {}
impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        Ok(ExitCode::SUCCESS)
    }
}
