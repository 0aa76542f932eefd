use super::FEATURES;

/// What one more is worth: `empty + full · stones ÷ cells`, in hundredths of a logit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// On a board that has become empty.
    pub empty: i32,
    /// What the stones of a full board add to that.
    pub full: i32,
}

/// What it is worth to be the one to move.
pub const TEMPO: Weight = weight(-7, -3);

/// What one more of each of [`Features::counts`](super::Features::counts) is worth to the side to move,
/// and to its opponent.
pub const WEIGHTS: [[Weight; 2]; FEATURES] = [
    [weight(10, -12), weight(6, -12)],
    [weight(0, -18), weight(4, -12)],
    [weight(3, -17), weight(10, -17)],
    [weight(22, -60), weight(39, -81)],
    [weight(17, -2), weight(17, -2)],
    [weight(38, 5), weight(31, 4)],
    [weight(24, 7), weight(22, 6)],
    [weight(10, 7), weight(12, 9)],
    [weight(28, 4), weight(28, -1)],
];

impl Weight {
    /// 256 times the weight at a fullness in 256ths.
    #[inline]
    pub(super) const fn at(self, fullness: i32) -> i32 {
        256 * self.empty + self.full * fullness
    }
}

const fn weight(empty: i32, full: i32) -> Weight {
    Weight { empty, full }
}
