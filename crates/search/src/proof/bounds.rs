//! What is certain of a value.

use game::{Outcome, Relative, Side};

/// What is certain of the value of a position: it lies between two outcomes. From White's point of view,
/// whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    least: Relative,
    most: Relative,
}

impl Bounds {
    /// Nothing is certain.
    pub const UNKNOWN: Bounds = Bounds {
        least: Relative::Loss,
        most: Relative::Win,
    };

    /// The value is this.
    #[inline]
    pub fn exact(outcome: Outcome) -> Bounds {
        let value = outcome.seen_by(Side::White);
        Bounds {
            least: value,
            most: value,
        }
    }

    /// A side will not win.
    #[inline]
    pub fn without_win_of(side: Side) -> Bounds {
        Bounds::between(Relative::Loss, Relative::Draw, side)
    }

    /// A side will not lose.
    #[inline]
    pub fn without_loss_of(side: Side) -> Bounds {
        Bounds::between(Relative::Draw, Relative::Win, side)
    }

    /// Between two values from the point of view of `side`.
    #[inline]
    fn between(least: Relative, most: Relative, side: Side) -> Bounds {
        match side {
            Side::White => Bounds { least, most },
            Side::Black => Bounds {
                least: most.flipped(),
                most: least.flipped(),
            },
        }
    }

    /// The least and the most that a side can hope for.
    #[inline]
    pub fn seen_by(self, side: Side) -> (Relative, Relative) {
        match side {
            Side::White => (self.least, self.most),
            Side::Black => (self.most.flipped(), self.least.flipped()),
        }
    }

    /// The value, if there is no doubt left.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        (self.least == self.most).then(|| self.least.for_side(Side::White))
    }

    /// Whether a side wins, if that is certain.
    #[inline]
    pub fn wins(self, side: Side) -> Option<bool> {
        match self.seen_by(side) {
            (Relative::Win, _) => Some(true),
            (_, Relative::Win) => None,
            _ => Some(false),
        }
    }

    /// What is certain if both are.
    #[inline]
    #[must_use]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds {
            least: self.least.max(other.least),
            most: self.most.min(other.most),
        }
    }

    /// What a side has that can choose between two moves.
    #[inline]
    #[must_use]
    pub fn or(self, other: Bounds, chooser: Side) -> Bounds {
        match chooser {
            Side::White => Bounds {
                least: self.least.max(other.least),
                most: self.most.max(other.most),
            },
            Side::Black => Bounds {
                least: self.least.min(other.least),
                most: self.most.min(other.most),
            },
        }
    }

    /// What remains certain for a side that has a move with these bounds and others of which nothing is
    /// known.
    #[inline]
    #[must_use]
    pub fn or_more(self, chooser: Side) -> Bounds {
        self.or(Bounds::UNKNOWN, chooser)
    }

    /// As it is if the question is only whether a side wins: of an end without a win of it, no more is
    /// known than that.
    #[inline]
    #[must_use]
    pub fn only_wins_of(self, side: Side) -> Bounds {
        match self.wins(side) {
            Some(true) => self,
            Some(false) => Bounds::without_win_of(side),
            None => Bounds::UNKNOWN,
        }
    }

    /// The bits of [`pack`](Bounds::pack).
    pub(crate) const BITS: u32 = 3;

    /// A bit for each value that is still possible, so that what is certain if both of two bounds are is
    /// the bitwise and.
    #[inline]
    pub(crate) fn pack(self) -> u8 {
        let up_to = (2 << self.most as u8) - 1;
        let below = (1 << self.least as u8) - 1;
        up_to & !below
    }

    /// The reverse of [`pack`](Bounds::pack).
    #[inline]
    pub(crate) fn unpack(packed: u8) -> Bounds {
        const VALUES: [Relative; 3] = [Relative::Loss, Relative::Draw, Relative::Win];
        let least = packed.trailing_zeros().min(2);
        let most = packed.checked_ilog2().unwrap_or(2).min(2);
        Bounds {
            least: VALUES[least as usize],
            most: VALUES[most as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTCOMES: [Outcome; 3] = [
        Outcome::Win(Side::White),
        Outcome::Draw,
        Outcome::Win(Side::Black),
    ];

    #[test]
    fn both_sides_see_the_same() {
        for outcome in OUTCOMES {
            let bounds = Bounds::exact(outcome);
            assert_eq!(bounds.outcome(), Some(outcome));
            for side in Side::BOTH {
                let seen = outcome.seen_by(side);
                assert_eq!(bounds.seen_by(side), (seen, seen));
                assert_eq!(bounds.wins(side), Some(outcome == Outcome::Win(side)));
            }
        }
        for side in Side::BOTH {
            assert_eq!(Bounds::without_win_of(side).wins(side), Some(false));
            assert_eq!(Bounds::without_win_of(side).wins(!side), None);
            assert_eq!(Bounds::without_loss_of(side).wins(!side), Some(false));
            assert_eq!(
                Bounds::without_win_of(side).and(Bounds::without_loss_of(side)),
                Bounds::exact(Outcome::Draw)
            );
        }
    }

    #[test]
    fn packed_bounds_are_sets_of_values() {
        let all = OUTCOMES.map(Bounds::exact).into_iter().chain([
            Bounds::UNKNOWN,
            Bounds::without_win_of(Side::White),
            Bounds::without_win_of(Side::Black),
        ]);
        let all: Vec<Bounds> = all.collect();
        for &one in &all {
            assert_eq!(Bounds::unpack(one.pack()), one);
            for &other in &all {
                let both = one.pack() & other.pack();
                if both != 0 {
                    assert_eq!(Bounds::unpack(both), one.and(other));
                }
            }
        }
    }

    #[test]
    fn a_side_that_chooses_takes_the_better() {
        let draw = Bounds::exact(Outcome::Draw);
        for side in Side::BOTH {
            let win = Bounds::exact(Outcome::Win(side));
            let loss = Bounds::exact(Outcome::Win(!side));
            assert_eq!(win.or(draw, side), win);
            assert_eq!(loss.or(draw, side), draw);
            assert_eq!(
                draw.or(Bounds::UNKNOWN, side),
                Bounds::without_loss_of(side)
            );
            assert_eq!(draw.or_more(side), Bounds::without_loss_of(side));
            assert_eq!(loss.or_more(side), Bounds::UNKNOWN);
            assert_eq!(draw.only_wins_of(side), Bounds::without_win_of(side));
            assert_eq!(loss.only_wins_of(side), Bounds::without_win_of(side));
            assert_eq!(win.only_wins_of(side), win);
        }
    }
}
