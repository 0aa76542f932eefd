//! A position in the search, and what two plies of threats say about it.

use super::layout::Layout;
use super::stones::Stones;
use super::trail::Witness;
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
pub enum ThreatResult<W> {
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
        let stones = layout.stones_of_both(position);
        node.place_all(layout, stones, position.to_move());
        node
    }

    /// Places those of the stones, by [`Side::index`], that are not there yet, of a position that is not over.
    pub fn place_all(&mut self, layout: &Layout<W>, stones: [W; 2], to_move: Side) {
        for (side, stones) in Side::BOTH.into_iter().zip(stones) {
            for index in stones.minus(self.stones[side.index()].own).indices() {
                self.to_move = side;
                self.play(layout, index);
            }
        }
        self.to_move = to_move;
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
        let doubles = mover.doubles & self.empty;
        doubles
            .indices()
            .find(|&index| (mover.next(index) & self.empty).is_many())
    }

    /// Places a stone of the side to move on a cell where it does not win.
    #[inline]
    pub fn play(&mut self, layout: &Layout<W>, index: usize) {
        self.play_before(layout, index, &mut ());
    }

    /// The same before a witness.
    #[inline]
    pub fn play_before(&mut self, layout: &Layout<W>, index: usize, witness: &mut impl Witness<W>) {
        self.empty = self.empty.minus(W::bit(index));
        self.stones[self.to_move.index()].place(layout, index, self.empty, witness);
        self.to_move = !self.to_move;
    }

    /// See [`judge`].
    #[inline(always)]
    pub fn judge(&self) -> ThreatResult<W> {
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
) -> ThreatResult<W> {
    if mover.wins.meets(empty) {
        return ThreatResult::Won(to_move);
    }
    let against = other.wins & empty;
    if !against.is_none() {
        return if against.is_many() {
            ThreatResult::Won(!to_move)
        } else {
            ThreatResult::Forced(against.first())
        };
    }
    if empty.is_none() {
        return ThreatResult::Full;
    }
    let doubles = (mover.doubles & empty).indices();
    if doubles
        .map(|index| mover.next(index) & empty)
        .any(W::is_many)
    {
        return ThreatResult::Won(to_move);
    }
    let mut answers = Answers::to_nothing(empty);
    for index in (other.doubles & empty).indices() {
        answers.see(index, other.next(index) & empty);
    }
    answers.judgement(|| mover.threatening(empty), to_move)
}

/// A move that makes a winning cell.
#[derive(Clone, Copy, Debug)]
pub struct Threat<W> {
    /// The reply that it forces, on that cell.
    pub reply: usize,
    /// What is known after the reply; [`ThreatResult::Forced`] if that makes a winning cell itself.
    pub judged: ThreatResult<W>,
}

/// [`judge`] of the position after a move of an open node that makes a winning cell, and the reply that this forces, without placing
/// them.
///
/// Before the move the side to move had none that makes two winning cells, so that only those are to be looked for that it has
/// made. The opponent may have had some.
#[inline(always)]
pub fn judge_threat<W: Word>(layout: &Layout<W>, node: &Node<W>, index: usize) -> Threat<W> {
    let own = &node.stones[node.to_move.index()];
    let other = &node.stones[(!node.to_move).index()];
    let reply = (own.next(index) & node.empty).first();
    let seen = |judged| Threat { reply, judged };
    let empty = node.empty.minus(W::bit(index) | W::bit(reply));
    let against = other.next(reply) & empty;
    if against.is_many() {
        return seen(ThreatResult::Won(!node.to_move));
    }
    if !against.is_none() {
        return seen(ThreatResult::Forced(against.first()));
    }
    if empty.is_none() {
        return seen(ThreatResult::Full);
    }
    let mut wins_twice = false;
    let mut threats = W::NONE;
    own.threats_after(layout, index, empty, empty, |second, wins| {
        wins_twice |= wins.is_many();
        threats = threats | W::bit(second);
    });
    if wins_twice {
        return seen(ThreatResult::Won(node.to_move));
    }
    let mut answers = Answers::to_nothing(empty);
    for index in (other.doubles & empty).indices() {
        answers.see(index, other.next(index) & empty);
    }
    other.doubles_after(layout, reply, empty, empty, |second, wins| {
        answers.see(second, wins);
    });
    let threats = || threats | own.threatening(empty);
    seen(answers.judgement(threats, node.to_move))
}

/// [`judge`] of the positions after moves that make no winning cell, without placing them.
///
/// They must be moves that [`judge`] left open, called quiet here. After such a move the opponent has no move
/// that makes two winning cells: before it, the side to move had an answer to each of these, and only moves
/// that are such answers, or make winning cells, were left. And the side to move had no such move before it,
/// so that only those are to be looked for that the move has made. Two stones make winning cells
/// together whichever of them comes first, so that each pair is looked at once.
#[derive(Clone, Copy, Debug)]
pub struct QuietMoves<W: Word> {
    /// What pairs say of their moves.
    answers: W::Table<Answers<W>>,
    /// The moves that have such answers.
    answered: W,
    /// The cells of which all pairs were looked at.
    paired: W,
    /// Whether pairs are looked at by [touched](super::stones::Stones::touched) cells, all at once, rather than by moves.
    by_touched: bool,
}

