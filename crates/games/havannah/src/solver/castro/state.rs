//! A position for the solvers of [`search::proof`], on the same words of cells as the solver `papamu`.

use crate::knowledge::distance::Distances;
use crate::rules::board::Board;
use crate::solver::draw_detection;
use crate::solver::key::Both;
use crate::solver::layout::Layout;
use crate::solver::node::{Node, ThreatResult, judge};
use crate::solver::word::Word;
use crate::{Move, Position};
use game::{Game, Outcome, Side, random};
use search::Lookahead;
use search::castro::{Seen, State};
use search::proof::{Bounds, Key, Tag};
use std::sync::Arc;

/// What a solver may leave out, and how it looks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruning {
    /// With fewer stones than this on the board, only one of each class of symmetric moves is listed
    /// (notes on solving, "Symmetry and Transpositions"). Default 5.
    pub symmetric_plies: u32,
    /// Whether sides that cannot win any more are recognised (notes on solving, "Early Draw Detection").
    /// Default true.
    pub draw_detection: bool,
    /// Whether, looking two plies ahead, two winning cells that a side can make at once count as well as
    /// one that it has; see `judge`. Default true.
    pub double_threats: bool,
}

impl Default for Pruning {
    fn default() -> Pruning {
        Pruning {
            symmetric_plies: 5,
            draw_detection: true,
            double_threats: true,
        }
    }
}

/// The swap, which is no cell.
const SWAP: u16 = u16::MAX - 1;

/// Where a game stands under the swap rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swap {
    /// Nobody can swap, now or later.
    Over,
    /// The first stone is to be placed.
    First,
    /// The first stone can be taken over.
    Now,
}

/// A position of Havannah for solving.
#[derive(Debug)]
pub struct SolverState<W: Word> {
    layout: Arc<Layout<W>>,
    pruning: Pruning,
    node: Node<W>,
    won: Option<Side>,
    swap: Swap,
}

impl<W: Word> Clone for SolverState<W> {
    fn clone(&self) -> Self {
        SolverState {
            layout: Arc::clone(&self.layout),
            ..*self
        }
    }

    /// For states of one layout: without counting another user of it, which threads would have to agree
    /// upon.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        debug_assert!(Arc::ptr_eq(&self.layout, &source.layout));
        self.node = source.node;
        self.won = source.won;
        self.swap = source.swap;
    }
}

/// All that decides how a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateKey<W> {
    stones: [W; 2],
    turn: u8,
}

impl<W: Word> Key for StateKey<W> {
    const PARTS: usize = Both::<W>::PARTS + 1;

    #[inline]
    fn hash(self, tag: Tag) -> u64 {
        random::mix(Both(self.stones).hash(tag) ^ u64::from(self.turn))
    }

    #[inline(always)]
    fn part(self, place: usize) -> u64 {
        if place < Both::<W>::PARTS {
            Both(self.stones).part(place)
        } else {
            u64::from(self.turn)
        }
    }

    #[inline(always)]
    fn from_parts(part: impl Fn(usize) -> u64) -> StateKey<W> {
        StateKey {
            turn: part(Both::<W>::PARTS) as u8,
            stones: Both::from_parts(part).0,
        }
    }
}

impl<W: Word> SolverState<W> {
    /// A position. It must be of the layout's shape.
    pub fn new(layout: &Arc<Layout<W>>, position: &Position, pruning: Pruning) -> Self {
        let won = position.outcome().and_then(Outcome::winner);
        let swap = match position.ply() {
            0 if position.swap_rule() => Swap::First,
            _ if position.can_swap() => Swap::Now,
            _ => Swap::Over,
        };
        let mut state = SolverState {
            layout: Arc::clone(layout),
            pruning,
            node: Node::start(layout),
            won,
            swap,
        };
        if won.is_none() {
            state.node = Node::of(layout, position);
        }
        state
    }

    /// The move with a number.
    pub fn move_of(&self, mv: u16) -> Option<Move> {
        if mv == SWAP {
            return Some(Move::Swap);
        }
        self.layout.cell(usize::from(mv)).map(Move::Place)
    }

