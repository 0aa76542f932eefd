//! How a thread has the tree: together with others, or alone.
//!
//! Through [`BatchedUpdates`](super::batched::BatchedUpdates) any number of threads count at once, and each addition is
//! atomic. Through `&mut Tree` there is nobody else, which the compiler sees to: the same words are read and
//! written like any other memory.

use super::column::Column;
use super::node_header::NodeHeader;
use super::node_statistics::NodeStatistics;
use super::tree::Tree;
use crate::sync::Word;
use game::Packed;
use std::ops::Deref;

/// A tree that a search reads and counts in.
pub(super) trait TreeAccess<M>: Deref<Target = Tree<M>> {
    /// Counts results, and takes back those that were only assumed.
    fn add(&mut self, index: u32, points: NodeStatistics, assumed: NodeStatistics);

    /// From now on keeps what is counted of these nodes, until it is let [go](TreeAccess::let_go). A thread alone
    /// has no reason to.
    fn keep(&mut self, _nodes: impl Iterator<Item = u32>) {}

    /// Counts what was kept.
    fn let_go(&mut self) {}

    /// Adds to what RAVE knows of the children of a node, which has this link: `table` says what, by move, visits and half
    /// points in one word.
    fn add_rave(&mut self, node: u32, link: NodeHeader, table: impl Fn(M) -> u64);

    /// What selection looks at, for the children of a node that has some.
    fn siblings(
        &mut self,
        link: NodeHeader,
    ) -> Siblings<impl Column<Value = u64>, impl Column<Value = u32>>;
}

/// What selection looks at, for the children of one node.
pub(super) struct Siblings<W, H> {
    /// How many there are.
    pub count: usize,
    /// Visits, and White's points counted in halves.
    pub stats: W,
    /// The same for RAVE, in half points of the side that makes the move. Empty without RAVE.
    pub rave: W,
    /// What knowledge adds; −∞ for a child that is proven and need not be searched.
    pub priors: H,
    /// Whether anything is added or any child is proven.
    pub priors_matter: bool,
}

impl<M: Packed> TreeAccess<M> for &mut Tree<M> {
    #[inline]
    fn add(&mut self, index: u32, points: NodeStatistics, assumed: NodeStatistics) {
        let more = points.word().wrapping_sub(assumed.word());
        let known = &mut self.arena.stats[index as usize];
        let sum = known.read().wrapping_add(more);
        known.write(sum);
    }

    #[inline]
    fn add_rave(&mut self, _node: u32, link: NodeHeader, table: impl Fn(M) -> u64) {
        let range = link.child_range();
        let arena = &mut self.arena;
        let known = &mut arena.rave[range.clone()];
        for (known, mv) in known.iter_mut().zip(&mut arena.moves[range]) {
            let more = table(M::unpack(mv.read()));
            let sum = known.read().wrapping_add(more);
            known.write(sum);
        }
    }

    #[inline]
    fn siblings(
        &mut self,
        link: NodeHeader,
    ) -> Siblings<impl Column<Value = u64>, impl Column<Value = u32>> {
        let range = link.child_range();
        let priors_matter = self.priors_matter(link);
        let arena = &mut self.arena;
        Siblings {
            count: range.len(),
            priors_matter,
            stats: &mut arena.stats[range.clone()],
            rave: arena.rave.get_mut(range.clone()).unwrap_or_default(),
            priors: &mut arena.priors[range],
        }
    }
}
