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

use crate::{Board, Cell, Move, Position};
use ::certificate::{Candidate, Judgement, Promise};
use game::{Game, Side};

/// The fewest stones to which two more can make a ring.
const STONES_BEFORE_RING: u32 = 4;

/// See the module.
pub fn judge(position: &Position, promise: Promise) -> Judgement<Move> {
    let board = position.board();
    let cells = position.geometry().cells().iter().copied();
    let empty: Vec<Cell> = cells.filter(|&cell| board.is_empty(cell)).collect();
    let own = promise.side();
    if position.to_move() == own {
        own_turn(board, &empty, promise)
    } else {
        other_turn(board, &empty, promise)
    }
}

fn own_turn(board: &Board, empty: &[Cell], promise: Promise) -> Judgement<Move> {
    let own = promise.side();
    if winning(board, empty, own).next().is_some() {
        return Judgement::Kept;
    }
    let mut against = winning(board, empty, !own);
    match (against.next(), against.next()) {
        (Some(_), Some(_)) => return Judgement::Broken("the other side has two winning moves"),
        (Some(cell), None) => return Judgement::Forced(Move::Place(cell)),
        _ => {}
    }
    if holds_by_itself(board, empty, promise) || double_threats(board, empty, own).next().is_some()
    {
        return Judgement::Kept;
    }
    Judgement::Open
}

fn other_turn(board: &Board, empty: &[Cell], promise: Promise) -> Judgement<Move> {
    let own = promise.side();
    if winning(board, empty, !own).next().is_some() {
        return Judgement::Broken("the other side wins");
    }
    let mut wins = winning(board, empty, own);
    match (wins.next(), wins.next()) {
        (Some(_), Some(_)) => return Judgement::Kept,
        (Some(cell), None) => return Judgement::Answer(vec![Move::Place(cell)]),
        _ => {}
    }
    if holds_by_itself(board, empty, promise) {
        return Judgement::Kept;
    }
    let doubles: Vec<_> = double_threats(board, empty, own).collect();
    let mut answers = empty.to_vec();
    answers.retain(|&cell| {
        doubles.iter().all(|double| touches(cell, double))
            || !wins_after(board, empty, !own, cell).is_empty()
    });
    if answers.is_empty() {
        return Judgement::Kept;
    }
    answers.sort_unstable();
    Judgement::Answer(answers.into_iter().map(Move::Place).collect())
}

/// The empty cells, each with its class: the lower the class, the likelier a strategy plays there. It tells whether the
/// cell parries all double threats of the other side, and whether a stone there makes a winning cell.
pub fn candidates(position: &Position) -> Vec<Candidate<Position>> {
    let board = position.board();
    let cells = position.geometry().cells().iter().copied();
    let mut empty: Vec<Cell> = cells.filter(|&cell| board.is_empty(cell)).collect();
    empty.sort_unstable();
    let own = position.to_move();
    let against: Vec<_> = double_threats(board, &empty, !own).collect();
    let class = |cell: Cell| {
        let parries = against.iter().all(|double| touches(cell, double));
        let threatens = !wins_after(board, &empty, own, cell).is_empty();
        match (parries, threatens) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }
    };
    let candidate = |&cell: &Cell| (class(cell), Move::Place(cell));
    empty.iter().map(candidate).collect()
}

/// Whether a stone of the other side on a cell leaves less than two winning cells after a double threat.
fn touches(cell: Cell, (first, wins): &(Cell, Vec<Cell>)) -> bool {
    *first == cell || (wins.len() == 2 && wins.contains(&cell))
}

/// The empty cells on which a stone of the side completes a structure.
fn winning<'a>(board: &'a Board, empty: &'a [Cell], side: Side) -> impl Iterator<Item = Cell> + 'a {
    let cells = empty.iter().copied();
    cells.filter(move |&cell| board.completes(cell, side).is_some())
}

/// The winning cells of a side that has none, after a stone of its on a cell.
fn wins_after(board: &Board, empty: &[Cell], side: Side, cell: Cell) -> Vec<Cell> {
    // Without the new stone nothing is completed. With it, the second stone joins its group, and has to
    // be connected to an edge or corner through it, or close a ring of six stones at least.
    let (stones, rim) = board.would_join(cell, side);
    if rim == 0 && stones < STONES_BEFORE_RING {
        return Vec::new();
    }
    let mut after = board.clone();
    after.place(cell, side);
    let others = empty.iter().copied().filter(|&other| other != cell);
    others
        .filter(|&other| after.completes(other, side).is_some())
        .collect()
}

/// The moves of a side without winning cells that make two or more, with these.
fn double_threats<'a>(
    board: &'a Board,
    empty: &'a [Cell],
    side: Side,
) -> impl Iterator<Item = (Cell, Vec<Cell>)> + 'a {
    let moves = empty.iter().copied();
    let with_wins = moves.map(move |cell| (cell, wins_after(board, empty, side, cell)));
    with_wins.filter(|(_, wins)| wins.len() >= 2)
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
