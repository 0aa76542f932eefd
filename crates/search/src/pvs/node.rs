//! Principal-variation search below the root (Marsland and Campbell, "Parallel search of strongly
//! ordered game trees", 1982), fail-soft, with a transposition table, late move reductions and, near the
//! horizon, futility pruning (Heinz, "Extended futility pruning", 1998) in both directions.
//!
//! **Proofs.** Values beyond [`MAX_EVALUATION`] come from ended games alone. Windows do not tell one of
//! them from another: alpha is never above `MAX_EVALUATION`, for a node returns as soon as it has a
//! winning move, and beta never below its negative, for alpha is kept from falling further. A value above
//! it is therefore above alpha, exact or a lower bound: a forced win, whatever the depths that other
//! moves were searched to. A value below the negative is below beta, exact or an upper bound: every move
//! was searched, and each loses. (A node of which a move was left out is worth at least what that move was
//! estimated to be worth, which is an evaluation.)

use super::deepen::Deepening;
use super::evaluation_cache::EvaluationCache;
use super::order::Memory;
use super::table::{Bound, Entry, Table};
use super::{Domain, Evaluation, Learnt};
use crate::alphabeta::{MAX_EVALUATION, terminal};
use crate::deepening::{Control, PerPly};
use crate::{Progress, Watch};
use game::Game;
use std::sync::LazyLock;

/// Beyond every value.
pub(super) const INFINITY: i32 = i32::MAX;

/// A depth that no game reaches.
pub(super) const TO_THE_END: i32 = i16::MAX as i32;

/// What orders moves beside their rank, in units of the evaluation.
const KILLER: i32 = 40;
const REPLY: i32 = 40;
const HISTORY_UNIT: i32 = 100;

/// So few plies above the horizon a position is left that looks far better or worse than matters.
const FUTILE_DEPTH: i32 = 3;
/// How much a ply may change an evaluation.
const MARGIN: i32 = 60;
/// How much less, if the position has already become better or worse in the last two plies.
const TREND: i32 = 30;

/// Depths and places in the order from this on are treated alike.
const MOST_REDUCED: usize = 64;
/// By how many plies a move is searched less deeply, by the depth of its node and its place in the order: the
/// product of their logarithms, as is common since Stockfish.
static REDUCTIONS: LazyLock<Vec<[u8; MOST_REDUCED]>> = LazyLock::new(|| {
    let mut logarithms = [0.0; MOST_REDUCED + 1];
    for (number, logarithm) in logarithms.iter_mut().enumerate().skip(1) {
        *logarithm = libm::log(number as f64);
    }
    let reduction = |depth: usize, index: usize| match (depth, index) {
        (0 | 1, _) | (_, 0) => 0,
        _ => (0.5 + 0.6 * logarithms[depth] * logarithms[index + 1]) as u8,
    };
    let of_depth = |depth| std::array::from_fn(|index| reduction(depth, index));
    (0..MOST_REDUCED).map(of_depth).collect()
});

/// A move to search.
#[derive(Clone, Debug)]
pub(super) struct Candidate<M, S> {
    pub mv: M,
    pub slot: usize,
    /// The higher the earlier.
    pub rank: i32,
    /// The position after it.
    pub after: S,
    /// What can be told of the position after it without a search, once it was asked for.
    pub guess: Option<Guess>,
}

/// What can be told of a position without a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    /// From the point of view of the side to move.
    value: i32,
    is_over: bool,
}

/// The candidates of a domain.
pub(super) type CandidateOf<G, U> = Candidate<<U as Domain<G>>::Move, <U as Domain<G>>::State>;

/// A node to search: its bounds, and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Plies to the horizon.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    pub alpha: i32,
    pub beta: i32,
    /// The slot of the move that led here.
    pub before: Option<usize>,
}

impl Place {
    /// Whether its value may become that of the root, so that its best line is of interest.
    fn is_principal(&self) -> bool {
        self.beta > self.alpha.saturating_add(1)
    }
}

