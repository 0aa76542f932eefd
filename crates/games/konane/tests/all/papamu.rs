//! The player `papamu`: what it claims against exhaustive search.

use game::{Game, Relative, Side, Symmetric, random};
use konane::evaluation::Evaluator;
use konane::{BitBoard, Board, Opening, PositionOn, Shape, Start};
use search::pvs::{Domain, Evaluation, Params};
use search::{Limits, Pvs, Report};
use std::collections::HashMap;

type Known<const WORDS: usize> = HashMap<(Vec<bool>, Side), bool>;

/// Whether the side to move wins: every move tried, positions remembered.
fn wins<const WORDS: usize>(
    position: &mut PositionOn<BitBoard<WORDS>>,
    known: &mut Known<WORDS>,
) -> bool {
    let cells = position.shape().cells();
    let stones = cells.map(|cell| position.board().stone(cell).is_some());
    let key = (stones.collect(), position.to_move());
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let found = moves
        .iter()
        .any(|&mv| position.explore(mv, |child| !wins(child, known)));
    known.insert(key, found);
    found
}

/// A position some random moves after any opening.
fn somewhere<const WORDS: usize>(
    shape: Shape,
    plies: u32,
    seed: u64,
) -> PositionOn<BitBoard<WORDS>> {
    let mut rng = random::seeded(seed);
    let opening = Opening::AnyStone;
    let mut position = PositionOn::new(&Start { shape, opening }).expect("a position");
    for _ in 0..plies {
        if let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
        }
    }
    position
}

fn report<const WORDS: usize>(
    evaluator: &Evaluator<WORDS>,
    position: &PositionOn<BitBoard<WORDS>>,
    params: Params,
    limits: &Limits,
) -> Report<konane::Move> {
    Pvs::new(position.clone(), evaluator.clone(), params).search(limits, &mut |_| {})
}

fn check<const WORDS: usize>(
    evaluator: &Evaluator<WORDS>,
    position: &mut PositionOn<BitBoard<WORDS>>,
    seed: u64,
) {
    let mut known = Known::<WORDS>::new();
    let truth = wins(position, &mut known);
    let mut limits = Limits::default();
    for nodes in [None, Some(10), Some(100), Some(1_000)] {
        limits.nodes = nodes;
        let params = Params {
            memory: [0, 1 << 12, 1 << 20][seed as usize % 3],
            threads: 1 + usize::from(seed.is_multiple_of(16)),
            reductions: seed.is_multiple_of(2),
            finish: (seed / 2).is_multiple_of(2),
            ..Params::default()
        };
        let report = report(evaluator, position, params, &limits);
        for stats in &report.moves {
            if let Some(claim) = stats.proven {
                let after = position.explore(stats.mv, |child| !wins(child, &mut known));
                assert_eq!(claim == Relative::Win, after, "{position:?}{}", stats.mv);
            }
        }
        match report.proven {
            Some(claim) => assert_eq!(claim == Relative::Win, truth, "{position:?}"),
            None => assert!(nodes.is_some(), "{position:?}"),
        }
        if report.proven == Some(Relative::Win) {
            let best = report.best.expect("a move");
            assert!(position.explore(best, |child| !wins(child, &mut known)));
        }
    }
}

#[test]
fn every_claim_is_true() {
    for (rows, cols) in [(1, 8), (2, 6), (3, 5), (4, 4), (4, 5), (5, 5)] {
        let shape = Shape::new(rows, cols).expect("a shape");
        let (small, large) = (Evaluator::<1>::new(shape), Evaluator::<7>::new(shape));
        for seed in 0..200 {
            let plies = if rows == 5 { 8 } else { seed as u32 % 8 };
            check(&small, &mut somewhere(shape, plies, seed), seed);
            if seed.is_multiple_of(10) {
                check(&large, &mut somewhere(shape, plies, seed), seed);
            }
        }
    }
}

#[test]
fn positions_of_the_opening_are_told_apart() {
    let shape = Shape::new(3, 3).expect("a shape");
    let openings = [Opening::AnyStone, Opening::Traditional];
    let [any, traditional] = openings.map(|opening| {
        PositionOn::<BitBoard<1>>::new(&Start { shape, opening }).expect("a position")
    });
    let evaluator = Evaluator::<1>::new(shape);
    assert_ne!(evaluator.state(&any), evaluator.state(&traditional));
}

#[test]
fn the_evaluation_has_no_favourite_direction() {
    let shape = Shape::new(8, 8).expect("a shape");
    let evaluator = Evaluator::<1>::new(shape);
    for seed in 0..400 {
        let position = somewhere::<1>(shape, 2 + seed as u32 % 40, seed);
        if position.outcome().is_some() {
            continue;
        }
        let value = evaluator.value(&position);
        for symmetry in 0..position.symmetries() {
            let mirrored = position.transformed(symmetry);
            assert_eq!(evaluator.value(&mirrored), value, "{position:?}");
        }
    }
}

/// What the search sees of a game is the game: the same moves, the same positions after them, the same end.
#[test]
fn the_search_plays_by_the_rules() {
    for (rows, cols) in [(1, 1), (1, 8), (3, 5), (8, 8), (5, 12)] {
        let shape = Shape::new(rows, cols).expect("a shape");
        for seed in 0..20 {
            compare::<7>(shape, seed);
            if shape.area() <= 64 {
                compare::<1>(shape, seed);
            }
        }
    }
}

fn compare<const WORDS: usize>(shape: Shape, seed: u64) {
    let mut evaluator = Evaluator::<WORDS>::new(shape);
    let mut rng = random::seeded(seed);
    let opening = [Opening::AnyStone, Opening::Traditional][seed as usize % 2];
    let mut position =
        PositionOn::<BitBoard<WORDS>>::new(&Start { shape, opening }).expect("a position");
    loop {
        let state = evaluator.state(&position);
        let mut expected = Vec::new();
        position.legal_moves(&mut expected);
        expected.sort_unstable();
        let mut moves = Vec::new();
        evaluator.for_each_move(&state, |hop, after| {
            let mv = evaluator.game_move(hop);
            let state = position.explore(mv, |child| evaluator.state(child));
            assert_eq!(after, state, "{position:?}{mv}");
            assert!(evaluator.slot(hop) < evaluator.slots());
            moves.push(mv);
        });
        moves.sort_unstable();
        assert_eq!(moves, expected, "{position:?}");
        let evaluation = evaluator.evaluate(&state);
        match position.outcome() {
            Some(_) => assert_eq!(evaluation, Evaluation::Over(Relative::Loss), "{position:?}"),
            // `value` does without the instructions that `evaluate` may use.
            None => assert_eq!(evaluation, Evaluation::Open(evaluator.value(&position))),
        }
        let Some(mv) = position.random_move(&mut rng) else {
            break;
        };
        position.play(mv);
    }
}
