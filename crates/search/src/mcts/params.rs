use crate::Lookahead;

/// The effort of all probes of a node but the first, at least: with less, a probe hardly sees more than the one before.
const LEAST_EFFORT: u64 = 8;

/// The parameters of a Monte Carlo tree search. The defaults give plain UCT, the first baseline of the
/// Castro thesis (2012).
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `c` of the UCT formula (see [`mcts`](super)), a factor without unit, finite and at least 0. More
    /// looks wider, less looks deeper. Default 0.9. Shokry's thesis (2023) has 2: its `√(4 ln n / v)` is
    /// `2 √(ln n / v)`.
    pub exploration: f64,
    /// The winrate of a move that has not been played, a number of points from 0. Infinity plays every
    /// move once before any is played again; a value near 1 or below leaves moves for later that look
    /// worse than one that has been played. Default infinity.
    pub first_play: f64,
    /// First-play urgency below the parent: how much less than the mean result of its parent the winrate of a
    /// move is taken for that has not been played, in games, from 0 to 1. 0 for [`first_play`](Params::first_play)
    /// instead. Default 0.
    pub first_play_reduction: f64,
    /// `c` of PUCT (see [`mcts`](super)), a factor without unit, from 0: what knowledge adds to the value of a move
    /// is then taken for the probability of the move, and a move of which nothing is known is hardly tried. 0 for no
    /// PUCT. Default 0.
    pub puct: f64,
    /// How many visits PUCT counts as one, at least 1: as many as a simulation that ends with an evaluation counts as, so that
    /// one such visit makes a move as little worth exploring as one visit does where each counts once. Default 1.
    pub puct_unit: u32,
    /// The constant part of RAVE's `k` in `β = k / (k + visits)`, a number of visits from 0: at `k` visits
    /// a move is judged by its RAVE results and its own in equal parts. More trusts RAVE for longer.
    /// Default 0; where this and [`rave_per_empty`](Params::rave_per_empty) are 0 there is no RAVE. The
    /// baseline of the Castro thesis (2012) has 500. Only games whose policy tells of cells have RAVE.
    pub rave: f64,
    /// What every empty cell adds to RAVE's `k`, a number of visits from 0. Default 0.
    pub rave_per_empty: f64,
    /// How far an expansion looks for ends of the game. Default [`Lookahead::OnePly`].
    pub lookahead: Lookahead,
    /// Whether exact values are backed up, and positions that have one are not searched again. Without it
    /// an ended game is a playout without moves, which can be visited again and again, and only a move of
    /// the root that wins at once is taken for proven, which ends the search: UCT as Shokry's thesis
    /// (2023) describes it. Needs [`Lookahead::None`] to be switched off. Default true.
    pub solver: bool,
    /// Playouts of each simulation, at least 1, whose results go up the tree together and count as so
    /// many visits. Default 1.
    pub playouts: u32,
    /// Whether what the tree knows of the position after a move is kept when the move is played. Default
    /// true.
    pub keep_tree: bool,
    /// Visits that a leaf of the tree has when its children are added on the next visit. 0 adds them on
    /// the first visit, before any playout from the leaf. More saves memory. Default 1.
    pub expand_after: u32,
    /// Progressive history: `W` of `W · (mean − ½) / √visits`, which is added to the value of a move, with
    /// the mean result of all moves of its side on the same cell that this search made in the tree before. In
    /// games, from 0; 0 for none. Needs RAVE. Default 0.
    pub history: f64,
    /// Visits that a node with children has when the policy [evaluates](super::TreePolicy::evaluate) it on the next visit, if
    /// it can be. Default 0, which is as soon as it has them.
    pub evaluate_after: u32,
    /// As how many playouts it counts what the policy then [expects](super::Leaf::expect) of a node other than the root:
    /// the simulation in which it is evaluated ends there. 0 for not at all. Default 0.
    pub expectation: u32,
    /// Visits with which a node is [probed](super::TreePolicy::probe) for the first time, of which those of the simulation under
    /// way are a part; it is probed again whenever its visits have doubled, fifteen times at most, and the
    /// effort is at least eight. 0 for never. Default 0.
    pub probe_after: u32,
    /// The effort of a probe for each visit of the node, a number from 0, in the unit of the
    /// policy. Default 0.1.
    pub probe_effort: f64,
    /// How the move to play is chosen when the search has ended. Default [`FinalMove::Visits`].
    pub final_move: FinalMove,
    /// Threads that search, at least 1. Default 1, which gives the same for one seed every time; what
    /// several threads do depends on chance.
    pub threads: u32,
    /// Several threads: as how many lost simulations one that is still under way counts, a number from 0,
    /// so that threads go different ways. Each of them counts as many visits as a simulation does at most: its playouts, or
    /// what is [expected](Params::expectation). Default 1.
    pub virtual_loss: u32,
    /// The most memory in bytes that the tree may take. Default 1 GiB, in WebAssembly 128 MiB. There is room for 8,192
    /// nodes at least: 192 KiB, with RAVE 256 KiB. Where the system does not promise as much, it is less.
    pub memory: usize,
    /// What happens when the tree has no room left. Default [`WhenFull::Collect`].
    pub when_full: WhenFull,
    /// Whether garbage collection leaves of a solved position the moves that show its value, so that they
    /// can be played without a search, as long as there is room for them. Without, all that lies below a
    /// solved position is dropped at once when the tree is full. Default true.
    pub keep_proofs: bool,
}

