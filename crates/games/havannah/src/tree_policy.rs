//! What Havannah adds to Monte Carlo tree search: threats, knowledge, playouts, and cells for RAVE.

use crate::knowledge::network::{ByLength, Choice};
use crate::knowledge::{Knowledge, Weights};
use crate::playout::{Ended, Policy, PolicyPlayout, UniformPlayout, threats};
use crate::rules::board::Board;
use crate::rules::geometry::{Cell, Geometry};
use crate::rules::position::{Move, Position};
use crate::solver_probe::SolverProbe;
use game::random::{self, Rng};
use game::{Game, Outcome, Side};
use search::Limits;
use search::mcts::{Expansion, Leaf, Lookahead, Probe, ProbeResult};

/// The parameters of a [`TreePolicy`]. By default it knows the rules and nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreePolicyParams {
    /// What knowledge adds to the moves of a leaf.
    pub weights: Weights,
    /// How playouts go.
    pub policy: Policy,
    /// The most bytes for the table of the solver that probes nodes. Default 64 MiB.
    pub solver_memory: usize,
    /// The most bytes for the cache of the network's evaluations. Default 8 MiB.
    pub cache_memory: usize,
}

impl Default for TreePolicyParams {
    fn default() -> TreePolicyParams {
        TreePolicyParams {
            weights: Weights::default(),
            policy: Policy::default(),
            solver_memory: 64 << 20,
            cache_memory: 8 << 20,
        }
    }
}

/// What Havannah adds to Monte Carlo tree search, on boards of one shape.
#[derive(Clone, Debug)]
pub struct TreePolicy {
    /// All cells in an order without meaning, for children in an order without meaning.
    shuffled: Vec<Cell>,
    knowledge: Knowledge,
    solver_probe: SolverProbe,
    playouts: Playouts,
    /// Who was to move when the last playout began.
    first: Side,
    ended: Ended,
    /// Playouts that ended with a fork, a bridge, a ring and a draw.
    ends: [u64; 4],
}

/// Random playouts have an inner loop of their own.
#[derive(Clone, Debug)]
enum Playouts {
    Uniform(UniformPlayout),
    Policy(Box<PolicyPlayout>),
}

impl TreePolicy {
    /// For boards of one geometry, with the network that the program brings.
    pub fn new(geometry: &'static Geometry, params: &TreePolicyParams) -> TreePolicy {
        let shipped = Choice::Shipped(ByLength::for_size(geometry.shape().size()));
        TreePolicy::with_network(geometry, params, shipped)
    }

    /// For boards of one geometry. The network is asked only if it counts.
    pub fn with_network(
        geometry: &'static Geometry,
        params: &TreePolicyParams,
        network: Choice,
    ) -> TreePolicy {
        let mut shuffled = geometry.cells().to_vec();
        // Which order it is does not matter: every expansion begins somewhere else in it.
        random::shuffle(&mut shuffled, &mut random::seeded(geometry.grid() as u64));
        let playouts = if params.policy == Policy::default() {
            Playouts::Uniform(UniformPlayout::new(geometry))
        } else {
            Playouts::Policy(Box::new(PolicyPlayout::new(geometry, params.policy)))
        };
        TreePolicy {
            shuffled,
            knowledge: Knowledge::with_network(
                geometry,
                params.weights,
                network,
                params.cache_memory,
            ),
            solver_probe: SolverProbe::new(params.solver_memory),
            playouts,
            first: Side::White,
            ended: Ended {
                win: None,
                stones: 0,
            },
            ends: [0; 4],
        }
    }

    /// Adds what knowledge says of the moves of a leaf.
    pub(crate) fn judge(&mut self, position: &Position, leaf: &mut Leaf<Move>) {
        if self.knowledge.weights().is_any() {
            self.knowledge.prepare(position);
            leaf.judge(|mv| match mv {
                Move::Place(cell) => self.knowledge.value(position, cell),
                Move::Swap => 0.0,
            });
        }
    }

    /// Looks at what decides at once, and tells whether the leaf is done.
    fn look(position: &Position, expansion: Expansion, leaf: &mut Leaf<Move>) -> bool {
        let side = position.to_move();
        let board = position.board();
        // Below a position in which threats were looked for, the side to move has none of its own, and
        // the opponent's are new. Under the swap rule the first moves are not looked at like that.
        let threats_are_new = expansion.lookahead == Lookahead::TwoPlies
            && !expansion.is_root
            && !(position.swap_rule() && position.ply() <= 2);
        let end = (position.empty_cells() == 1).then_some(Outcome::Draw);
        if !threats_are_new && let Some(cell) = first_winning(board, side) {
            leaf.only_win(Move::Place(cell), side);
            return true;
        }
        if expansion.lookahead == Lookahead::TwoPlies {
            let threats = match position.last_move() {
                Some(Move::Place(last)) if threats_are_new => {
                    let threats = threats::beside_group(board, last, !side, |_, _| true);
                    threats.cells.map(|threat| threat.map(|(cell, _)| cell))
                }
                _ => two_winning(board, !side),
            };
            match threats {
                [Some(one), Some(other)] => {
                    leaf.no_answer(&[one, other].map(Move::Place), side);
                    return true;
                }
                [Some(one), None] => {
                    leaf.only_answer(Move::Place(one), end);
                    return true;
                }
                [None, _] => {}
            }
        }
        if let Some(draw) = end
            && let Some(last_cell) = empty(board).next()
        {
            leaf.push_end(Move::Place(last_cell), draw);
            return true;
        }
        false
    }
}

