//! What the rules of Havannah say about a promise without a strategy: threats two plies ahead, and
//! positions in which a side cannot win any more.
//!
//! Let the promise be that of P, and Q the other side. A winning cell of a side is an empty cell on
//! which a stone of its completes a structure, as the board of the rules tells. Whether a cell is one
//! depends on that side's stones alone, so that it stays one until it is taken.
//!
//! With P to move:
//! 1. P has a winning cell: P plays there.
//! 2. Q has two: P can take one only, and Q wins. If it has one, P must take it.
//! 3. P only has to hold, and Q cannot win even if all empty cells become Q's: P holds.
//! 4. P has a move x after which it has two winning cells. Q, which has none, can take one only, and P
//!    wins.
//!
//! With Q to move:
//! 1. Q has a winning cell: Q wins.
//! 2. P has two: Q takes one, and P wins on the other. If it has one, P wins there unless Q takes it.
//! 3. As above.
//! 4. P has an x as above, with winning cells T after it. Let Q play m elsewhere, so that two cells of T
//!    are left and Q has no winning cell then: P plays x, and wins as above.

use crate::rules::board::Made;
use crate::{Board, Cell, Move, Position};
use ::certificate::{Candidate, Judgement, Promise};
use game::{Game, Side};

/// The fewest stones to which two more can make a ring.
const STONES_BEFORE_RING: u32 = 4;

/// See the module.
pub fn judge(position: &Position, promise: Promise) -> Judgement<Move> {
    if position.to_move() != promise.side() {
        return other_turn(position.board(), &empty_cells(position), promise);
    }
    match own_turn(position.board(), &empty_cells(position), promise) {
        Own::Judged(judgement) => judgement,
        Own::Open(_) => Judgement::Open,
    }
}

/// The judgement, with the candidates of a position that is open.
pub fn judge_and_list(
    position: &Position,
    promise: Promise,
) -> (Judgement<Move>, Vec<Candidate<Position>>) {
    if position.to_move() != promise.side() {
        return (judge(position, promise), Vec::new());
    }
    match own_turn(position.board(), &empty_cells(position), promise) {
        Own::Judged(judgement) => (judgement, Vec::new()),
        Own::Open(sides) => (Judgement::Open, listed(&sides)),
    }
}

/// The empty cells, each with its class: the lower the class, the likelier a strategy plays there. It tells whether the
/// cell parries all double threats of the other side, and whether a stone there makes a winning cell.
pub fn candidates(position: &Position) -> Vec<Candidate<Position>> {
    let empty = empty_cells(position);
    let sides = [position.to_move(), !position.to_move()];
    listed(&sides.map(|side| Stones::new(position.board(), &empty, side)))
}

/// The empty cells in order.
fn empty_cells(position: &Position) -> Vec<Cell> {
    let cells = position.geometry().cells().iter().copied();
    cells
        .filter(|&cell| position.board().is_empty(cell))
        .collect()
}

/// What is said of a position in which the side of the promise moves.
enum Own<'a> {
    Judged(Judgement<Move>),
    /// Nothing: the stones that it and the other side may place.
    Open([Stones<'a>; 2]),
}

fn own_turn<'a>(board: &'a Board, empty: &[Cell], promise: Promise) -> Own<'a> {
    let own = Stones::new(board, empty, promise.side());
    if own.winning().next().is_some() {
        return Own::Judged(Judgement::Kept);
    }
    let others = Stones::new(board, empty, !promise.side());
    let mut against = others.winning();
    match (against.next(), against.next()) {
        (Some(_), Some(_)) => {
            let reason = "the other side has two winning moves";
            return Own::Judged(Judgement::Broken(reason));
        }
        (Some(cell), None) => return Own::Judged(Judgement::Forced(Move::Place(cell))),
        _ => {}
    }
    drop(against);
    if holds_by_itself(board, empty, promise) || own.double_threats().next().is_some() {
        return Own::Judged(Judgement::Kept);
    }
    Own::Open([own, others])
}

