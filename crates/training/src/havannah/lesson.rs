//! What is to be learned of a position of Havannah.

use havannah::Position;
use havannah::knowledge::network::{PLANES, planes};

/// What a full search looked at: places of cells, in the order of the board's cells, with their visits.
pub type Visits = Vec<(u16, u32)>;

/// What is to be learned of a position.
pub struct Lesson {
    /// What the network is given of each cell.
    pub planes: Vec<[i16; PLANES]>,
    /// What the side to move scored, from 0 to 1.
    pub score: f32,
    /// What a search chose, if there was one.
    pub choice: Option<Choice>,
}

/// What a search chose.
pub struct Choice {
    /// The share of the visits that cells got, by their places in the order of the board's cells.
    pub shares: Vec<(usize, f32)>,
    /// The places of the empty cells.
    pub empty: Vec<usize>,
}

impl Lesson {
    /// Of a position that a search has looked at so, and of the score of the side to move.
    pub fn new(position: &Position, visits: &Visits, score: f32) -> Lesson {
        let all: f32 = visits.iter().map(|&(_, visits)| visits as f32).sum();
        let share = |&(place, visits): &(u16, u32)| (usize::from(place), visits as f32 / all);
        let choice = (all > 0.0).then(|| {
            let cells = position.geometry().cells().iter().enumerate();
            let empty = cells.filter(|&(_, &cell)| position.board().is_empty(cell));
            Choice {
                shares: visits.iter().map(share).collect(),
                empty: empty.map(|(place, _)| place).collect(),
            }
        });
        Lesson {
            planes: planes(position),
            score,
            choice,
        }
    }
}
