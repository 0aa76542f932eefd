/// The parameters of a Monte Carlo tree search. The defaults give plain UCT, the first baseline of the
/// Castro thesis (2012).
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `c` of the UCT formula (see [`mcts`](super)), a factor without unit, finite and at least 0. More
    /// looks wider, less looks deeper. Default 0.9. Shokry's thesis (2023) has 2: its `√(4 ln n / v)` is
    /// `2 √(ln n / v)`.
    pub exploration: f64,
    /// Visits that a leaf of the tree has when its children are added on the next visit. 0 adds them on
    /// the first visit, before any playout from the leaf. More saves memory. Default 1.
    pub expand_after: u32,
    /// How the move to play is chosen when the search has ended. Default [`FinalMove::Visits`].
    pub final_move: FinalMove,
    /// The most memory in bytes that the tree may take. Default 1 GiB. While the tree grows, the
    /// allocator may hold parts of it twice for a moment.
    pub memory: usize,
    /// What happens when the tree has no room left. Default [`WhenFull::Stop`].
    pub when_full: WhenFull,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            exploration: 0.9,
            expand_after: 1,
            final_move: FinalMove::Visits,
            memory: 1 << 30,
            when_full: WhenFull::Stop,
        }
    }
}

/// How the move to play is chosen when nothing is proven. A proven win is always played, a proven loss
/// only if there is nothing else, and where a draw is proven, only a move that looks better than that is
/// preferred to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FinalMove {
    /// The move with the most visits: the most robust choice, because it had to look good for long.
    Visits,
    /// The move with the most points, a draw being half a point.
    Wins,
    /// The move with the highest mean result, as in Shokry's thesis (2023). Moves of few visits can
    /// be lucky.
    Mean,
    /// The move with the highest lower bound, `mean − constant · √(ln(parent visits) / visits)`: the UCT
    /// formula with its sign changed.
    LowerBound {
        /// How much uncertainty counts, a factor without unit, finite and at least 0. 0 is
        /// [`FinalMove::Mean`].
        constant: f64,
    },
}

/// What a search does when its tree has no room left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// It ends, with [`StopReason::MemoryLimit`](crate::StopReason::MemoryLimit): at once, if the tree
    /// kept from the search before leaves no room.
    Stop,
    /// It goes on to its other limits without adding nodes, and improves the values of those it has.
    /// Without another limit it never ends.
    KeepSearching,
}
