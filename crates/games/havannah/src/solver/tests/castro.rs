//! The solvers of the Castro thesis against exhaustive search, and against published results.

use super::exhaustive::{Exhaustive, drawish_position, drawn_position, random_position, shape};
use super::known::check_small_boards;
use crate::solver::{CastroSolver, MctsSolver, Pruning};
use crate::{Dialect, Move, Position, TreePolicyParams};
use game::random::{self, Rng};
use game::{Game, Notation, Outcome, Side};
use search::castro::{Draws, Initial, Method, Params};
use search::mcts::{self, Lookahead};
use search::proof::SolveReport;
use search::{Limits, StopReason};

/// A way to solve.
#[derive(Clone, Debug)]
struct Way {
    method: Method,
    params: Params,
    pruning: Pruning,
}

/// Every solver with every value of every parameter, a few at a time.
fn ways() -> Vec<Way> {
    let base = Params {
        memory: 1 << 20,
        ..Params::default()
    };
    let plain = Pruning {
        symmetric_plies: 0,
        draw_detection: false,
        double_threats: false,
    };
    let mut ways = Vec::new();
    let mut add = |method, params: &Params, pruning| {
        ways.push(Way {
            method,
            params: params.clone(),
            pruning,
        });
    };
    for method in [Method::AlphaBeta, Method::Pns, Method::PnsTable] {
        add(method, &base, Pruning::default());
        for lookahead in [Lookahead::None, Lookahead::OnePly, Lookahead::TwoPlies] {
            let params = Params {
                lookahead,
                ..base.clone()
            };
            add(method, &params, plain);
        }
    }
    for method in [Method::Pns, Method::PnsTable] {
        let two = Params {
            draws: Draws::TwoSearches,
            epsilon: 0.0,
            initial: Initial::Distance,
            ..base.clone()
        };
        add(method, &two, Pruning::default());
        let bounded = Params {
            depth_bound: 3,
            initial: Initial::One,
            lookahead: Lookahead::OnePly,
            ..base.clone()
        };
        add(method, &bounded, plain);
        let both = Params {
            draws: Draws::TwoSearches,
            ..bounded
        };
        add(method, &both, Pruning::default());
    }
    let wide = Params {
        depth_first: false,
        ..base.clone()
    };
    add(Method::Pns, &wide, Pruning::default());
    add(Method::PnsTable, &wide, plain);
    let threads = Params {
        threads: 3,
        ..base.clone()
    };
    add(Method::Pns, &threads, plain);
    // So little memory that a tree is collected again and again, and entries are lost.
    let little = Params {
        memory: 1,
        lookahead: Lookahead::OnePly,
        ..base.clone()
    };
    add(Method::Pns, &little, plain);
    add(Method::PnsTable, &little, plain);
    add(Method::AlphaBeta, &little, plain);
    let copies = Params {
        copy_proofs: 50,
        ..base.clone()
    };
    add(Method::PnsTable, &copies, Pruning::default());
    add(
        Method::PnsTable,
        &Params {
            lookahead: Lookahead::None,
            ..copies
        },
        plain,
    );
    let without_table = Params {
        table: false,
        ..base
    };
    add(Method::AlphaBeta, &without_table, Pruning::default());
    ways
}

fn solve(way: &Way, position: &Position) -> SolveReport<Move> {
    let board = position.geometry().shape();
    let mut solver =
        CastroSolver::new(board, way.method, &way.params, way.pruning).expect("a board that fits");
    solver.solve(position, &Limits::default(), &mut |_| {})
}

/// Solves a position and checks the value and that the move keeps it.
fn check(way: &Way, exhaustive: &mut Exhaustive, position: &Position) -> Outcome {
    let report = solve(way, position);
    let expected = exhaustive.value(position);
    assert_eq!(report.outcome, Some(expected), "{way:?} {position:?}");
    assert_eq!(report.stop, StopReason::Proven);
    if position.outcome().is_none() {
        let mut after = position.clone();
        after.play(report.best.expect("a move"));
        assert_eq!(exhaustive.value(&after), expected, "{way:?} {position:?}");
    }
    expected
}

