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
pub const TEMPO: Weight = weight(3, 2);

/// What one more of each of [`Features::counts`](super::Features::counts) is worth to the side to move,
/// and to its opponent.
pub const WEIGHTS: [[Weight; 2]; FEATURES] = [
    [weight(16, -11), weight(10, -8)],
    [weight(-3, -17), weight(0, -11)],
    [weight(0, -10), weight(12, -20)],
    [weight(17, -39), weight(36, -73)],
    [weight(17, 1), weight(15, 2)],
    [weight(45, -2), weight(32, 6)],
    [weight(18, 10), weight(20, 9)],
    [weight(6, 8), weight(7, 8)],
    [weight(33, -2), weight(31, -2)],
    [weight(8, -14), weight(6, -13)],
    [weight(9, -38), weight(22, -61)],
    [weight(16, -21), weight(23, -26)],
    [weight(18, -19), weight(14, -13)],
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
