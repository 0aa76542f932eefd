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
pub const TEMPO: Weight = weight(4, 1);

/// What one more of each of [`Features::counts`](super::Features::counts) is worth to the side to move,
/// and to its opponent.
pub const WEIGHTS: [[Weight; 2]; FEATURES] = [
    [weight(24, -10), weight(17, -7)],
    [weight(-9, -14), weight(-2, -14)],
    [weight(7, -13), weight(19, -27)],
    [weight(20, -35), weight(39, -73)],
    [weight(14, 1), weight(16, 1)],
    [weight(52, -11), weight(39, -3)],
    [weight(22, 11), weight(24, 8)],
    [weight(7, 2), weight(11, 4)],
    [weight(51, -8), weight(42, -4)],
    [weight(10, -15), weight(9, -14)],
    [weight(-1, -39), weight(16, -66)],
    [weight(28, -52), weight(35, -57)],
    [weight(39, -52), weight(31, -41)],
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
