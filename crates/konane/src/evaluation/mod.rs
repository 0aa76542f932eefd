//! The evaluation of the player `papamu`, and what else it adds to [`search::pvs`].
//!
//! A position is worth a weighted sum of what one side has more of than the other ([`Features`]), with
//! weights that change as the board empties ([`WEIGHTS`]). The unit is a hundredth of what changes the
//! odds by a factor of e.

mod features;
mod weights;

pub use features::{FEATURES, Features};
pub use weights::{TEMPO, WEIGHTS, Weight};

use crate::hops::{Ground, direction_of};
use crate::rules::Bits;
use crate::{BitBoard, Move, Position, Shape, Stage};
use game::{Game, Side};
use search::pvs::Guide;

/// The guide of `papamu`.
#[derive(Clone, Debug)]
pub struct Evaluator<const WORDS: usize> {
    ground: Ground<WORDS>,
}

impl<const WORDS: usize> Evaluator<WORDS> {
    /// A guide for games on boards of this shape.
    ///
    /// # Panics
    /// If the board has more than 64 × `WORDS` cells.
    pub fn new(shape: Shape) -> Self {
        Evaluator {
            ground: Ground::new(shape),
        }
    }

    /// What the evaluation counts in a position.
    pub fn features(&self, position: &Position<BitBoard<WORDS>>) -> Features {
        Features::of(&self.ground, position.board().occupied())
    }
}

impl<const WORDS: usize> Guide<Position<BitBoard<WORDS>>> for Evaluator<WORDS> {
    /// The stones, the side to move and the stage. (Beside which gap White removes a stone is clear: it is
    /// the only one.)
    type Key = (Bits<WORDS>, Side, u8);

    #[inline]
    fn key(&self, position: &Position<BitBoard<WORDS>>) -> Self::Key {
        let stage = match position.stage() {
            Stage::Jumping => 0,
            Stage::WhiteRemoves { .. } => 1,
            Stage::BlackRemoves { anywhere } => 2 + u8::from(anywhere),
        };
        (position.board().occupied(), position.to_move(), stage)
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<BitBoard<WORDS>>) -> i32 {
        let stones = position.board().occupied();
        let features = Features::of(&self.ground, stones);
        features.value(position.to_move())
    }

    fn slots(&self) -> usize {
        8 * self.ground.shape.area()
    }

    /// The cell from which the stone jumps, the direction, and whether it jumps once or more often.
    #[inline]
    fn slot(&self, mv: Move) -> usize {
        match mv {
            Move::Remove(cell) => 8 * self.ground.index(cell),
            Move::Jump { from, to } => {
                let way = from.col().abs_diff(to.col()) + from.row().abs_diff(to.row());
                let direction = direction_of(from, to).index();
                8 * self.ground.index(from) + 2 * direction + usize::from(way > 2)
            }
        }
    }

    fn plies_left(&self, position: &Position<BitBoard<WORDS>>) -> u32 {
        let features = self.features(position);
        (7 * features.stones / 8).saturating_sub(6)
    }
}
