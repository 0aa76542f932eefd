//! Uniformly random playouts: every empty cell is as likely as any other, until a structure is complete
//! or the board is full.

use crate::rules::board::{Board, Structure};
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
    ///
    /// Two cells come from one number of the generator, 32 bits each.
    pub fn play(&mut self, start: &Board, to_move: Side, rng: &mut Rng) -> Ended {
        self.board.clone_from(start);
        self.order.clear();
        let cells = start.geometry().cells().iter().copied();
        self.order
            .extend(cells.filter(|&cell| start.is_empty(cell)));
        match to_move {
            Side::White => self.finish::<0>(rng),
            Side::Black => self.finish::<1>(rng),
        }
    }

    /// The cells that the last playout filled, in order: the first by the side that was to move.
    pub fn moves(&self, ended: &Ended) -> &[Cell] {
        &self.order[..ended.stones]
    }

    /// Plays to the end. The side to move is a constant, because the loop is unrolled for both sides.
    fn finish<const FIRST: usize>(&mut self, rng: &mut Rng) -> Ended {
        let first = Side::BOTH[FIRST];
        let mut played = 0;
        while played < self.order.len() {
            let bits = rng.next_u64();
            if let Some(structure) = self.step(played, bits >> 32, first) {
                return won(first, structure, played + 1);
            }
            played += 1;
            if played == self.order.len() {
                break;
            }
            if let Some(structure) = self.step(played, bits & 0xffff_ffff, !first) {
                return won(!first, structure, played + 1);
            }
            played += 1;
        }
        Ended {
            win: None,
            stones: played,
        }
    }

    /// Draws one of the cells from `played` on with 32 random bits, and places a stone on it.
    #[inline(always)]
    fn step(&mut self, played: usize, bits: u64, side: Side) -> Option<Structure> {
        let left = (self.order.len() - played) as u64;
        let drawn = played + ((bits * left) >> 32) as usize;
        self.order.swap(played, drawn);
        let cell = self.order[played];
        // SAFETY: the order holds cells of the geometry that the board was copied from.
        unsafe { self.board.place_unchecked(cell, side) }
    }
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

fn won(side: Side, structure: Structure, stones: usize) -> Ended {
    Ended {
        win: Some((side, structure)),
        stones,
    }
}
