use super::{TEMPO, WEIGHTS};
use crate::Direction;
use crate::hops::{Ground, Hops};
use crate::rules::Bits;
use game::Side;

/// What the evaluation counts, each for both sides; see [`Features::counts`].
pub const FEATURES: usize = 9;

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
    /// 8. of those, stones that can jump.
    ///
    /// What may ever happen is what could if both sides moved whenever and as often as they liked, and
    /// stones stayed where they left: more than what can.
    pub counts: [[u32; FEATURES]; 2],
}

/// What both sides could do if the other never moved. Their stones stand on cells of different colours,
/// so that one set has room for both.
struct Alone<const WORDS: usize> {
    launching: Bits<WORDS>,
    jumped: Bits<WORDS>,
}

impl<const WORDS: usize> Alone<WORDS> {
    #[inline]
    fn of(ground: &Ground<WORDS>, stones: Bits<WORDS>) -> Self {
        let beside = Direction::ALL.map(|direction| ground.looking(stones, direction, 1));
        let (mut empty, mut occupied) = (ground.empty(stones), stones);
        loop {
            let (mut launching, mut jumped) = (Bits::EMPTY, Bits::EMPTY);
            let mut landing = Bits::EMPTY;
            for direction in Direction::ALL {
                let back = direction.opposite();
                let from =
                    occupied & beside[direction.index()] & ground.looking(empty, direction, 2);
                launching = launching | from;
                jumped = jumped | ground.looking(from, back, 1);
                landing = landing | ground.looking(from, back, 2);
            }
            let (more_empty, more_occupied) = (empty | launching, occupied | landing);
            if more_empty == empty && more_occupied == occupied {
                return Alone { launching, jumped };
            }
            (empty, occupied) = (more_empty, more_occupied);
        }
    }
}

impl Features {
    /// Counts.
    #[inline]
    pub(super) fn of<const WORDS: usize>(ground: &Ground<WORDS>, stones: Bits<WORDS>) -> Features {
        let hops = Hops::of(ground, stones);
        let jumping = hops.launching.map(|launching| launching & stones);
        let alone = Alone::of(ground, stones);
        let each = Direction::ALL;
        let attacked = each
            .map(|to| ground.looking(jumping[to.opposite().index()], to, 1))
            .into_iter()
            .fold(Bits::EMPTY, |all, one| all | one);
        let quiet = !attacked;
        let never_attacked = !alone.jumped;
        let mut counts = [[0; FEATURES]; 2];
        let (mut threatened, mut landings) = (Bits::EMPTY, Bits::EMPTY);
        let (mut safe, mut victims) = (Bits::EMPTY, Bits::EMPTY);
        for to in each {
            let here = jumping[to.index()];
            for side in Side::BOTH {
                let own = ground.colours[side.index()];
                counts[side.index()][1] += (here & own).count();
            }
            threatened = threatened | ground.looking(here, to.opposite(), 1);
            landings = landings | ground.looking(here, to.opposite(), 2);
            let safe_here = here & never_attacked & !ground.looking(alone.launching, to, 1);
            safe = safe | safe_here;
            victims = victims | ground.looking(safe_here, to.opposite(), 1);
        }
        for side in Side::BOTH {
            let own = ground.colours[side.index()];
            let opponents = ground.colours[(!side).index()];
            let counts = &mut counts[side.index()];
            counts[0] = (hops.movable & own).count();
            counts[2] = (hops.movable & own & quiet).count();
            counts[3] = (safe & own).count().min((victims & opponents).count());
            counts[4] = (threatened & opponents).count();
            counts[5] = (landings & own).count();
            counts[6] = (alone.jumped & opponents).count();
            counts[7] = (ground.edge & stones & own).count();
            counts[8] = (ground.edge & hops.movable & own).count();
        }
        Features {
            stones: stones.count(),
            cells: ground.shape.area() as u32,
            counts,
        }
    }

    /// What they are worth to the side to move, in hundredths of a logit.
    #[inline]
    pub fn value(&self, to_move: Side) -> i32 {
        let (own, opponent) = (
            &self.counts[to_move.index()],
            &self.counts[(!to_move).index()],
        );
        // In 256ths, 0 for the empty board.
        let fullness = (256 * self.stones / self.cells) as i32;
        let mut value = TEMPO.at(fullness);
        for (index, [of_mover, of_opponent]) in WEIGHTS.iter().enumerate() {
            value += own[index] as i32 * of_mover.at(fullness);
            value -= opponent[index] as i32 * of_opponent.at(fullness);
        }
        value / 256
    }
}
