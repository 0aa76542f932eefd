use crate::Side;
use std::fmt;

/// How a game ended, from nobody's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[inline]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// The same result as `side` sees it.
    #[inline]
    pub fn seen_by(self, side: Side) -> Relative {
        match self {
            Outcome::Win(winner) if winner == side => Relative::Win,
            Outcome::Win(_) => Relative::Loss,
            Outcome::Draw => Relative::Draw,
        }
    }
}

/// `white`, `black` or `draw`, as in the program's JSON.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(side) => side.fmt(f),
            Outcome::Draw => f.pad("draw"),
        }
    }
}

/// An outcome from one side's point of view; which side is said where the value is made. The order is
/// that of preference: a loss is less than a draw, a draw less than a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relative {
    /// The side lost.
    Loss,
    /// Nobody won.
    Draw,
    /// The side won.
    Win,
}

impl Relative {
    /// The same result as the opponent sees it.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Relative {
        match self {
            Relative::Loss => Relative::Win,
            Relative::Draw => Relative::Draw,
            Relative::Win => Relative::Loss,
        }
    }

    /// Back to nobody's point of view, when `side` is the one whose view this is.
    #[inline]
    pub fn for_side(self, side: Side) -> Outcome {
        match self {
            Relative::Loss => Outcome::Win(!side),
            Relative::Draw => Outcome::Draw,
            Relative::Win => Outcome::Win(side),
        }
    }

    /// 1 for a win, ½ for a draw, 0 for a loss.
    #[inline]
    pub const fn score(self) -> Score {
        match self {
            Relative::Loss => Score::LOSS,
            Relative::Draw => Score::DRAW,
            Relative::Win => Score::WIN,
        }
    }
}

/// `win`, `draw` or `loss`.
impl fmt::Display for Relative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Relative::Loss => "loss",
            Relative::Draw => "draw",
            Relative::Win => "win",
        })
    }
}

/// An expected score between 0 (loss) and 1 (win), from one side's point of view; which side is said
/// where the value is made.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Score(pub f64);

impl Score {
    /// A certain win.
    pub const WIN: Score = Score(1.0);
    /// A draw, or an even chance.
    pub const DRAW: Score = Score(0.5);
    /// A certain loss.
    pub const LOSS: Score = Score(0.0);

    /// The same score as the opponent sees it.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Score {
        Score(1.0 - self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_view_round_trip() {
        for outcome in [
            Outcome::Win(Side::White),
            Outcome::Win(Side::Black),
            Outcome::Draw,
        ] {
            for side in Side::BOTH {
                let seen = outcome.seen_by(side);
                assert_eq!(seen.for_side(side), outcome);
                assert_eq!(seen.flipped(), outcome.seen_by(!side));
                assert_eq!(seen.score().flipped(), outcome.seen_by(!side).score());
            }
        }
    }

    #[test]
    fn a_win_is_preferred_to_a_draw_and_a_draw_to_a_loss() {
        assert!(Relative::Loss < Relative::Draw && Relative::Draw < Relative::Win);
    }
}
