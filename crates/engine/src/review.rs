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
    /// The expected score before the move, with best play: what the search says of the position after the
    /// best move, or after the move itself where that is no worse.
    pub before: Score,
    /// The expected score after the move.
    pub value: Score,
    /// How far the difference of the two may be wrong, with a probability of 95 %: by chance, and by what more effort
    /// would change; 0 where both are exact.
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
    /// 15 %, `?!` for 5 %. One that may be less than 5 % by the margin has none.
    pub fn mark(&self) -> &'static str {
        match self.loss() {
            loss if loss - self.margin < INACCURACY => "",
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
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.15;
const BLUNDER: f64 = 0.30;

/// A loss that is not looked at a second time: it is no mistake.
const HARMLESS: f64 = 0.02;

/// How much more effort a closer look takes.
pub const CLOSER: u64 = 4;

/// By how much a search of few simulations and one of four times as many differ where nothing is known of that yet, as
/// a loss: on boards of middle size (`docs/lab/reviews.md`).
const DRIFT: f64 = 0.03;

/// Compares moves with the best ones.
///
/// The value of a position sags with every move: a search of the position before a move has looked one ply less
/// deep than one of the position after it. So a move is compared with the best one by searches of the positions
/// after either, with the same effort. Where the move seems to be a mistake, both get a closer look, which alone
/// counts: what made the first one suspicious may have been chance. How much the losses changed from the first look
/// to the closer one, over all moves of the game so far, says how much is still open: that is in the margin.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The sum of the squares of these changes, and their number.
    changes: (f64, f64),
}

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison {
            changes: (DRIFT * DRIFT, 1.0),
        }
    }
}

/// Goes through a game and searches its positions.
pub struct Reviewer<G: Game> {
    position: G,
    moves: Vec<G::Move>,
    /// How many of the moves are reviewed.
    done: usize,
    /// What is known of the position, once it has been searched.
    here: Option<Assessment<G::Move>>,
    comparison: Comparison,
}

/// Searches a position with so many times the usual effort; `None` if it was stopped.
pub type Search<'a, G> = dyn FnMut(&G, u64) -> Option<Assessment<<G as Game>::Move>> + 'a;

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
            comparison: Comparison::default(),
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
        let mut search = |position: &G, times| Assessment::of(engine, position, limits, times, tell);
        let before = match self.here.take() {
            Some(known) => known,
            None => search(&self.position, 1)?,
        };
        let next = after(&self.position, mv);
        let reviewed = search(&next, 1).and_then(|known| {
            let comparison = &mut self.comparison;
            let reviewed =
                comparison.compare(&self.position, mv, &before, &known, &mut search)?;
            Some((reviewed, known))
        });
        let Some((mut reviewed, known)) = reviewed else {
            self.here = Some(before);
            return None;
        };
        reviewed.ply = self.done + 1;
        self.position = next;
        self.done += 1;
        self.here = Some(known);
        Some(reviewed)
    }
}

