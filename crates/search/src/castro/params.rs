use crate::Lookahead;
use crate::proof::{Combination, Rule};

/// The parameters of the solvers. Each says which solvers have it; the others pass it over.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// The most bytes for the tree or the table. All solvers. Default 1 GiB.
    pub memory: usize,
    /// Threads that search one tree. `castro-pns`. Default 1.
    pub threads: usize,
    /// Whether a subtree is searched until its numbers reach thresholds, rather than from the root again
    /// for each new node (Nagai, 2002). All proof-number searches. On a table that forgets what lies between the
    /// root and the node, a search from the root may begin again without end. Default true.
    pub depth_first: bool,
    /// The ε of the 1 + ε trick, a factor from 0: a child is searched until it looks harder by so much than
    /// its best sibling. More jumps about less and overshoots more. With depth-first thresholds only.
    /// Default 0.25.
    pub epsilon: f64,
    /// How far to look ahead at leaves. Default [`Lookahead::TwoPlies`].
    pub lookahead: Lookahead,
    /// The first numbers of a position. Default [`Initial::Replies`].
    pub initial: Initial,
    /// How draws are told from losses. Default [`Draws::ThreeValues`].
    pub draws: Draws,
    /// Plies from the root to which a search is confined at first, and which are added whenever that does
    /// not answer the question; 0 for no bound. All solvers but `ab`, which always deepens. Default 0.
    pub depth_bound: u32,
    /// How much harder a child looks for each other thread that is searching it, in parts of its number.
    /// `castro-pns`. Default 1.
    pub virtual_loss: f64,
    /// Whether parts of a full tree that took the least work are dropped, rather than the search ended.
    /// Trees. Default true.
    pub collect: bool,
    /// Replies to so many siblings of a refuted move are tried in the order of its refutation. `castro-pns-tt`.
    /// Default 0, which copies no proofs.
    pub copy_proofs: u32,
    /// Whether positions are remembered. `ab`. Default true.
    pub table: bool,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            memory: 1 << 30,
            threads: 1,
            depth_first: true,
            epsilon: 0.25,
            lookahead: Lookahead::TwoPlies,
            initial: Initial::Replies,
            draws: Draws::ThreeValues,
            depth_bound: 0,
            virtual_loss: 1.0,
            collect: true,
            copy_proofs: 0,
            table: true,
        }
    }
}

impl Params {
    /// How numbers are combined.
    pub(super) fn rule(&self) -> Rule {
        Rule {
            combination: Combination::Sum,
            epsilon: self.epsilon,
        }
    }
}

/// The numbers of a position that has not been searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// Both are 1.
    One,
    /// As many as there are replies to refute, as if all of them were leaves.
    Replies,
    /// The distances of both sides to a win, where the game knows them, otherwise as with replies (Castro
    /// thesis, 2012, "Distance to Win").
    Distance,
}

/// How draws are told from losses, where the side to move does not win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Two searches that know wins and nothing else: does the side to move win, and does the opponent?
    TwoSearches,
    /// The same questions, asked of one tree or table, which keeps whatever is certain of a value.
    ThreeValues,
}
