//! What a game adds to the search: the [`TreePolicy`].

use super::playout::Playout;
use crate::Limits;
use crate::Lookahead;
use game::random::{self, Rng};
use game::{Game, Outcome, Side};

/// What is asked of an expansion.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// How far to look ahead.
    pub lookahead: Lookahead,
    /// Whether the node is the root. Any other has a parent that was expanded with the same lookahead,
    /// was not won at once for the side to move there, and was not left without an answer to a threat.
    pub is_root: bool,
}

/// What is asked of a probe.
#[derive(Clone, Debug)]
pub struct Probe {
    /// How much work it may take: so many nodes of the policy's own search, at least 1. What is left of the time of the
    /// search, and its flag, end it sooner.
    pub limits: Limits,
    /// Whether the side to move looks more likely to win than the opponent: which of the two to try to
    /// prove.
    pub expects_win: bool,
    /// Whether a move is wanted that keeps a win of the side to move.
    pub wants_move: bool,
}

/// What a probe found. All of it must hold against any play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeResult<M> {
    /// Nothing that is certain.
    Nothing,
    /// The value of the position.
    Value(Outcome),
    /// The side to move wins with this move.
    WinningMove(M),
    /// All moves but these lose.
    Only(Vec<M>),
}

/// A leaf of the tree about to get its children, or a node that has them and is looked at again: their moves in an order
/// in which equals have equal chances, with what is known of them from the start.
#[derive(Clone, Debug)]
pub struct Leaf<M> {
    pub(super) moves: Vec<M>,
    /// One for each move, or none at all.
    pub(super) priors: Vec<f32>,
    /// The number of a move, the value of the position after it, and the plies from there to the end.
    pub(super) proven: Vec<(usize, Outcome, u8)>,
    pub(super) forced: bool,
    /// What the side to move is expected to score.
    pub(super) expected: Option<f32>,
}

impl<M> Default for Leaf<M> {
    fn default() -> Self {
        Leaf {
            moves: Vec::new(),
            priors: Vec::new(),
            proven: Vec::new(),
            forced: false,
            expected: None,
        }
    }
}

impl<M: Copy> Leaf<M> {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.priors.clear();
        self.proven.clear();
        self.forced = false;
        self.expected = None;
    }

    /// The moves so far.
    pub fn moves(&self) -> &[M] {
        &self.moves
    }

    /// Another move, of which nothing is known.
    #[inline]
    pub fn push(&mut self, mv: M) {
        self.moves.push(mv);
    }

    /// Another move, which ends the game.
    pub fn push_end(&mut self, mv: M, outcome: Outcome) {
        self.proven.push((self.moves.len(), outcome, 0));
        self.moves.push(mv);
    }

    /// What knowledge adds to the value of each move, for the side that makes it: the `k` of
    /// `k / √visits`, in the unit of the value, where a win is 1.
    pub fn judge(&mut self, value: impl FnMut(M) -> f32) {
        self.priors.clear();
        self.priors.extend(self.moves.iter().copied().map(value));
    }

    /// What the side to move is expected to score, from 0 to 1, when the policy [evaluates](TreePolicy::evaluate) the node. It counts
    /// as [`Params::expectation`](super::Params::expectation) says.
    pub fn expect(&mut self, score: f32) {
        self.expected = Some(score);
    }

    /// Adds to the value of each move, as [`judge`](Leaf::judge).
    pub(super) fn add(&mut self, value: impl Fn(M) -> f32) {
        self.priors.resize(self.moves.len(), 0.0);
        for (prior, &mv) in self.priors.iter_mut().zip(&self.moves) {
            *prior += value(mv);
        }
    }

    /// The side to move wins with this move: there is nothing else to look at.
    pub fn only_win(&mut self, mv: M, side: Side) {
        self.clear();
        self.push_end(mv, Outcome::Win(side));
    }

    /// The opponent threatens to win, and this move alone prevents it. It ends the game or not.
    pub fn only_answer(&mut self, mv: M, end: Option<Outcome>) {
        self.clear();
        self.forced = true;
        match end {
            Some(outcome) => self.push_end(mv, outcome),
            None => self.push(mv),
        }
    }

    /// The opponent has several wins to choose from, and each of these moves prevents only one of them:
    /// `side`, the side to move, has lost.
    pub fn no_answer(&mut self, moves: &[M], side: Side) {
        self.clear();
        self.forced = true;
        let proven = (0..moves.len()).map(|index| (index, Outcome::Win(!side), 1));
        self.proven.extend(proven);
        self.moves.extend_from_slice(moves);
    }

    /// Every legal move in random order, looking at most one ply ahead: what can be done for any game.
    pub fn look<G: Game<Move = M>>(
        &mut self,
        position: &mut G,
        lookahead: Lookahead,
        rng: &mut Rng,
    ) {
        self.clear();
        position.legal_moves(&mut self.moves);
        debug_assert!(!self.moves.is_empty(), "no move, no outcome: {position:?}");
        random::shuffle(&mut self.moves, rng);
        if lookahead == Lookahead::None {
            return;
        }
        let mover = position.to_move();
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            match position.explore(mv, |child| child.outcome()) {
                Some(outcome) if outcome == Outcome::Win(mover) => {
                    return self.only_win(mv, mover);
                }
                Some(outcome) => self.proven.push((index, outcome, 0)),
                None => {}
            }
        }
    }
}

