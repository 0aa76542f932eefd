use super::common::{for_positions, on, start};
use game::{Game, Side, random};
use konane::shokry::DynamicBoard;
use konane::shokry::knowledge::{Count, Heuristic};
use konane::shokry::minimax::{Minimax, Order, Params, Scope, WindowParams};
use konane::shokry::ordering::Effects;
use konane::shokry::windows::Window;
use konane::{BitBoard, Board, Cell, Move, NaiveBoard, PositionOn, Shape};
use search::alphabeta::{self, Deepening, MoveOrdering, WIN};
use search::{AlphaBeta, Evaluate, Limits, Report};
use std::time::Duration;

const ORDERS: [Order; 4] = [Order::Scan, Order::Recent, Order::Effects, Order::BestThree];

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

/// A report with the time of another.
fn timed(mut report: Report<Move>, elapsed: Duration) -> Report<Move> {
    report.progress.elapsed = elapsed;
    report
}

fn at_once() -> alphabeta::Params {
    alphabeta::Params {
        deepening: Deepening::AtOnce,
        ..alphabeta::Params::default()
    }
}

fn params(order: Order) -> Params {
    Params {
        order,
        heuristic: Heuristic::Q,
        window: None,
    }
}

fn windowed(padding: usize, scope: Scope) -> Params {
    Params {
        window: Some(WindowParams { padding, scope }),
        ..params(Order::Effects)
    }
}

/// The search of a player.
fn think<const WORDS: usize>(
    position: &PositionOn<NaiveBoard>,
    params: Params,
    depth: u32,
    dynamic: Option<&DynamicBoard>,
) -> Report<Move> {
    let mut ordering = Minimax::<WORDS>::new(position.shape(), params);
    if let Some(dynamic) = dynamic {
        ordering.recall(dynamic);
    }
    let position = on::<BitBoard<WORDS>>(position);
    AlphaBeta::new(position, ordering, at_once()).search(&to_depth(depth), &mut |_| {})
}

fn think_anywhere(position: &PositionOn<NaiveBoard>, params: Params, depth: u32) -> Report<Move> {
    if position.shape().area() <= 64 {
        think::<1>(position, params, depth, None)
    } else {
        think::<4>(position, params, depth, None)
    }
}

/// The evaluation q for the side that searches.
#[derive(Clone)]
struct Q(Side);

impl<B: Board> Evaluate<PositionOn<B>> for Q {
    fn evaluate(&mut self, position: &PositionOn<B>) -> i32 {
        let value = Heuristic::Q.value(position.board(), self.0);
        if position.to_move() == self.0 {
            value
        } else {
            -value
        }
    }
}

/// Minimax without pruning, from the point of view of `player`.
fn minimax(position: &PositionOn<NaiveBoard>, player: Side, depth: u32, ply: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        let value = WIN - ply;
        return if outcome.winner() == Some(player) {
            value
        } else {
            -value
        };
    }
    if depth == 0 {
        return Heuristic::Q.value(position.board(), player);
    }
    let values = moves(position).into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        minimax(&child, player, depth - 1, ply + 1)
    });
    if position.to_move() == player {
        values.max()
    } else {
        values.min()
    }
    .expect("a move")
}

fn moves(position: &PositionOn<NaiveBoard>) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

#[test]
fn all_orders_find_the_value_of_plain_minimax() {
    for_positions(36, 8, |number, position| {
        if position.outcome().is_some() {
            return;
        }
        let deepest = if moves(position).len() > 10 { 2 } else { 3 };
        let depth = 1 + number as u32 % deepest;
        let expected = minimax(position, position.to_move(), depth, 0);
        for order in ORDERS {
            let report = think_anywhere(position, params(order), depth);
            assert_eq!(report.evaluation, Some(expected), "{order:?} {position:?}");
            let best = report.best.expect("a move");
            let mut child = position.clone();
            child.play(best);
            let value = minimax(&child, position.to_move(), depth - 1, 1);
            assert_eq!(value, expected, "{best} of {order:?} in {position:?}");
        }
    });
}