    #[inline(always)]
    fn judge(
        &self,
        mover: &crate::solver::stones::Stones<W>,
        other: &crate::solver::stones::Stones<W>,
        empty: W,
        to_move: Side,
        plies: Lookahead,
    ) -> ThreatResult<W> {
        if plies == Lookahead::TwoPlies && self.pruning.double_threats {
            return judge(mover, other, empty, to_move);
        }
        if empty.is_none() {
            return ThreatResult::Full;
        }
        if plies != Lookahead::None && mover.wins.meets(empty) {
            return ThreatResult::Won(to_move);
        }
        let against = other.wins & empty;
        if plies == Lookahead::TwoPlies && !against.is_none() {
            return if against.is_many() {
                ThreatResult::Won(!to_move)
            } else {
                ThreatResult::Forced(against.first())
            };
        }
        ThreatResult::Open {
            moves: empty,
            urgent: false,
        }
    }

    /// What is seen of a position that nobody has won yet, before or after the swap.
    #[inline(always)]
    fn seen(judgement: ThreatResult<W>) -> Seen {
        match judgement {
            ThreatResult::Won(side) => Seen {
                bounds: Bounds::exact(Outcome::Win(side)),
                replies: 1,
            },
            ThreatResult::Full => Seen {
                bounds: Bounds::exact(Outcome::Draw),
                replies: 1,
            },
            ThreatResult::Forced(_) => Seen {
                bounds: Bounds::UNKNOWN,
                replies: 1,
            },
            ThreatResult::Open { moves, .. } => Seen {
                bounds: Bounds::UNKNOWN,
                replies: moves.count(),
            },
        }
    }

    /// What the stones allow at all.
    fn possible(&self) -> Bounds {
        let mut bounds = Bounds::UNKNOWN;
        if self.pruning.draw_detection {
            for side in Side::BOTH {
                let own = self.node.stones[side.index()].own;
                if draw_detection::cannot_win(&self.layout, own, self.node.empty) {
                    bounds = bounds.and(Bounds::without_win_of(side));
                }
            }
        }
        bounds
    }

    /// Of each class of symmetric moves one.
    fn distinct(&self, moves: W) -> W {
        let played = self.layout.board.minus(self.node.empty).count();
        if played >= self.pruning.symmetric_plies {
            return moves;
        }
        let stones = [self.node.stones[0].own, self.node.stones[1].own];
        moves & self.layout.distinct(stones, self.node.empty)
    }

    fn take_over(&mut self) {
        let first = self.node.stones[Side::White.index()].own;
        self.node = Node::start(&self.layout);
        for index in first.indices() {
            self.node.to_move = Side::Black;
            self.node.play(&self.layout, index);
        }
        self.node.to_move = Side::White;
    }
}

impl<W: Word> State for SolverState<W> {
    type Key = StateKey<W>;

    #[inline]
    fn to_move(&self) -> Side {
        self.node.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.won {
            Some(side) => Some(Outcome::Win(side)),
            None => self.node.empty.is_none().then_some(Outcome::Draw),
        }
    }

    /// All empty cells, and the swap.
    fn most_plies(&self) -> usize {
        self.node.empty.count() as usize + 1
    }

    #[inline]
    fn key(&self) -> StateKey<W> {
        StateKey {
            stones: [self.node.stones[0].own, self.node.stones[1].own],
            turn: self.node.to_move as u8 | (self.swap as u8) << 1,
        }
    }

