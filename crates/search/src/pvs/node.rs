//! Principal-variation search below the root (Marsland and Campbell, "Parallel search of strongly
//! ordered game trees", 1982), fail-soft, with a transposition table and late move reductions.
//!
//! **Proofs.** Values beyond [`MAX_EVALUATION`] come from ended games alone. Windows do not tell one of
//! them from another: alpha is never above `MAX_EVALUATION`, for a node returns as soon as it has a
//! winning move, and beta never below its negative, for alpha is kept from falling further. A value above
//! it is therefore above alpha, exact or a lower bound: a forced win, whatever the depths that other
//! moves were searched to. A value below the negative is below beta, exact or an upper bound: every move
//! was searched, and each loses.

use super::Guide;
use super::deepen::Deepening;
use super::order::Memory;
use super::table::{Bound, Entry, Table};
use crate::alphabeta::{MAX_EVALUATION, terminal};
use crate::{Progress, StopReason, Tick, Watch};
use game::Game;

/// Beyond every value.
pub(super) const INFINITY: i32 = i32::MAX;

/// A depth that no game reaches.
pub(super) const TO_THE_END: i32 = i16::MAX as i32;

/// What orders moves beside their rank, in units of the evaluation.
const KILLER: i32 = 40;
const REPLY: i32 = 40;
const HISTORY_UNIT: i32 = 100;

/// A move to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub mv: M,
    pub slot: usize,
    /// The higher the earlier.
    pub rank: i32,
}

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
pub(super) struct Worker<'a, G: Game, U: Guide<G>> {
    pub guide: &'a mut U,
    pub table: &'a Table<U::Key, G::Move>,
    pub memory: &'a mut Memory<G::Move>,
    pub generation: u8,
    pub reductions: bool,
    pub watch: Watch,
    pub progress: &'a mut dyn FnMut(&Progress<G::Move>),
    /// What was known after the last iteration that was finished, or as far as one has come that found a
    /// better move.
    pub latest: Progress<G::Move>,
    /// Positions visited below the root.
    pub nodes: u64,
    /// See [`Details::cutoffs`](crate::Details::cutoffs).
    pub cutoffs: u64,
    pub max_nodes: u64,
    /// Whether the limits apply.
    pub may_stop: bool,
    /// Once set, everything returns at once, and what it returns means nothing.
    pub stopped: Option<StopReason>,
    /// For each ply the best line from there on.
    pub lines: Vec<Vec<G::Move>>,
    /// For each ply a list of moves to use again and again.
    lists: Vec<Vec<Candidate<G::Move>>>,
    generated: Vec<G::Move>,
}

impl<'a, G: Game, U: Guide<G>> Worker<'a, G, U> {
    pub fn new(
        guide: &'a mut U,
        table: &'a Table<U::Key, G::Move>,
        memory: &'a mut Memory<G::Move>,
        deepening: &Deepening<'_>,
        watch: Watch,
        progress: &'a mut dyn FnMut(&Progress<G::Move>),
    ) -> Self {
        Worker {
            guide,
            table,
            memory,
            generation: deepening.generation,
            reductions: deepening.params.reductions,
            watch,
            progress,
            latest: Progress::nothing(),
            nodes: 0,
            cutoffs: 0,
            max_nodes: u64::MAX,
            may_stop: false,
            stopped: None,
            lines: Vec::new(),
            lists: Vec::new(),
            generated: Vec::new(),
        }
    }

    /// The value of the position after a move, from the point of view of the side that makes it; `below`
    /// has the bounds from the same point of view.
    pub fn try_move(&mut self, position: &mut G, mv: G::Move, below: Place) -> i32 {
        let mover = position.to_move();
        position.explore(mv, |child| {
            if child.to_move() == mover {
                return self.node(child, below);
            }
            let flipped = Place {
                alpha: -below.beta,
                beta: -below.alpha,
                ..below
            };
            -self.node(child, flipped)
        })
    }

