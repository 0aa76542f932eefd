//! What is said without a search, against the rules and exhaustive search.

use super::exhaustive::{Exhaustive, drawish_position, random_position, shape};
use crate::solver::draw_detection;
use crate::solver::layout::Layout;
use crate::solver::node::{Node, QuietMoves, ThreatResult, judge_threat};
use crate::solver::trail::Trail;
use crate::solver::word::{Wide256, Wide384, Word};
use crate::solver::{Params, Solver};
use crate::{Move, Position};
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use search::Limits;

fn layout<W: Word>(text: &str) -> Layout<W> {
    Layout::new(shape(text)).expect("a board that fits")
}

/// The empty cells on which a stone of the side would complete a structure.
fn winning_cells<W: Word>(layout: &Layout<W>, position: &Position, side: Side) -> W {
    let mut winning = W::NONE;
    for &cell in position.geometry().cells() {
        let mut board = position.board().clone();
        if board.is_empty(cell) && board.place(cell, side).is_some() {
            winning = winning | W::bit(layout.index(cell));
        }
    }
    winning
}

fn check_threats<W: Word>(text: &str, games: usize) {
    let layout = layout::<W>(text);
    let mut rng = random::seeded(5);
    let mut rings = 0;
    for _ in 0..games {
        let cells = shape(text).cells() as u32;
        let empty = (cells / 2 + random::below(cells / 2, &mut rng)) as usize;
        let position = random_position(text, empty, &mut rng);
        let node = Node::<W>::of(&layout, &position);
        for side in Side::BOTH {
            let stones = &node.stones[side.index()];
            let wins = winning_cells(&layout, &position, side);
            assert_eq!(stones.wins & node.empty, wins, "{position:?}");
            for index in node.empty.minus(wins).indices() {
                let mut after = position.clone();
                let mut board = after.board().clone();
                let cell = layout.cell(index).expect("a cell");
                board.place(cell, side);
                // The rules look at a stone of the side to move only, so ask the board itself.
                let mut next = W::NONE;
                for &other in position.geometry().cells() {
                    let mut board = board.clone();
                    if board.is_empty(other)
                        && let Some(structure) = board.place(other, side)
                    {
                        rings += usize::from(structure == crate::Structure::Ring);
                        next = next | W::bit(layout.index(other));
                    }
                }
                let known = (stones.next(index) | stones.wins) & node.empty;
                assert_eq!(known.minus(W::bit(index)), next, "{index} in {position:?}");
                after.play(Move::Place(cell));
            }
        }
    }
    assert!(rings > 0 || shape(text).cells() < 10, "no ring in {text}");
}

#[test]
fn winning_cells_one_and_two_stones_ahead() {
    check_threats::<u64>("2", 60);
    check_threats::<u64>("3", 150);
    check_threats::<u64>("4", 60);
    check_threats::<u64>("4x4x5", 30);
    check_threats::<u64>("3x4x4", 40);
    check_threats::<u128>("5", 10);
    check_threats::<u128>("4", 20);
    check_threats::<Wide256>("4", 10);
    check_threats::<Wide256>("7", 1);
    check_threats::<Wide384>("4", 10);
}

