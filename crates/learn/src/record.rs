//! A game of self-play, in few bytes.
//!
//! A record is the size of the board, the number of plies (two bytes, the lowest first), how many of them were random,
//! White's points doubled, and how the game ended, in a byte each; then, for each ply and once more for the position at
//! the end, what a full search looked at, followed by the cell of the move. What a search looked at is a number of cells,
//! 0 without a full search, and for each its cell and its visits, seven bits a byte, the lowest first. A cell is its place
//! among the cells of the board: a byte on boards of at most 256 cells, else two.

use game::{Game, Side};
use havannah::{Cell, Geometry, Move, Position, Shape};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By the rules.
    Rules,
    /// A search has proven the result.
    Proven,
    /// A side gave up.
    Resigned,
    /// A side would have given up, was held to play on as a control, and lost.
    WouldResign,
    /// The same, and it did not lose.
    WrongToResign,
}

const ENDS: [End; 5] = [
    End::Rules,
    End::Proven,
    End::Resigned,
    End::WouldResign,
    End::WrongToResign,
];

/// What a full search looked at: places of cells with their visits.
pub(crate) type Visits = Vec<(u16, u32)>;

/// A game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub shape: Shape,
    /// Random stones at the beginning.
    pub random: u8,
    /// White's points, doubled.
    pub points: u8,
    pub end: End,
    /// The places of the moves' cells, White's first.
    pub moves: Vec<u16>,
    /// For each ply and for the last position.
    pub visits: Vec<Visits>,
}

impl Record {
    /// The position after some plies of a game that was [read](Record::from_bytes).
    pub(crate) fn after(&self, plies: usize) -> Position {
        let mut position = Position::new(self.shape);
        for &place in &self.moves[..plies] {
            position.play(Move::Place(self.cell(place)));
        }
        position
    }

    fn cell(&self, place: u16) -> Cell {
        Geometry::of(self.shape).cells()[usize::from(place)]
    }

    /// What a side scored, from 0 to 1.
    pub(crate) fn score(&self, side: Side) -> f32 {
        let white = f32::from(self.points) / 2.0;
        match side {
            Side::White => white,
            Side::Black => 1.0 - white,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let is_wide = self.shape.cells() > 256;
        let mut bytes = vec![self.shape.size() as u8];
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.extend([self.random, self.points, self.end as u8]);
        let push_place = |bytes: &mut Vec<u8>, place: u16| {
            let [low, high] = place.to_le_bytes();
            bytes.push(low);
            if is_wide {
                bytes.push(high);
            }
        };
        for (ply, visits) in self.visits.iter().enumerate() {
            push_number(&mut bytes, visits.len() as u32);
            for &(place, visits) in visits {
                push_place(&mut bytes, place);
                push_number(&mut bytes, visits);
            }
            if let Some(&place) = self.moves.get(ply) {
                push_place(&mut bytes, place);
            }
        }
        bytes
    }

    /// `None` if the bytes are no legal game.
    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Option<Record> {
        let (&[size, low, high, random, points, end], rest) = bytes.split_first_chunk()?;
        bytes = rest;
        let shape = Shape::regular(size.into()).ok()?;
        let is_wide = shape.cells() > 256;
        let plies = usize::from(u16::from_le_bytes([low, high]));
        let mut take = || {
            let (&byte, rest) = bytes.split_first()?;
            bytes = rest;
            Some(byte)
        };
        let mut position = Position::new(shape);
        let (mut moves, mut all_visits) = (Vec::new(), Vec::new());
        for ply in 0..=plies {
            let mut visits = Visits::new();
            for _ in 0..take_number(&mut take)? {
                let place = take_place(&mut take, is_wide)?;
                let cell = position.geometry().cells().get(usize::from(place))?;
                if !position.board().is_empty(*cell) {
                    return None;
                }
                visits.push((place, take_number(&mut take)?));
            }
            all_visits.push(visits);
            if ply < plies {
                let place = take_place(&mut take, is_wide)?;
                let cell = *position.geometry().cells().get(usize::from(place))?;
                position.try_play(Move::Place(cell)).ok()?;
                moves.push(place);
            }
        }
        let end = *ENDS.get(usize::from(end))?;
        let is_over = position.outcome().is_some();
        let fits = (end != End::Rules || is_over) && (!is_over || all_visits[plies].is_empty());
        (points <= 2 && fits && bytes.is_empty()).then_some(Record {
            shape,
            random,
            points,
            end,
            moves,
            visits: all_visits,
        })
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(take: &mut impl FnMut() -> Option<u8>) -> Option<u32> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = take()?;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn take_place(take: &mut impl FnMut() -> Option<u8>, is_wide: bool) -> Option<u16> {
    let low = take()?;
    let high = if is_wide { take()? } else { 0 };
    Some(u16::from_le_bytes([low, high]))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use game::random;

    /// A game of random moves that a search has looked at, now and then.
    pub(crate) fn random_game(size: u32, seed: u64) -> Record {
        let shape = Shape::regular(size).expect("a size");
        let mut rng = random::seeded(seed);
        let mut position = Position::new(shape);
        let (mut moves, mut visits) = (Vec::new(), Vec::new());
        while position.outcome().is_none() {
            let mut seen = Visits::new();
            if random::below(2, &mut rng) == 0 {
                let cells = position.geometry().cells().iter().enumerate();
                let empty = cells.filter(|&(_, &cell)| position.board().is_empty(cell));
                seen.extend(
                    empty
                        .take(4)
                        .map(|(place, _)| (place as u16, 100 * (place as u32 + 1))),
                );
            }
            visits.push(seen);
            let Some(Move::Place(cell)) = position.random_move(&mut rng) else {
                panic!("a move");
            };
            let place = position.geometry().cells().binary_search(&cell);
            moves.push(place.expect("a cell of the board") as u16);
            position.play(Move::Place(cell));
        }
        visits.push(Visits::new());
        let points = match position.outcome().and_then(game::Outcome::winner) {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        };
        Record {
            shape,
            random: 2,
            points,
            end: End::Rules,
            moves,
            visits,
        }
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        for size in [3, 5, 10, 12] {
            let record = random_game(size, u64::from(size));
            let bytes = record.to_bytes();
            assert_eq!(Record::from_bytes(&bytes).expect("a game"), record);
            for cut in 0..bytes.len() {
                assert_eq!(Record::from_bytes(&bytes[..cut]), None);
            }
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let record = random_game(4, 7);
        let with = |change: fn(&mut Record)| {
            let mut record = record.clone();
            change(&mut record);
            Record::from_bytes(&record.to_bytes())
        };
        assert!(with(|_| ()).is_some());
        assert_eq!(with(|record| record.moves[2] = record.moves[0]), None);
        assert_eq!(with(|record| record.moves[1] = 37), None);
        assert_eq!(with(|record| record.points = 3), None);
        assert_eq!(
            with(|record| record.visits[1] = vec![(record.moves[0], 5)]),
            None
        );
        let mut bytes = record.to_bytes();
        bytes[5] = 5;
        assert_eq!(Record::from_bytes(&bytes), None);
    }
}
