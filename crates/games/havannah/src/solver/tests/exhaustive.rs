//! The value of a position by looking at everything, under the rules alone.

use crate::{Move, Position, Shape};
use game::random::{self, Rng};
use game::{Game, Outcome};
use std::collections::HashMap;

/// A search without any idea, which remembers positions by all their stones.
#[derive(Default)]
pub struct Exhaustive {
    known: HashMap<Vec<u8>, Outcome>,
}

impl Exhaustive {
    pub fn value(&mut self, position: &Position) -> Outcome {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let key = stones(position);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let to_move = position.to_move();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = Outcome::Win(!to_move);
        for mv in moves {
            let mut after = position.clone();
            after.play(mv);
            let value = self.value(&after);
            if value.seen_by(to_move) > best.seen_by(to_move) {
                best = value;
            }
            if best == Outcome::Win(to_move) {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }

    /// Forgets all: the board or its first stones change.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

/// The side to move and the stones of all cells.
pub fn stones(position: &Position) -> Vec<u8> {
    let cells = position.geometry().cells().iter();
    let stone = |&cell| position.board().stone(cell).map_or(2, |side| side as u8);
    cells.map(stone).chain([position.to_move() as u8]).collect()
}

pub fn shape(text: &str) -> Shape {
    text.parse().expect("a shape")
}

/// A position that is not over with so many empty cells, by random play.
pub fn random_position(text: &str, empty: usize, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(shape(text));
        while position.empty_cells() > empty && position.outcome().is_none() {
            let mv = position.random_move(rng).expect("a move");
            position.play(mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// A position with so many empty cells on the way to a drawn end: both sides avoid wins as long as
/// they can. A random position if that does not lead to a draw soon.
pub fn drawish_position(text: &str, empty: usize, rng: &mut Rng) -> Position {
    for _ in 0..50 {
        let mut position = Position::new(shape(text));
        let mut kept = None;
        while position.outcome().is_none() {
            if position.empty_cells() == empty {
                kept = Some(position.clone());
            }
            let Some(mv) = move_that_does_not_win(&position, rng) else {
                break;
            };
            position.play(mv);
        }
        if let (Some(Outcome::Draw), Some(kept)) = (position.outcome(), kept) {
            return kept;
        }
    }
    random_position(text, empty, rng)
}

/// A position with so many empty cells whose value is a draw; one of another value if none is found
/// soon.
pub fn drawn_position(text: &str, empty: usize, rng: &mut Rng) -> Position {
    let mut found = drawish_position(text, empty, rng);
    for _ in 0..15 {
        if Exhaustive::default().value(&found) == Outcome::Draw {
            break;
        }
        found = drawish_position(text, empty, rng);
    }
    found
}

fn move_that_does_not_win(position: &Position, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    random::shuffle(&mut moves, rng);
    moves.into_iter().find(|&mv| {
        let mut after = position.clone();
        after.play(mv);
        !matches!(after.outcome(), Some(Outcome::Win(_)))
    })
}
