//! What each move of a game was worth.

use crate::Engine;
use game::{Game, Relative, Score, Side};
use search::{Limits, Progress, Report, StopReason};

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
    /// The expected score before the move, with best play.
    pub before: Score,
    /// The expected score after the move.
    pub value: Score,
    /// What the engine would have played.
    pub best: Option<M>,
    /// The line of play that it expected, from before the move.
    pub line: Vec<M>,
    /// The exact value after the move, where it is known.
    pub proven: Option<Relative>,
}

impl<M: PartialEq> ReviewedMove<M> {
    /// A move by what is known of the positions before and after it. `ply` is its number, from 1.
    pub fn between(ply: usize, mv: M, before: Assessment<M>, after: &Assessment<M>) -> Self {
        let side = before.mover;
        ReviewedMove {
            ply,
            side,
            mv,
            before: before.value,
            value: after.value_for(side),
            best: before.best,
            line: before.line,
            proven: after.proven_for(side),
        }
    }

    /// How much the move lost of the expected score, at least 0. What the engine would have played lost
    /// nothing, although the search after it may have found out that the position was worse.
    pub fn loss(&self) -> f64 {
        if self.best.as_ref() == Some(&self.mv) {
            return 0.0;
        }
        (self.before.0 - self.value.0).max(0.0)
    }

    /// How bad the move was, in the sign of game commentaries: `??` for a loss of 30 % or more, `?` for
    /// 15 %, `?!` for 5 %.
    pub fn mark(&self) -> &'static str {
        match self.loss() {
            loss if loss >= 0.3 => "??",
            loss if loss >= 0.15 => "?",
            loss if loss >= 0.05 => "?!",
            _ => "",
        }
    }
}

/// Goes through a game and searches every position of it: the value of a move is what the search says
/// of the position after it.
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
        let before = match self.here.take() {
            Some(known) => known,
            None => Assessment::of(engine, &self.position, limits, tell)?,
        };
        let mut next = self.position.clone();
        next.play(mv);
        let Some(after) = Assessment::of(engine, &next, limits, tell) else {
            self.here = Some(before);
            return None;
        };
        self.position = next;
        self.done += 1;
        let reviewed = ReviewedMove::between(self.done, mv, before, &after);
        self.here = Some(after);
        Some(reviewed)
    }
}

/// What a search says of a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment<M> {
    mover: Side,
    value: Score,
    best: Option<M>,
    line: Vec<M>,
    proven: Option<Relative>,
}

impl<M> Assessment<M> {
    /// `None` if the search was stopped.
    fn of<G: Game<Move = M>>(
        engine: &mut dyn Engine<G>,
        position: &G,
        limits: &Limits,
        tell: &mut dyn FnMut(&Progress<M>),
    ) -> Option<Self> {
        engine.set_position(position.clone());
        let report = engine.search(limits, tell);
        let stopped = report.stop == StopReason::Stopped;
        (!stopped).then(|| Assessment::new(position.to_move(), report))
    }

    /// What a search says that began in a position in which it is this side's turn.
    pub fn new(mover: Side, report: Report<M>) -> Self {
        Assessment {
            mover,
            value: report.value,
            best: report.best,
            line: report.principal_variation,
            proven: report.proven,
        }
    }

    fn value_for(&self, side: Side) -> Score {
        if side == self.mover {
            self.value
        } else {
            self.value.flipped()
        }
    }

    fn proven_for(&self, side: Side) -> Option<Relative> {
        let proven = self.proven?;
        Some(if side == self.mover {
            proven
        } else {
            proven.flipped()
        })
    }
}