fn other_turn(board: &Board, empty: &[Cell], promise: Promise) -> Judgement<Move> {
    let others = Stones::new(board, empty, !promise.side());
    if others.winning().next().is_some() {
        return Judgement::Broken("the other side wins");
    }
    let own = Stones::new(board, empty, promise.side());
    let mut wins = own.winning();
    match (wins.next(), wins.next()) {
        (Some(_), Some(_)) => return Judgement::Kept,
        (Some(cell), None) => return Judgement::Answer(vec![Move::Place(cell)]),
        _ => {}
    }
    if holds_by_itself(board, empty, promise) {
        return Judgement::Kept;
    }
    let doubles: Vec<_> = own.double_threats().collect();
    let answers = others.each.iter().filter(|stone| {
        doubles.iter().all(|double| touches(stone.cell, double)) || others.threatens(stone)
    });
    let answers: Vec<Move> = answers.map(|stone| Move::Place(stone.cell)).collect();
    if answers.is_empty() {
        return Judgement::Kept;
    }
    Judgement::Answer(answers)
}

/// See [`candidates`].
fn listed([own, others]: &[Stones<'_>; 2]) -> Vec<Candidate<Position>> {
    let against: Vec<_> = others.double_threats().collect();
    let class = |stone: &Stone| {
        let parries = against.iter().all(|double| touches(stone.cell, double));
        match (parries, own.threatens(stone)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }
    };
    let candidate = |stone: &Stone| (class(stone), Move::Place(stone.cell));
    own.each.iter().map(candidate).collect()
}

/// Whether a stone of the other side on a cell leaves less than two winning cells after a double threat.
fn touches(cell: Cell, (first, wins): &(Cell, Vec<Cell>)) -> bool {
    *first == cell || (wins.len() == 2 && wins.contains(&cell))
}

/// The stones that a side may place next.
struct Stones<'a> {
    board: &'a Board,
    side: Side,
    each: Vec<Stone>,
}

/// One of them.
#[derive(Clone, Copy)]
struct Stone {
    cell: Cell,
    made: Made,
    /// The number of own stones beside it.
    beside: u32,
    /// Bits for the groups that it would join and for its cell.
    is_of: u128,
    /// Bits for those groups and for the places around it. A stone that would be in one group with it shares one.
    reaches: u128,
}

/// A bit for a place of the grid, beside those of groups.
fn place_bit(index: usize) -> u128 {
    1 << (64 + index % 64)
}

impl<'a> Stones<'a> {
    fn new(board: &'a Board, empty: &[Cell], side: Side) -> Stones<'a> {
        let geometry = board.geometry();
        let stone = |&cell: &Cell| {
            let made = board.would_make(cell, side);
            let groups = u128::from(made.groups());
            let around = (0..6).map(|direction| geometry.step(cell.index(), direction));
            Stone {
                cell,
                made,
                beside: board.pattern(cell, side).count_ones(),
                is_of: groups | place_bit(cell.index()),
                reaches: around.fold(groups, |bits, index| bits | place_bit(index)),
            }
        };
        Stones {
            board,
            side,
            each: empty.iter().map(stone).collect(),
        }
    }

    /// The empty cells on which a stone completes a structure.
    fn winning(&self) -> impl Iterator<Item = Cell> + '_ {
        let wins = self.each.iter().filter(|stone| stone.made.wins);
        wins.map(|stone| stone.cell)
    }

