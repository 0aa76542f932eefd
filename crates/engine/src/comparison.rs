//! What a move was worth, compared with the best one.
//!
//! The value of a position sags with every move: a search of the position before a move has looked one ply less deep than
//! one of the position after it. So a move is compared with the best one by searches of the positions after either, with
//! the same effort. The searches that made a move suspicious do not judge it, since part of the suspicion is chance: the
//! verdict is that of fresh ones, [`LOOKS`] of each position, with Student's interval of their differences.

use crate::review::INACCURACY;
use crate::{Engine, ReviewedMove};
use game::{Game, Relative, Score, Side};
use search::{Limits, Progress, Report, StopReason};

/// How often both positions are searched before a move is called a mistake.
const LOOKS: usize = 3;

/// Student's t for 95 % on both sides, with `LOOKS - 1` degrees of freedom.
const STUDENT: f64 = 4.303;

/// What a move may seem to lose, by the first searches before and after it, without a closer look.
const HARMLESS: f64 = 0.02;

/// What the best move itself may seem to lose before another one is tried.
const SURPRISE: f64 = 0.15;

/// How many choices of a search are tried, if closer looks prove that the first ones lose. A search that proves its
/// position ends early.
const CHOICES: usize = 20;

/// Searches a position with so many times the usual effort; `None` if it was stopped.
type Search<'a, G> = dyn FnMut(&G, u64) -> Option<Assessment<<G as Game>::Move>> + 'a;

/// Compares a move of a position with the best one, where searches of the positions before and after it are known. `ply` is
/// its number, from 1. `None` if a search was stopped.
pub fn compare<G: Game>(
    ply: usize,
    position: &G,
    mv: G::Move,
    before: &Assessment<G::Move>,
    played: &Assessment<G::Move>,
    search: &mut Search<G>,
) -> Option<ReviewedMove<G::Move>> {
    let side = position.to_move();
    let value = played.value_for(side);
    let mut reviewed = ReviewedMove {
        ply,
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
    let lost = before.value.0 - value.0;
    let is_own = before.best == Some(mv);
    // The search may have been wrong about its own choice: then there are others to compare with.
    let suspicious = if is_own { SURPRISE } else { HARMLESS };
    if lost < suspicious || (is_own && before.proven.is_some()) {
        let of_best = if is_own { value } else { before.value };
        reviewed.before = Score(of_best.0.max(value.0));
        return Some(reviewed);
    }
    let exact = before.proven.map(|_| before.after_best());
    for &rival in before.choices.iter().filter(|&&rival| rival != mv) {
        let exact = exact.clone().filter(|_| before.best == Some(rival));
        let mut wanted = Looks::new(after(position, rival), exact);
        let mut played = Looks::new(after(position, mv), played.proven.map(|_| played.clone()));
        let margin = wanted.compare(&mut played, side, search)?;
        let of_best = wanted.value(side);
        reviewed.value = played.value(side);
        reviewed.proven = played.proven_for(side);
        reviewed.before = reviewed.value;
        // A choice of the search that loses, as a closer look shows, says nothing of the move.
        if wanted.proven_for(side) == Some(Relative::Loss) {
            continue;
        }
        if of_best.0 - reviewed.value.0 >= INACCURACY || !is_own {
            reviewed.before = Score(of_best.0.max(reviewed.value.0));
            reviewed.best_proven = wanted.proven_for(side).or(reviewed.best_proven);
            reviewed.margin = margin;
            // The search of the position after the best move has seen more of the line than the one before it.
            if let Some(found) = wanted.known()
                && (found.line.len() + 1 > reviewed.line.len() || reviewed.best != Some(rival))
            {
                reviewed.line = std::iter::once(rival).chain(found.line.clone()).collect();
            }
            reviewed.best = Some(rival);
        }
        break;
    }
    Some(reviewed)
}

/// A position that is searched again and again, until its value is exact.
struct Looks<G: Game> {
    position: G,
    exact: Option<Assessment<G::Move>>,
    last: Option<Assessment<G::Move>>,
    values: Vec<f64>,
}

impl<G: Game> Looks<G> {
    fn new(position: G, exact: Option<Assessment<G::Move>>) -> Self {
        Looks {
            position,
            exact,
            last: None,
            values: Vec::new(),
        }
    }

    fn is_exact(&self) -> bool {
        self.exact.is_some()
    }

    fn known(&self) -> Option<&Assessment<G::Move>> {
        self.exact.as_ref().or(self.last.as_ref())
    }

    fn proven_for(&self, side: Side) -> Option<Relative> {
        self.exact.as_ref()?.proven_for(side)
    }

    /// Looks at this position and at the one after the move that was played until it is known whether that was a mistake.
    /// How far the difference may be wrong; `None` if a search was stopped.
    fn compare(&mut self, played: &mut Self, side: Side, search: &mut Search<G>) -> Option<f64> {
        let mut differences = Vec::with_capacity(LOOKS);
        while differences.len() < LOOKS && !(self.is_exact() && played.is_exact()) {
            let of_best = self.look(side, search)?;
            differences.push(of_best - played.look(side, search)?);
            // It is no mistake; more looks could only make it one by chance.
            if self.value(side).0 - played.value(side).0 < INACCURACY {
                break;
            }
        }
        let is_exact = self.is_exact() && played.is_exact();
        Some(if is_exact { 0.0 } else { margin(&differences) })
    }

    /// The value for a side by one more search.
    fn look(&mut self, side: Side, search: &mut Search<G>) -> Option<f64> {
        if let Some(exact) = &self.exact {
            return Some(exact.value_for(side).0);
        }
        // A search without chance would say the same again: it gets more effort each time.
        let is_sampled = self.last.as_ref().is_some_and(|last| last.is_sampled);
        let times = if is_sampled { 1 } else { 1 + self.values.len() };
        let found = search(&self.position, times as u64)?;
        let value = found.value_for(side).0;
        self.values.push(value);
        if found.proven.is_some() {
            self.exact = Some(found);
        } else {
            self.last = Some(found);
        }
        Some(value)
    }

    /// The exact value, or the mean of the searches.
    fn value(&self, side: Side) -> Score {
        match &self.exact {
            Some(exact) => exact.value_for(side),
            None => Score(mean(&self.values)),
        }
    }
}

fn mean(of: &[f64]) -> f64 {
    of.iter().sum::<f64>() / of.len() as f64
}

/// Half of Student's interval for the mean of the differences; 0 where there were not all of the looks.
fn margin(differences: &[f64]) -> f64 {
    if differences.len() < LOOKS {
        return 0.0;
    }
    let mean = mean(differences);
    let squares: f64 = differences.iter().map(|one| (one - mean).powi(2)).sum();
    let variance = squares / (LOOKS - 1) as f64;
    STUDENT * (variance / LOOKS as f64).sqrt()
}

/// The position after a move.
pub(crate) fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    next.play(mv);
    next
}