fn empty(board: &Board) -> impl Iterator<Item = Cell> + '_ {
    let cells = board.geometry().cells().iter().copied();
    cells.filter(|&cell| board.is_empty(cell))
}

/// The first cell on which a stone of a side would win.
fn first_winning(board: &Board, side: Side) -> Option<Cell> {
    empty(board).find(|&cell| board.completes(cell, side).is_some())
}

/// The first two cells on which a stone of a side would win.
fn two_winning(board: &Board, side: Side) -> [Option<Cell>; 2] {
    let mut winning = empty(board).filter(|&cell| board.completes(cell, side).is_some());
    [winning.next(), winning.next()]
}

impl search::TreePolicy<Position> for TreePolicy {
    fn begin(&mut self, limits: &Limits) {
        self.knowledge.begin(limits);
    }

    fn prepare(&mut self, position: &Position) {
        self.first = position.to_move();
        match &mut self.playouts {
            Playouts::Uniform(uniform) => uniform.prepare(position.board()),
            Playouts::Policy(policy) => policy.prepare(position),
        }
    }

    /// A swap is no part of a playout: whose stone the first one is matters little at random.
    fn playout(&mut self, position: &Position, rng: &mut Rng) -> Outcome {
        self.ended = match &mut self.playouts {
            Playouts::Uniform(uniform) => uniform.play_again(position.board(), self.first, rng),
            Playouts::Policy(policy) => policy.play(rng),
        };
        let kind = self
            .ended
            .win
            .map_or(3, |(_, structure)| structure as usize);
        self.ends[kind] += 1;
        self.ended.outcome()
    }

    fn expand(
        &mut self,
        position: &mut Position,
        expansion: Expansion,
        leaf: &mut Leaf<Move>,
        rng: &mut Rng,
    ) {
        if position.can_swap() {
            // A threat can be met by taking the stone over: what holds for other positions does not.
            return leaf.look(position, expansion.lookahead, rng);
        }
        if expansion.lookahead != Lookahead::None && TreePolicy::look(position, expansion, leaf) {
            return;
        }
        let board = position.board();
        let begin = random::below(self.shuffled.len() as u32, rng) as usize;
        let (behind, ahead) = self.shuffled.split_at(begin);
        for &cell in ahead.iter().chain(behind) {
            if board.is_empty(cell) {
                leaf.push(Move::Place(cell));
            }
        }
        self.judge(position, leaf);
    }

    fn has_evaluation(&self) -> bool {
        self.knowledge.has_network()
    }

    /// The network knows no swap: whoever swaps has what the other side would have scored, and that is as likely as all other
    /// moves together.
    fn evaluate(&mut self, position: &Position, leaf: &mut Leaf<Move>) {
        let Some(score) = self.knowledge.ask_network(position) else {
            return;
        };
        let knowledge = &self.knowledge;
        if position.can_swap() {
            leaf.judge(|mv| match mv {
                Move::Place(cell) => knowledge.value_of_network(cell) / 2.0,
                Move::Swap => knowledge.value_of_certainty() / 2.0,
            });
            leaf.expect(score.max(1.0 - score));
        } else {
            leaf.judge(|mv| match mv {
                Move::Place(cell) => knowledge.value_of_network(cell),
                Move::Swap => 0.0,
            });
            leaf.expect(score);
        }
    }

    fn probe(&mut self, position: &Position, probe: &Probe) -> ProbeResult<Move> {
        self.solver_probe.probe(position, probe)
    }

    fn cells(&self, position: &Position) -> usize {
        position.geometry().grid()
    }

    #[inline]
    fn cell_of(&self, _: &Position, mv: Move) -> Option<usize> {
        match mv {
            Move::Place(cell) => Some(cell.index()),
            Move::Swap => None,
        }
    }

    #[inline]
    fn empty_cells(&self, position: &Position) -> usize {
        position.empty_cells()
    }

    #[inline]
    fn played(&self, mut visit: impl FnMut(Side, usize)) {
        let cells = match &self.playouts {
            Playouts::Uniform(uniform) => uniform.moves(&self.ended),
            Playouts::Policy(policy) => policy.moves(),
        };
        let mut side = self.first;
        for cell in cells {
            visit(side, cell.index());
            side = !side;
        }
    }

    fn ends(&self) -> Vec<(&'static str, u64)> {
        let kinds = ["fork", "bridge", "ring", "draw"];
        kinds.into_iter().zip(self.ends).collect()
    }
}