/// One thread of a search.
pub(super) struct Worker<'a, G: Game, U: Domain<G>> {
    pub domain: &'a mut U,
    pub table: &'a Table<U::Key, U::Move>,
    pub memory: &'a mut Memory<U::Move>,
    evaluations: &'a mut EvaluationCache<U::Key>,
    pub generation: u8,
    pub prunes: bool,
    pub control: Control<'a, G::Move>,
    /// The best line from each ply on.
    pub lines: PerPly<U::Move>,
    lists: PerPly<CandidateOf<G, U>>,
    /// What the positions on the way from the root were estimated to be worth, each for the side to move.
    estimates: Vec<i32>,
}

impl<'a, G: Game, U: Domain<G>> Worker<'a, G, U> {
    pub fn new(
        domain: &'a mut U,
        table: &'a Table<U::Key, U::Move>,
        learnt: &'a mut Learnt<U::Key, U::Move>,
        deepening: &Deepening<'_>,
        watch: Watch,
        progress: &'a mut dyn FnMut(&Progress<G::Move>),
    ) -> Self {
        Worker {
            domain,
            table,
            memory: &mut learnt.moves,
            evaluations: &mut learnt.evaluations,
            generation: deepening.generation,
            prunes: deepening.params.reductions,
            control: Control::new(watch, None, progress),
            lines: PerPly::new(),
            lists: PerPly::new(),
            estimates: Vec::new(),
        }
    }

    /// The value of a position after a move, from the point of view of the side that made it; `below`
    /// has the bounds from the same point of view.
    fn visit(&mut self, state: &U::State, candidate: &CandidateOf<G, U>, below: Place) -> i32 {
        let after = &candidate.after;
        if self.domain.to_move(after) == self.domain.to_move(state) {
            return self.node(after, candidate.guess, below);
        }
        let flipped = Place {
            alpha: -below.beta,
            beta: -below.alpha,
            ..below
        };
        -self.node(after, candidate.guess, flipped)
    }

    /// The value of a position; `guess` is what can be told of it without a search, if that is known.
    fn node(&mut self, state: &U::State, guess: Option<Guess>, place: Place) -> i32 {
        let Place { depth, ply, .. } = place;
        self.control.nodes += 1;
        self.make_room(ply);
        self.lines[ply].clear();
        if self.control.is_stopped() {
            return 0;
        }
        if depth <= 0 {
            return self.known_or_evaluated(ply, guess, state).value;
        }
        if let Some(guess) = guess
            && self.is_enough(&place, guess)
        {
            return guess.value;
        }
        let key = self.domain.key(state);
        let hash = U::hash(&key);
        let known = self.table.get(hash, key);
        if let Some(entry) = &known
            && let Some(value) = answer(entry, &place)
        {
            return value;
        }
        let guess = self.known_or_evaluated(ply, guess, state);
        if self.is_enough(&place, guess) {
            return guess.value;
        }
        self.estimates.truncate(ply);
        self.estimates.push(guess.value);
        let mut moves = std::mem::take(&mut self.lists[ply]);
        self.list_moves(
            state,
            &place,
            known.and_then(|entry| entry.best),
            &mut moves,
        );
        let (best, best_move) = self.best_of(state, &place, &mut moves);
        self.lists[ply] = moves;
        if self.control.stopped.is_none() {
            let bound = if best >= place.beta || best > MAX_EVALUATION {
                Bound::Lower
            } else if best <= place.alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            let entry = Entry {
                key,
                value: seen_from(best, ply),
                bound,
                depth: depth as i16,
                generation: self.generation,
                best: best_move,
            };
            self.table.put(hash, entry);
        }
        best
    }

