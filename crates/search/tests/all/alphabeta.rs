//! Alpha-beta against plain minimax, and its claims against the exhaustive truth.

use crate::common::{Nim, RandomTree, Shape, TicTacToe, after, legal, truth, truth_of_move};
use game::{Game, Relative, Score, Side};
use search::alphabeta::{Deepening, MAX_EVALUATION, MoveOrdering, Params, WIN};
use search::{AlphaBeta, Evaluate, Every, Limits, Report, StopReason};
use std::thread;
use std::time::Duration;

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn run<G: Game>(position: &G, evaluator: impl Evaluate<G>, limits: &Limits) -> Report<G::Move> {
    AlphaBeta::new(position.clone(), evaluator, Params::default()).search(limits, &mut |_| {})
}

/// Plain minimax from White's point of view, with no window and no order.
fn minimax<G: Game>(position: &G, depth: u32, ply: i32, white: &dyn Fn(&G) -> i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.winner() {
            Some(Side::White) => WIN - ply,
            Some(Side::Black) => ply - WIN,
            None => 0,
        };
    }
    if depth == 0 {
        return white(position);
    }
    let values = legal(position)
        .into_iter()
        .map(|mv| minimax(&after(position, mv), depth - 1, ply + 1, white));
    match position.to_move() {
        Side::White => values.max(),
        Side::Black => values.min(),
    }
    .expect("a move")
}

fn for_mover(side: Side, white: i32) -> i32 {
    match side {
        Side::White => white,
        Side::Black => -white,
    }
}

/// Minimax and alpha-beta at every depth, with evaluations of a small range so that many are equal, to
/// each other and to a draw.
#[test]
fn values_and_moves_are_those_of_minimax_at_every_depth() {
    for number in 0..2_000 {
        let shape = Shape::small(number);
        let position = RandomTree::new(shape, number);
        let mover = position.to_move();
        let range = [0, 2, 50][number as usize % 3];
        let white = |position: &RandomTree| position.nonsense(range);
        let evaluate =
            |position: &RandomTree| for_mover(position.to_move(), position.nonsense(range));
        for depth in 1..=u32::from(shape.plies) {
            let report = run(&position, evaluate, &to_depth(depth));
            let reached = report.depth;
            assert!(reached == depth || report.stop == StopReason::Proven);
            let expected = for_mover(mover, minimax(&position, reached, 0, &white));
            assert_eq!(report.evaluation, Some(expected), "{position:?} to {depth}");

            let best = report.best.expect("a move");
            let child = after(&position, best);
            let value = for_mover(mover, minimax(&child, reached - 1, 1, &white));
            assert_eq!(value, expected, "{best} in {position:?} to {depth}");

            // The line leads to a position of this value.
            let mut end = position.clone();
            assert_eq!(report.principal_variation.first(), Some(&best));
            for &mv in &report.principal_variation {
                end.play(mv);
            }
            let length = report.principal_variation.len() as u32;
            assert!(length == reached || end.outcome().is_some());
            let value = minimax(&end, 0, length as i32, &white);
            assert_eq!(for_mover(mover, value), expected, "line of {position:?}");
        }
    }
}

#[test]
fn what_is_proven_is_true_and_what_was_seen_to_the_end_is_proven() {
    let mut unproven = 0;
    let mut draws_before_the_end = 0;
    for number in 0..3_000 {
        let shape = Shape::small(number);
        let position = RandomTree::new(shape, number ^ 0xabcd);
        let exact = truth(&position);
        // An evaluation of 0 everywhere looks like a draw by the rules, but is not one.
        let range = [0, 1, 50][number as usize % 3];
        let evaluate = |position: &RandomTree| position.nonsense(range);
        for depth in 1..=u32::from(shape.plies) {
            let report = run(&position, evaluate, &to_depth(depth));
            let evaluation = report.evaluation.expect("an evaluation");
            let ends = [
                (evaluation > MAX_EVALUATION, Relative::Win),
                (evaluation < -MAX_EVALUATION, Relative::Loss),
            ];
            for (beyond, result) in ends {
                assert_eq!(beyond, report.proven == Some(result), "{position:?}");
            }
            if let Some(proven) = report.proven {
                assert_eq!(proven, exact, "{position:?} to {depth}");
                assert_eq!(report.value, exact.score());
                assert_eq!(report.stop, StopReason::Proven);
                let best = report.best.expect("a move");
                assert_eq!(
                    truth_of_move(&position, best),
                    exact,
                    "{best} in {position:?}"
                );
                let first = report.moves[0];
                assert_eq!(first.mv, best);
                let early = depth < u32::from(shape.plies);
                draws_before_the_end += u32::from(early && proven == Relative::Draw);
            } else {
                unproven += 1;
                assert_eq!(report.stop, StopReason::Depth);
                assert!(depth < u32::from(shape.plies), "{position:?}");
            }
            assert_eq!(report.moves.len(), legal(&position).len());
            for stats in &report.moves {
                if let Some(proven) = stats.proven {
                    assert_eq!(proven, truth_of_move(&position, stats.mv), "{position:?}");
                    assert_eq!(stats.value, proven.score());
                }
            }
        }
    }
    assert!(unproven > 1_000, "{unproven}");
    assert!(draws_before_the_end > 20, "{draws_before_the_end}");
}

