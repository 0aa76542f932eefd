use super::{Effect, Effects};
use crate::Direction;
use crate::jump_masks::{JumpGeometry, JumpMasks, each_direction};
use crate::rules::Bits;

/// What the effects of all moves of a position follow from: for each direction, by
/// [`Direction::index`], the cells of which something holds.
pub(crate) struct Predictor<const WORDS: usize> {
    pub hops: JumpMasks<WORDS>,
    /// The stones that can jump in this direction.
    jumping: [Bits<WORDS>; 4],
    /// The next cell is occupied.
    beside: [Bits<WORDS>; 4],
    /// The next cell is occupied by a stone that cannot jump at all.
    beside_stuck: [Bits<WORDS>; 4],
    /// The next cell is empty.
    open: [Bits<WORDS>; 4],
    /// The next two cells are occupied.
    backed: [Bits<WORDS>; 4],
    /// The next two cells are occupied, and the stone on the second cannot jump at all.
    backed_stuck: [Bits<WORDS>; 4],
    /// The stone on the next cell can jump this way, back over the cell.
    jumped_over: [Bits<WORDS>; 4],
    /// The same, and it can jump in no other direction.
    jumped_over_only: [Bits<WORDS>; 4],
    /// The stone on the second cell can jump this way, back on to the cell.
    landed_on: [Bits<WORDS>; 4],
    /// The same, and it can jump in no other direction.
    landed_on_only: [Bits<WORDS>; 4],
}

impl<const WORDS: usize> Predictor<WORDS> {
    #[inline]
    pub fn new(ground: &JumpGeometry<WORDS>, stones: Bits<WORDS>) -> Self {
        let hops = JumpMasks::of(ground, stones);
        let [east, north, west, south] = hops.launching;
        let jumping = [east & stones, north & stones, west & stones, south & stones];
        let [east, north, west, south] = jumping;
        let twice = (east & north) | (west & south) | ((east | north) & (west | south));
        let stuck = stones & !hops.movable;
        let empty = ground.empty(stones);
        let here = |direction: Direction| direction.index();
        let back = |direction: Direction| jumping[direction.opposite().index()];
        let looking = |set, direction, steps| ground.looking(set, direction, steps);
        let beside = each_direction(|to| looking(stones, to, 1));
        Predictor {
            hops,
            jumping,
            beside,
            beside_stuck: each_direction(|to| looking(stuck, to, 1)),
            open: each_direction(|to| looking(empty, to, 1)),
            backed: each_direction(|to| beside[here(to)] & looking(stones, to, 2)),
            backed_stuck: each_direction(|to| beside[here(to)] & looking(stuck, to, 2)),
            jumped_over: each_direction(|to| looking(back(to), to, 1)),
            jumped_over_only: each_direction(|to| looking(back(to) & !twice, to, 1)),
            landed_on: each_direction(|to| looking(back(to), to, 2)),
            landed_on_only: each_direction(|to| looking(back(to) & !twice, to, 2)),
        }
    }

    /// The effects of a legal jump of the position between two cells in a direction.
    pub fn effects(
        &self,
        ground: &JumpGeometry<WORDS>,
        from: usize,
        to: usize,
        direction: Direction,
    ) -> Effects {
        let mut effects = Effects::default();
        self.for_each_effect(ground, from, to, direction, |effect, count| {
            effects.0[effect as usize] += count;
        });
        effects
    }

    /// The order score of such a jump.
    #[inline]
    pub fn score(
        &self,
        ground: &JumpGeometry<WORDS>,
        from: usize,
        to: usize,
        direction: Direction,
    ) -> i32 {
        let mut score = 0;
        self.for_each_effect(ground, from, to, direction, |effect, count| {
            score += effect.points() * i32::from(count);
        });
        score
    }

    /// Calls `found` with effects of such a jump and how often they occur, several times with some.
    #[inline(always)]
    fn for_each_effect(
        &self,
        ground: &JumpGeometry<WORDS>,
        from: usize,
        to: usize,
        direction: Direction,
        mut found: impl FnMut(Effect, u8),
    ) {
        let along = direction.index();
        let back = direction.opposite().index();
        // The two directions across the jump.
        let (left, right) = ((along + 1) % 4, (along + 3) % 4);

        // In front of the start there is no own stone behind an opponent: the landing cell is empty.
        for side in [left, right, back] {
            found(Effect::OwnJumpEnabled, self.backed[side].bit(from));
            found(Effect::OwnStoneFreed, self.backed_stuck[side].bit(from));
        }
        for (side, other) in [(left, right), (right, left)] {
            let over = self.jumped_over[side].bit(from);
            found(Effect::ThreatEscaped, over);
            let only = self.jumped_over_only[side].bit(from);
            found(Effect::ThreatFrozen, only);
            let launching = self.hops.launching[side].bit(to);
            found(Effect::JumpGained, launching);
            // An opponent on one side of the landing cell needs the other side empty.
            let open = self.open[other].bit(to);
            found(Effect::ExposedToJump, self.beside[side].bit(to) & open);
            let stuck = self.beside_stuck[side].bit(to);
            found(Effect::ExposedStoneFreed, stuck & open);
        }
        // One in front of it has the cell of the last captured stone.
        found(Effect::ExposedToJump, self.beside[along].bit(to));
        found(Effect::ExposedStoneFreed, self.beside_stuck[along].bit(to));
        for side in [left, right, along] {
            found(Effect::OwnJumpBlocked, self.landed_on[side].bit(to));
            let only = self.landed_on_only[side].bit(to);
            found(Effect::BlockedStoneFrozen, only);
        }
        let mut captured = ground.stepped(from, direction, 1);
        loop {
            for jumping in &self.jumping {
                found(Effect::JumperCaptured, jumping.bit(captured));
            }
            for side in [left, right] {
                let over = self.jumped_over[side].bit(captured);
                found(Effect::OwnJumpLost, over);
                let only = self.jumped_over_only[side].bit(captured);
                found(Effect::LosingStoneFrozen, only);
            }
            let landing = ground.stepped(captured, direction, 1);
            if landing == to {
                return;
            }
            captured = ground.stepped(landing, direction, 1);
        }
    }
}
