//! How what is said of a position becomes decisions: few for what is likely.

use crate::range_coder::{Chance, Coder};
use crate::{Candidate, Provable};

/// What a certificate says of a position in which the side of the promise has to find a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said<M> {
    /// Play this.
    Play(M),
    /// The checker finds it by itself.
    Omitted,
    /// The piece of this number proves it.
    Piece(usize),
}

/// What may be said besides moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Besides {
    pub omitted: bool,
    pub pieces: usize,
}

/// The classes that a game may sort its candidates into, and the places whose likelihood is kept apart.
pub(crate) const CLASSES: usize = 16;
const PLACES: usize = 8;

/// The most moves that are remembered.
const RECENT: usize = 64;

/// The likelihood of what is said, which follows what was said.
#[derive(Clone, Debug)]
pub(crate) struct Model<M> {
    omitted: [Chance; PLACES],
    piece: Chance,
    moves: [[Chance; PLACES]; CLASSES],
    /// The moves that were said, the last first.
    recent: Vec<M>,
}

impl<M: Copy + Eq> Model<M> {
    pub fn new() -> Self {
        Model {
            omitted: [Chance::EVEN; PLACES],
            piece: Chance::EVEN,
            moves: [[Chance::EVEN; PLACES]; CLASSES],
            recent: Vec::new(),
        }
    }

    /// Writes what is said, or reads it; `None` if that cannot be.
    pub fn code<G: Provable<Move = M>>(
        &mut self,
        coder: &mut impl Coder,
        candidates: &mut [Candidate<G>],
        besides: Besides,
        said: Option<Said<M>>,
    ) -> Option<Said<M>> {
        if besides.omitted {
            let place = candidates.len().ilog2() as usize;
            let chance = &mut self.omitted[place.min(PLACES - 1)];
            if coder.decide(chance, said == Some(Said::Omitted)) {
                return Some(Said::Omitted);
            }
        }
        if besides.pieces > 0 {
            let number = match said {
                Some(Said::Piece(number)) => Some(number),
                _ => None,
            };
            if coder.decide(&mut self.piece, number.is_some()) {
                let mut read = 0;
                for bit in (0..usize::BITS - (besides.pieces - 1).leading_zeros()).rev() {
                    let value = number.is_some_and(|number| number >> bit & 1 == 1);
                    let value = coder.decide(&mut Chance::EVEN.clone(), value);
                    read = read << 1 | usize::from(value);
                }
                return (read < besides.pieces).then_some(Said::Piece(read));
            }
        }
        let chosen = match said {
            Some(Said::Play(mv)) => Some(mv),
            _ => None,
        };
        let place = |mv: M| self.recent.iter().position(|&other| other == mv);
        candidates.sort_by_cached_key(|&(class, mv)| (class, place(mv).unwrap_or(RECENT)));
        let (&(_, last), others) = candidates.split_last()?;
        let found = others.iter().enumerate().find(|&(number, &(class, mv))| {
            let class = usize::from(class).min(CLASSES - 1);
            let chance = &mut self.moves[class][number.min(PLACES - 1)];
            coder.decide(chance, chosen == Some(mv))
        });
        let mv = found.map_or(last, |(_, &(_, mv))| mv);
        self.recent.retain(|&other| other != mv);
        self.recent.insert(0, mv);
        self.recent.truncate(RECENT);
        Some(Said::Play(mv))
    }
}