#[test]
fn nim_and_tic_tac_toe_are_solved() {
    for heaps in [[1, 2, 3], [1, 1, 2], [2, 2, 0], [3, 1, 0], [2, 2, 2]] {
        let position = Nim::new(heaps);
        let report = run(&position, |_: &Nim| 0, &Limits::default());
        assert_eq!(report.stop, StopReason::Proven);
        assert_eq!(report.proven, Some(position.theory()), "{heaps:?}");
    }
    // The centre taken and answered in a corner.
    let position = TicTacToe::after(&[4, 0]);
    let report = run(&position, |_: &TicTacToe| 0, &Limits::default());
    assert_eq!(report.proven, Some(Relative::Draw));
    assert_eq!(report.value, Score::DRAW);
}

#[test]
fn the_shortest_win_and_the_longest_loss_are_played() {
    // A win in one is there, and wins in three are too.
    let position = TicTacToe::after(&[0, 3, 1, 4]);
    let report = run(&position, |_: &TicTacToe| 0, &Limits::default());
    assert_eq!((report.best, report.depth), (Some(2), 1));
    assert_eq!(report.evaluation, Some(WIN - 1));
    // The mover loses: a single heap of Nim on each side, 2 and 2, lasts four plies at most.
    let report = run(&Nim::new([2, 2, 0]), |_: &Nim| 0, &Limits::default());
    assert_eq!(report.evaluation, Some(4 - WIN));
    assert!(matches!(report.best, Some((_, 1))));
}

#[test]
fn evaluations_are_cut_off_before_they_look_like_wins() {
    let position = RandomTree::new(Shape::HUGE, 1);
    for extreme in [i32::MIN, i32::MAX] {
        let report = run(&position, |_: &RandomTree| extreme, &to_depth(3));
        assert_eq!(report.proven, None);
        assert_eq!(report.evaluation.map(i32::abs), Some(MAX_EVALUATION));
    }
}

#[test]
fn pruning_visits_less_and_the_same_every_time() {
    let position = RandomTree::new(Shape::HUGE, 3);
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    let report = run(&position, evaluate, &to_depth(7));
    let all: u64 = (1..=7)
        .flat_map(|depth| (1..=depth).map(|ply| game::perft(&mut position.clone(), ply)))
        .sum();
    assert!(report.nodes < all / 4, "{} of {all}", report.nodes);

    let mut again = run(&position, evaluate, &to_depth(7));
    again.progress.elapsed = report.elapsed;
    assert_eq!(again, report);
    let other = run(
        &position,
        |position: &RandomTree| position.nonsense(999),
        &to_depth(7),
    );
    assert_ne!(other.signature, report.signature);
}

/// The same on every machine: a change of these numbers is a change of what is searched.
#[test]
fn the_signature_is_known() {
    let position = RandomTree::new(Shape::HUGE, 3);
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    let report = run(&position, evaluate, &to_depth(7));
    assert_eq!(
        (report.nodes, report.signature),
        (1_102, 7_909_248_837_501_676_868)
    );
}

