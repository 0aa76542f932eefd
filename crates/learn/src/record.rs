//! A game of self-play, in few bytes.
//!
//! A record is the size of the board, the number of plies (two bytes, the lowest first), how many of them were random,
//! White's points doubled, and how the game ended, in a byte each; then, for each ply and once more for the position at
//! the end, what is kept of a full search, followed by the move. What is kept and how moves are numbered is for the game
//! to say ([`Subject`]); numbers are written as seven bits a byte, the lowest first. Of Havannah's searches the cells are
//! kept that they looked at: how many, 0 without a full search, and for each its place among the cells of the board and
//! its visits. A move is such a place, which is a byte on boards of at most 256 cells, else two. Of Kōnane's searches the
//! value is kept, and its moves take two bytes.

use crate::games::{Subject, start};
use game::{Game, Side};

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

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record<S: Subject> {
    /// Of the board.
    pub size: u32,
    /// Random moves at the beginning.
    pub random: u8,
    /// White's points, doubled.
    pub points: u8,
    pub end: End,
    /// The numbers of the moves, the first side's first.
    pub moves: Vec<u16>,
    /// For each ply and for the last position.
    pub searched: Vec<S::Searched>,
}

/// Writes the parts of a record.
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
    is_wide: bool,
}

impl Writer {
    /// For places of one byte or of two.
    pub(crate) fn new(is_wide: bool) -> Writer {
        Writer {
            bytes: Vec::new(),
            is_wide,
        }
    }

    pub(crate) fn place(&mut self, place: u16) {
        let [low, high] = place.to_le_bytes();
        self.bytes.push(low);
        if self.is_wide {
            self.bytes.push(high);
        }
    }

    pub(crate) fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }
}

/// Reads the parts of a record.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    is_wide: bool,
}