    fn list_moves(&self, plies: Lookahead, moves: &mut Vec<u16>) -> Bounds {
        let (mover, other) = (self.node.to_move.index(), (!self.node.to_move).index());
        let stones = &self.node.stones;
        if self.swap != Swap::Over {
            // A threat can be met by taking the stone over: what holds for other positions does not.
            let distinct = self.distinct(self.node.empty);
            moves.extend(distinct.indices().map(|index| index as u16));
            if self.swap == Swap::Now {
                moves.push(SWAP);
            }
            return Bounds::UNKNOWN;
        }
        let judgement = self.judge(
            &stones[mover],
            &stones[other],
            self.node.empty,
            self.node.to_move,
            plies,
        );
        let bounds = SolverState::seen(judgement).bounds;
        match judgement {
            ThreatResult::Open { moves: listed, .. } => {
                let listed = self.distinct(listed);
                // Threats first: they settle a position most often.
                let threats = listed & stones[mover].threats;
                let rest = listed.minus(threats);
                let ordered = threats.indices().chain(rest.indices());
                moves.extend(ordered.map(|index| index as u16));
                return self.possible();
            }
            ThreatResult::Forced(index) => moves.push(index as u16),
            ThreatResult::Won(side) if side == self.node.to_move => {
                moves.extend(self.node.winning_move().map(|index| index as u16));
            }
            ThreatResult::Won(_) | ThreatResult::Full => {
                let against = stones[other].wins & self.node.empty;
                let resisting = if against.is_none() {
                    self.node.empty
                } else {
                    against
                };
                moves.push(resisting.first() as u16);
            }
        }
        bounds
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        self.swap = match self.swap {
            Swap::First => Swap::Now,
            Swap::Now | Swap::Over => Swap::Over,
        };
        if mv == SWAP {
            return self.take_over();
        }
        let index = usize::from(mv);
        let side = self.node.to_move;
        let own = &mut self.node.stones[side.index()];
        if own.wins.has(index) {
            own.own = own.own | W::bit(index);
            self.node.empty = self.node.empty.minus(W::bit(index));
            self.node.to_move = !side;
            self.won = Some(side);
        } else {
            self.node.play(&self.layout, index);
        }
    }

    #[inline]
    fn look(&self, plies: Lookahead) -> Seen {
        if let Some(outcome) = self.outcome() {
            return Seen {
                bounds: Bounds::exact(outcome),
                replies: 1,
            };
        }
        if self.swap != Swap::Over {
            return Seen {
                bounds: Bounds::UNKNOWN,
                replies: self.node.empty.count(),
            };
        }
        let (mover, other) = (self.node.to_move.index(), (!self.node.to_move).index());
        SolverState::seen(self.judge(
            &self.node.stones[mover],
            &self.node.stones[other],
            self.node.empty,
            self.node.to_move,
            plies,
        ))
    }

    #[inline]
    fn look_after(&self, mv: u16, plies: Lookahead, scratch: &mut Self) -> Seen {
        let side = self.node.to_move;
        let own = &self.node.stones[side.index()];
        let index = usize::from(mv);
        if self.swap != Swap::Over || own.wins.has(index) {
            scratch.clone_from(self);
            scratch.play(mv);
            return scratch.look(plies);
        }
        // The other side's stones stay as they are.
        let empty = self.node.empty.minus(W::bit(index));
        let after = &mut scratch.node.stones[side.index()];
        *after = *own;
        after.place(&self.layout, index, empty, &mut ());
        let after = &scratch.node.stones[side.index()];
        let other = &self.node.stones[(!side).index()];
        SolverState::seen(self.judge(other, after, empty, !side, plies))
    }

    #[inline]
    fn key_after(&self, mv: u16, scratch: &mut Self) -> StateKey<W> {
        if self.swap != Swap::Over {
            scratch.clone_from(self);
            scratch.play(mv);
            return scratch.key();
        }
        let mut key = self.key();
        let own = &mut key.stones[self.node.to_move.index()];
        *own = *own | W::bit(usize::from(mv));
        key.turn = !self.node.to_move as u8;
        key
    }

    /// The least distance to a fork or a bridge; rings are not seen.
    fn distance(&self, side: Side) -> Option<u32> {
        let geometry = self.layout.geometry();
        let mut board = Board::new(geometry);
        for side in Side::BOTH {
            for index in self.node.stones[side.index()].own.indices() {
                board.place(self.layout.cell(index)?, side);
            }
        }
        let mut distances = Distances::new(geometry);
        distances.compute(&board, side);
        let empty = self.node.empty.indices();
        let cells = empty.filter_map(|index| self.layout.cell(index));
        // A side that is far from either is taken to need every cell.
        let least = cells.filter_map(|cell| distances.to_win(cell)).min();
        Some(least.unwrap_or(self.node.empty.count()))
    }
}
