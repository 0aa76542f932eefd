//! Kōnane: the values that searches find and the results of games, by the weights of the evaluation.

use super::{MoveOf, Subject, network_file};
use crate::games;
use crate::plan::{Plan, SelfPlay};
use crate::record::{Reader, Record, Writer};
use crate::self_play::Network;
use engine::Setting;
use engine::weights::{Origin, WeightsError};
use game::random::Rng;
use konane::evaluation::{self, NUMBERS, from_bytes, to_bytes};
use konane::{Cell, Direction, Move, Position};
use search::Report;
use std::path::Path;
use training::Loss;
use training::konane::{Lesson, Model, logistic, random};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Konane;

/// The last four bits of the number of a removal; in that of a jump they are the captured stones, less one.
const REMOVES: u16 = 15;

/// A value from a search, in hundredths of a logit, is within this; as written it is never below 1.
const LARGEST: i32 = 3000;

/// A step to the next cell, as columns and rows.
fn step(direction: Direction) -> [i32; 2] {
    match direction {
        Direction::East => [1, 0],
        Direction::North => [0, 1],
        Direction::West => [-1, 0],
        Direction::South => [0, -1],
    }
}

impl Subject for Konane {
    type Position = Position;
    /// The value of a full search for the side to move, in hundredths of a logit.
    type Searched = Option<i16>;
    type Board = evaluation::Reader;
    type Lesson = Lesson;
    type Model = Model;

    const PARTS: usize = 4;
    /// The model makes no difference between symmetric positions.
    const SYMMETRIES: u32 = 1;

    fn check(plan: &Plan) -> Option<&'static str> {
        if plan.self_play.drawn_moves > 0 {
            return Some(
                "self-play: drawn-moves must be 0 for konane, whose searches value one move; games differ by their openings",
            );
        }
        if plan.self_play.tried > 0 {
            return Some("self-play: tried must be 0 for konane, whose searches count no visits");
        }
        if plan.records.is_some() {
            return Some(
                "records: are for havannah; konane's network learns values of searches, which records do not have",
            );
        }
        (plan.network.is_some())
            .then_some("network: is for havannah; konane's network has one shape")
    }

    fn settings(network: &Network, weights: &Path) -> Vec<Setting> {
        let value = match network {
            Network::Absent => "none".to_owned(),
            Network::Shipped => "shipped".to_owned(),
            Network::Learned(hash) => network_file(weights, hash),
        };
        vec![Setting {
            name: "network".to_owned(),
            value,
        }]
    }

    fn is_wide(_: &Position) -> bool {
        true
    }

    /// From the highest bits, the cell that the stone leaves, the direction, and the last four bits.
    fn number(position: &Position, mv: Move) -> Option<u16> {
        let shape = position.shape();
        let number = |from: Cell, direction: usize, last: u16| {
            (shape.index(from) as u16) << 6 | (direction as u16) << 4 | last
        };
        match mv {
            Move::Remove(cell) => Some(number(cell, 0, REMOVES)),
            Move::Jump { from, to } => {
                let by = [
                    to.col() as i32 - from.col() as i32,
                    to.row() as i32 - from.row() as i32,
                ];
                let steps = by[0].abs() + by[1].abs();
                let direction = Direction::ALL
                    .iter()
                    .position(|&direction| step(direction).map(|by| by * steps) == by)?;
                Some(number(from, direction, (steps / 2 - 1) as u16))
            }
        }
    }

    fn numbered(position: &Position, number: u16) -> Option<Move> {
        let (from, direction, last) = (number >> 6, number >> 4 & 3, number & 15);
        let from = position.shape().cells().nth(from.into())?;
        if last == REMOVES {
            return (direction == 0).then_some(Move::Remove(from));
        }
        let steps = 2 * (i32::from(last) + 1);
        let [cols, rows] = step(Direction::ALL[usize::from(direction)]);
        let at = |from: usize, by: i32| usize::try_from(from as i32 + steps * by).ok();
        let to = Cell::new(at(from.col(), cols)?, at(from.row(), rows)?)?;
        Some(Move::Jump { from, to })
    }

    fn searched(_: &Position, report: &Report<MoveOf<Self>>, _: &SelfPlay) -> Option<i16> {
        let value = report.evaluation?;
        Some(value.clamp(-LARGEST, LARGEST) as i16)
    }

    fn proven(_: &Position, _: &Report<MoveOf<Self>>) -> Option<i16> {
        None
    }

    /// 0 for no search, else a value that is never 0.
    fn write(searched: &Option<i16>, to: &mut Writer) {
        let of = |value: i16| (i32::from(value) + LARGEST + 1) as u32;
        to.number(searched.map_or(0, of));
    }

    fn read(_: &Position, from: &mut Reader<'_>) -> Option<Option<i16>> {
        let number = i32::try_from(from.number()?).ok()?;
        if number == 0 {
            return Some(None);
        }
        let value = number - LARGEST - 1;
        (value <= LARGEST).then_some(Some(value as i16))
    }

    fn of_record(_: &record::Record<Position>) -> Option<Record<Konane>> {
        None
    }

    fn board(start: &Position) -> evaluation::Reader {
        evaluation::Reader::new(start.shape())
    }

    fn lesson(
        plan: &Plan,
        position: &Position,
        searched: &Option<i16>,
        score: f32,
        board: &evaluation::Reader,
    ) -> Lesson {
        let of_search = searched.map(|value| logistic(f32::from(value) / 100.0));
        let share = plan.training.searched as f32;
        Lesson {
            inputs: board.inputs(position),
            label: of_search.map_or(score, |found| share * found + (1.0 - share) * score),
            score,
        }
    }

    fn numbers(_: &Plan) -> usize {
        NUMBERS
    }

    fn random(_: &Plan, rng: &mut Rng) -> Vec<f32> {
        random(rng)
    }

    fn shipped(_: &Plan) -> Vec<f32> {
        evaluation::shipped().learned_numbers()
    }

    fn shipped_sha256(_: &Plan) -> &'static str {
        evaluation::shipped_sha256()
    }

    fn from_file(bytes: &[u8]) -> Result<Vec<f32>, WeightsError> {
        from_bytes(bytes).map(|(weights, _)| weights.learned_numbers())
    }

    fn enlarged(_: &Plan, weights: Vec<f32>) -> Option<Vec<f32>> {
        Some(weights)
    }

    fn file(origin: &Origin, learned: &[f32]) -> Option<Vec<u8>> {
        to_bytes(origin, learned)
    }
}

