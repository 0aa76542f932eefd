//! What is to be learned of a position of Havannah.

use super::Visits;
use havannah::Position;
use havannah::knowledge::network::{PLANES, planes};

/// What is to be learned of a position.
pub(crate) struct Lesson {
    pub planes: Vec<[i16; PLANES]>,
    /// What the side to move scored, from 0 to 1.
    pub score: f32,
    pub choice: Option<Choice>,
}

/// What a search chose.
pub(crate) struct Choice {
    /// The share of the visits that cells got, by their places in the order of the board's cells.
    pub shares: Vec<(usize, f32)>,
    /// The places of the empty cells.
    pub empty: Vec<usize>,
}

/// Of a position that a search has looked at so, and of the score of the side to move.
pub(super) fn lesson(position: &Position, visits: &Visits, score: f32) -> Lesson {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Havannah, start};
    use crate::plan::Written;
    use crate::record::End;
    use crate::record::tests::random_game;
    use crate::train::{Sample, samples};

    fn lesson_of(sample: &Sample<Havannah>) -> Lesson {
        let text = include_str!("../../../../../learning/tiny.toml");
        let plan = Written::read(text).expect("a plan").plan;
        let start = start::<Havannah>(4).expect("a board");
        let board = <Havannah as crate::games::Subject>::board(&start);
        sample.lesson(&plan, &start, &board)
    }

    #[test]
    fn random_moves_are_not_learned() {
        let record = random_game(4, 3);
        let plies = record.moves.len();
        let found: Vec<Sample<Havannah>> = samples(record, 1, 7).collect();
        assert_eq!(found.first().map(|sample| sample.plies), Some(2));
        assert_eq!(found.last().map(|sample| sample.plies), Some(plies - 1));
        for sample in &found {
            let lesson = lesson_of(sample);
            let visits = &sample.record.searched[sample.plies];
            assert_eq!(lesson.choice.is_some(), !visits.is_empty());
            if let Some(Choice { shares, empty }) = lesson.choice {
                assert_eq!(empty.len(), 37 - sample.plies);
                let sum: f32 = shares.iter().map(|&(_, share)| share).sum();
                assert!((sum - 1.0).abs() < 1e-6);
            }
            let mover = [sample.record.points, 2 - sample.record.points][sample.plies % 2];
            assert!((lesson.score - f32::from(mover) / 2.0).abs() < 1e-6);
        }
    }

    /// The winner proves the end: it is a lesson in which the winning moves are chosen.
    #[test]
    fn a_proven_end_is_a_lesson() {
        let mut record = random_game(4, 3);
        let winning = record.moves.pop().expect("a move");
        record.searched.truncate(record.moves.len());
        record.searched.push(vec![(winning, 1)]);
        record.end = End::Proven;
        let plies = record.moves.len();
        let last = samples(record, 1, 7).last().expect("a position");
        assert_eq!(last.plies, plies);
        let choice = lesson_of(&last).choice.expect("a choice");
        assert_eq!(choice.shares, [(usize::from(winning), 1.0)]);
    }
}
