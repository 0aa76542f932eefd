use crate::Board;
use game::Side;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One of the eighteen: what is counted, and how the two counts are compared. Read and written by a name
/// such as `movables-ratio`; the letter of the survey is read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heuristic {
    /// What is counted.
    pub count: Count,
    /// How the counts of both sides become one number.
    pub comparison: Comparison,
}

/// What a heuristic counts of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// The stones.
    Pieces,
    /// The moves that the side could choose from if it were its turn.
    Moves,
    /// The stones that could move.
    Movables,
}

/// How a heuristic compares the counts. More is better for the side whose value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `own`
    Own,
    /// `−opponent`: fewer are better.
    Opponent,
    /// `own − opponent`
    Difference,
    /// `own − 3 · opponent`
    WeightedDifference,
    /// `own ÷ opponent`, in thousandths, cut off to a whole number. Where the opponent has none, 1000 for
    /// each own one.
    Ratio,
    /// `own ÷ (3 · opponent)`, otherwise as the ratio.
    WeightedRatio,
}

impl Count {
    /// All three, in the order of the survey.
    pub const ALL: [Count; 3] = [Count::Pieces, Count::Moves, Count::Movables];

    /// The count for a side on a board.
    #[inline]
    pub fn on<B: Board>(self, board: &B, side: Side) -> u32 {
        match self {
            Count::Pieces => board.pieces(side),
            Count::Moves => board.moves(side),
            Count::Movables => board.movable(side),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Count::Pieces => "pieces",
            Count::Moves => "moves",
            Count::Movables => "movables",
        }
    }
}

impl Comparison {
    /// All six, in the order of the survey.
    pub const ALL: [Comparison; 6] = [
        Comparison::Own,
        Comparison::Opponent,
        Comparison::Difference,
        Comparison::WeightedDifference,
        Comparison::Ratio,
        Comparison::WeightedRatio,
    ];

    /// The comparison of two counts.
    #[inline]
    pub fn of(self, own: u32, opponent: u32) -> i32 {
        let (own, opponent) = (own as i32, opponent as i32);
        match self {
            Comparison::Own => own,
            Comparison::Opponent => -opponent,
            Comparison::Difference => own - opponent,
            Comparison::WeightedDifference => own - 3 * opponent,
            Comparison::Ratio | Comparison::WeightedRatio if opponent == 0 => 1000 * own,
            Comparison::Ratio => 1000 * own / opponent,
            Comparison::WeightedRatio => 1000 * own / (3 * opponent),
        }
    }

    /// The value of equal counts; 0 where it depends on the counts.
    pub const fn even(self) -> i32 {
        match self {
            Comparison::Ratio => 1000,
            Comparison::WeightedRatio => 333,
            _ => 0,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Comparison::Own => "own",
            Comparison::Opponent => "opponent",
            Comparison::Difference => "difference",
            Comparison::WeightedDifference => "difference-3",
            Comparison::Ratio => "ratio",
            Comparison::WeightedRatio => "ratio-3",
        }
    }
}

impl Heuristic {
    /// The evaluation of the players of the thesis: movable pieces, own ÷ opponent's.
    pub const Q: Heuristic = Heuristic {
        count: Count::Movables,
        comparison: Comparison::Ratio,
    };

    /// All eighteen, in the order of their letters.
    pub fn all() -> impl Iterator<Item = Heuristic> {
        Count::ALL.into_iter().flat_map(|count| {
            Comparison::ALL
                .into_iter()
                .map(move |comparison| Heuristic { count, comparison })
        })
    }

    /// Its letter in the survey, a to r.
    pub fn letter(self) -> char {
        let place = Heuristic::all().position(|other| other == self);
        char::from(b'a' + place.unwrap_or(0) as u8)
    }

    /// How good a board is for a side, whoever is to move: more is better.
    #[inline]
    pub fn value<B: Board>(self, board: &B, side: Side) -> i32 {
        let own = self.count.on(board, side);
        let opponent = self.count.on(board, !side);
        self.comparison.of(own, opponent)
    }
}

/// `movables-ratio`
impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.count.name(), self.comparison.name())
    }
}

/// A text that names no heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a heuristic is pieces, moves or movables, joined by a hyphen to own, opponent, difference, difference-3, ratio or ratio-3, or its letter from a to r"
)]
pub struct ParseHeuristicError;

impl FromStr for Heuristic {
    type Err = ParseHeuristicError;

    fn from_str(text: &str) -> Result<Heuristic, ParseHeuristicError> {
        let is_named = |heuristic: &Heuristic| {
            heuristic.to_string() == text || heuristic.letter().to_string() == text
        };
        Heuristic::all().find(is_named).ok_or(ParseHeuristicError)
    }
}