impl games::Model<Konane> for Model {
    fn new(_: &Plan, weights: Vec<f32>) -> Model {
        Model::new(weights)
    }

    fn set(&mut self, weights: &[f32]) {
        self.set(weights);
    }

    fn test(&self, lesson: &Lesson, _: &evaluation::Reader) -> Loss {
        self.test(lesson)
    }

    fn learn(
        &self,
        lesson: &Lesson,
        _: &evaluation::Reader,
        _: usize,
        gradient: &mut [f32],
    ) -> Loss {
        self.learn(lesson, gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{BoardOptions, Playable};
    use game::{Game, random};
    use std::collections::HashSet;

    #[test]
    fn moves_have_numbers_of_their_own() {
        for size in [4_u32, 8, 20] {
            let mut position = Position::start(&BoardOptions::sized(size)).expect("a board");
            let mut rng = random::seeded(u64::from(size));
            while position.outcome().is_none() {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let mut numbers = HashSet::new();
                for &mv in &moves {
                    let number = Konane::number(&position, mv).expect("a number");
                    assert_eq!(Konane::numbered(&position, number), Some(mv));
                    numbers.insert(number);
                }
                assert_eq!(numbers.len(), moves.len());
                position.play(position.random_move(&mut rng).expect("a move"));
            }
            assert_eq!(Konane::numbered(&position, u16::MAX), None);
        }
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let position = Position::start(&BoardOptions::sized(6)).expect("a board");
        for searched in [None, Some(-3000), Some(-1), Some(0), Some(77), Some(3000)] {
            let mut writer = Writer::new(true);
            Konane::write(&searched, &mut writer);
            let mut reader = Reader::new(&writer.bytes, true);
            assert_eq!(Konane::read(&position, &mut reader), Some(searched));
        }
        let mut reader = Reader::new(&[0xff, 0xff, 0x7f], true);
        assert_eq!(Konane::read(&position, &mut reader), None);
    }
}