#[test]
fn all_orders_agree_deeper_too() {
    for_positions(30, 6, |_, position| {
        if position.outcome().is_some() {
            return;
        }
        let depth = if position.shape().area() > 100 { 3 } else { 5 };
        let values = ORDERS.map(|order| {
            let report = think_anywhere(position, params(order), depth);
            (report.evaluation, report.proven)
        });
        assert!(
            values.iter().all(|value| *value == values[0]),
            "{values:?} in {position:?}"
        );
    });
}

/// The same nodes, moves and values as a search on the boards themselves, throughout games in which the
/// Dynamic Board keeps its lists.
#[test]
fn ab_and_dab_search_what_they_would_on_their_boards() {
    for game in 0..12 {
        let (rows, cols, depth) = [(8, 8, 4), (5, 7, 5), (9, 8, 3)][game as usize % 3];
        let mut naive = start(rows, cols, ["centre", "corner"][game as usize % 2]);
        let mut dynamic = on::<DynamicBoard>(&naive);
        let mut rng = random::seeded(game);
        while let Some(mv) = naive.random_move(&mut rng) {
            let player = naive.to_move();
            let limits = to_depth(depth);
            let expected = [
                AlphaBeta::new(naive.clone(), Q(player), at_once()).search(&limits, &mut |_| {}),
                AlphaBeta::new(dynamic.clone(), Q(player), at_once()).search(&limits, &mut |_| {}),
            ];
            for (expected, order) in expected.into_iter().zip([Order::Scan, Order::Recent]) {
                let lists = Some(dynamic.board());
                let found = if naive.shape().area() <= 64 {
                    think::<1>(&naive, params(order), depth, lists)
                } else {
                    think::<7>(&naive, params(order), depth, lists)
                };
                let elapsed = expected.elapsed;
                assert_eq!(timed(found, elapsed), expected, "{order:?} {naive:?}");
            }
            naive.play(mv);
            dynamic.play(mv);
        }
    }
}

/// With scores that are kept `dabs` searches what it does without.
#[test]
fn kept_scores_are_those_found_anew() {
    for_positions(30, 8, |_, position| {
        if position.outcome().is_some() {
            return;
        }
        let depth = if position.shape().area() > 100 { 3 } else { 5 };
        let [anew, kept] = [Order::Effects, Order::KeptEffects]
            .map(|order| think_anywhere(position, params(order), depth));
        let elapsed = anew.elapsed;
        assert_eq!(timed(kept, elapsed), anew, "{position:?}");
    });
}

/// The list that `dabs` goes through: by score, as the Dynamic Board has them where it is equal.
#[test]
fn dabs_searches_by_score() {
    for_positions(30, 10, |_, position| {
        if position.outcome().is_some() {
            return;
        }
        let dynamic = on::<DynamicBoard>(position);
        let mut expected = Vec::new();
        dynamic.legal_moves(&mut expected);
        expected.sort_by_key(|&mv| {
            let Move::Jump { from, to } = mv else {
                panic!("no jump");
            };
            -Effects::of_jump(position.board(), from, to).score()
        });
        assert_eq!(listed::<7>(position), expected, "{position:?}");
        if position.shape().area() <= 64 {
            assert_eq!(listed::<1>(position), expected, "{position:?}");
        }
    });
}

/// The moves that `dabs` tries at the root, in order.
fn listed<const WORDS: usize>(position: &PositionOn<NaiveBoard>) -> Vec<Move> {
    let mut listed = Vec::new();
    let mut ordering = Minimax::<WORDS>::new(position.shape(), params(Order::Effects));
    let position = on::<BitBoard<WORDS>>(position);
    ordering.begin(&position);
    assert_eq!(ordering.list_moves(&position, 0, &mut listed), 0);
    listed
}

#[test]
fn a_window_as_large_as_the_board_changes_nothing() {
    for_positions(36, 6, |_, position| {
        if position.outcome().is_some() {
            return;
        }
        let depth = if position.shape().area() > 100 { 2 } else { 4 };
        let expected = think_anywhere(position, params(Order::Effects), depth);
        for scope in [Scope::Board, Scope::Window] {
            let wide = windowed(Window::MAX_PADDING, scope);
            let found = think_anywhere(position, wide, depth);
            let elapsed = expected.elapsed;
            assert_eq!(timed(found, elapsed), expected, "{position:?}");
        }
    });
}

