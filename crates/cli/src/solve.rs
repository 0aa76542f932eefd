//! `papamu solve`: the exact value of a position.

use crate::args::{Game, PositionArgs, seconds};
use crate::crews::{Crews, Helped};
use crate::positions::{self, Brought};
use crate::proving::{self, ProofArgs, Proving};
use crate::solve_store::{self, StoreArgs};
use crate::solved::{Solved, exit_code};
use crate::solvers::{in_words, list};
use crate::turns::AtOnce;
use crate::{openings, output, progress, signals, solve_with_proofs};
use anyhow::{Result, bail};
use engine::{Playable, Resources, Setting, Task};
use registry::{GameName, with_game};
use search::{Every, Limits, StopReason};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Find the exact value of a position, and a move that keeps it.
///
/// A value is printed only if it is proven under the rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  papamu solve havannah --size 4 --moves \"b1 d2 a2 e4\" --certificate early.cert
  papamu verify early.cert
  papamu solve havannah --size 4 --positions hard.tsv
  papamu solve havannah --size 4 --all-openings --threads 2 --memory 16000 --certificate proofs
  papamu solve havannah --size 4 --moves \"b1 d2 a2 e4\" --store solving.db
  papamu solve havannah --size 4x4x5 --moves d4 --memory 8000 --resume d4.checkpoint
  papamu solve havannah --size 4 --moves a1 --export a1.sgf --export-work 100000
  papamu solve havannah --size 4 --solver castro-pns --threads 2 --positions hard.tsv --time 20
  papamu solve konane --size 5 --setup corner --solver castro-pns-tt --set copy-proofs=3
  papamu solve konane --rows 6 --cols 7 --setup corner --certificate six-by-seven.cert

Exit codes:
  0         everything is solved and written
  1         something could not be written
  2         bad usage, or a file that cannot be read
  3         a limit was reached before the value was known
  130, 143  stopped by Ctrl-C or SIGTERM; the checkpoint is written")]
pub struct Args {
    game: Game,
    #[command(flatten)]
    position: PositionArgs,
    /// The solver: papamu, castro-ab, castro-pns, castro-pns-tt, castro-mcts, or regions for Kōnane; --solvers
    /// describes them [default: papamu]
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// A parameter of the solver; --solvers lists them
    #[arg(
        long = "set",
        value_name = "KEY=VALUE",
        conflicts_with = "all_openings"
    )]
    settings: Vec<Setting>,
    /// List the solvers of the game with their parameters, and exit
    #[arg(long)]
    solvers: bool,
    /// Time limit in seconds, for each position [default: none]
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Node limit for each position, not counting the nodes of a checkpoint [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Memory limit of the solver, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Threads: several are used by papamu and castro-pns; with --all-openings, and by papamu with --positions, each
    /// thread solves one of its own, and helps with another when none is left
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Solve every position of a file: one line of moves from the start per position; text after a tab is ignored, and
    /// # begins a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "certificate", "resume", "export", "guide", "all_openings"])]
    positions: Option<PathBuf>,
    #[command(flatten)]
    proof: ProofArgs,
    #[command(flatten)]
    over: StoreArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Runs the command.
    pub fn run(self) -> Result<ExitCode> {
        let game = self.game.0;
        if !has_solver(game) {
            let others = GameName::ALL.iter().filter(|&&other| has_solver(other));
            let others: Vec<&str> = others.map(|other| other.name()).collect();
            bail!(
                "{game} has no solver: its positions can be analysed (papamu analyse {game}), which proves nothing; \
                 games with solvers: {}",
                others.join(", ")
            );
        }
        if self.solvers {
            let name = self.solver.as_deref();
            return with_game!(self.game.0, G => list::<G>(name));
        }
        if let Some(option) = self.proof.asked() {
            if !self.is_prover() {
                bail!("only the solver papamu has certificates, checkpoints and proof trees");
            }
            if !self.settings.is_empty() {
                bail!("--set cannot be combined with {option}");
            }
        }
        if self.over.store.is_some() && !self.writes_proofs() {
            bail!("only the solver papamu, with its own parameters, solves over a --store");
        }
        if self.proof.all_openings {
            let budget = openings::Budget {
                memory: self.memory,
                threads: self.threads,
                limits: self.limits(),
            };
            return with_game!(self.game.0, G => {
                openings::solve::<G>(&self.position, &self.proof, &budget, self.json)
            });
        }
        match &self.positions {
            Some(file) => with_game!(self.game.0, G => list_of::<G>(&self, file)),
            None => self.one(),
        }
    }

    /// Solves one position.
    fn one(&self) -> Result<ExitCode> {
        let solved = self.solve(&self.position)?;
        if self.json {
            output::json_line(&solved)?;
        } else {
            output::text(&solved.in_words())?;
        }
        tell_problem(&solved);
        Ok(exit_code([&solved], true))
    }

    /// Whether the solver is the one that has certificates, checkpoints and proof trees.
    fn is_prover(&self) -> bool {
        with_game!(self.game.0, G => {
            let default = G::solvers().first().map(|solver| solver.name);
            let is_default = self.solver.is_none() || self.solver.as_deref() == default;
            G::PROVES && is_default
        })
    }

    /// Whether it is, with the settings that these are made with.
    fn writes_proofs(&self) -> bool {
        self.is_prover() && self.settings.is_empty()
    }

    /// Solves a position, knowing nothing of others.
    fn solve(&self, position: &PositionArgs) -> Result<Solved> {
        let limits = self.limits();
        let resources = proving::Resources {
            memory: self.memory,
            threads: self.threads,
        };
        with_game!(self.game.0, G => if self.over.store.is_some() {
            let (proof, over) = (&self.proof, &self.over);
            solve_store::solve::<G>(position, proof, over, resources, &limits, self.json)
        } else if self.writes_proofs() {
            let (proof, json) = (&self.proof, self.json);
            solve_with_proofs::solve::<G>(position, proof, resources, &limits, json, |_| {})
        } else {
            by_name::<G>(self, position)
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            time: self.time,
            nodes: self.nodes,
            progress: Every::Time(Duration::from_millis(100)),
            stop: signals::stop_flag(),
            ..Limits::default()
        }
    }
}

fn has_solver(game: GameName) -> bool {
    with_game!(game, G => !G::solvers().is_empty())
}

fn tell_problem(solved: &Solved) {
    if let Some(problem) = &solved.problem {
        anstream::eprintln!("papamu: {problem}");
    }
}

/// Where several positions are solved at once, a turn has as many nodes as this part of what was spent on the position, but so many
/// at least.
const TURN_DIVISOR: u64 = 4;
const LEAST_TURN: u64 = 1 << 15;

/// Solves the positions of a file, all of which are read before the first is solved. The default solver has a thread for each
/// of several positions; others have all threads for each.
fn list_of<G: Playable>(args: &Args, file: &Path) -> Result<ExitCode> {
    let list = positions::read::<G>(&args.position, file)?;
    let crews = Crews::default();
    if !args.writes_proofs() {
        let one = AtOnce {
            threads: 1,
            room: 0,
        };
        return positions::solve(&list, one, &crews, args.json, |position, _: Option<()>| {
            by_name::<G>(args, position).map(Brought::Solved)
        });
    }
    let in_progress = u64::from(args.threads).min(list.len() as u64);
    let has_turns = in_progress > 1;
    // Half for those in progress, half for those that wait.
    let shares = if has_turns { 2 * in_progress } else { 1 };
    let resources = proving::Resources {
        memory: (args.memory / shares).max(1),
        threads: 1,
    };
    let at_once = AtOnce {
        threads: args.threads,
        room: (args.memory << 20) as usize / 2,
    };
    positions::solve(&list, at_once, &crews, args.json, |position, kept| {
        let begin = || Begun::<G>::begin(position, args, resources, &crews);
        let mut begun = kept.map_or_else(begin, Ok)?;
        let spent = begun.proving.spent.nodes;
        let turn = has_turns.then(|| LEAST_TURN.max(spent / TURN_DIVISOR));
        let solved = begun.go_on(&args.limits(), turn)?;
        Ok(solved.map_or_else(|| begun.kept(), Brought::Solved))
    })
}

/// A position of several that are solved at once.
struct Begun<'a, G: Playable> {
    proving: Proving<'a, G>,
    /// When it is dropped, its threads help others.
    _helped: Helped<'a>,
}

