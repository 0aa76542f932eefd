//! Havannah: the choices of searches and the results of games, by a convolutional network.

mod played;

use super::{MoveOf, Subject, network_file};
use crate::games;
use crate::plan::{Plan, SelfPlay, Start};
use crate::record::{Reader, Record, Writer};
use crate::self_play::Network;
use engine::Setting;
use engine::weights::{Origin, WeightsError};
use game::Relative;
use game::random::Rng;
use havannah::knowledge::network::{Layout, Shipped, Weights, from_bytes, to_bytes};
use havannah::{Move, Position};
use search::Report;
use std::path::Path;
use training::Loss;
use training::havannah::{Lesson, Model, Near, Visits, neighbours};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Havannah;

impl Subject for Havannah {
    type Position = Position;
    type Searched = Visits;
    type Board = [Near; 12];
    type Lesson = Lesson;
    type Model = Model;

    const PARTS: usize = 16;
    const SYMMETRIES: u32 = 12;

    fn check(plan: &Plan) -> Option<&'static str> {
        (plan.training.searched > 0.0)
            .then_some("training: searched is for games whose searches are values, not visits")
    }

    fn settings(network: &Network, weights: &Path) -> Vec<Setting> {
        let setting = |name: &str, value: String| Setting {
            name: name.to_owned(),
            value,
        };
        match network {
            Network::Absent => vec![setting("know-network", "0".to_owned())],
            Network::Shipped => Vec::new(),
            Network::Learned(hash) => vec![setting("network", network_file(weights, hash))],
        }
    }

    fn is_wide(start: &Position) -> bool {
        start.geometry().cells().len() > 256
    }

    fn number(position: &Position, mv: Move) -> Option<u16> {
        match mv {
            Move::Place(cell) => {
                let place = position.geometry().cells().binary_search(&cell);
                place.ok().map(|place| place as u16)
            }
            Move::Swap => None,
        }
    }

    fn numbered(position: &Position, number: u16) -> Option<Move> {
        let cell = position.geometry().cells().get(usize::from(number))?;
        Some(Move::Place(*cell))
    }

    fn searched(position: &Position, report: &Report<MoveOf<Self>>, rules: &SelfPlay) -> Visits {
        let open = report.moves.iter().filter(|stats| stats.proven.is_none());
        let visited = open.filter(|stats| stats.visits > u64::from(rules.tried));
        let visits = visited.filter_map(|stats| {
            let place = Self::number(position, stats.mv)?;
            Some((place, (stats.visits - u64::from(rules.tried)) as u32))
        });
        visits.collect()
    }

    fn proven(position: &Position, report: &Report<MoveOf<Self>>) -> Visits {
        let is_winning = |proven: Option<Relative>| proven == Some(Relative::Win);
        let winning = report.moves.iter().filter(|stats| is_winning(stats.proven));
        let winning = winning.filter_map(|stats| Self::number(position, stats.mv));
        winning.map(|place| (place, 1)).collect()
    }

    fn write(visits: &Visits, to: &mut Writer) {
        to.number(visits.len() as u32);
        for &(place, visits) in visits {
            to.place(place);
            to.number(visits);
        }
    }

    fn read(position: &Position, from: &mut Reader<'_>) -> Option<Visits> {
        let mut visits = Visits::new();
        for _ in 0..from.number()? {
            let place = from.place()?;
            let cell = position.geometry().cells().get(usize::from(place))?;
            if !position.board().is_empty(*cell) {
                return None;
            }
            visits.push((place, from.number()?));
        }
        Some(visits)
    }

    fn of_record(game: &record::Record<Position>) -> Option<Record<Havannah>> {
        played::record(game)
    }

    fn board(start: &Position) -> [Near; 12] {
        neighbours(start.geometry().shape())
    }

    fn lesson(
        _: &Plan,
        position: &Position,
        visits: &Visits,
        score: f32,
        _: &Self::Board,
    ) -> Lesson {
        Lesson::new(position, visits, score)
    }

    fn numbers(plan: &Plan) -> usize {
        layout(plan).weights()
    }

    fn random(plan: &Plan, rng: &mut Rng) -> Vec<f32> {
        Model::random(layout(plan), rng).weights().to_vec()
    }

    fn shipped(plan: &Plan) -> Vec<f32> {
        shipped(plan).numbers()
    }

    fn shipped_sha256(plan: &Plan) -> &'static str {
        shipped(plan).sha256()
    }

    fn from_file(bytes: &[u8]) -> Result<Vec<f32>, WeightsError> {
        from_bytes(bytes).map(|(weights, _)| weights)
    }

    fn enlarged(plan: &Plan, weights: Vec<f32>) -> Option<Vec<f32>> {
        layout(plan).deepened(&weights)
    }

    fn file(origin: &Origin, learned: &[f32]) -> Option<Vec<u8>> {
        Weights::new(learned).and_then(|_| to_bytes(origin, learned))
    }
}

/// The weights that the program brings for the largest of the boards of a plan.
fn shipped(plan: &Plan) -> Shipped {
    let largest = plan.sizes.iter().max();
    Shipped::for_size(largest.map_or(0, |&size| size as usize))
}

/// The network that a plan learns, whose layers were checked when it was read.
fn layout(plan: &Plan) -> Layout {
    const BY_DEFAULT: u32 = 4;
    let layout = match (plan.network, &plan.start) {
        (Some(network), _) => Layout::new(network.layers as usize),
        (None, Start::Shipped) => Layout::of(shipped(plan).numbers().len()),
        (None, _) => Layout::new(BY_DEFAULT as usize),
    };
    layout.expect("a network that there is")
}

impl games::Model<Havannah> for Model {
    fn new(plan: &Plan, weights: Vec<f32>) -> Model {
        Model::new(layout(plan), weights)
    }

    fn set(&mut self, weights: &[f32]) {
        self.set(weights);
    }

    fn test(&self, lesson: &Lesson, board: &[Near; 12]) -> Loss {
        self.test(lesson, &board[0])
    }

    fn learn(
        &self,
        lesson: &Lesson,
        board: &[Near; 12],
        symmetry: usize,
        gradient: &mut [f32],
    ) -> Loss {
        self.learn(lesson, &board[symmetry], gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::start;
    use crate::plan::Written;
    use crate::record::End;
    use crate::record::tests::random_game;
    use crate::train::{Sample, samples};
    use training::havannah::Choice;

    fn lesson_of(sample: &Sample<Havannah>) -> Lesson {
        let text = include_str!("../../../../../learning/tiny.toml");
        let plan = Written::read(text).expect("a plan").plan;
        let start = start::<Havannah>(4).expect("a board");
        let board = Havannah::board(&start);
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