    fn node(&mut self, position: &mut G, place: Place) -> i32 {
        let Place { depth, ply, .. } = place;
        self.nodes += 1;
        self.make_room(ply);
        self.lines[ply].clear();
        if self.is_stopped() {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return terminal(outcome.seen_by(position.to_move()), ply);
        }
        if depth <= 0 {
            return self.evaluate(position);
        }
        let (hash, key) = (position.hash(), self.guide.key(position));
        let known = self.table.get(hash, key);
        if let Some(entry) = &known
            && let Some(value) = answer(entry, &place)
        {
            return value;
        }
        let mut moves = std::mem::take(&mut self.lists[ply]);
        self.list_moves(
            position,
            &place,
            known.and_then(|entry| entry.best),
            &mut moves,
        );
        let (best, best_move) = self.best_of(position, &place, &mut moves);
        self.lists[ply] = moves;
        if self.stopped.is_none() {
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
        position: &mut G,
        place: &Place,
        moves: &mut [Candidate<G::Move>],
    ) -> (i32, Option<G::Move>) {
        let Place {
            depth, ply, beta, ..
        } = *place;
        let mut alpha = place.alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        // The move that was best before often is enough, and the others need no evaluation then.
        let is_known = moves.iter().any(|candidate| candidate.rank == INFINITY);
        for index in 0..moves.len() {
            if depth >= 2 && index == usize::from(is_known) {
                self.rank_by_evaluation(position, &mut moves[index..]);
            }
            bring_best_to_front(&mut moves[index..]);
            let Candidate { mv, slot, .. } = moves[index];
            let below = Place {
                depth: depth - 1,
                ply: ply + 1,
                alpha,
                beta,
                before: Some(slot),
            };
            let value = self.try_candidate(position, mv, below, index);
            if self.stopped.is_some() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if place.is_principal() {
                        self.extend_line(ply, mv);
                    }
                }
            }
            if best >= beta || best > MAX_EVALUATION {
                self.cutoffs += 1;
                let in_vain = moves[..index].iter().map(|tried| tried.slot);
                self.memory
                    .cut_off(ply, depth, (mv, slot), place.before, in_vain);
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
        position: &mut G,
        mv: G::Move,
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
            return self.try_move(position, mv, below);
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
            let value = self.try_move(position, mv, shallow);
            if value <= alpha || value > MAX_EVALUATION || self.stopped.is_some() {
                return value;
            }
        }
        let value = self.try_move(position, mv, narrow);
        if value <= alpha || value >= beta || self.stopped.is_some() {
            return value;
        }
        self.try_move(position, mv, below)
    }

    /// By how many plies a move is searched less deeply that is the so manieth of a node of this depth.
    fn reduction(&self, depth: i32, index: usize) -> i32 {
        if !self.reductions || depth < 3 || index < 2 || depth > TO_THE_END / 2 {
            return 0;
        }
        1 + i32::from(index >= 5 && depth >= 4) + i32::from(index >= 9 && depth >= 6)
    }

    /// The moves of a node, with the ranks that they have from memory: the one that was best before, then
    /// what cut off elsewhere.
    fn list_moves(
        &mut self,
        position: &G,
        place: &Place,
        first: Option<G::Move>,
        moves: &mut Vec<Candidate<G::Move>>,
    ) {
        moves.clear();
        self.generated.clear();
        position.legal_moves(&mut self.generated);
        let reply = self.memory.reply(place.before);
        for &mv in &self.generated {
            let slot = self.guide.slot(mv);
            let rank = if first == Some(mv) {
                INFINITY
            } else {
                let mut rank = self.memory.history(slot) / HISTORY_UNIT;
                if self.memory.is_killer(place.ply, mv) {
                    rank += KILLER;
                }
                if reply == Some(mv) {
                    rank += REPLY;
                }
                rank
            };
            moves.push(Candidate { mv, slot, rank });
        }
    }

    /// Adds the evaluations after the moves to their ranks.
    fn rank_by_evaluation(&mut self, position: &mut G, moves: &mut [Candidate<G::Move>]) {
        for candidate in moves {
            candidate.rank += self.evaluate_after(position, candidate.mv);
        }
    }

    fn evaluate(&mut self, position: &G) -> i32 {
        let value = self.guide.evaluate(position);
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// The evaluation after a move, from the point of view of the side that makes it.
    pub fn evaluate_after(&mut self, position: &mut G, mv: G::Move) -> i32 {
        let mover = position.to_move();
        position.explore(mv, |child| {
            let (value, side) = match child.outcome() {
                Some(outcome) => (terminal(outcome.seen_by(mover), 0), mover),
                None => (self.evaluate(child), child.to_move()),
            };
            if side == mover { value } else { -value }
        })
    }

    /// The best line from a ply on: a move, then the best line after it.
    pub fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    #[inline]
    pub fn make_room(&mut self, ply: usize) {
        if self.lines.len() < ply + 2 {
            self.lines.resize_with(ply + 2, Vec::new);
            self.lists.resize_with(ply + 2, Vec::new);
        }
    }

    #[inline]
    fn is_stopped(&mut self) -> bool {
        if !self.may_stop {
            return false;
        }
        if self.stopped.is_some() {
            return true;
        }
        if self.nodes >= self.max_nodes {
            self.stopped = Some(StopReason::Nodes);
            return true;
        }
        match self.watch.tick(self.nodes) {
            Tick::Continue => {}
            Tick::Progress => {
                self.update_counters();
                (self.progress)(&self.latest);
            }
            Tick::Stop(reason) => self.stopped = Some(reason),
        }
        self.stopped.is_some()
    }

    pub fn update_counters(&mut self) {
        self.latest.nodes = self.nodes;
        self.latest.details.cutoffs = self.cutoffs;
        self.latest.elapsed = self.watch.elapsed();
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
fn bring_best_to_front<M>(moves: &mut [Candidate<M>]) {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].rank > moves[best].rank {
            best = index;
        }
    }
    moves.swap(0, best);
}
