//! The move ordering of Shokry's thesis (2023), section 2.4.3: what a move changes at once, predicted
//! from the board before it.
//!
//! An effect is a change of single jumps: a stone *can jump in a direction* if the next cell holds an
//! opponent and the one behind it is empty. `Effect` defines the twelve; each occurrence is worth a
//! point, and the points of all effects make the order score of a move.

mod predict;

pub(crate) use predict::Predictor;

use crate::jump_masks::{JumpGeometry, direction_of};
use crate::{Board, Cell, Shape};

/// Words for the cells of the largest board.
const LARGEST_WORDS: usize = Shape::MAX_CELLS.div_ceil(64);

/// The instant effects of a move, in the order and grouping of the thesis. *The jumper* is the stone that
/// moves, from its start to its landing cell; *own* and *opponent's* are seen from its side, and *before*
/// and *after* the move are whatever the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// An own stone, not the jumper, cannot jump in a direction before, and can after, because the start
    /// is empty to land on. Once for each such stone and direction.
    OwnJumpEnabled,
    /// An own stone of the effect before cannot jump at all before the move.
    OwnStoneFreed,
    /// An opponent's stone that is not captured can jump over the jumper before the move.
    ThreatEscaped,
    /// A stone of the effect before cannot jump in any other direction, so that it cannot jump at all
    /// after the move.
    ThreatFrozen,
    /// A captured stone can jump before the move. Once for each captured stone and direction.
    JumperCaptured,
    /// After landing, the jumper can jump in another direction than that of the move. Once for each
    /// direction.
    JumpGained,
    /// An opponent's stone can jump over the jumper after the move.
    ExposedToJump,
    /// A stone of the effect before cannot jump at all before the move.
    ExposedStoneFreed,
    /// An own stone, not the jumper, can jump on to the landing cell as its first stop before the move.
    OwnJumpBlocked,
    /// A stone of the effect before cannot jump in any other direction, so that it cannot jump at all
    /// after the move.
    BlockedStoneFrozen,
    /// An own stone, not the jumper, can jump over a captured stone before the move. Once for each such
    /// stone and direction.
    OwnJumpLost,
    /// A stone of the effect before cannot jump in any other direction, so that it cannot jump at all
    /// after the move.
    LosingStoneFrozen,
}

impl Effect {
    /// The six that are good for the side that moves, then the six that are bad.
    pub const ALL: [Effect; 12] = [
        Effect::OwnJumpEnabled,
        Effect::OwnStoneFreed,
        Effect::ThreatEscaped,
        Effect::ThreatFrozen,
        Effect::JumperCaptured,
        Effect::JumpGained,
        Effect::ExposedToJump,
        Effect::ExposedStoneFreed,
        Effect::OwnJumpBlocked,
        Effect::BlockedStoneFrozen,
        Effect::OwnJumpLost,
        Effect::LosingStoneFrozen,
    ];

    /// 1 for an effect that is good for the side that moves, −1 for a bad one.
    #[inline]
    pub const fn points(self) -> i32 {
        if (self as u8) < Effect::ExposedToJump as u8 {
            1
        } else {
            -1
        }
    }
}

/// How often each effect occurs, by its place in [`Effect::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects(pub [u8; 12]);

impl Effects {
    /// The effects of a legal jump on a board, predicted without making it.
    pub fn of_jump<B: Board>(board: &B, from: Cell, to: Cell) -> Effects {
        let ground = JumpGeometry::<LARGEST_WORDS>::new(board.shape());
        let stones = ground.stones(board);
        let predictor = Predictor::new(&ground, stones);
        let (start, landing) = (ground.index(from), ground.index(to));
        predictor.effects(&ground, start, landing, direction_of(from, to))
    }

    /// How often an effect occurs.
    pub fn count(&self, effect: Effect) -> u8 {
        self.0[effect as usize]
    }

    /// The order score: a point for each good occurrence, less a point for each bad one.
    pub fn score(&self) -> i32 {
        let points = |effect: Effect| effect.points() * i32::from(self.count(effect));
        Effect::ALL.into_iter().map(points).sum()
    }
}
