//! Positions to learn from.

use crate::record::{End, Record};
use game::Game;
use havannah::knowledge::network::{PLANES, planes};
use std::fmt;
use std::sync::Arc;

/// A position of a game.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub record: Arc<Record>,
    pub generation: u32,
    pub number: u32,
    /// The moves that lead to the position.
    pub plies: usize,
}

/// What is to be learned of a position.
pub(super) struct Lesson {
    pub planes: Vec<[i16; PLANES]>,
    /// What the side to move scored, from 0 to 1.
    pub score: f32,
    pub choice: Option<Choice>,
}

/// What a search chose.
pub(super) struct Choice {
    /// The share of the visits that cells got, by their places in the order of the board's cells.
    pub shares: Vec<(usize, f32)>,
    /// The places of the empty cells.
    pub empty: Vec<usize>,
}

/// The positions of a game, the random ones at its beginning left out. That at its end is one where a search has proven
/// its value: the moves that win are what is to be chosen.
pub(crate) fn samples(
    record: Record,
    generation: u32,
    number: u32,
) -> impl Iterator<Item = Sample> {
    let last = record.moves.len() - usize::from(record.end != End::Proven);
    let plies = usize::from(record.random)..=last;
    let record = Arc::new(record);
    plies.map(move |plies| Sample {
        record: Arc::clone(&record),
        generation,
        number,
        plies,
    })
}

impl Sample {
    pub(super) fn lesson(&self) -> Lesson {
        let position = self.record.after(self.plies);
        let visits = &self.record.visits[self.plies];
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
            planes: planes(&position),
            score: self.record.score(position.to_move()),
            choice,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "generation {}, game {}, after {} moves, on size {}",
            self.generation,
            self.number,
            self.plies,
            self.record.shape.size()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::random_game;

    #[test]
    fn random_moves_are_not_learned() {
        let record = random_game(4, 3);
        let plies = record.moves.len();
        let found: Vec<Sample> = samples(record, 1, 7).collect();
        assert_eq!(found.first().map(|sample| sample.plies), Some(2));
        assert_eq!(found.last().map(|sample| sample.plies), Some(plies - 1));
        for sample in &found {
            let lesson = sample.lesson();
            let visits = &sample.record.visits[sample.plies];
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
        record.visits.truncate(record.moves.len());
        record.visits.push(vec![(winning, 1)]);
        record.end = End::Proven;
        let plies = record.moves.len();
        let last = samples(record, 1, 7).last().expect("a position");
        assert_eq!(last.plies, plies);
        let choice = last.lesson().choice.expect("a choice");
        assert_eq!(choice.shares, [(usize::from(winning), 1.0)]);
    }
}
