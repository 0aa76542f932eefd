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
pub const TEMPO: Weight = weight(-112, -9);

/// What one more of each of [`Features::counts`](super::Features::counts) is worth to the side to move,
/// and to its opponent.
pub const WEIGHTS: [[Weight; 2]; FEATURES] = [
    [weight(61, -94), weight(16, -23)],
    [weight(-73, 112), weight(-13, 26)],
    [weight(16, -8), weight(21, -13)],
    [weight(-54, 86), weight(-6, 12)],
    [weight(-7, 4), weight(-15, 29)],
    [weight(58, -139), weight(41, -126)],
    [weight(17, -37), weight(26, -50)],
    [weight(56, -78), weight(47, -62)],
    [weight(121, -143), weight(76, -83)],
    [weight(24, 30), weight(22, 25)],
    [weight(32, -52), weight(20, -36)],
    [weight(23, -30), weight(23, -31)],
    [weight(32, -23), weight(33, -27)],
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
