//! What stones can do on a board, as sets of cells: with their next jump, and ever.

use crate::Direction;
use crate::jump_masks::{JumpGeometry, JumpMasks, each_direction};
use crate::rules::Bits;

/// The jumps of both sides; their stones stand on cells of different colours, so that one set has room for both.
#[derive(Clone, Copy)]
pub(super) struct Jumps<const WORDS: usize> {
    /// For each direction, by [`Direction::index`], the stones that can jump.
    pub jumping: [Bits<WORDS>; 4],
    /// Those of them that can jump more than once.
    pub again: [Bits<WORDS>; 4],
    /// The stones that can jump.
    pub movable: Bits<WORDS>,
    /// The stones that the next jump can capture, as the first or only one.
    pub threatened: Bits<WORDS>,
    /// The cells where a single jump lands.
    pub landings: Bits<WORDS>,
    pub alone: Alone<WORDS>,
}

impl<const WORDS: usize> Jumps<WORDS> {
    #[inline(always)]
    pub fn of(ground: &JumpGeometry<WORDS>, stones: Bits<WORDS>) -> Self {
        let JumpMasks { launching, movable } = JumpMasks::of(ground, stones);
        let [east, north, west, south] = launching;
        let jumping = [east & stones, north & stones, west & stones, south & stones];
        Jumps {
            jumping,
            again: each_direction(
                #[inline(always)]
                |to| ground.looking(launching[to.index()], to, 2) & jumping[to.index()],
            ),
            movable,
            threatened: union(
                #[inline(always)]
                |to| ground.ahead(jumping[to.index()], to, 1),
            ),
            landings: union(
                #[inline(always)]
                |to| ground.ahead(jumping[to.index()], to, 2),
            ),
            alone: Alone::of(ground, stones),
        }
    }
}

/// What both sides could do if the other never moved. Their stones stand on cells of different colours,
/// so that one set has room for both.
#[derive(Clone, Copy)]
pub(super) struct Alone<const WORDS: usize> {
    /// The cells from which a stone could ever jump.
    pub launching: Bits<WORDS>,
    /// The cells that could ever be jumped over.
    pub jumped: Bits<WORDS>,
}

impl<const WORDS: usize> Alone<WORDS> {
    #[inline(always)]
    fn of(ground: &JumpGeometry<WORDS>, stones: Bits<WORDS>) -> Self {
        // Where there is room for a jump over a stone.
        let beside = each_direction(
            #[inline(always)]
            |to| ground.looking(stones, to, 1) & ground.room_for_jump(to),
        );
        let (mut empty, mut occupied) = (ground.empty(stones), stones);
        loop {
            let jumps = each_direction(
                #[inline(always)]
                |to| occupied & beside[to.index()] & ground.ahead(empty, to.opposite(), 2),
            );
            let [east, north, west, south] = jumps;
            let launching = east | north | west | south;
            let landing = union(
                #[inline(always)]
                |to| ground.ahead(jumps[to.index()], to, 2),
            );
            let (more_empty, more_occupied) = (empty | launching, occupied | landing);
            if more_empty == empty && more_occupied == occupied {
                let jumped = union(
                    #[inline(always)]
                    |to| ground.ahead(jumps[to.index()], to, 1),
                );
                return Alone { launching, jumped };
            }
            (empty, occupied) = (more_empty, more_occupied);
        }
    }
}

/// All that there is in any direction.
#[inline(always)]
pub(super) fn union<const WORDS: usize>(of: impl Fn(Direction) -> Bits<WORDS>) -> Bits<WORDS> {
    let [east, north, west, south] = each_direction(of);
    east | north | west | south
}