/// Windowed minimax without pruning by bounds, by its definition.
fn windowed_minimax(
    position: &PositionOn<NaiveBoard>,
    player: Side,
    windowed: (Heuristic, Window, Scope),
    depth: u32,
    ply: i32,
) -> i32 {
    if let Some(outcome) = position.outcome() {
        let value = WIN - ply;
        return if outcome.winner() == Some(player) {
            value
        } else {
            -value
        };
    }
    let inside: Vec<Move> = moves(position)
        .into_iter()
        .filter(|&mv| matches!(mv, Move::Jump { from, .. } if windowed.1.contains(from)))
        .collect();
    if depth == 0 || inside.is_empty() {
        let (heuristic, window, scope) = (windowed.0, windowed.1, windowed.2);
        let board = position.board();
        let counts = |cell: Cell| scope == Scope::Board || window.contains(cell);
        let count = |side| {
            let mut starts = Vec::new();
            board.for_each_jump(side, |from, _| starts.extend(counts(from).then_some(from)));
            let moves = starts.len();
            starts.dedup();
            let stones = position.shape().cells();
            let stones = stones.filter(|&cell| counts(cell) && board.stone(cell) == Some(side));
            match heuristic.count {
                Count::Pieces => stones.count() as u32,
                Count::Moves => moves as u32,
                Count::Movables => starts.len() as u32,
            }
        };
        return heuristic.comparison.of(count(player), count(!player));
    }
    let values = inside.into_iter().map(|mv| {
        let mut child = position.clone();
        child.play(mv);
        windowed_minimax(&child, player, windowed, depth - 1, ply + 1)
    });
    if position.to_move() == player {
        values.max()
    } else {
        values.min()
    }
    .expect("a move")
}

#[test]
fn windows_prune_as_defined() {
    let mut early_leaves = 0;
    for_positions(40, 8, |number, position| {
        if position.outcome().is_some() || position.shape().area() > 100 {
            return;
        }
        let player = position.to_move();
        let padding = number as usize % 4;
        for scope in [Scope::Board, Scope::Window] {
            let heuristic = Heuristic::all()
                .nth(number as usize % 18)
                .expect("one of 18");
            let params_of_search = Params {
                heuristic,
                ..windowed(padding, scope)
            };
            let report = think_anywhere(position, params_of_search, 3);
            let expected = moves(position).into_iter().map(|mv| {
                let mut child = position.clone();
                child.play(mv);
                let window = (heuristic, Window::around(mv, padding), scope);
                windowed_minimax(&child, player, window, 2, 1)
            });
            assert_eq!(report.evaluation, expected.max(), "{padding} {position:?}");
            early_leaves += report.details.left_out;
            // What was left out is never taken for proven.
            if let Some(proven) = report.proven {
                let exact = think_anywhere(position, params(Order::Effects), 60);
                assert_eq!(exact.proven, Some(proven), "{position:?}");
            }
        }
    });
    assert!(early_leaves > 10_000, "{early_leaves}");
}

#[test]
fn a_search_is_the_same_every_time() {
    for_positions(6, 3, |_, position| {
        if position.outcome().is_some() {
            return;
        }
        for params in [params(Order::Recent), windowed(2, Scope::Board)] {
            let first = think_anywhere(position, params, 4);
            let second = think_anywhere(position, params, 4);
            let elapsed = first.elapsed;
            assert_eq!(timed(second, elapsed), first);
        }
    });
}

#[test]
fn the_opening_is_searched_too() {
    let shape = Shape::new(6, 6).expect("a shape");
    let opening = konane::Opening::Traditional;
    let position = PositionOn::new(&konane::Start { shape, opening }).expect("a position");
    let values = ORDERS.map(|order| think_anywhere(&position, params(order), 4).evaluation);
    assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
    assert_eq!(values[0], Some(minimax(&position, Side::Black, 4, 0)));
    let report = think_anywhere(&position, windowed(1, Scope::Window), 4);
    assert!(matches!(report.best, Some(Move::Remove(_))));
}
