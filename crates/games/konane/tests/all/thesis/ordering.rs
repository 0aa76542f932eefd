//! The effects of a move, found by making it and comparing the boards before and after.

use super::common::for_positions;
use game::{Game, Side};
use konane::shokry::ordering::{Effect, Effects};
use konane::{Board, Cell, Direction, Move, NaiveBoard, PositionOn};
use std::collections::BTreeSet;

/// A single jump that is possible on a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Jump {
    stone: Cell,
    over: Cell,
    landing: Cell,
}

/// All single jumps of a side, whoever is to move.
fn single_jumps(board: &NaiveBoard, side: Side) -> BTreeSet<Jump> {
    let mut jumps = BTreeSet::new();
    board.for_each_jump(side, |stone, to| {
        let direction = Direction::ALL
            .into_iter()
            .find(|&direction| stone.step(direction, 2) == Some(to));
        if let Some(direction) = direction {
            let over = stone.step(direction, 1).expect("on the board");
            jumps.insert(Jump {
                stone,
                over,
                landing: to,
            });
        }
    });
    jumps
}

/// The effects by their definitions.
fn played_out(position: &PositionOn<NaiveBoard>, mv: Move) -> [usize; 12] {
    let Move::Jump { from, to } = mv else {
        panic!("no jump");
    };
    let (own, opponent) = (position.to_move(), !position.to_move());
    let mut after = position.clone();
    after.play(mv);
    let captured: BTreeSet<Cell> = mv.captured().collect();

    let own_before = single_jumps(position.board(), own);
    let own_after = single_jumps(after.board(), own);
    let their_before = single_jumps(position.board(), opponent);
    let their_after = single_jumps(after.board(), opponent);
    let can_jump = |jumps: &BTreeSet<Jump>, stone| jumps.iter().any(|jump| jump.stone == stone);
    let stones = |jumps: &[Jump]| jumps.iter().map(|jump| jump.stone).collect::<BTreeSet<_>>();
    // How many stones with one of these jumps could not jump at all before, or cannot after.
    let were_stuck = |jumps: &[Jump], before: &BTreeSet<Jump>| {
        let stuck = |stone: &Cell| !can_jump(before, *stone);
        stones(jumps).into_iter().filter(stuck).count()
    };
    let get_stuck = |jumps: &[Jump], after: &BTreeSet<Jump>| {
        let stuck = |stone: &Cell| !can_jump(after, *stone);
        stones(jumps).into_iter().filter(stuck).count()
    };
    let those = |jumps: &BTreeSet<Jump>, property: &dyn Fn(&Jump) -> bool| -> Vec<Jump> {
        jumps.iter().copied().filter(property).collect()
    };

    let enabled = those(&own_after, &|jump| {
        jump.stone != to && !own_before.contains(jump)
    });
    let escaped = those(&their_before, &|jump| {
        jump.over == from && !captured.contains(&jump.stone)
    });
    let caught = those(&their_before, &|jump| captured.contains(&jump.stone));
    let ahead = |jump: &Jump| {
        // The next jump of the same kind goes on from the last.
        let step = |a: Cell, b: Cell| {
            (
                b.col() as isize - a.col() as isize,
                b.row() as isize - a.row() as isize,
            )
        };
        let (cols, rows) = step(from, to);
        step(jump.stone, jump.landing) == (2 * cols.signum(), 2 * rows.signum())
    };
    let gained = those(&own_after, &|jump| jump.stone == to && !ahead(jump));
    let exposed = those(&their_after, &|jump| jump.over == to);
    let blocked = those(&own_before, &|jump| {
        jump.landing == to && jump.stone != from
    });
    let lost = those(&own_before, &|jump| {
        captured.contains(&jump.over) && jump.stone != from
    });
    for jump in &enabled {
        assert_eq!(jump.landing, from, "enabled by something else");
    }
    [
        enabled.len(),
        were_stuck(&enabled, &own_before),
        escaped.len(),
        get_stuck(&escaped, &their_after),
        caught.len(),
        gained.len(),
        exposed.len(),
        were_stuck(&exposed, &their_before),
        blocked.len(),
        get_stuck(&blocked, &own_after),
        lost.len(),
        get_stuck(&lost, &own_after),
    ]
}

#[test]
fn predicted_effects_are_those_of_the_played_move() {
    let mut seen = [0; 12];
    for_positions(180, 30, |_, position| {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let Move::Jump { from, to } = mv else {
                continue;
            };
            let expected = played_out(position, mv);
            let effects = Effects::of_jump(position.board(), from, to);
            let counts = Effect::ALL.map(|effect| usize::from(effects.count(effect)));
            assert_eq!(counts, expected, "{mv} in {position:?}");
            let good: usize = expected[..6].iter().sum();
            let bad: usize = expected[6..].iter().sum();
            assert_eq!(effects.score(), good as i32 - bad as i32);
            for (seen, count) in seen.iter_mut().zip(expected) {
                *seen += count;
            }
        }
    });
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}