impl Comparison {
    /// Compares a move of a position with the best one, by what is known of the positions before and after it. The
    /// number of the move is left open. `None` if a search was stopped.
    pub fn compare<G: Game>(
        &mut self,
        position: &G,
        mv: G::Move,
        before: &Assessment<G::Move>,
        played: &Assessment<G::Move>,
        search: &mut Search<G>,
    ) -> Option<ReviewedMove<G::Move>> {
        let side = position.to_move();
        let value = played.value_for(side);
        let mut reviewed = ReviewedMove {
            ply: 0,
            side,
            mv,
            before: value,
            value,
            margin: 0.0,
            best: before.best,
            line: before.line.clone(),
            reply: played.line.clone(),
            proven: played.proven_for(side),
            best_proven: before.proven,
        };
        let Some(best) = before.best.filter(|&best| best != mv) else {
            return Some(reviewed);
        };
        if before.value.0 - value.0 < HARMLESS {
            reviewed.before = Score(before.value.0.max(value.0));
            reviewed.margin = self.margin(before, played);
            return Some(reviewed);
        }
        let wanted = after(position, best);
        let mut first = match before.proven {
            Some(_) => before.after_best(),
            None => search(&wanted, 1)?,
        };
        let mut second = played.clone();
        let loss = |first: &Assessment<_>, second: &Assessment<_>| {
            first.value_for(side).0 - second.value_for(side).0
        };
        let is_exact = |first: &Assessment<_>, second: &Assessment<_>| {
            first.proven.is_some() && second.proven.is_some()
        };
        let seemed = loss(&first, &second);
        if seemed >= INACCURACY && !is_exact(&first, &second) {
            if first.proven.is_none() {
                first = search(&wanted, CLOSER)?;
            }
            if second.proven.is_none() {
                second = search(&after(position, mv), CLOSER)?;
            }
            if !is_exact(&first, &second) {
                self.changes.0 += (seemed - loss(&first, &second)).powi(2);
                self.changes.1 += 1.0;
            }
        }
        if reviewed.best_proven.is_none() {
            reviewed.best_proven = first.proven_for(side);
        }
        reviewed.proven = reviewed.proven.or(second.proven_for(side));
        // The search of the position after the best move has seen more of the line than the one before it.
        if first.line.len() + 1 > reviewed.line.len() {
            reviewed.line = std::iter::once(best).chain(first.line.clone()).collect();
        }
        reviewed.value = second.value_for(side);
        reviewed.before = Score(first.value_for(side).0.max(reviewed.value.0));
        reviewed.margin = self.margin(&first, &second);
        Some(reviewed)
    }

    /// How far the difference of two values may be wrong.
    fn margin<M>(&self, one: &Assessment<M>, other: &Assessment<M>) -> f64 {
        if one.proven.is_some() && other.proven.is_some() {
            return 0.0;
        }
        let drift = self.changes.0 / self.changes.1;
        NORMAL * (variance(one) + variance(other) + drift).sqrt()
    }
}

/// Limits of so many times the effort.
fn multiplied(limits: &Limits, times: u64) -> Limits {
    Limits {
        simulations: limits.simulations.map(|of| of.saturating_mul(times)),
        nodes: limits.nodes.map(|of| of.saturating_mul(times)),
        time: limits.time.map(|of| of.saturating_mul(times as u32)),
        ..limits.clone()
    }
}

/// The position after a move.
fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}

/// Standard deviations within which 95 % of a normal distribution lie.
const NORMAL: f64 = 1.96;

/// The variance of a value that is the mean of results between 0 and 1, by chance alone; a search that takes no samples
/// has none.
fn variance<M>(of: &Assessment<M>) -> f64 {
    match of.samples {
        samples if samples > 0 && of.proven.is_none() => {
            of.value.0 * (1.0 - of.value.0) / samples as f64
        }
        _ => 0.0,
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
    /// The results of which the value is the mean; 0 from a search that takes none.
    samples: u64,
}

impl<M> Assessment<M> {
    /// A search with so many times the effort of the limits; `None` if it was stopped.
    pub fn of<G: Game<Move = M>>(
        engine: &mut dyn Engine<G>,
        position: &G,
        limits: &Limits,
        times: u64,
        tell: &mut dyn FnMut(&Progress<M>),
    ) -> Option<Self> {
        engine.set_position(position.clone());
        let report = engine.search(&multiplied(limits, times), tell);
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
            samples: report.simulations,
        }
    }

    /// What an exact value says of the position after the best move.
    fn after_best(&self) -> Self
    where
        M: Clone,
    {
        Assessment {
            mover: !self.mover,
            value: self.value.flipped(),
            best: self.line.get(1).cloned(),
            line: self.line.iter().skip(1).cloned().collect(),
            proven: self.proven.map(Relative::flipped),
            samples: 0,
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
