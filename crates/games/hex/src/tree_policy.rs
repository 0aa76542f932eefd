//! Playouts for Monte Carlo tree search, and what RAVE wants to know of them.

use crate::{Move, Position};
use game::random::{self, Rng};
use game::{Game, Outcome, Side};

/// Uniformly random playouts.
#[derive(Clone, Default)]
pub struct TreePolicy {
    empty: Vec<(u8, u8)>,
    /// The cells that the last playout filled, in order.
    filled: Vec<(Side, usize)>,
}

impl search::TreePolicy<Position> for TreePolicy {
    fn playout(&mut self, position: &Position, rng: &mut Rng) -> Outcome {
        let mut position = position.clone();
        self.filled.clear();
        self.empty.clear();
        self.empty.extend(position.empty());
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            let place = random::below(self.empty.len() as u32, rng) as usize;
            let (x, y) = self.empty.swap_remove(place);
            self.filled.push((position.to_move(), position.index(x, y)));
            position.play_unchecked(Move::Place(x, y));
        }
    }

    fn cells(&self, position: &Position) -> usize {
        usize::from(position.size()).pow(2)
    }

    fn cell_of(&self, position: &Position, mv: Move) -> Option<usize> {
        match mv {
            Move::Place(x, y) => Some(position.index(x, y)),
            Move::Swap => None,
        }
    }

    fn empty_cells(&self, position: &Position) -> usize {
        position.empty().count()
    }

    fn played(&self, mut visit: impl FnMut(Side, usize)) {
        for &(side, cell) in &self.filled {
            visit(side, cell);
        }
    }
}