impl<W: Word> QuietMoves<W> {
    /// Nothing was looked at yet.
    pub fn new() -> QuietMoves<W> {
        QuietMoves {
            answers: W::table(Answers::to_nothing(W::NONE)),
            answered: W::NONE,
            paired: W::NONE,
            by_touched: false,
        }
    }

    /// Begins with another node, of which so many moves are of interest. To go through pairs by touched cells is less work if
    /// these are few; by moves it can end at one that settles the node.
    #[inline(always)]
    pub fn restart(&mut self, node: &Node<W>, moves: usize) {
        self.answered = W::NONE;
        self.paired = W::NONE;
        let touched = node.stones[node.to_move.index()].touched & node.empty;
        self.by_touched = 4 * (touched.count() as usize) < 3 * moves && node.empty.is_many();
    }

    /// Looks at all quiet moves at once of a node, which must be the same until the [restart](QuietMoves::restart), if that is
    /// less work. Returns those that have to be judged: nothing is urgent after others.
    #[inline(always)]
    pub fn look(&mut self, layout: &Layout<W>, node: &Node<W>) -> Option<W> {
        if !self.by_touched {
            return None;
        }
        let own = &node.stones[node.to_move.index()];
        let empty = node.empty;
        for index in (own.touched & empty).minus(self.paired).indices() {
            self.pair(layout, own, empty, index, empty);
        }
        Some(self.answered)
    }

    /// Judges the position after a quiet move, after a [look](QuietMoves::look).
    #[inline(always)]
    pub fn judge(&mut self, layout: &Layout<W>, node: &Node<W>, index: usize) -> ThreatResult<W> {
        if !self.by_touched {
            let own = &node.stones[node.to_move.index()];
            let others = own.touched | W::all_if(own.touched.has(index));
            self.pair(layout, own, node.empty, index, others);
        }
        let empty = node.empty.minus(W::bit(index));
        if empty.is_none() {
            return ThreatResult::Full;
        }
        let other = &node.stones[(!node.to_move).index()];
        let threats = || other.threatening(empty);
        self.of(node.empty, index).judgement(threats, !node.to_move)
    }

    /// Looks at the pairs of an empty cell with others.
    #[inline(always)]
    fn pair(&mut self, layout: &Layout<W>, own: &Stones<W>, empty: W, index: usize, others: W) {
        let cell = W::bit(index);
        self.paired = self.paired | cell;
        let asked = empty.minus(self.paired) & others;
        own.doubles_after(layout, index, empty.minus(cell), asked, |second, wins| {
            self.see(empty, index, second, wins);
            self.see(empty, second, index, wins);
        });
    }

    /// What is touched after a look at all quiet moves of a node in which no move was left out.
    pub fn touched(&self, node: &Node<W>) -> W {
        let own = &node.stones[node.to_move.index()];
        let rest = if self.by_touched {
            own.touched
        } else {
            own.threats
        };
        self.answered | rest.minus(self.paired)
    }

    /// Notes that a stone on a second cell makes two winning cells after a move.
    #[inline(always)]
    fn see(&mut self, empty: W, index: usize, second: usize, wins: W) {
        let mut answers = self.of(empty, index);
        answers.see(second, wins);
        self.answers.as_mut()[W::within(index)] = answers;
        self.answered = self.answered | W::bit(index);
    }

    #[inline(always)]
    fn of(&self, empty: W, index: usize) -> Answers<W> {
        if self.answered.has(index) {
            self.answers.as_ref()[W::within(index)]
        } else {
            Answers::to_nothing(empty.minus(W::bit(index)))
        }
    }
}

/// The moves that answer every move that makes two winning cells.
#[derive(Clone, Copy, Debug)]
struct Answers<W> {
    moves: W,
    urgent: bool,
}

impl<W: Word> Answers<W> {
    fn to_nothing(empty: W) -> Answers<W> {
        Answers {
            moves: empty,
            urgent: false,
        }
    }

    /// Looks at a move of the opponent and the winning cells after it.
    #[inline(always)]
    fn see(&mut self, index: usize, wins: W) {
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

    /// What is left to the side to move, which cannot win at once. Its threats are asked for where they matter.
    #[inline(always)]
    fn judgement(self, threats: impl FnOnce() -> W, to_move: Side) -> ThreatResult<W> {
        let Answers { mut moves, urgent } = self;
        if urgent {
            moves = moves | threats();
            if moves.is_none() {
                return ThreatResult::Won(!to_move);
            }
        }
        ThreatResult::Open { moves, urgent }
    }
}