fn multiplied(limits: &Limits, times: u64) -> Limits {
    Limits {
        simulations: limits.simulations.map(|of| of.saturating_mul(times)),
        nodes: limits.nodes.map(|of| of.saturating_mul(times)),
        time: limits.time.map(|of| of.saturating_mul(times as u32)),
        ..limits.clone()
    }
}

/// What a search says of a position, from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment<M> {
    mover: Side,
    value: Score,
    best: Option<M>,
    /// The best moves, as far as they are not known to lose.
    choices: Vec<M>,
    line: Vec<M>,
    proven: Option<Relative>,
    /// Whether the value is the mean of results by chance, so that the same search again may say another one.
    is_sampled: bool,
}

impl<M: Copy + PartialEq> Assessment<M> {
    /// A search with so many times the effort that the limits allow; `None` if it was stopped.
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
        let found = report.progress;
        let moves = found.moves.iter();
        let others = moves.filter(|of| {
            Some(of.mv) != found.best && of.proven != Some(Relative::Loss) && of.visits > 0
        });
        let choices = found.best.into_iter().chain(others.map(|of| of.mv));
        Assessment {
            mover,
            value: found.value,
            best: found.best,
            choices: choices.take(CHOICES).collect(),
            line: found.principal_variation,
            proven: found.proven,
            is_sampled: found.simulations > 0,
        }
    }

    /// What an exact value says of the position after the best move.
    fn after_best(&self) -> Self {
        Assessment {
            mover: !self.mover,
            value: self.value.flipped(),
            best: self.line.get(1).copied(),
            choices: Vec::new(),
            line: self.line.iter().skip(1).copied().collect(),
            proven: self.proven.map(Relative::flipped),
            is_sampled: false,
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