/// Random and drawish positions, each solved in several ways; the counts of the values.
fn compare(
    text: &str,
    empty: std::ops::Range<u32>,
    positions: usize,
    ways_each: usize,
) -> [usize; 3] {
    let mut rng: Rng = random::seeded(u64::from(empty.start) * 31 + positions as u64);
    let ways = ways();
    let mut next = ways.iter().cycle();
    let mut exhaustive = Exhaustive::default();
    let mut values = [0; 3];
    for number in 0..positions {
        let cells = empty.start + random::below(empty.end - empty.start, &mut rng);
        let cells = cells as usize;
        let position = match number % 4 {
            0 => random_position(text, cells, &mut rng),
            1 => drawn_position(text, cells.min(6), &mut rng),
            _ => drawish_position(text, cells, &mut rng),
        };
        exhaustive.forget();
        let mut value = exhaustive.value(&position);
        for way in next.by_ref().take(ways_each) {
            value = check(way, &mut exhaustive, &position);
        }
        values[value.winner().map_or(2, Side::index)] += 1;
    }
    values
}

#[test]
fn random_positions_of_size_3() {
    let [white, black, draws] = compare("3", 2..10, 1_000, 4);
    assert!(
        white > 200 && black > 200 && draws > 50,
        "{white} {black} {draws}"
    );
}

#[test]
fn random_positions_of_other_boards() {
    for (text, positions) in [("2", 300), ("4", 700), ("3x4x4", 60), ("5", 16), ("7", 8)] {
        let [white, black, draws] = compare(text, 2..8, positions, 3);
        // Size 2 has no draws, and on size 7 few games come near to one.
        let drawn = draws > 0 || text == "2" || text == "7";
        assert!(
            white > 1 && black > 1 && drawn,
            "{text}: {white} {black} {draws}"
        );
    }
}

fn position(text: &str, moves: &str) -> Position {
    let mut position = Position::new(shape(text));
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv, Dialect::Grid).expect("a move");
        position.play(mv);
    }
    position
}

fn standard(method: Method, threads: usize) -> Way {
    Way {
        method,
        params: Params {
            threads,
            memory: 1 << 26,
            ..Params::default()
        },
        pruning: Pruning::default(),
    }
}

fn standards() -> [Way; 4] {
    [
        standard(Method::AlphaBeta, 1),
        standard(Method::Pns, 1),
        standard(Method::Pns, 2),
        standard(Method::PnsTable, 1),
    ]
}

#[test]
fn openings_of_sizes_2_and_3() {
    for way in standards() {
        check_small_boards(|position| solve(&way, position).outcome);
    }
}

/// The 2012 program claims a loss on some positions in which the side to move wins at once.
#[test]
fn a_side_that_wins_at_once_is_not_lost() {
    // Both sides can complete a bridge; whoever moves does.
    let mut cases = vec![position("4", "a1 g4 a2 g5 d1 g6 d2")];
    // And wherever random play leads to a position in which both sides could win at once.
    let mut rng = random::seeded(8);
    while cases.len() < 40 {
        let position = random_position("4", 12, &mut rng);
        let wins = |side: Side| {
            let board = position.board();
            let mut cells = board.geometry().cells().iter();
            cells.any(|&cell| board.is_empty(cell) && board.completes(cell, side).is_some())
        };
        if wins(Side::White) && wins(Side::Black) {
            cases.push(position);
        }
    }
    for way in ways() {
        for case in &cases {
            let report = solve(&way, case);
            assert_eq!(
                report.outcome,
                Some(Outcome::Win(case.to_move())),
                "{way:?} {case:?}"
            );
        }
    }
}

/// Under the swap rule the second player takes any opening that wins.
#[test]
fn swapping_takes_a_winning_opening() {
    for way in standards() {
        let start = Position::new(shape("3")).under_swap_rule();
        let report = solve(&way, &start);
        assert_eq!(report.outcome, Some(Outcome::Win(Side::Black)), "{way:?}");
        let mut corner = start.clone();
        corner.play(start.parse_move("a1", Dialect::Grid).expect("a move"));
        let report = solve(&way, &corner);
        assert_eq!(report.outcome, Some(Outcome::Win(Side::Black)));
        assert_eq!(report.best, Some(Move::Swap));
    }
}

#[test]
fn a_run_that_ends_early_claims_nothing() {
    let start = position("4", "d4");
    for way in standards() {
        let mut solver = CastroSolver::new(shape("4"), way.method, &way.params, way.pruning)
            .expect("a board that fits");
        let limits = Limits {
            nodes: Some(100),
            ..Limits::default()
        };
        let report = solver.solve(&start, &limits, &mut |_| {});
        assert_eq!((report.outcome, report.best), (None, None));
        assert_eq!(report.stop, StopReason::Nodes);
    }
    let eleven = CastroSolver::new(
        shape("11"),
        Method::Pns,
        &Params::default(),
        Pruning::default(),
    );
    assert!(eleven.is_err());
}