/// What is seen of the position after a stone without placing it, or after a threat and the reply to it, is what is there after
/// them; so it is where only what was touched since is looked at.
#[test]
fn judged_without_placing_a_stone() {
    fn check<W: Word>(text: &str, games: usize) {
        let layout = layout::<W>(text);
        let mut rng = random::seeded(29);
        let [mut urgent, mut threats, mut looks] = [0; 3];
        for _ in 0..games {
            let cells = shape(text).cells() as u32;
            let empty = (3 + random::below(cells - 3, &mut rng)) as usize;
            let position = random_position(text, empty, &mut rng);
            let mut node = Node::<W>::of(&layout, &position);
            while let ThreatResult::Open { moves, .. } = node.judge() {
                let mut quiet = QuietMoves::new();
                quiet.restart(&node, moves.count() as usize);
                let looked = quiet.look(&layout, &node);
                looks += usize::from(looked.is_some());
                let mut order: Vec<usize> = moves.indices().collect();
                random::shuffle(&mut order, &mut rng);
                for index in order.iter().copied() {
                    let mut after = node;
                    after.play(&layout, index);
                    let own = &node.stones[node.to_move.index()];
                    let seen = if own.next(index).meets(node.empty) {
                        let threat = judge_threat(&layout, &node, index);
                        threats += 1;
                        let forced = ThreatResult::Forced(threat.reply);
                        assert_eq!(after.judge(), forced, "{index} in {position:?}");
                        after.play(&layout, threat.reply);
                        threat.judged
                    } else {
                        let judged = quiet.judge(&layout, &node, index);
                        let is_quiet = matches!(judged, ThreatResult::Open { urgent: false, .. });
                        let is_left_out = looked.is_some_and(|looked| !looked.has(index));
                        assert!(is_quiet || !is_left_out, "{index} in {position:?}");
                        judged
                    };
                    assert_eq!(seen, after.judge(), "{index} in {position:?}");
                    urgent += usize::from(matches!(seen, ThreatResult::Open { urgent: true, .. }));
                }
                if moves == node.empty {
                    node.stones[node.to_move.index()].touched = quiet.touched(&node);
                }
                node.play(&layout, order[0]);
                if let ThreatResult::Forced(reply) = node.judge() {
                    node.play(&layout, reply);
                }
            }
        }
        assert!(
            urgent > 10 && threats > 10 && looks > 10,
            "{urgent} {threats} {looks}"
        );
    }
    check::<u64>("3", 300);
    check::<u64>("4", 200);
    check::<u64>("4x4x5", 50);
    check::<u128>("5", 20);
    check::<Wide256>("4", 10);
    check::<Wide384>("4", 10);
}

/// Stones that are taken back leave nothing behind.
#[test]
fn stones_are_taken_back() {
    fn check<W: Word>(text: &str, games: usize) {
        let layout = layout::<W>(text);
        let mut rng = random::seeded(31);
        for _ in 0..games {
            let mut trail = Trail::new(Node::<W>::start(&layout));
            let mut before = Vec::new();
            for _ in 0..200 {
                let own = &trail.node.stones[trail.node.to_move.index()];
                let moves = trail.node.empty.minus(own.wins);
                let number = random::below(moves.count().max(1), &mut rng) as usize;
                match moves.indices().nth(number) {
                    Some(index) if random::below(8, &mut rng) > 0 => {
                        before.push(format!("{:?}", trail.node));
                        trail.play(&layout, index);
                    }
                    _ => {
                        let stones = random::below(before.len() as u32 + 1, &mut rng) as usize;
                        if let Some(then) = before.drain(before.len() - stones..).next() {
                            trail.take_back(stones, |_| ());
                            assert_eq!(format!("{:?}", trail.node), then);
                        }
                    }
                }
            }
        }
    }
    check::<u64>("3", 20);
    check::<u64>("4", 20);
    check::<u64>("2x3x6", 10);
    check::<u128>("5", 5);
    check::<Wide256>("4", 2);
}

/// Every judgement is true, and every move that must-play leaves out loses.
#[test]
fn judgements_hold() {
    let mut rng = random::seeded(17);
    let mut exhaustive = Exhaustive::default();
    let [mut left_out, mut won, mut forced] = [0; 3];
    for number in 0..3_000 {
        let text = ["3", "3x4x4", "4"][number % 3];
        let layout = layout::<u64>(text);
        let empty = 4 + random::below(6, &mut rng) as usize;
        let position = if number % 2 == 0 {
            random_position(text, empty, &mut rng)
        } else {
            drawish_position(text, empty, &mut rng)
        };
        exhaustive.forget();
        let node = Node::of(&layout, &position);
        let mover = node.to_move;
        let allowed = match node.judge() {
            ThreatResult::Won(side) => {
                won += 1;
                assert_eq!(
                    exhaustive.value(&position),
                    Outcome::Win(side),
                    "{position:?}"
                );
                continue;
            }
            ThreatResult::Full => panic!("{position:?} is not full"),
            ThreatResult::Forced(index) => {
                forced += 1;
                u64::bit(index)
            }
            ThreatResult::Open { moves, .. } => moves,
        };
        for index in node.empty.minus(allowed).indices() {
            left_out += 1;
            let mut after = position.clone();
            after.play(Move::Place(layout.cell(index).expect("a cell")));
            assert_eq!(
                exhaustive.value(&after),
                Outcome::Win(!mover),
                "{index} in {position:?}"
            );
        }
    }
    assert!(
        left_out > 500 && won > 500 && forced > 100,
        "{left_out} {won} {forced}"
    );
}