    /// Searches moves until one is good enough. The value of the best one, and the move itself if it is
    /// known to be better than alpha.
    fn best_of(
        &mut self,
        state: &U::State,
        place: &Place,
        moves: &mut [CandidateOf<G, U>],
    ) -> (i32, Option<U::Move>) {
        let Place {
            depth, ply, beta, ..
        } = *place;
        let mut alpha = place.alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        // The move that was best before often is enough, and the others need no evaluation then.
        let is_known = moves.iter().any(|candidate| candidate.rank == INFINITY);
        // Where there is no choice, the horizon is as far away as before.
        let is_forced = moves.len() == 1 && depth < TO_THE_END / 2;
        for index in 0..moves.len() {
            if depth >= 2 && index == usize::from(is_known) && !is_forced {
                self.rank_by_evaluation(state, ply + 1, &mut moves[index..]);
            }
            bring_best_to_front(&mut moves[index..]);
            let candidate = &moves[index];
            let below = Place {
                depth: depth - i32::from(!is_forced),
                ply: ply + 1,
                alpha,
                beta,
                before: Some(candidate.slot),
            };
            let value = self.try_candidate(state, candidate, below, index);
            if self.control.stopped.is_some() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(candidate.mv);
                    if place.is_principal() {
                        let mv = candidate.mv;
                        self.lines.extend_line(ply, mv);
                    }
                }
            }
            if best >= beta || best > MAX_EVALUATION {
                self.control.cutoffs += 1;
                let (tried, rest) = moves.split_at(index);
                let in_vain = tried.iter().map(|tried| tried.slot);
                let good = (rest[0].mv, rest[0].slot);
                self.memory.cut_off(ply, depth, good, place.before, in_vain);
                break;
            }
        }
        (best, best_move)
    }

    /// Searches a move that is the so manieth in the order: those after the first with an empty window,
    /// which says whether they are better, and late ones less deeply; what turns out to be better is
    /// searched again.
    pub fn try_candidate(
        &mut self,
        state: &U::State,
        candidate: &CandidateOf<G, U>,
        below: Place,
        index: usize,
    ) -> i32 {
        let below = Place {
            alpha: below.alpha.max(-MAX_EVALUATION - 1),
            beta: below.beta.min(MAX_EVALUATION + 1),
            ..below
        };
        let Place { alpha, beta, .. } = below;
        if index == 0 {
            return self.visit(state, candidate, below);
        }
        let narrow = Place {
            beta: alpha + 1,
            ..below
        };
        let reduction = self.reduction(below.depth + 1, index);
        if reduction > 0 {
            let shallow = Place {
                depth: below.depth - reduction,
                ..narrow
            };
            let value = self.visit(state, candidate, shallow);
            if value <= alpha || value > MAX_EVALUATION || self.control.stopped.is_some() {
                return value;
            }
        }
        let value = self.visit(state, candidate, narrow);
        if value <= alpha || value >= beta || self.control.stopped.is_some() {
            return value;
        }
        self.visit(state, candidate, below)
    }

    /// By how many plies a move is searched less deeply that is the so manieth of a node of this depth.
    fn reduction(&self, depth: i32, index: usize) -> i32 {
        if !self.prunes || depth > TO_THE_END / 2 {
            return 0;
        }
        let most = MOST_REDUCED - 1;
        let reductions = &REDUCTIONS[depth.max(0).min(most as i32) as usize];
        i32::from(reductions[index.min(most)]).min(depth - 1).max(0)
    }

    /// Whether a position needs no search: the game is over, or it looks so good or so bad that the few
    /// plies to the horizon will hardly change on which side of the window it is.
    fn is_enough(&self, place: &Place, guess: Guess) -> bool {
        let Place {
            depth, alpha, beta, ..
        } = *place;
        let value = guess.value;
        let before = place.ply.checked_sub(2).map(|ply| self.estimates[ply]);
        let margin = |has_begun: bool| MARGIN * depth - TREND * i32::from(has_begun);
        let is_high = || value - margin(before.is_some_and(|before| value > before)) >= beta;
        let is_low = || value + margin(before.is_some_and(|before| value <= before)) <= alpha;
        let is_futile = self.prunes
            && (1..=FUTILE_DEPTH).contains(&depth)
            && !place.is_principal()
            && (is_high() || is_low());
        guess.is_over || is_futile
    }

    /// The moves of a node, with the ranks that they have from memory: the one that was best before, then
    /// what cut off elsewhere.
    fn list_moves(
        &mut self,
        state: &U::State,
        place: &Place,
        first: Option<U::Move>,
        moves: &mut Vec<CandidateOf<G, U>>,
    ) {
        moves.clear();
        let reply = self.memory.reply(place.before);
        let (domain, memory) = (&*self.domain, &*self.memory);
        domain.for_each_move(state, |mv, after| {
            let slot = domain.slot(mv);
            let rank = if first == Some(mv) {
                INFINITY
            } else {
                let mut rank = memory.history(slot) / HISTORY_UNIT;
                if memory.is_killer(place.ply, mv) {
                    rank += KILLER;
                }
                if reply == Some(mv) {
                    rank += REPLY;
                }
                rank
            };
            moves.push(Candidate {
                mv,
                slot,
                rank,
                after,
                guess: None,
            });
        });
    }

    /// Adds what is thought of the positions after the moves, `ply` plies below the root, to their ranks.
    pub fn rank_by_evaluation(
        &mut self,
        state: &U::State,
        ply: usize,
        moves: &mut [CandidateOf<G, U>],
    ) {
        let mover = self.domain.to_move(state);
        for candidate in moves {
            let guess = self.evaluate(ply, &candidate.after);
            let is_movers = self.domain.to_move(&candidate.after) == mover;
            candidate.guess = Some(guess);
            candidate.rank += if is_movers { guess.value } else { -guess.value };
        }
    }

    /// Makes room for a node at this ply and for its children.
    #[inline]
    pub fn make_room(&mut self, ply: usize) {
        self.lines.make_room(ply);
        self.lists.make_room(ply);
    }

    /// Notes what the root is estimated to be worth.
    pub fn begin_estimates(&mut self, root: &U::State) {
        let guess = self.evaluate(0, root);
        self.estimates.clear();
        self.estimates.push(guess.value);
    }

    /// What can be told of a position without a search.
    fn evaluate(&mut self, ply: usize, state: &U::State) -> Guess {
        let key = self.domain.key(state);
        let hash = U::hash(&key);
        self.table.approach(hash);
        let evaluate = || self.domain.evaluate(state);
        match self.evaluations.get_or(hash, key, evaluate) {
            Evaluation::Over(result) => Guess {
                value: terminal(result, ply),
                is_over: true,
            },
            Evaluation::Open(value) => Guess {
                value: value.clamp(-MAX_EVALUATION, MAX_EVALUATION),
                is_over: false,
            },
        }
    }

    /// The guess, if there is one already.
    fn known_or_evaluated(&mut self, ply: usize, guess: Option<Guess>, state: &U::State) -> Guess {
        match guess {
            Some(guess) => guess,
            None => self.evaluate(ply, state),
        }
    }
}