impl<'a, G: Playable> Begun<'a, G> {
    fn begin(
        position: &'a PositionArgs,
        args: &'a Args,
        resources: proving::Resources,
        crews: &'a Crews,
    ) -> Result<Self> {
        let start: G = position.position()?;
        let proving = Proving::begin(start, position, &args.proof, resources, args.json)?;
        let mut helped = Helped::new(crews);
        helped.begin(proving.prover.crew());
        Ok(Begun {
            proving,
            _helped: helped,
        })
    }

    /// Solves it with so many nodes more; `None` if that was not enough and the limits allow more.
    fn go_on(&mut self, limits: &Limits, nodes: Option<u64>) -> Result<Option<Solved>> {
        let spent = self.proving.spent;
        let left = limits.nodes.map(|nodes| nodes.saturating_sub(spent.nodes));
        let limits = Limits {
            time: limits.time.map(|time| time.saturating_sub(spent.elapsed)),
            nodes: left.into_iter().chain(nodes).min(),
            ..limits.clone()
        };
        let solved = self.proving.solve(&limits)?;
        let is_over = solved.stop != StopReason::Nodes || limits.nodes == left;
        Ok(is_over.then_some(solved))
    }

    fn kept(self) -> Brought<Self> {
        Brought::Part {
            bytes: self.proving.bytes,
            kept: self,
        }
    }
}

/// Solves a position with the solver asked for.
fn by_name<G: Playable>(args: &Args, asked: &PositionArgs) -> Result<Solved> {
    let solver = G::solver(args.solver.as_deref())?;
    let position: G = asked.position()?;
    let dialect = asked.dialect.of_game::<G>()?;
    let task = Task {
        position: &position,
        resources: Resources {
            memory: (args.memory << 20) as usize,
            threads: args.threads as usize,
        },
        settings: &args.settings,
        limits: &args.limits(),
    };
    let bar = progress::spinner();
    let report = solver.solve(&task, &mut |progress| {
        bar.set_message(in_words(progress, ""));
    });
    bar.finish_and_clear();
    let report = report?;
    Ok(Solved {
        moves: asked.moves.clone(),
        outcome: report.outcome,
        best: report.best.map(|best| position.write_move(best, dialect)),
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        solver: solver.name,
        stop: report.stop,
        certificate: None,
        problem: None,
    })
}
