use super::jumps::{Jumps, union};
use super::weights::Weights;
use crate::jump_masks::{JumpGeometry, each_direction};
use crate::rules::Bits;
use game::Side;

/// What the evaluation counts, each for both sides; see [`Features::counts`].
pub const FEATURES: usize = 13;

/// What the evaluation counts in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The stones of both sides.
    pub stones: u32,
    /// The cells of the board.
    pub cells: u32,
    /// By [`Side::index`]:
    ///
    /// 0. stones that can jump;
    /// 1. directions in which stones can jump;
    /// 2. stones that can jump and that no opponent can capture now;
    /// 3. *safe moves*: stones that can jump, that no opponent will ever be able to capture, over stones
    ///    that will never be able to move; of those that share a victim one counts;
    /// 4. stones that can be captured by the next jump of the side;
    /// 5. cells on which it can land;
    /// 6. stones that it could capture one after the other if the opponent never moved, or more;
    /// 7. stones at the edge of the board, which can be jumped over along it only;
    /// 8. of those, stones that can jump;
    /// 9. cells from which the side could ever jump if the opponent never moved;
    /// 10. stones that can jump and that no opponent will ever be able to capture;
    /// 11. stones that no opponent will ever be able to capture;
    /// 12. directions in which stones can jump more than once.
    ///
    /// What may ever happen is what could if both sides moved whenever and as often as they liked, and
    /// stones stayed where they left: more than what can.
    pub counts: [[u32; FEATURES]; 2],
}

impl Features {
    /// Counts.
    #[inline(always)]
    pub(super) fn of<const WORDS: usize>(
        ground: &JumpGeometry<WORDS>,
        stones: Bits<WORDS>,
        jumps: &Jumps<WORDS>,
    ) -> Features {
        let Jumps {
            jumping,
            again,
            movable,
            threatened,
            landings,
            alone,
        } = *jumps;
        let never_captured = !alone.jumped;
        let safe = each_direction(
            #[inline(always)]
            |to| jumping[to.index()] & never_captured & !ground.looking(alone.launching, to, 1),
        );
        let victims = union(
            #[inline(always)]
            |to| ground.ahead(safe[to.index()], to, 1),
        );
        let safe = safe[0] | safe[1] | safe[2] | safe[3];
        let mut counts = [[0; FEATURES]; 2];
        for side in Side::BOTH {
            let own = ground.colours[side.index()];
            let opponents = ground.colours[(!side).index()];
            let in_directions = |sets: &[Bits<WORDS>; 4]| {
                let [east, north, west, south] = *sets;
                (east & own).count()
                    + (north & own).count()
                    + (west & own).count()
                    + (south & own).count()
            };
            counts[side.index()] = [
                (movable & own).count(),
                in_directions(&jumping),
                (movable & own & !threatened).count(),
                (safe & own).count().min((victims & opponents).count()),
                (threatened & opponents).count(),
                (landings & own).count(),
                (alone.jumped & opponents).count(),
                (ground.edge & stones & own).count(),
                (ground.edge & movable & own).count(),
                (alone.launching & own).count(),
                (movable & never_captured & own).count(),
                (stones & never_captured & own).count(),
                in_directions(&again),
            ];
        }
        Features {
            stones: stones.count(),
            cells: ground.shape.area() as u32,
            counts,
        }
    }
}

/// How full a board is, in 256ths.
#[inline(always)]
pub(super) fn fullness(stones: u32, cells: u32) -> i32 {
    (256 * stones / cells) as i32
}

/// What each count is worth, for every number of stones.
#[derive(Debug)]
pub(super) struct Worth(Box<[([[i32; FEATURES]; 2], i32)]>);

impl Worth {
    /// For boards with so many cells.
    pub fn new(cells: usize, weights: &Weights) -> Worth {
        let (of_features, tempo) = (weights.of_features(), weights.tempo());
        let with = |stones: usize| {
            let fullness = fullness(stones as u32, cells as u32);
            let of = [0, 1].map(|side| of_features.map(|weights| weights[side].at(fullness)));
            (of, tempo.at(fullness))
        };
        Worth((0..=cells).map(with).collect())
    }

    /// What the counts are worth to the side to move, in hundredths of a logit.
    #[inline(always)]
    pub fn of(&self, features: &Features, to_move: Side) -> i32 {
        let Worth(worth) = self;
        let ([of_mover, of_opponent], tempo) = &worth[features.stones as usize];
        let own = &features.counts[to_move.index()];
        let opponent = &features.counts[(!to_move).index()];
        let mut value = *tempo;
        for index in 0..FEATURES {
            value += own[index] as i32 * of_mover[index];
            value -= opponent[index] as i32 * of_opponent[index];
        }
        value / 256
    }
}
