//! The solvers of Havannah.

use crate::players::castro;
use crate::solver::{self, CastroSolver, MctsSolver, Pruning};
use crate::{Move, Position};
use engine::castro::{Settings, collecting, copying, lookahead, parallel, proof_numbers, table};
use engine::memory::for_tables;
use engine::parameter::{Field, Setting, apply, describe, name_of, number, yes_or_no};
use engine::solver::{SolveError, Solver, Task, Work};
use search::castro::{Method, Params};

type Fields = &'static [Field<Settings<Pruning>>];

/// The solvers, the default one first.
pub(crate) fn solvers() -> Vec<Solver<Position>> {
    const LOOKAHEAD: Fields = &[lookahead()];
    const NUMBERS: Fields = &proof_numbers();
    const TREE: Fields = &[collecting()];
    const PARALLEL: Fields = &[parallel()];
    const COPYING: Fields = &[copying()];
    const TABLE: Fields = &[table()];
    let settings = Settings {
        search: Params::default(),
        game: Pruning::default(),
    };
    let solver = |name, summary, method, tables| {
        Solver::new(name, summary, tables, settings.clone(), solve_with(method))
    };
    vec![
        Solver::new(
            "papamu",
            "depth-first proof-number search with detection of Havannah's threats",
            &[MODERN],
            solver::Params::default(),
            modern,
        )
        .with_threads(),
        solver(
            "castro-ab",
            "alpha-beta with iterative deepening",
            Method::AlphaBeta,
            &[TABLE, LOOKAHEAD, PRUNING],
        )
        .also(&["ab"]),
        solver(
            "castro-pns",
            "proof-number search on a tree, by one thread or several",
            Method::Pns,
            &[LOOKAHEAD, NUMBERS, TREE, PARALLEL, PRUNING],
        )
        .also(&["pns", "pns-parallel"])
        .with_threads(),
        solver(
            "castro-pns-tt",
            "proof-number search on a transposition table",
            Method::PnsTable,
            &[LOOKAHEAD, NUMBERS, COPYING, PRUNING],
        )
        .also(&["pns-tt"]),
        monte_carlo(),
    ]
}

type Begun = Result<Work<Move>, SolveError>;

fn too_large(why: solver::TooLarge) -> SolveError {
    SolveError::TooLarge(why.to_string())
}

/// A solver of the thesis by a method.
fn solve_with(
    method: Method,
) -> impl Fn(&Task<'_, Position>, &Settings<Pruning>) -> Begun + 'static {
    move |task, settings| {
        let shape = task.position.geometry().shape();
        let params = settings.with(task.resources);
        let solver = CastroSolver::new(shape, method, &params, settings.game);
        let mut solver = solver.map_err(too_large)?;
        let position = task.position.clone();
        Ok(Box::new(move |limits, tell| {
            Ok(solver.solve(&position, limits, tell))
        }))
    }
}

fn modern(task: &Task<'_, Position>, params: &solver::Params) -> Begun {
    let params = solver::Params {
        memory: for_tables(task.resources.memory),
        threads: task.resources.threads,
        ..params.clone()
    };
    let shape = task.position.geometry().shape();
    let mut solver = solver::Solver::new(shape, &params).map_err(too_large)?;
    let position = task.position.clone();
    Ok(Box::new(move |limits, tell| {
        Ok(solver.solve(&position, limits, tell))
    }))
}

/// What can be set of Monte Carlo tree search that means something to a solver.
fn is_of_solver(name: &str) -> bool {
    !["memory", "when-full", "final-move", "keep-tree", "network"].contains(&name)
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
    ($params:ident => $pruning:expr) => {
        &[
            Field {
                name: "symmetric-plies",
                meaning: "stones on the board below which only one of each class of symmetric moves is searched",
                expected: "a whole number from 0 to 1000",
                get: |$params| $pruning.symmetric_plies.to_string(),
                set: |$params, text| {
                    $pruning.symmetric_plies = number(text, 0..=1000)?;
                    Some(())
                },
            },
            Field {
                name: "draw-detection",
                meaning: "whether the solver detects that a side can no longer win",
                expected: "yes or no",
                get: |$params| name_of($pruning.draw_detection),
                set: |$params, text| {
                    $pruning.draw_detection = yes_or_no(text)?;
                    Some(())
                },
            },
            Field {
                name: "double-threats",
                meaning: "whether leaves are checked for moves that make two winning cells, and for the replies to them; needs lookahead 2",
                expected: "yes or no",
                get: |$params| name_of($pruning.double_threats),
                set: |$params, text| {
                    $pruning.double_threats = yes_or_no(text)?;
                    Some(())
                },
            },
        ]
    };
}

const PRUNING: Fields = pruning!(settings => settings.game);
const PRUNING_ALONE: &[Field<Pruning>] = pruning!(pruning => pruning);

/// The parameters of the default solver.
const MODERN: &[Field<solver::Params>] = &[
    Field {
        name: "epsilon-divisor",
        meaning: "the ε of the 1 + ε trick is 1/N: a child is searched until its number exceeds that of its best sibling by 1/N",
        expected: "a whole number from 1 to 1000",
        get: |params| params.epsilon_divisor.to_string(),
        set: |params, text| {
            params.epsilon_divisor = number(text, 1..=1000)?;
            Some(())
        },
    },
    Field {
        name: "weak",
        meaning: "whether children's numbers are combined as the largest plus one for each further child (weak proof-number search); otherwise as the sum",
        expected: "yes or no",
        get: |params| name_of(params.weak),
        set: |params, text| {
            params.weak = yes_or_no(text)?;
            Some(())
        },
    },
    Field {
        name: "symmetric-plies",
        meaning: "stones on the board below which only one of each class of symmetric moves is searched",
        expected: "a whole number from 0 to 1000",
        get: |params| params.symmetric_plies.to_string(),
        set: |params, text| {
            params.symmetric_plies = number(text, 0..=1000)?;
            Some(())
        },
    },
];
