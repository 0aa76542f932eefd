//! `papamu`: plays, solves and studies Havannah and Kōnane. `papamu --help` lists what it does.

mod arena;
mod args;
mod bench;
mod certify;
mod cgt;
mod completions;
mod explore;
mod gtp;
mod long_run;
mod openings;
mod output;
mod perft;
mod play;
mod progress;
mod proof_tree;
mod proving;
mod replay;
mod review;
mod serve;
mod show;
mod signals;
mod solve;
mod solve_with_proofs;
mod solved;
mod solvers;
mod verify;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// Plays, solves and studies Havannah and Kōnane.
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
    Solve(solve::Args),
    Verify(verify::Args),
    Explore(explore::Args),
    Cgt(cgt::Args),
    Gtp(gtp::Args),
    Play(play::Args),
    Review(review::Args),
    Bench(bench::Args),
    Arena(arena::Args),
    Serve(serve::Args),
    Completions(completions::Args),
}

/// The exit code of a command that ran and could not do all that it was asked for.
const FAILED: u8 = 1;
/// The exit code of a command that was asked for in a way that cannot be.
const BAD_USAGE: u8 = 2;
/// The exit code of a search whose limits were reached before the value was known.
const NOT_SOLVED: u8 = 3;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            // Help and version, which were asked for; a reader that has seen enough is no error.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return bad_usage("what shall it do? papamu --help lists the commands");
        }
        Err(error) => return bad_usage(&one_line(&error.to_string())),
    };
    match run(cli.command) {
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
        Command::Solve(args) => args.run(),
        Command::Verify(args) => args.run(),
        Command::Explore(args) => args.run(),
        Command::Cgt(args) => args.run(),
        Command::Gtp(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Review(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Arena(args) => args.run(),
        Command::Serve(args) => args.run(),
        Command::Completions(args) => args.run(),
    }
}

fn bad_usage(why: &str) -> ExitCode {
    anstream::eprintln!("papamu: {why}");
    ExitCode::from(BAD_USAGE)
}

/// What the parser of the command line has to say, without the paragraphs on usage.
fn one_line(message: &str) -> String {
    let first = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = first.split_whitespace().collect();
    let text = words.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text} (see papamu --help)")
}

/// Whether whoever read the output has closed it, which ends the work and is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(kind))
}