    /// The winning cells of a side that has none, after one of the stones.
    fn wins_after(&self, first: &Stone) -> impl Iterator<Item = Cell> + use<'_> {
        // Without the first stone nothing is completed: the second has to be in its group, and be connected to an edge
        // or corner through it, or close a ring of six stones at least, of which each of the two has two beside it.
        let makes_ring = first.made.stones >= STONES_BEFORE_RING;
        let may_win = makes_ring || first.made.rim != 0;
        let seconds = if may_win { &self.each[..] } else { &[] };
        let (geometry, first) = (self.board.geometry(), *first);
        let mut after = None;
        let wins = move |second: &&Stone| {
            let connects = first.made.connects_with(&second.made);
            if !(connects || makes_ring) || second.cell == first.cell {
                return false;
            }
            let mut steps = (0..6).map(|direction| geometry.step(first.cell.index(), direction));
            let near = steps.any(|index| index == second.cell.index());
            if !(near || first.made.shares_group(&second.made)) {
                return false;
            }
            let beside = first.beside.min(second.beside) + u32::from(near);
            connects || beside >= 2 && self.completes_after(&mut after, first.cell, second.cell)
        };
        let reached = move |second: &&Stone| first.reaches & second.is_of != 0;
        let seconds = seconds.iter().filter(reached).filter(wins);
        seconds.map(|second| second.cell)
    }

    /// Whether a stone completes a structure after another. The board after the first is kept for further ones.
    fn completes_after(&self, after: &mut Option<Board>, first: Cell, second: Cell) -> bool {
        let after = after.get_or_insert_with(|| {
            let mut after = self.board.clone();
            after.place(first, self.side);
            after
        });
        after.completes(second, self.side).is_some()
    }

    /// Whether a side without winning cells has one after one of the stones.
    fn threatens(&self, stone: &Stone) -> bool {
        self.wins_after(stone).next().is_some()
    }

    /// The moves of a side without winning cells that make two or more, with the first three of these.
    fn double_threats(&self) -> impl Iterator<Item = (Cell, Vec<Cell>)> + '_ {
        self.each.iter().filter_map(|stone| {
            let wins: Vec<Cell> = self.wins_after(stone).take(3).collect();
            (wins.len() >= 2).then_some((stone.cell, wins))
        })
    }
}

/// Whether the promise is that a side holds, and the other cannot win even if it gets all empty cells:
/// more stones of its own never undo a structure.
fn holds_by_itself(board: &Board, empty: &[Cell], promise: Promise) -> bool {
    let Promise::Holds(own) = promise else {
        return false;
    };
    let mut filled = board.clone();
    empty.iter().all(|&cell| filled.place(cell, !own).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random;

    /// Against the rules alone: each pair of stones is placed.
    #[test]
    fn wins_after_a_stone_are_those_of_the_rules() {
        let mut rng = random::seeded(5);
        let [mut edges, mut rings] = [0; 2];
        for number in 0..1500 {
            let text = ["3", "4", "3x4x4", "5"][number % 4];
            let mut position = Position::new(text.parse().expect("a shape"));
            let mut moves = Vec::new();
            for _ in 0..random::below(50, &mut rng) {
                moves.clear();
                position.legal_moves(&mut moves);
                let mv = random::choose(&moves, &mut rng).expect("a move");
                let mut after = position.clone();
                after.play(mv);
                if after.outcome().is_some() {
                    break;
                }
                position = after;
            }
            let board = position.board();
            let cells = position.geometry().cells().iter().copied();
            let empty: Vec<Cell> = cells.filter(|&cell| board.is_empty(cell)).collect();
            for side in Side::BOTH {
                let stones = Stones::new(board, &empty, side);
                if stones.winning().next().is_some() {
                    continue;
                }
                for first in &stones.each {
                    let cell = first.cell;
                    let mut after = board.clone();
                    after.place(cell, side);
                    let mut expected = Vec::new();
                    for &second in empty.iter().filter(|&&second| second != cell) {
                        if let Some(structure) = after.clone().place(second, side) {
                            *(if structure == crate::Structure::Ring {
                                &mut rings
                            } else {
                                &mut edges
                            }) += 1;
                            expected.push(second);
                        }
                    }
                    let found: Vec<Cell> = stones.wins_after(first).collect();
                    assert_eq!(found, expected, "{cell:?} of {side} in {position:?}");
                }
            }
        }
        assert!(edges > 1000 && rings > 300, "{edges} {rings}");
    }
}
