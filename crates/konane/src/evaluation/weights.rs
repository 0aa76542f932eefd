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
pub const TEMPO: Weight = weight(-78, 79);

/// What one more of each of [`Features::counts`](super::Features::counts) is worth.
pub const WEIGHTS: [Weight; FEATURES] = [
    weight(58, -75),
    weight(-54, 68),
    weight(21, -21),
    weight(-26, 33),
    weight(-25, 39),
    weight(54, -102),
    weight(-10, -2),
    weight(78, -91),
    weight(108, -116),
    weight(24, 19),
    weight(27, -46),
];

const fn weight(empty: i32, full: i32) -> Weight {
    Weight { empty, full }
}