/// A tree that may not drop anything ends when it is full.
#[test]
fn a_full_tree_ends_the_search() {
    let mut way = standard(Method::Pns, 2);
    way.params.collect = false;
    way.params.memory = 1 << 20;
    let report = solve(&way, &position("4", "d4"));
    assert_eq!(
        (report.outcome, report.stop),
        (None, StopReason::MemoryLimit)
    );
    assert!(report.bytes <= 1 << 20, "{}", report.bytes);
}

/// Every word of cells, on boards on which nothing can be answered so soon.
#[test]
fn large_boards() {
    for text in ["5", "6", "10"] {
        for way in standards() {
            let limits = Limits {
                nodes: Some(200),
                ..Limits::default()
            };
            let mut solver = CastroSolver::new(shape(text), way.method, &way.params, way.pruning)
                .expect("a board that fits");
            let start = Position::new(shape(text));
            let report = solver.solve(&start, &limits, &mut |_| {});
            assert_eq!(report.outcome, None, "{text}");
        }
    }
}

/// The solver `mcts` against exhaustive search: drawn positions, late ones, and with the swap rule.
#[test]
fn monte_carlo_solves_late_positions() {
    let mut rng: Rng = random::seeded(21);
    let mut exhaustive = Exhaustive::default();
    let mut draws = 0;
    for number in 0..240 {
        let text = ["3", "4", "2"][number % 3];
        let empty = 2 + random::below(6, &mut rng) as usize;
        let position = match number % 4 {
            0 => random_position(text, empty.min(6), &mut rng),
            1 => drawn_position(text, empty.min(6), &mut rng),
            _ => drawish_position(text, empty, &mut rng),
        };
        exhaustive.forget();
        let expected = exhaustive.value(&position);
        draws += usize::from(expected == Outcome::Draw);
        let lookahead = [Lookahead::TwoPlies, Lookahead::OnePly, Lookahead::None][number % 5 % 3];
        let params = mcts::Params {
            lookahead,
            memory: 1 << 24,
            ..mcts::Params::default()
        };
        let (policy, pruning) = (TreePolicyParams::default(), Pruning::default());
        let solver = MctsSolver::new(&position, &params, &policy, pruning);
        let mut solver = solver.expect("a board that fits");
        let report = solver.solve(&Limits::default(), &mut |_| {});
        assert_eq!(report.outcome, Some(expected), "{lookahead:?} {position:?}");
    }
    assert!(draws > 10, "{draws}");
}

/// The same value with fewer nodes; with others by chance, where moves are made at random.
#[test]
fn draw_detection_saves_nodes() {
    let mut rng = random::seeded(31);
    let positions: Vec<Position> = (0..20).map(|_| drawn_position("4", 7, &mut rng)).collect();
    let solved = |solve: &dyn Fn(&Position, Pruning) -> SolveReport<Move>, draw_detection| {
        let pruning = Pruning {
            draw_detection,
            ..Pruning::default()
        };
        let reports = positions.iter().map(|position| solve(position, pruning));
        let (outcomes, nodes): (Vec<_>, Vec<u64>) =
            reports.map(|report| (report.outcome, report.nodes)).unzip();
        (outcomes, nodes.iter().sum::<u64>())
    };
    let both = |solve: &dyn Fn(&Position, Pruning) -> SolveReport<Move>| {
        let (with, without) = (solved(solve, true), solved(solve, false));
        assert_eq!(with.0, without.0);
        (with.1, without.1)
    };
    for method in [Method::AlphaBeta, Method::Pns, Method::PnsTable] {
        let (fewer, more) = both(&|position, pruning| {
            let params = Params::default();
            let solver = CastroSolver::new(shape("4"), method, &params, pruning);
            let mut solver = solver.expect("a board that fits");
            solver.solve(position, &Limits::default(), &mut |_| {})
        });
        assert!(fewer < more, "{method:?}: {fewer} and {more}");
    }
    let (one, other) = both(&|position, pruning| {
        let (params, policy) = (mcts::Params::default(), TreePolicyParams::default());
        let solver = MctsSolver::new(position, &params, &policy, pruning);
        let mut solver = solver.expect("a board that fits");
        solver.solve(&Limits::default(), &mut |_| {})
    });
    assert_ne!(one, other);
}

/// Positions that are over are answered at once.
#[test]
fn a_game_that_is_over() {
    let over = position("2", "a1 c3 a2");
    for way in standards() {
        let report = solve(&way, &over);
        assert_eq!(report.outcome, over.outcome(), "{over:?}");
        assert_eq!(report.best, None);
    }
}
