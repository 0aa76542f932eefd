//! Positions and moves as the search of `papamu` sees them: the stones, and numbers for moves.

use crate::jump_masks::{JumpGeometry, JumpMasks};
use crate::rules::Bits;
use crate::{BitBoard, Cell, Direction, Move, PositionOn, Stage};
use game::random::mix;
use game::{Game, Side};

/// All that decides how a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<const WORDS: usize> {
    pub(super) stones: Bits<WORDS>,
    pub(super) to_move: Side,
    pub(super) stage: Phase,
}

/// A [`Stage`] without the gap beside which White removes a stone, for there is no other then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Jumping,
    WhiteRemoves,
    BlackRemoves,
    BlackRemovesAny,
}

impl<const WORDS: usize> State<WORDS> {
    pub(super) fn of(position: &PositionOn<BitBoard<WORDS>>) -> Self {
        State {
            stones: position.board().occupied(),
            to_move: position.to_move(),
            stage: match position.stage() {
                Stage::Jumping => Phase::Jumping,
                Stage::WhiteRemoves { .. } => Phase::WhiteRemoves,
                Stage::BlackRemoves { anywhere: false } => Phase::BlackRemoves,
                Stage::BlackRemoves { anywhere: true } => Phase::BlackRemovesAny,
            },
        }
    }

    #[inline]
    pub(super) fn hash(&self) -> u64 {
        let seed = (self.stage as u64) << 1 | self.to_move as u64;
        let words = self.stones.words();
        words
            .iter()
            .fold(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), |hash, &word| {
                mix(hash ^ word)
            })
    }

    /// Calls `visit` with every move and the position after it.
    #[inline]
    pub(super) fn for_each_move(
        &self,
        ground: &JumpGeometry<WORDS>,
        mut visit: impl FnMut(Hop, State<WORDS>),
    ) {
        let own = self.stones & ground.colours[self.to_move.index()];
        let after = |stones| State {
            stones,
            to_move: !self.to_move,
            stage: Phase::Jumping,
        };
        if self.stage != Phase::Jumping {
            return self.for_each_removal(ground, own, visit);
        }
        let hops = JumpMasks::of(ground, self.stones);
        for direction in Direction::ALL {
            let launching = hops.launching[direction.index()];
            (launching & own).for_each(|from| {
                let mut stones = self.stones;
                stones.toggle(from);
                let mut at = from;
                for number in 0.. {
                    stones.toggle(ground.stepped(at, direction, 1));
                    at = ground.stepped(at, direction, 2);
                    let mut landed = stones;
                    landed.toggle(at);
                    visit(Hop::new(from, direction, number), after(landed));
                    if !launching.has(at) {
                        break;
                    }
                }
            });
        }
    }

    /// Whether the side to move has no move.
    #[cold]
    pub(super) fn has_ended(&self, ground: &JumpGeometry<WORDS>) -> bool {
        let mut has_move = false;
        self.for_each_move(ground, |_, _| has_move = true);
        !has_move
    }

    #[cold]
    fn for_each_removal(
        &self,
        ground: &JumpGeometry<WORDS>,
        own: Bits<WORDS>,
        mut visit: impl FnMut(Hop, State<WORDS>),
    ) {
        let shape = ground.shape;
        let mut gap = None;
        ground
            .empty(self.stones)
            .for_each(|cell| gap = Some(ground.cell(cell)));
        own.for_each(|number| {
            let cell = ground.cell(number);
            let (may, stage) = match self.stage {
                Phase::Jumping => (false, Phase::Jumping),
                Phase::WhiteRemoves => {
                    let is_beside = gap.is_some_and(|gap: Cell| gap.is_beside(cell));
                    (is_beside, Phase::Jumping)
                }
                Phase::BlackRemoves => {
                    let may = shape.is_corner(cell) || shape.is_centre(cell);
                    (may, Phase::WhiteRemoves)
                }
                Phase::BlackRemovesAny => (true, Phase::WhiteRemoves),
            };
            if may {
                let mut stones = self.stones;
                stones.toggle(number);
                let after = State {
                    stones,
                    to_move: !self.to_move,
                    stage,
                };
                visit(Hop::removal(number), after);
            }
        });
    }
}

/// A move: from the highest bits, the number of the cell that the stone leaves, the direction, and how many
/// stones it captures, less one, which is 15 for a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop(u16);

impl Hop {
    /// More than any jump captures.
    const REMOVES: u16 = 15;

    #[inline]
    fn new(from: usize, direction: Direction, number: u16) -> Hop {
        Hop((from as u16) << 6 | (direction.index() as u16) << 4 | number)
    }

    fn removal(cell: usize) -> Hop {
        Hop((cell as u16) << 6 | Self::REMOVES)
    }

    /// The cell that the stone leaves, and 8 times as many more: the direction, and whether it captures more
    /// than one stone.
    #[inline]
    pub(super) fn slot(self) -> usize {
        let Hop(bits) = self;
        usize::from((bits >> 4) << 1 | u16::from(bits & 15 != 0))
    }

    pub(super) fn as_move<const WORDS: usize>(self, ground: &JumpGeometry<WORDS>) -> Move {
        let Hop(bits) = self;
        let from = usize::from(bits >> 6);
        let cell = ground.cell(from);
        if bits & 15 == Self::REMOVES {
            return Move::Remove(cell);
        }
        let direction = Direction::ALL[usize::from(bits >> 4 & 3)];
        let steps = 2 + 2 * usize::from(bits & 15);
        Move::Jump {
            from: cell,
            to: ground.cell(ground.stepped(from, direction, steps)),
        }
    }
}
