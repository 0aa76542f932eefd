//! Uniformly random playouts: every empty cell is as likely as any other, until a structure is complete
//! or the board is full.

use crate::rules::board::{Board, Placer, Structure};
use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::Position;
use game::random::Rng;
use game::{Game, Outcome, Side};
use rand::Rng as _;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The winner and what was completed; `None` for a draw.
    pub win: Option<(Side, Structure)>,
    /// The number of stones that the playout placed.
    pub stones: usize,
}

impl Ended {
    /// The outcome of the game.
    pub fn outcome(&self) -> Outcome {
        self.win
            .map_or(Outcome::Draw, |(side, _)| Outcome::Win(side))
    }
}

/// A playout policy with its scratch space, for boards of one shape.
#[derive(Clone, Debug)]
pub struct UniformPlayout {
    board: Board,
    /// The empty cells; those played come first, in order.
    order: Vec<Cell>,
}

impl UniformPlayout {
    /// The policy for boards of one geometry.
    pub fn new(geometry: &'static Geometry) -> UniformPlayout {
        UniformPlayout {
            board: Board::new(geometry),
            order: Vec::with_capacity(geometry.cells().len()),
        }
    }

    /// Plays from a position that has no winner, `to_move` first.
    pub fn play(&mut self, start: &Board, to_move: Side, rng: &mut Rng) -> Ended {
        self.prepare(start);
        self.play_again(start, to_move, rng)
    }

    /// Finds the empty cells of a position, for playouts that [start from it](Self::play_again).
    pub fn prepare(&mut self, start: &Board) {
        let geometry = start.geometry();
        self.order
            .resize(geometry.cells().len(), geometry.cells()[0]);
        let mut empty = 0;
        for &cell in geometry.cells() {
            // Written in any case and counted if it is empty: there is no branch to mispredict.
            self.order[empty] = cell;
            empty += usize::from(start.is_empty(cell));
        }
        self.order.truncate(empty);
    }

    /// Plays from the position that was [prepared](Self::prepare), which saves looking for its empty
    /// cells again. With the same generator it gives other games than [`play`](Self::play) would, as
    /// uniformly random.
    ///
    /// Two cells come from one number of the generator, 32 bits each.
    pub fn play_again(&mut self, start: &Board, to_move: Side, rng: &mut Rng) -> Ended {
        self.board.clone_from(start);
        self.go_on(0, to_move, rng)
    }

    /// The same, but a ring ends the playout only if `counts` says so of the board, the stone that closed
    /// it, its side, and the number of stones that the playout had placed before.
    pub fn play_with_rings(
        &mut self,
        start: &Board,
        to_move: Side,
        rng: &mut Rng,
        mut counts: impl FnMut(&Board, Cell, Side, usize) -> bool,
    ) -> Ended {
        let mut ended = self.play_again(start, to_move, rng);
        while let Some((side, Structure::Ring)) = ended.win {
            let before = ended.stones - 1;
            if counts(&self.board, self.order[before], side, before) {
                break;
            }
            ended = self.go_on(ended.stones, !side, rng);
        }
        ended
    }

    /// Plays on from the board as it is, on which so many of the cells in order have been played.
    #[inline(always)]
    fn go_on(&mut self, played: usize, to_move: Side, rng: &mut Rng) -> Ended {
        let placer = self.board.placer();
        match to_move {
            Side::White => finish::<0>(placer, &mut self.order, played, rng),
            Side::Black => finish::<1>(placer, &mut self.order, played, rng),
        }
    }

    /// The cells that the last playout filled, in order: the first by the side that was to move.
    pub fn moves(&self, ended: &Ended) -> &[Cell] {
        &self.order[..ended.stones]
    }
}

/// Plays to the end; the cells played come first in `order`, `played` of them at the beginning. The side
/// to move then is a constant, because the loop is unrolled for both sides.
#[inline(always)]
fn finish<const FIRST: usize>(
    mut placer: Placer<'_>,
    order: &mut [Cell],
    mut played: usize,
    rng: &mut Rng,
) -> Ended {
    let first = Side::BOTH[FIRST];
    let won = |side, structure, stones| Ended {
        win: Some((side, structure)),
        stones,
    };
    while played + 1 < order.len() {
        let bits = rng.next_u64();
        if let Some(structure) = step(&mut placer, order, played, bits >> 32, first) {
            return won(first, structure, played + 1);
        }
        if let Some(structure) = step(&mut placer, order, played + 1, bits & 0xffff_ffff, !first) {
            return won(!first, structure, played + 2);
        }
        played += 2;
    }
    // One cell is left if the number was odd.
    if played < order.len()
        && let Some(structure) = step(&mut placer, order, played, 0, first)
    {
        return won(first, structure, played + 1);
    }
    Ended {
        win: None,
        stones: order.len(),
    }
}

/// Draws one of the cells from `played` on with 32 random bits, and places a stone on it.
#[inline(always)]
fn step(
    placer: &mut Placer<'_>,
    order: &mut [Cell],
    played: usize,
    bits: u64,
    side: Side,
) -> Option<Structure> {
    let left = (order.len() - played) as u64;
    let drawn = played + ((bits * left) >> 32) as usize;
    order.swap(played, drawn);
    let cell = order[played];
    // SAFETY: the order holds cells of the geometry that the board was copied from.
    unsafe { placer.place(cell, side) }
}

impl search::Playout<Position> for UniformPlayout {
    /// A swap is no part of a playout: whose stone the first one is matters little at random.
    fn run(&mut self, position: &Position, rng: &mut Rng) -> Outcome {
        match position.outcome() {
            Some(outcome) => outcome,
            None => self
                .play(position.board(), position.to_move(), rng)
                .outcome(),
        }
    }
}