impl Params {
    /// Whether moves have RAVE results.
    pub(super) fn has_rave(&self) -> bool {
        self.rave > 0.0 || self.rave_per_empty > 0.0
    }

    /// The most visits that a simulation counts as.
    #[inline]
    pub(super) fn largest_result(&self) -> u32 {
        self.playouts.max(self.expectation)
    }

    /// At how many sizes a node with so many visits has been due for a probe, each twice the one
    /// before. Those after the first are left out until their effort is worth it.
    #[inline]
    pub(super) fn probes(&self, visits: u32) -> u32 {
        if !self.has_solver() {
            return 0;
        }
        let times = visits.checked_div(self.probe_after);
        let doubled = times.and_then(u32::checked_ilog2);
        doubled.map_or(0, |doubled| {
            let sees_more = self.effort(visits) >= LEAST_EFFORT;
            if sees_more { doubled + 1 } else { 1 }
        })
    }

    /// The effort of a probe of a node with so many visits.
    pub(super) fn effort(&self, visits: u32) -> u64 {
        ((self.probe_effort * f64::from(visits)) as u64).max(1)
    }

    /// Whether exact values are backed up.
    pub(super) fn has_solver(&self) -> bool {
        self.solver || self.lookahead != Lookahead::None
    }

    /// RAVE's `k` in a position with so many empty cells.
    #[inline]
    pub(super) fn equivalence(&self, empty_cells: usize) -> f64 {
        self.rave + self.rave_per_empty * empty_cells as f64
    }
}

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.9,
            first_play: f64::INFINITY,
            first_play_reduction: 0.0,
            puct: 0.0,
            puct_unit: 1,
            rave: 0.0,
            rave_per_empty: 0.0,
            lookahead: Lookahead::OnePly,
            solver: true,
            playouts: 1,
            keep_tree: true,
            expand_after: 1,
            history: 0.0,
            evaluate_after: 0,
            expectation: 0,
            probe_after: 0,
            probe_effort: 0.1,
            final_move: FinalMove::Visits,
            threads: 1,
            virtual_loss: 1,
            // In a page all of it is taken at once.
            memory: if cfg!(target_family = "wasm") {
                1 << 27
            } else {
                1 << 30
            },
            when_full: WhenFull::Collect,
            keep_proofs: true,
        }
    }
}

/// How the move to play is chosen when nothing is proven. A proven win is always played, a proven loss
/// only if there is nothing else, and where a draw is proven, only a move that looks better than that is
/// preferred to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The move with the most visits: the most robust choice, because it had to look good for long.
    Visits,
    /// The move with the most points, a draw being half a point.
    Wins,
    /// The move with the highest mean result, as in Shokry's thesis (2023). Moves of few visits can
    /// be lucky.
    Mean,
    /// The move with the highest lower bound, `mean − exploration · √(ln(parent visits) / visits)`: the UCT
    /// formula with its sign changed. With [PUCT](Params::puct) the bound is `mean − puct · √(puct_unit / visits)`, because
    /// there a move may look better than the one with the most visits and have had little time to catch up (Wu's KataGo
    /// has such a bound). Without both constants it is [`FinalMove::Visits`].
    LowerBound,
}

/// What a search does when its tree has no room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// Parts of the tree are dropped until at most half of the memory is in use: what lies below solved
    /// positions, then the children of positions with the fewest visits, the threshold rising until that
    /// is enough. If nothing can be dropped, the search ends as with [`Stop`](WhenFull::Stop).
    Collect,
    /// It ends, with [`StopReason::MemoryLimit`](crate::StopReason::MemoryLimit): at once, if the tree
    /// kept from the search before leaves no room.
    Stop,
    /// It goes on to its other limits without adding nodes, and improves the values of those it has.
    /// Without another limit it never ends.
    KeepSearching,
}