/// What the table's entry says of a node, if that is enough.
fn answer<K, M>(entry: &Entry<K, M>, place: &Place) -> Option<i32> {
    let value = seen_here(entry.value, place.ply);
    if !(-MAX_EVALUATION..=MAX_EVALUATION).contains(&value) {
        return Some(value);
    }
    if i32::from(entry.depth) < place.depth || place.is_principal() {
        return None;
    }
    let is_enough = match entry.bound {
        Bound::Lower => value >= place.beta,
        Bound::Upper => value <= place.alpha,
        Bound::Exact => true,
    };
    is_enough.then_some(value)
}

/// The value of a node for the table, where the ends of games are as far away as they are from it.
fn seen_from(value: i32, ply: usize) -> i32 {
    if value > MAX_EVALUATION {
        value + ply as i32
    } else if value < -MAX_EVALUATION {
        value - ply as i32
    } else {
        value
    }
}

/// The other way round.
fn seen_here(value: i32, ply: usize) -> i32 {
    if value > MAX_EVALUATION {
        value - ply as i32
    } else if value < -MAX_EVALUATION {
        value + ply as i32
    } else {
        value
    }
}

/// Swaps the first candidate for the first of those with the highest rank.
#[inline]
fn bring_best_to_front<M, S>(moves: &mut [Candidate<M, S>]) {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].rank > moves[best].rank {
            best = index;
        }
    }
    moves.swap(0, best);
}