#[test]
fn a_search_that_is_stopped_reports_its_last_iteration() {
    let position = RandomTree::new(Shape::HUGE, 4);
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    for nodes in [1, 10, 100, 1_000, 10_000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let stopped = run(&position, evaluate, &limits);
        assert_eq!(stopped.stop, StopReason::Nodes);
        let moves = legal(&position).len() as u64;
        assert!(stopped.nodes == nodes || (stopped.depth == 1 && stopped.nodes <= moves + 1));
        let finished = run(&position, evaluate, &to_depth(stopped.depth));
        assert_eq!(stopped.best, finished.best);
        assert_eq!(stopped.evaluation, finished.evaluation);
        assert_eq!(stopped.moves, finished.moves);
        assert_eq!(stopped.principal_variation, finished.principal_variation);
    }
}

#[test]
fn time_and_the_flag_stop_it() {
    let position = RandomTree::new(Shape::HUGE, 5);
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    let limits = Limits {
        time: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    let report = run(&position, evaluate, &limits);
    assert_eq!(report.stop, StopReason::Time);
    assert!(report.best.is_some());

    let limits = Limits::default();
    let flag = limits.stop.clone();
    let report = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(20));
            flag.raise();
        });
        run(&position, evaluate, &limits)
    });
    assert_eq!(report.stop, StopReason::Stopped);

    // Raised beforehand: still a move.
    let report = run(&position, evaluate, &limits);
    assert_eq!((report.stop, report.depth), (StopReason::Stopped, 1));
    assert!(report.best.is_some());
}

#[test]
fn progress_is_told_by_nodes() {
    let position = RandomTree::new(Shape::HUGE, 6);
    let mut told = Vec::new();
    let limits = Limits {
        progress: Every::Work(500),
        ..to_depth(6)
    };
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    let report =
        AlphaBeta::new(position, evaluate, Params::default()).search(&limits, &mut |progress| {
            assert!(progress.best.is_some() && progress.depth >= 1);
            told.push(progress.nodes);
        });
    let expected: Vec<u64> = (1..=report.nodes / 500).map(|count| count * 500).collect();
    assert_eq!(told, expected);
}

#[test]
fn a_game_that_is_over_has_a_result_and_no_move() {
    let position = TicTacToe::after(&[0, 3, 1, 4, 2]);
    let report = run(&position, |_: &TicTacToe| 0, &to_depth(3));
    assert_eq!((report.best, report.proven), (None, Some(Relative::Loss)));
    assert_eq!(
        (report.value, report.stop),
        (Score::LOSS, StopReason::Proven)
    );
    assert!(report.moves.is_empty() && report.principal_variation.is_empty());
}

#[test]
fn moves_from_outside_are_checked() {
    let mut search = AlphaBeta::new(TicTacToe::default(), |_: &TicTacToe| 0, Params::default());
    assert!(search.advance(9).is_err());
    assert!(search.advance(4).is_ok());
    assert!(search.advance(4).is_err());
    assert_eq!(*search.position(), TicTacToe::after(&[4]));
}

fn run_at_once<G: Game>(
    position: &G,
    ordering: impl MoveOrdering<G>,
    limits: &Limits,
) -> Report<G::Move> {
    let params = Params {
        deepening: Deepening::AtOnce,
        ..Params::default()
    };
    AlphaBeta::new(position.clone(), ordering, params).search(limits, &mut |_| {})
}

#[test]
fn a_search_at_once_finds_the_same_values_with_one_iteration() {
    for number in 0..600 {
        let shape = Shape::small(number);
        let position = RandomTree::new(shape, number ^ 0x77);
        let evaluate = |position: &RandomTree| position.nonsense(50);
        let white = |position: &RandomTree| for_mover(position.to_move(), position.nonsense(50));
        for depth in 1..=u32::from(shape.plies) {
            let report = run_at_once(&position, evaluate, &to_depth(depth));
            let mover = position.to_move();
            let expected = for_mover(mover, minimax(&position, depth, 0, &white));
            assert_eq!((report.evaluation, report.depth), (Some(expected), depth));
            let every = (1..=depth).map(|ply| game::perft(&mut position.clone(), ply));
            assert!(report.nodes <= every.sum(), "{position:?}");
            // Moves are generated in the order of their numbers.
            assert_eq!(report.details.best_index, report.best.map(usize::from));
        }
    }
}