impl<'a> Reader<'a> {
    /// For places of one byte or of two.
    pub(crate) fn new(bytes: &'a [u8], is_wide: bool) -> Reader<'a> {
        Reader { bytes, is_wide }
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(byte)
    }

    pub(crate) fn place(&mut self) -> Option<u16> {
        let low = self.byte()?;
        let high = if self.is_wide { self.byte()? } else { 0 };
        Some(u16::from_le_bytes([low, high]))
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

impl<S: Subject> Record<S> {
    /// The position after some plies of a game that was [read](Record::from_bytes), given the board that it began on.
    pub(crate) fn after(&self, start: &S::Position, plies: usize) -> S::Position {
        let mut position = start.clone();
        for &number in &self.moves[..plies] {
            if let Some(mv) = S::numbered(&position, number) {
                position.play(mv);
            }
        }
        position
    }

    /// What a side scored, from 0 to 1.
    pub(crate) fn score(&self, side: Side) -> f32 {
        let white = f32::from(self.points) / 2.0;
        match side {
            Side::White => white,
            Side::Black => 1.0 - white,
        }
    }

    /// The bytes of a game that began on this board.
    pub(crate) fn to_bytes(&self, start: &S::Position) -> Vec<u8> {
        let mut to = Writer::new(S::is_wide(start));
        to.bytes.push(self.size as u8);
        to.bytes.extend((self.moves.len() as u16).to_le_bytes());
        to.bytes.extend([self.random, self.points, self.end as u8]);
        for (ply, searched) in self.searched.iter().enumerate() {
            S::write(searched, &mut to);
            if let Some(&number) = self.moves.get(ply) {
                to.place(number);
            }
        }
        to.bytes
    }

    /// `None` if the bytes are no legal game.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Record<S>> {
        let (&[size, low, high, random, points, end], rest) = bytes.split_first_chunk()?;
        let mut position = start::<S>(size.into()).ok()?;
        let mut from = Reader::new(rest, S::is_wide(&position));
        let plies = usize::from(u16::from_le_bytes([low, high]));
        let (mut moves, mut searched) = (Vec::new(), Vec::new());
        for ply in 0..=plies {
            searched.push(S::read(&position, &mut from)?);
            if ply < plies {
                let number = from.place()?;
                let mv = S::numbered(&position, number)?;
                position.try_play(mv).ok()?;
                moves.push(number);
            }
        }
        let end = *ENDS.get(usize::from(end))?;
        let is_over = position.outcome().is_some();
        let is_silent = searched[plies] == S::Searched::default();
        let fits = (end != End::Rules || is_over) && (!is_over || is_silent);
        let fits = fits && usize::from(random) <= plies && points <= 2;
        (fits && from.bytes.is_empty()).then_some(Record {
            size: size.into(),
            random,
            points,
            end,
            moves,
            searched,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::games::{Havannah, Konane};
    use game::random;
    use havannah::{Move, Position};

    /// A game of random moves that a search has looked at, now and then.
    pub(crate) fn random_game(size: u32, seed: u64) -> Record<Havannah> {
        let mut position: Position = start::<Havannah>(size).expect("a board");
        let mut rng = random::seeded(seed);
        let (mut moves, mut visits) = (Vec::new(), Vec::new());
        while position.outcome().is_none() {
            let mut seen = Vec::new();
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
        visits.push(Vec::new());
        let points = match position.outcome().and_then(game::Outcome::winner) {
            Some(Side::White) => 2,
            Some(Side::Black) => 0,
            None => 1,
        };
        Record {
            size,
            random: 2,
            points,
            end: End::Rules,
            moves,
            searched: visits,
        }
    }

    #[test]
    fn records_are_read_as_they_were_written() {
        for size in [3, 5, 10, 12] {
            let record = random_game(size, u64::from(size));
            let start = start::<Havannah>(size).expect("a board");
            let bytes = record.to_bytes(&start);
            assert_eq!(Record::from_bytes(&bytes).as_ref(), Some(&record));
            for cut in 0..bytes.len() {
                assert_eq!(Record::<Havannah>::from_bytes(&bytes[..cut]), None);
            }
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let record = random_game(4, 7);
        let start = start::<Havannah>(4).expect("a board");
        let with = |change: fn(&mut Record<Havannah>)| {
            let mut record = record.clone();
            change(&mut record);
            Record::<Havannah>::from_bytes(&record.to_bytes(&start))
        };
        assert!(with(|_| ()).is_some());
        assert_eq!(with(|record| record.moves[2] = record.moves[0]), None);
        assert_eq!(with(|record| record.moves[1] = 37), None);
        assert_eq!(with(|record| record.points = 3), None);
        assert_eq!(
            with(|record| record.searched[1] = vec![(record.moves[0], 5)]),
            None
        );
        let mut bytes = record.to_bytes(&start);
        bytes[5] = 5;
        assert_eq!(Record::<Havannah>::from_bytes(&bytes), None);
    }

    /// A game of Kōnane with values of searches, and what becomes of it when a byte changes: another game, or none.
    #[test]
    fn games_of_konane_are_read_as_they_were_written() {
        for size in [4, 8, 20] {
            let start = start::<Konane>(size).expect("a board");
            let mut rng = random::seeded(size.into());
            let (mut position, mut record) = (
                start.clone(),
                Record::<Konane> {
                    size,
                    random: 1,
                    points: 2,
                    end: End::Rules,
                    moves: Vec::new(),
                    searched: Vec::new(),
                },
            );
            while let Some(mv) = position.random_move(&mut rng) {
                let value = random::below(6001, &mut rng) as i16 - 3000;
                record.searched.push((value % 2 == 0).then_some(value));
                let number = Konane::number(&position, mv);
                record.moves.push(number.expect("a number"));
                position.play(mv);
            }
            record.searched.push(None);
            let bytes = record.to_bytes(&start);
            assert_eq!(Record::from_bytes(&bytes).as_ref(), Some(&record));
            for at in 0..bytes.len() {
                assert_eq!(Record::<Konane>::from_bytes(&bytes[..at]), None);
                let mut changed = bytes.clone();
                changed[at] ^= 0x81;
                if let Some(found) = Record::<Konane>::from_bytes(&changed) {
                    assert_ne!(found, record);
                }
            }
        }
    }
}