/// What a game adds to the search. Every [`Playout`] policy is a tree policy that knows no more than to play
/// games to their end; a game that fills cells can say more.
///
/// Everything must follow from the arguments, the state of the generator and what the policy has done
/// before. Each thread of a search has a clone of its own.
pub trait TreePolicy<G: Game>: Clone + Send {
    /// Makes ready for a search with these limits: a long one may be worth knowledge that takes longer.
    fn begin(&mut self, limits: &Limits) {
        let _ = limits;
    }

    /// Makes ready for playouts from a position in which the game is not over.
    fn prepare(&mut self, position: &G) {
        let _ = position;
    }

    /// Plays from the prepared position to the end of the game.
    fn playout(&mut self, position: &G, rng: &mut Rng) -> Outcome;

    /// Lists the moves of a leaf, in which the game is not over, with what is certain and what is likely
    /// of them. The position must be as it was afterwards. What is certain must hold against any play.
    fn expand(
        &mut self,
        position: &mut G,
        expansion: Expansion,
        leaf: &mut Leaf<G::Move>,
        rng: &mut Rng,
    ) {
        leaf.look(position, expansion.lookahead, rng);
    }

    /// Whether it can [evaluate](TreePolicy::evaluate) nodes.
    fn has_evaluation(&self) -> bool {
        false
    }

    /// Knowledge that is worth its time only for a position that the search has come to more often: what is likely of
    /// the moves of the leaf, beside what was when they were listed, and what the side to move is expected to score.
    /// [Evaluations](Leaf::judge) and [expectations](Leaf::expect) alone count here. Called once, as
    /// [`Params::evaluate_after`](super::Params::evaluate_after) says, and once more if a collection took a node's children.
    fn evaluate(&mut self, position: &G, leaf: &mut Leaf<G::Move>) {
        let _ = (position, leaf);
    }

    /// Looks closer at a position that the search comes back to again and again, in which the game is not
    /// over. Called as often as [`Params::probe_after`](super::Params::probe_after) says.
    fn probe(&mut self, position: &G, probe: &Probe) -> ProbeResult<G::Move> {
        let _ = (position, probe);
        ProbeResult::Nothing
    }

    /// For RAVE: one more than the largest index of a cell, or 0 for a game without cells to fill.
    fn cells(&self, position: &G) -> usize {
        let _ = position;
        0
    }

    /// For RAVE: the cell that a move fills, the same for a move in all positions of a game.
    fn cell_of(&self, position: &G, mv: G::Move) -> Option<usize> {
        let _ = (position, mv);
        None
    }

    /// For RAVE: the number of cells that are not filled.
    fn empty_cells(&self, position: &G) -> usize {
        let _ = position;
        0
    }

    /// For RAVE: tells which cells the last playout filled, and who did.
    fn played(&self, visit: impl FnMut(Side, usize)) {
        let _ = visit;
    }

    /// How the playouts so far have ended, by kind of end, with their numbers.
    fn ends(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

impl<G: Game, P: Playout<G> + Clone + Send> TreePolicy<G> for P {
    #[inline]
    fn playout(&mut self, position: &G, rng: &mut Rng) -> Outcome {
        self.run(position, rng)
    }
}