#[test]
fn a_search_at_once_still_answers_when_it_is_cut_short() {
    let position = RandomTree::new(Shape::HUGE, 8);
    let evaluate = |position: &RandomTree| position.nonsense(1_000);
    let limits = Limits {
        nodes: Some(2_000),
        ..to_depth(60)
    };
    let report = run_at_once(&position, evaluate, &limits);
    assert_eq!(report.stop, StopReason::Nodes);
    assert!(report.depth > 1 && report.best.is_some());

    let limits = to_depth(60);
    let flag = limits.stop.clone();
    let report = thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(20));
            flag.raise();
        });
        run_at_once(&position, evaluate, &limits)
    });
    assert_eq!((report.stop, report.depth), (StopReason::Stopped, 1));
    let shallow = run(&position, evaluate, &to_depth(1));
    assert_eq!(
        (report.best, report.evaluation),
        (shallow.best, shallow.evaluation)
    );
}

/// Lists moves backwards, and below the root only those with even numbers.
struct EvenMoves {
    entered: Vec<u8>,
}

impl MoveOrdering<RandomTree> for EvenMoves {
    fn enter(&mut self, mv: u8) {
        self.entered.push(mv);
    }

    fn list_moves(&mut self, position: &RandomTree, ply: usize, moves: &mut Vec<u8>) -> u64 {
        let all = legal(position);
        let is_listed = |mv: &u8| ply == 0 || mv.is_multiple_of(2);
        moves.extend(all.iter().copied().filter(is_listed).rev());
        // Of a single move nothing is left, now and then.
        if ply > 0 && position.nonsense(5) == 0 {
            moves.clear();
        }
        (all.len() - moves.len()) as u64
    }

    fn evaluate(&mut self, position: &RandomTree, ply: usize) -> i32 {
        assert_eq!(ply, position.ply());
        position.nonsense(50)
    }
}

/// Minimax over the moves of [`EvenMoves`], from White's point of view.
fn even_minimax(position: &RandomTree, depth: u32, ply: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return match outcome.winner() {
            Some(Side::White) => WIN - ply,
            Some(Side::Black) => ply - WIN,
            None => 0,
        };
    }
    let mut moves = Vec::new();
    let mut ordering = EvenMoves {
        entered: Vec::new(),
    };
    ordering.list_moves(position, ply as usize, &mut moves);
    if depth == 0 || moves.is_empty() {
        return for_mover(position.to_move(), position.nonsense(50));
    }
    let values = moves
        .into_iter()
        .map(|mv| even_minimax(&after(position, mv), depth - 1, ply + 1));
    match position.to_move() {
        Side::White => values.max(),
        Side::Black => values.min(),
    }
    .expect("a move")
}

#[test]
fn a_move_ordering_orders_moves_and_leaves_some_out() {
    let (mut left_out, mut cutoffs) = (0, 0);
    for number in 0..1_500 {
        let shape = Shape::small(number);
        let position = RandomTree::new(shape, number ^ 0x1234);
        let exact = truth(&position);
        for depth in 1..=u32::from(shape.plies) {
            let mut ordering = EvenMoves {
                entered: Vec::new(),
            };
            let params = Params {
                deepening: Deepening::AtOnce,
                ..Params::default()
            };
            let mut search = AlphaBeta::new(position.clone(), ordering, params);
            let report = search.search(&to_depth(depth), &mut |_| {});
            let expected = for_mover(position.to_move(), even_minimax(&position, depth, 0));
            assert_eq!(report.evaluation, Some(expected), "{position:?} to {depth}");
            ordering = EvenMoves {
                entered: std::mem::take(&mut search.ordering_mut().entered),
            };
            let mut backwards = legal(&position);
            backwards.reverse();
            assert_eq!(ordering.entered, backwards);
            let best = report.best.expect("a move");
            let index = backwards.iter().position(|&mv| mv == best);
            assert_eq!(report.details.best_index, index);
            if let Some(proven) = report.proven {
                assert_eq!(proven, exact, "{position:?} to {depth}");
            }
            left_out += report.details.left_out;
            cutoffs += report.details.cutoffs;
        }
    }
    assert!(left_out > 10_000 && cutoffs > 1_000, "{left_out} {cutoffs}");
}
