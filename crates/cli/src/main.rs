//! The program `papamu`: a module for each command. `papamu --help` lists them.

mod analyse;
mod arena;
mod args;
mod bench;
mod certify;
mod cgt;
mod completions;
mod convert;
mod crews;
mod explore;
mod gtp;
mod learn;
mod long_run;
mod metrics;
mod openings;
mod output;
mod perft;
mod play;
mod positions;
mod progress;
mod proof_tree;
mod proving;
mod reference;
mod replay;
mod review;
mod serve;
mod show;
mod signals;
mod solve;
mod solve_store;
mod solve_with_proofs;
mod solved;
mod solvers;
mod status;
mod turns;
mod usage;
mod verify;
mod worker;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Plays, analyses and solves Havannah, Kōnane and Hex.
#[derive(Parser)]
#[command(name = "papamu", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Perft(perft::Args),
    Show(show::Args),
    Replay(replay::Args),
    Convert(convert::Args),
    Solve(Box<solve::Args>),
    Worker(worker::Args),
    Status(status::Args),
    Verify(verify::Args),
    Explore(explore::Args),
    Cgt(cgt::Args),
    Gtp(gtp::Args),
    Play(play::Args),
    Review(review::Args),
    Analyse(analyse::Args),
    Bench(bench::Args),
    Arena(arena::Args),
    Learn(learn::Args),
    Serve(serve::Args),
    Reference(reference::Args),
    Completions(completions::Args),
}

/// The exit code of a command that ran and could not do everything it was asked to do.
const FAILED: u8 = 1;
/// The exit code of bad usage.
const BAD_USAGE: u8 = 2;
/// The exit code of a search whose limits were reached before the value was known.
const NOT_SOLVED: u8 = 3;

fn main() -> ExitCode {
    let command = match usage::parse::<Cli>(std::env::args_os()) {
        Ok(cli) => cli.command,
        Err(usage::Unusable::Asked(help)) => {
            // A reader that has seen enough is no error.
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
        Err(usage::Unusable::Wrong(why)) => return bad_usage(&why),
    };
    signals::end_as_first_process();
    match run(command) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => bad_usage(&format!("{error:#}")),
    }
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Perft(args) => args.run(),
        Command::Show(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Convert(args) => args.run(),
        Command::Solve(args) => args.run(),
        Command::Worker(args) => args.run(),
        Command::Status(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Explore(args) => args.run(),
        Command::Cgt(args) => args.run(),
        Command::Gtp(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Review(args) => args.run(),
        Command::Analyse(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Arena(args) => args.run(),
        Command::Learn(args) => args.run(),
        Command::Serve(args) => args.run(),
        Command::Reference(args) => args.run(),
        Command::Completions(args) => args.run(),
    }
}

fn bad_usage(why: &str) -> ExitCode {
    anstream::eprintln!("papamu: {why}");
    ExitCode::from(BAD_USAGE)
}

/// Whether the reader of the output has closed it, which ends the command and is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(kind))
}