/// Whether the side wins if the opponent passes for the rest of the game.
fn can_win_alone(position: &Position, side: Side) -> bool {
    let mut board = position.board().clone();
    let cells = position.geometry().cells().iter();
    let empty: Vec<_> = cells.filter(|&&cell| board.is_empty(cell)).collect();
    empty
        .into_iter()
        .any(|&cell| board.place(cell, side).is_some())
}

#[test]
fn hopeless_is_who_cannot_win_alone() {
    let mut rng = random::seeded(23);
    let mut hopeless = 0;
    for number in 0..2_000 {
        let text = ["3", "3x4x4", "4"][number % 3];
        let layout = layout::<u64>(text);
        let empty = 1 + random::below(6, &mut rng) as usize;
        let position = drawish_position(text, empty, &mut rng);
        let node = Node::of(&layout, &position);
        for side in Side::BOTH {
            let cannot =
                draw_detection::cannot_win(&layout, node.stones[side.index()].own, node.empty);
            hopeless += usize::from(cannot);
            assert_eq!(
                cannot,
                !can_win_alone(&position, side),
                "{side} in {position:?}"
            );
        }
    }
    assert!(hopeless > 100, "{hopeless}");
}

/// A position like the figure of the notes on solving: seven empty cells, and no win left for either
/// side. The draw is seen without playing on.
#[test]
fn a_draw_is_seen_early() {
    let layout = layout::<u64>("4");
    let mut rng = random::seeded(2);
    let drawn = (0..1_000).find_map(|_| emptied(&layout, &mut rng));
    let drawn = drawn.expect("a position without wins");
    assert_eq!(drawn.empty_cells(), 7);
    let mut solver = Solver::new(shape("4"), &Params::default()).expect("a board that fits");
    let report = solver.solve(&drawn, &Limits::default(), &mut |_| {});
    assert_eq!(report.outcome, Some(Outcome::Draw));
    assert!(report.best.is_some() && report.nodes < 10, "{report:?}");
}

/// A position of size 4 with seven empty cells in which neither side can win: a drawn game from which
/// four white and three black stones are taken.
fn emptied(layout: &Layout<u64>, rng: &mut Rng) -> Option<Position> {
    let end = drawish_position("4", 1, rng);
    let node = Node::of(layout, &end);
    let mut stones = node.stones.map(|stones| stones.own);
    stones[0] |= node.empty;
    let mut empty = 0;
    let neither_wins = |stones: [u64; 2], empty| {
        let hopeless = |&own: &u64| draw_detection::cannot_win(layout, own, empty);
        stones.iter().all(hopeless)
    };
    if !neither_wins(stones, empty) {
        return None;
    }
    let mut cells: Vec<usize> = layout.board.indices().collect();
    random::shuffle(&mut cells, rng);
    for cell in cells {
        let mut fewer = stones;
        let side = usize::from(stones[1].has(cell));
        fewer[side] = stones[side].minus(u64::bit(cell));
        if fewer[side].count() >= 15 && neither_wins(fewer, empty | u64::bit(cell)) {
            stones = fewer;
            empty |= u64::bit(cell);
        }
    }
    let mut position = Position::new(shape("4"));
    for (white, black) in stones[0].indices().zip(stones[1].indices()) {
        position.play(Move::Place(layout.cell(white)?));
        position.play(Move::Place(layout.cell(black)?));
    }
    (empty.count() == 7).then_some(position)
}
