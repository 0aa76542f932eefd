//! A position in the search, and what two plies of threats say about it.

use super::layout::Layout;
use super::stones::Stones;
use super::word::Word;
use crate::Position;
use game::{Game, Side};

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Node<W: Word> {
    /// By [`Side::index`].
    pub stones: [Stones<W>; 2],
    /// The empty cells.
    pub empty: W,
    /// Whose turn it is.
    pub to_move: Side,
}

/// What is known of a position without a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement<W> {
    /// This side wins.
    Won(Side),
    /// The board is full.
    Full,
    /// The side to move must play here: the opponent threatens to win.
    Forced(usize),
    /// Every move of the side to move that is not among these loses. `urgent` says whether that is
    /// because of a threat of the opponent, or all empty cells are among these.
    Open { moves: W, urgent: bool },
}

impl<W: Word> Node<W> {
    /// The empty board, White to move.
    pub fn start(layout: &Layout<W>) -> Node<W> {
        Node {
            stones: [Stones::none(layout); 2],
            empty: layout.board,
            to_move: Side::White,
        }
    }

    /// A position that is not over.
    pub fn of(layout: &Layout<W>, position: &Position) -> Node<W> {
        let mut node = Node::start(layout);
        for side in Side::BOTH {
            for index in layout.stones(position, side).indices() {
                node.to_move = side;
                node.play(layout, index);
            }
        }
        node.to_move = position.to_move();
        node
    }

    /// A move of the side to move that wins at once, or that makes two winning cells where the
    /// opponent has none.
    pub fn winning_move(&self) -> Option<usize> {
        let mover = &self.stones[self.to_move.index()];
        let at_once = mover.wins & self.empty;
        if !at_once.is_none() {
            return Some(at_once.first());
        }
        if self.stones[(!self.to_move).index()].wins.meets(self.empty) {
            return None;
        }
        let threats = mover.threats & self.empty;
        threats
            .indices()
            .find(|&index| (mover.next(index) & self.empty).is_many())
    }

    /// Places a stone of the side to move on a cell where it does not win.
    #[inline]
    pub fn play(&mut self, layout: &Layout<W>, index: usize) {
        self.empty = self.empty.minus(W::bit(index));
        self.stones[self.to_move.index()].place(layout, index, self.empty);
        self.to_move = !self.to_move;
    }

    /// See [`judge`].
    #[inline(always)]
    pub fn judge(&self) -> Judgement<W> {
        let mover = &self.stones[self.to_move.index()];
        let other = &self.stones[(!self.to_move).index()];
        judge(mover, other, self.empty, self.to_move)
    }
}

/// What the winning cells of both sides, and the moves that make two of them, say.
///
/// With M to move and O the opponent, each step assumes that those before did not apply:
/// 1. M has a winning cell: M wins.
/// 2. O has two winning cells: M cannot take both, and O wins. If O has one, M must take it.
/// 3. M has a move x after which it has two winning cells: O has none, so that O can only take
///    one of the two, and M wins.
/// 4. O has such a move x, making winning cells T. Let M play m. If m is neither x nor in T, and
///    M does not threaten to win after m, then O plays x: M has no winning cell, cannot take two
///    of T, and loses. If T has three cells or more, the same is true of any m in T, since two
///    are left. So m must be x, or in T if T has two cells, or make a threat; and that for every
///    such x. What a threat leads to is left to the search, since O's answer to it can take
///    away x or T, or give M's stones a further purpose.
#[inline(always)]
pub fn judge<W: Word>(
    mover: &Stones<W>,
    other: &Stones<W>,
    empty: W,
    to_move: Side,
) -> Judgement<W> {
    if mover.wins.meets(empty) {
        return Judgement::Won(to_move);
    }
    let against = other.wins & empty;
    if !against.is_none() {
        return if against.is_many() {
            Judgement::Won(!to_move)
        } else {
            Judgement::Forced(against.first())
        };
    }
    quiet(mover, empty, to_move, |answers| {
        for index in (other.threats & empty).indices() {
            answers.see(index, other.next(index) & empty);
        }
    })
}

/// The rest of [`judge`] where neither side has a winning cell: `against` shows the moves of the
/// opponent that make winning cells.
#[inline(always)]
pub fn quiet<W: Word>(
    mover: &Stones<W>,
    empty: W,
    to_move: Side,
    against: impl FnOnce(&mut Answers<W>),
) -> Judgement<W> {
    if empty.is_none() {
        return Judgement::Full;
    }
    let mut threats = W::NONE;
    for index in (mover.threats & empty).indices() {
        let wins = mover.next(index) & empty;
        if wins.is_many() {
            return Judgement::Won(to_move);
        }
        if !wins.is_none() {
            threats = threats | W::bit(index);
        }
    }
    let mut answers = Answers {
        moves: empty,
        urgent: false,
    };
    against(&mut answers);
    let Answers { mut moves, urgent } = answers;
    if urgent {
        moves = moves | threats;
        if moves.is_none() {
            return Judgement::Won(!to_move);
        }
    }
    Judgement::Open { moves, urgent }
}

/// The moves that answer every move that makes two winning cells.
#[derive(Clone, Copy, Debug)]
pub struct Answers<W> {
    moves: W,
    urgent: bool,
}

impl<W: Word> Answers<W> {
    /// Looks at a move of the opponent and the winning cells after it.
    #[inline(always)]
    pub fn see(&mut self, index: usize, wins: W) {
        if wins.is_many() {
            self.urgent = true;
            let touching = if wins.without_first().is_many() {
                W::bit(index)
            } else {
                wins | W::bit(index)
            };
            self.moves = self.moves & touching;
        }
    }
}
