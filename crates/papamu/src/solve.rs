//! `papamu solve`: the exact value of a position.

use crate::args::{GameName, PositionArgs, seconds, with_game};
use crate::solve_havannah::{self, ProofArgs};
use crate::{long_run, openings, output, progress};
use anyhow::{Context, Result, bail};
use engine::Playable;
use game::Outcome;
use search::{AlphaBeta, Every, Limits, alphabeta};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Find the exact value of a position, and a move that keeps it.
///
/// A value is only ever given if it is proven under the rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu solve havannah --size 4 --moves \"b1 d2 a2 e4\" --certificate early.cert
  papamu verify early.cert
  papamu solve havannah --size 4 --positions hard.tsv
  papamu solve havannah --size 4 --all-openings --threads 2 --memory 16000 --certificate proofs
  papamu solve havannah --size 4x4x5 --moves d4 --memory 8000 --resume d4.checkpoint
  papamu solve havannah --size 4 --moves a1 --export a1.sgf --export-work 100000
  papamu solve konane --size 5 --setup corner")]
pub struct Args {
    game: GameName,
    #[command(flatten)]
    position: PositionArgs,
    /// The solver: papamu (Havannah), or ab, iterative deepening alpha-beta [default: papamu for
    /// Havannah, ab for Kōnane]
    #[arg(long, value_name = "NAME")]
    solver: Option<SolverName>,
    /// The most seconds to take; without it, as long as it takes
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// The most memory while solving, in MiB; nearly all of it is the transposition table
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Threads: with --all-openings, each works on an opening of its own; otherwise one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Solve every position of a file instead: moves from the start, one position a line; what follows a
    /// tab is passed over, and # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "certificate", "resume", "export", "guide", "all_openings"])]
    positions: Option<PathBuf>,
    #[command(flatten)]
    proof: ProofArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    /// Depth-first proof-number search with Havannah's threats
    Papamu,
    /// Iterative deepening alpha-beta, for both games
    Ab,
}

/// What is said of the position.
#[derive(Serialize)]
pub struct Solved {
    /// The moves to the position, as they were given.
    pub moves: String,
    /// `white`, `black`, `draw` or `unknown`.
    pub outcome: String,
    /// A move that keeps the value.
    pub best: Option<String>,
    /// Nodes expanded.
    pub nodes: u64,
    /// The time that it took.
    pub seconds: f64,
    /// The name of the solver.
    pub solver: &'static str,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let default = match self.game {
            GameName::Havannah => SolverName::Papamu,
            GameName::Konane => SolverName::Ab,
        };
        let solver = self.solver.unwrap_or(default);
        if solver == SolverName::Papamu && self.game == GameName::Konane {
            bail!("the solver papamu is for havannah; konane has ab");
        }
        if solver != SolverName::Papamu && self.proof.is_asked_for() {
            bail!("only the solver papamu has certificates, checkpoints and proof trees");
        }
        if self.proof.all_openings {
            let budget = openings::Budget {
                memory: self.memory,
                threads: self.threads,
                limits: self.limits(),
            };
            return openings::solve(&self.position, &self.proof, &budget, self.json);
        }
        if self.threads > 1 {
            bail!("one position is solved on one thread; --all-openings can use more");
        }
        let Some(file) = &self.positions else {
            let solved = self.solve(solver, &self.position)?;
            if self.json {
                output::json_line(&solved)?;
            } else {
                output::text(&solved.in_words())?;
            }
            return Ok(ExitCode::SUCCESS);
        };
        let lines = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let mut all = Vec::new();
        for (number, line) in lines.lines().enumerate() {
            let moves = line.split(['#', '\t']).next().unwrap_or_default().trim();
            if moves.is_empty() {
                continue;
            }
            let position = PositionArgs {
                moves: moves.to_owned(),
                ..self.position.clone()
            };
            let solved = self.solve(solver, &position);
            let solved = solved.with_context(|| format!("line {}", number + 1))?;
            if self.json {
                output::json_line(&solved)?;
            } else {
                output::text(&format!("{}: {}", solved.moves, solved.in_words()))?;
            }
            all.push(solved);
        }
        if !self.json {
            output::text(&summary(&all))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Solves a position, knowing nothing of others.
    fn solve(&self, solver: SolverName, position: &PositionArgs) -> Result<Solved> {
        match solver {
            SolverName::Papamu => solve_havannah::solve(
                position,
                &self.proof,
                self.memory,
                &self.limits(),
                self.json,
            ),
            SolverName::Ab => with_game!(self.game, &position.board, alpha_beta(self, position)),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            time: self.time,
            progress: Every::Time(Duration::from_millis(100)),
            stop: long_run::stop_flag(),
            ..Limits::default()
        }
    }
}

/// Alpha-beta, deepened until the value is proven.
fn alpha_beta<G: Playable>(args: &Args, asked: &PositionArgs) -> Result<Solved> {
    let position: G = asked.position()?;
    let dialect = asked.dialect.of_game::<G>()?;
    let mut search = AlphaBeta::new(position.clone(), |_: &G| 0, alphabeta::Params::default());
    let bar = progress::spinner();
    let report = search.search(&args.limits(), &mut |progress| {
        bar.set_message(format!(
            "depth {}, {} nodes",
            progress.depth, progress.nodes
        ));
    });
    bar.finish_and_clear();
    let proven = report
        .proven
        .map(|proven| proven.for_side(position.to_move()));
    Ok(Solved {
        moves: asked.moves.clone(),
        outcome: named(proven),
        best: report
            .best
            .filter(|_| proven.is_some())
            .map(|best| position.write_move(best, dialect)),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        solver: "ab",
    })
}

/// An outcome as in JSON.
pub fn named(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "unknown".to_owned(), |outcome| outcome.to_string())
}

/// How many positions were solved, and how long they took.
fn summary(all: &[Solved]) -> String {
    let solved = all
        .iter()
        .filter(|solved| solved.outcome != "unknown")
        .count();
    let mut seconds: Vec<f64> = all.iter().map(|solved| solved.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let Some(&slowest) = seconds.last() else {
        return "no positions\n".to_owned();
    };
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
    let median = seconds[seconds.len() / 2];
    let nodes: u64 = all.iter().map(|solved| solved.nodes).sum();
    format!(
        "\n{solved} of {} solved; seconds: mean {mean:.4}, median {median:.4}, most {slowest:.4}; {nodes} nodes\n",
        all.len()
    )
}

impl Solved {
    /// For people.
    pub fn in_words(&self) -> String {
        let value = match self.outcome.as_str() {
            "unknown" => "not solved".to_owned(),
            "draw" => "a draw".to_owned(),
            winner => format!("{winner} wins"),
        };
        let best = self
            .best
            .as_ref()
            .map_or(String::new(), |best| format!(", best move {best}"));
        format!(
            "{value}{best} ({} nodes in {:.3} s, {})\n",
            self.nodes, self.seconds, self.solver
        )
    }
}
