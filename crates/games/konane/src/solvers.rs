//! The solvers of Kōnane.

use crate::cgt::{Database, DatabaseError};
use crate::solver::{self, RegionalParams, RegionalSolver};
use crate::{CastroSolver, Move, Position};
use engine::Prover;
use engine::castro::{OfGame, Settings};
use engine::memory::for_tables;
use engine::parameter::{Field, Number, Text, apply};
use engine::solver::{Begun, Resources, SolveError, Solver, Task, Work};
use game::Game;
use search::castro::Params;
use search::mcts::{self, WhenFull};
use search::proof::{SolveProgress, SolveReport};
use search::{Mcts, UniformPlayout};
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What is Kōnane's own of a solver.
#[derive(Clone, Copy, Debug)]
struct SymmetricPlies(u32);

/// The solvers, the default one first.
pub(crate) fn solvers() -> Vec<Solver<Position>> {
    let mut solvers = vec![
        Solver::of(
            "papamu",
            "depth-first proof-number search with bounds from safe moves",
            Vec::new(),
            |task| {
                apply::<()>(&[], &(), task.settings)?;
                modern(task)
            },
        )
        .with_threads(),
        Solver::new(
            "regions",
            "alpha-beta on independent regions, with the combinatorial values of small ones",
            &[REGIONS],
            Regions::default(),
            by_regions,
        ),
    ];
    let by_method = |task: &Task<'_, Position>, method, params: &Params, SymmetricPlies(plies)| {
        let mut solver = CastroSolver::new(method, params, plies);
        let position = task.position.clone();
        let work: Work<Move> =
            Box::new(move |limits, tell| Ok(solver.solve(&position, limits, tell)));
        Ok(work)
    };
    solvers.extend(engine::castro::solvers(SymmetricPlies(3), by_method));
    solvers.push(
        Solver::new(
            "castro-mcts",
            "Monte Carlo tree search that backs up proofs",
            &[MONTE_CARLO],
            Exploration(mcts::Params::default().exploration),
            |task, exploration| Ok(monte_carlo(task, *exploration)),
        )
        .also(&["mcts"]),
    );
    solvers
}

fn too_large(why: solver::TooLarge) -> SolveError {
    SolveError::TooLarge(why.to_string())
}

pub(crate) fn prover(
    position: &Position,
    resources: Resources,
) -> Result<Box<dyn Prover<Position>>, SolveError> {
    let params = solver::Params {
        memory: for_tables(resources.memory),
        threads: resources.threads,
    };
    let mut solver = solver::Solver::new(position.shape(), &params).map_err(too_large)?;
    solver.take_root(position);
    Ok(Box::new(solver))
}

fn modern(task: &Task<'_, Position>) -> Begun<Position> {
    let mut prover = prover(task.position, task.resources)?;
    let position = task.position.clone();
    Ok(Box::new(move |limits, tell| {
        Ok(prover.value(&position, limits, tell))
    }))
}

/// What a value takes, or a comparison or sum of values, with its options and thermograph, while the tables that have
/// them grow: by measurement less.
const BYTES_PER_VALUE: usize = 640;

/// What the solver by regions can be told.
#[derive(Clone, Debug)]
struct Regions {
    largest: u32,
    database: DatabaseFile,
}

/// The file with the values of regions, if there is one.
#[derive(Clone, Debug, Default)]
struct DatabaseFile(Option<PathBuf>);

impl FromStr for DatabaseFile {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let path = (!text.is_empty()).then(|| PathBuf::from(text));
        Ok(DatabaseFile(path))
    }
}

impl fmt::Display for DatabaseFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|path| path.display().fmt(f))
    }
}

impl Default for Regions {
    fn default() -> Self {
        Regions {
            largest: RegionalParams::default().largest,
            database: DatabaseFile::default(),
        }
    }
}

fn by_regions(task: &Task<'_, Position>, regions: &Regions) -> Begun<Position> {
    let half = for_tables(task.resources.memory) / 2;
    let params = RegionalParams {
        largest: regions.largest,
        values: (half / BYTES_PER_VALUE).min(RegionalParams::default().values),
        memory: half,
    };
    let solver = RegionalSolver::new(task.position.shape(), &params);
    let mut solver = solver.map_err(too_large)?;
    let file = |why: DatabaseError| SolveError::File(why.to_string());
    let open = |path: &PathBuf| Database::open(path, solver.valuer_mut()).map_err(file);
    let mut database = regions.database.0.as_ref().map(open).transpose()?;
    let position = task.position.clone();
    Ok(Box::new(move |limits, tell| {
        let report = solver.solve(&position, limits, tell);
        if let Some(database) = &mut database {
            database.save(solver.valuer_mut()).map_err(file)?;
        }
        Ok(report)
    }))
}

/// The only parameter of Monte Carlo tree search here.
#[derive(Clone, Copy, Debug)]
struct Exploration(f64);

fn monte_carlo(task: &Task<'_, Position>, Exploration(exploration): Exploration) -> Work<Move> {
    let params = mcts::Params {
        exploration,
        memory: for_tables(task.resources.memory),
        when_full: WhenFull::Collect,
        keep_proofs: false,
        ..mcts::Params::default()
    };
    let mover = task.position.to_move();
    let mut search = Mcts::with_playout(task.position.clone(), params, 1, UniformPlayout::new());
    Box::new(move |limits, tell| {
        let report = search.search(limits, &mut |progress| {
            tell(&SolveProgress {
                depth: progress.depth,
                nodes: progress.simulations,
                entries: progress.nodes,
                elapsed: progress.elapsed,
                ..SolveProgress::default()
            });
        });
        let outcome = report.proven.map(|proven| proven.for_side(mover));
        Ok(SolveReport {
            outcome,
            best: report.best.filter(|_| outcome.is_some()),
            nodes: report.simulations,
            entries: search.tree_nodes() as u64,
            bytes: search.tree_bytes(),
            elapsed: report.elapsed,
            stop: report.stop,
        })
    })
}

const REGIONS: &[Field<Regions>] = &[
    Field {
        name: "largest",
        meaning: "largest region, in cells, whose combinatorial value is computed; larger ones are searched",
        values: &Number(0, 64, |regions: &mut Regions| &mut regions.largest),
    },
    Field {
        name: "database",
        meaning: "file that keeps the values of regions, as --database of papamu cgt does; empty for none",
        values: &Text("the path of a file", |regions: &mut Regions| {
            &mut regions.database
        }),
    },
];

impl OfGame for SymmetricPlies {
    const FIELDS: &'static [Field<Settings<Self>>] = &[Field {
        name: "symmetric-plies",
        meaning: "plies below the root within which only one of each class of symmetric moves is searched",
        values: &Number(0, 1000, |settings: &mut Settings<Self>| {
            &mut settings.game.0
        }),
    }];
}

const MONTE_CARLO: &[Field<Exploration>] = &[Field {
    name: "exploration",
    meaning: "weight of the exploration term, from 0; a larger weight explores more",
    values: &Number(0.0, 1000.0, |exploration: &mut Exploration| {
        &mut exploration.0
    }),
}];
