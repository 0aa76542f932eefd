//! The solvers of Havannah.

use crate::Position;
use crate::players::castro;
use crate::solver::{self, CastroSolver, MctsSolver, Pruning};
use engine::Prover;
use engine::castro::{OfGame, Settings};
use engine::memory::for_tables;
use engine::parameter::{Field, Number, Setting, Switch, apply, describe};
use engine::solver::{Begun, Resources, SolveError, Solver, Task};
use search::castro::{Method, Params};

/// The solvers, the default one first.
pub(crate) fn solvers() -> Vec<Solver<Position>> {
    let mut solvers = vec![
        Solver::new(
            "papamu",
            "depth-first proof-number search with detection of Havannah's threats",
            &[MODERN],
            solver::Params::default(),
            modern,
        )
        .with_threads(),
    ];
    solvers.extend(engine::castro::solvers(Pruning::default(), by_method));
    solvers.push(monte_carlo());
    solvers
}

fn too_large(why: solver::TooLarge) -> SolveError {
    SolveError::TooLarge(why.to_string())
}

fn by_method(
    task: &Task<'_, Position>,
    method: Method,
    params: &Params,
    pruning: Pruning,
) -> Begun<Position> {
    let shape = task.position.geometry().shape();
    let solver = CastroSolver::new(shape, method, params, pruning);
    let mut solver = solver.map_err(too_large)?;
    let position = task.position.clone();
    Ok(Box::new(move |limits, tell| {
        Ok(solver.solve(&position, limits, tell))
    }))
}

fn papamu(
    position: &Position,
    resources: Resources,
    params: &solver::Params,
) -> Result<solver::Solver, SolveError> {
    let params = solver::Params {
        memory: for_tables(resources.memory),
        threads: resources.threads,
        ..params.clone()
    };
    solver::Solver::new(position.geometry().shape(), &params).map_err(too_large)
}

pub(crate) fn prover(
    position: &Position,
    resources: Resources,
) -> Result<Box<dyn Prover<Position>>, SolveError> {
    let solver = papamu(position, resources, &solver::Params::default())?;
    Ok(Box::new(solver))
}

fn modern(task: &Task<'_, Position>, params: &solver::Params) -> Begun<Position> {
    let mut solver = papamu(task.position, task.resources, params)?;
    let position = task.position.clone();
    Ok(Box::new(move |limits, tell| {
        Ok(solver.solve(&position, limits, tell))
    }))
}

/// What of Monte Carlo tree search means nothing to a solver, or is set for it.
const NOT_OF_SOLVER: [&str; 7] = [
    "memory",
    "when-full",
    "final-move",
    "keep-tree",
    "network",
    "solve-after",
    "solve-effort",
];

fn is_of_solver(name: &str) -> bool {
    !NOT_OF_SOLVER.contains(&name)
}

fn monte_carlo() -> Solver<Position> {
    let defaults = castro::solver_settings();
    let mut parameters = describe(PRUNING_ALONE, &Pruning::default());
    let of_search = castro::parameters(&defaults).into_iter();
    parameters.extend(of_search.filter(|parameter| is_of_solver(parameter.name)));
    Solver::of(
        "castro-mcts",
        "Monte Carlo tree search that backs up proofs",
        parameters,
        move |task| {
            let is_pruning = |setting: &Setting| {
                let mut fields = PRUNING_ALONE.iter();
                fields.any(|field| field.name == setting.name) || !is_of_solver(&setting.name)
            };
            let (pruning, rest): (Vec<Setting>, Vec<Setting>) =
                task.settings.iter().cloned().partition(is_pruning);
            let pruning = apply(PRUNING_ALONE, &Pruning::default(), &pruning)?;
            let mut settings = defaults.with(&rest)?;
            settings.search.memory = for_tables(task.resources.memory);
            let solver =
                MctsSolver::new(task.position, &settings.search, &settings.policy, pruning);
            let mut solver = solver.map_err(too_large)?;
            Ok(Box::new(move |limits, tell| Ok(solver.solve(limits, tell))))
        },
    )
    .also(&["mcts"])
}

/// The fields of the pruning, for a structure that has one.
macro_rules! pruning {
    ($params:ident: $type:ty => $pruning:expr) => {
        &[
            Field {
                name: "symmetric-plies",
                meaning: "stones on the board below which only one of each class of symmetric moves is searched",
                values: &Number(0, 1000, |$params: &mut $type| &mut $pruning.symmetric_plies),
            },
            Field {
                name: "draw-detection",
                meaning: "whether the solver detects that a side can no longer win",
                values: &Switch(|$params: &mut $type| &mut $pruning.draw_detection),
            },
            Field {
                name: "double-threats",
                meaning: "whether leaves are checked for moves that make two winning cells, and for the replies to them; needs lookahead 2",
                values: &Switch(|$params: &mut $type| &mut $pruning.double_threats),
            },
        ]
    };
}

impl OfGame for Pruning {
    const FIELDS: &'static [Field<Settings<Self>>] =
        pruning!(settings: Settings<Self> => settings.game);
}

const PRUNING_ALONE: &[Field<Pruning>] = pruning!(pruning: Pruning => pruning);

/// The parameters of the default solver.
const MODERN: &[Field<solver::Params>] = &[
    Field {
        name: "epsilon-divisor",
        meaning: "the ε of the 1 + ε trick is 1/N: a child is searched until its number exceeds that of its best sibling by 1/N",
        values: &Number(1, 1000, |params: &mut solver::Params| {
            &mut params.epsilon_divisor
        }),
    },
    Field {
        name: "weak",
        meaning: "whether children's numbers are combined as the largest plus one for each further child (weak proof-number search); otherwise as the sum",
        values: &Switch(|params: &mut solver::Params| &mut params.weak),
    },
    Field {
        name: "symmetric-plies",
        meaning: "stones on the board below which only one of each class of symmetric moves is searched",
        values: &Number(0, 1000, |params: &mut solver::Params| {
            &mut params.symmetric_plies
        }),
    },
];
