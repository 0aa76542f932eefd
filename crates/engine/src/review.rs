//! What each move of a game was worth.

use crate::Engine;
use crate::comparison::{Assessment, after, compare};
use game::{Game, Relative, Score, Side};
use search::{Limits, Progress};

/// A move under review. Scores are expected results between 0 and 1 from the point of view of the side
/// that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove<M> {
    /// The number of the move, from 1.
    pub ply: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: M,
    /// The expected score before the move, with best play: what the search says of the position after the
    /// best move, or after the move itself where that is no worse.
    pub before: Score,
    /// The expected score after the move.
    pub value: Score,
    /// How far the difference of the two may be wrong, with a probability of 95 %. 0 where both are exact, and where one
    /// look was enough to see that the move is no mistake.
    pub margin: f64,
    /// What the engine would have played.
    pub best: Option<M>,
    /// The line of play that it expected, from before the move.
    pub line: Vec<M>,
    /// The line of play that it expects after the move.
    pub reply: Vec<M>,
    /// The exact value after the move, where it is known.
    pub proven: Option<Relative>,
    /// The exact value after the best move, where it is known.
    pub best_proven: Option<Relative>,
}

/// What kind of mistake a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// There was a proven win, and it is no longer one.
    MissedWin,
    /// There was a proven draw, and the position is lost now, which is proven too.
    MissedDraw,
    /// The position is lost now, which is proven.
    LosingMove,
    /// A loss of 30 % or more.
    Blunder,
    /// A loss of 15 % or more.
    Mistake,
    /// A loss of 5 % or more.
    Inaccuracy,
}

impl Mistake {
    /// The class for people.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::MissedWin => "missed win",
            Mistake::MissedDraw => "missed draw",
            Mistake::LosingMove => "losing move",
            Mistake::Blunder => "blunder",
            Mistake::Mistake => "mistake",
            Mistake::Inaccuracy => "inaccuracy",
        }
    }
}

impl<M: PartialEq> ReviewedMove<M> {
    /// How much the move lost of the expected score, at least 0. What the engine would have played lost
    /// nothing.
    pub fn loss(&self) -> f64 {
        if self.best.as_ref() == Some(&self.mv) {
            return 0.0;
        }
        (self.before.0 - self.value.0).max(0.0)
    }

    /// How bad the move was, in the sign of game commentaries: `??` for a loss of 30 % or more, `?` for
    /// 15 %, `?!` for 5 %. A loss within the margin has none.
    pub fn mark(&self) -> &'static str {
        match self.loss() {
            loss if loss <= self.margin => "",
            loss if loss >= BLUNDER => "??",
            loss if loss >= MISTAKE => "?",
            loss if loss >= INACCURACY => "?!",
            _ => "",
        }
    }

    /// What kind of mistake the move was; `None` for one without a mark.
    pub fn mistake(&self) -> Option<Mistake> {
        let mark = self.mark();
        if mark.is_empty() {
            return None;
        }
        Some(match (self.best_proven, self.proven, mark) {
            (Some(Relative::Win), _, _) => Mistake::MissedWin,
            (Some(Relative::Draw), Some(Relative::Loss), _) => Mistake::MissedDraw,
            (_, Some(Relative::Loss), _) => Mistake::LosingMove,
            (_, _, "??") => Mistake::Blunder,
            (_, _, "?") => Mistake::Mistake,
            _ => Mistake::Inaccuracy,
        })
    }
}

/// Losses from which on a move is an inaccuracy, a mistake, and a blunder.
pub(crate) const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.15;
const BLUNDER: f64 = 0.30;

/// Goes through a game and searches its positions.
pub struct Reviewer<G: Game> {
    position: G,
    moves: Vec<G::Move>,
    /// How many of the moves are reviewed.
    done: usize,
    /// What is known of the position, once it has been searched.
    here: Option<Assessment<G::Move>>,
}

impl<G: Game> Reviewer<G> {
    /// A review of a game that has not begun.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn new(start: G, moves: Vec<G::Move>) -> Result<Reviewer<G>, G::Illegal> {
        let mut position = start.clone();
        moves.iter().try_for_each(|&mv| position.try_play(mv))?;
        Ok(Reviewer {
            position: start,
            moves,
            done: 0,
            here: None,
        })
    }

    /// Passes over moves without a review, so that the next one is the one after so many.
    pub fn skip_to(&mut self, done: usize) {
        while self.done < done.min(self.moves.len()) {
            self.position.play(self.moves[self.done]);
            self.done += 1;
            self.here = None;
        }
    }

    /// The position before the next move.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Reviews the next move, and tells of the progress of its searches. `None` when there is none left, or
    /// if a search was stopped.
    pub fn next(
        &mut self,
        engine: &mut dyn Engine<G>,
        limits: &Limits,
        tell: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Option<ReviewedMove<G::Move>> {
        let mv = *self.moves.get(self.done)?;
        let mut search =
            |position: &G, times| Assessment::of(engine, position, limits, times, tell);
        let before = match self.here.take() {
            Some(known) => known,
            None => search(&self.position, 1)?,
        };
        let next = after(&self.position, mv);
        let reviewed = search(&next, 1).and_then(|known| {
            let ply = self.done + 1;
            let reviewed = compare(ply, &self.position, mv, &before, &known, &mut search)?;
            Some((reviewed, known))
        });
        let Some((reviewed, known)) = reviewed else {
            self.here = Some(before);
            return None;
        };
        self.position = next;
        self.done += 1;
        self.here = Some(known);
        Some(reviewed)
    }
}
