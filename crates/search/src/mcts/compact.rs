//! Garbage collection: parts of the tree are dropped, and what is left moves together in place.
//!
//! What is dropped costs nothing: nodes that stay are visited once each, in the order of the arena, in
//! which parents come before their children. When a parent has come to its new place, it leaves word of
//! that with its first child, in the word of its prior, and keeps this prior meanwhile; one bit for each
//! node marks the first children that wait to follow (after Jonkers, "A fast garbage compaction
//! algorithm", 1979, for trees, where each node is pointed to once).

use super::node_header::{FORCED, HAS_DRAW, HAS_PROOF, NodeHeader};
use super::tree::{ROOT, Tree};
use crate::sync::Word;
use game::Packed;

/// What stays of a tree, apart from the root and its children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keep {
    /// The children of a node with so many visits, if it is not proven.
    pub least_visits: u32,
    /// What stays below a proven node.
    pub proofs: Proofs,
}

/// What stays below proven nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proofs {
    /// All.
    Whole,
    /// What shows the value: of a won node one move that wins, of a lost one all moves.
    Moves,
    /// Nothing.
    Values,
}

impl Keep {
    /// All that there is.
    pub(super) const ALL: Keep = Keep {
        least_visits: 0,
        proofs: Proofs::Whole,
    };
}

impl<M: Packed> Tree<M> {
    /// Makes a child of the root the new root, and drops what is not below it. If what shows its value
    /// was dropped before, the value is forgotten: nothing would tell which move to play.
    pub(super) fn reroot(&mut self, child: u32) {
        self.compact(child, Keep::ALL);
        let link = self.link(ROOT);
        if link.is_proven() && link.distance() > 0 && !link.is_expanded() {
            self.forget_proof_of_root();
        }
    }

    /// Drops what is worth least until at most half of the memory is in use, and tells whether at most
    /// nine tenths are: first what lies below solved nodes, then the children of nodes with few visits,
    /// and in the end even the moves that show the values of solved nodes.
    pub(super) fn collect(&mut self, keep_proofs: bool) -> bool {
        let mut proofs = if keep_proofs {
            Proofs::Moves
        } else {
            Proofs::Values
        };
        let half = self.arena.limit() / 2;
        let mut least_visits = 1;
        loop {
            self.compact(
                ROOT,
                Keep {
                    least_visits,
                    proofs,
                },
            );
            if self.arena.end() <= half {
                return true;
            }
            if least_visits <= self.visits(ROOT) {
                least_visits *= 2;
            } else if proofs == Proofs::Moves {
                proofs = Proofs::Values;
            } else {
                return self.arena.end() <= self.arena.limit() / 10 * 9;
            }
        }
    }

    /// Makes a node the root, and drops all that is not below it or not to be kept.
    fn compact(&mut self, root: u32, keep: Keep) {
        let old_end = self.arena.end();
        let mut waiting = vec![0; old_end.div_ceil(64) as usize];
        if root != ROOT {
            self.arena.copy(root, ROOT);
        }
        self.settle(ROOT, keep, &mut waiting);
        let mut end = ROOT + 1;
        let mut word = 0;
        while word < waiting.len() {
            // Blocks that begin to wait now are further on, perhaps in the same word.
            let bits: u64 = waiting[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            waiting[word] = bits & (bits - 1);
            let first = word as u32 * 64 + bits.trailing_zeros();
            end = self.follow(first, end, keep, &mut waiting);
        }
        self.arena.truncate(end);
    }

    /// A node is in its new place: its children are dropped, or wait to follow it.
    fn settle(&mut self, node: u32, keep: Keep, waiting: &mut [u64]) {
        let link = self.link(node);
        if !link.is_expanded() {
            return;
        }
        let stays = match keep.proofs {
            _ if node == ROOT => true,
            Proofs::Values if link.is_proven() => false,
            Proofs::Moves | Proofs::Whole if link.is_proven() => true,
            _ => self.visits(node) >= keep.least_visits,
        };
        let kept = if stays {
            let first = link.first_child();
            waiting[(first / 64) as usize] |= 1 << (first % 64);
            let prior = &mut self.arena.priors[first as usize];
            let word = prior.read();
            prior.write(node);
            link.moved(word)
        } else {
            link.without_children()
        };
        self.arena.links[node as usize].write(kept.0);
    }

    /// Moves the children that begin at an index down to `to`, where their parent is told to find them.
    /// Returns the end of them.
    fn follow(&mut self, first: u32, to: u32, keep: Keep, waiting: &mut [u64]) -> u32 {
        let parent = self.arena.priors[first as usize].read();
        let link = self.link(parent);
        self.arena.priors[first as usize].write(link.first_child());
        let link = link.moved(first);
        let (from, link) = match self.witness(parent, link, keep) {
            Some(witness) => {
                let flags = link.0 & (HAS_DRAW | HAS_PROOF);
                let alone = NodeHeader::to_children(witness, 1, flags);
                (witness, NodeHeader(link.without_children().0 | alone.0))
            }
            None => (first, link),
        };
        let count = link.count();
        debug_assert!(to <= from, "nodes move down");
        self.arena.links[parent as usize].write(link.moved(to).0);
        for offset in 0..count {
            if to != from {
                self.arena.copy(from + offset, to + offset);
            }
            self.settle(to + offset, keep, waiting);
        }
        to + count
    }

    /// The child that shows the value of a node alone, if that is all that shall be kept of it. The
    /// children of the root are all kept.
    fn witness(&self, node: u32, link: NodeHeader, keep: Keep) -> Option<u32> {
        let outcome = link.proven()?;
        if node == ROOT || keep.proofs == Proofs::Whole || link.0 & FORCED != 0 {
            return None;
        }
        let same = |child: &u32| self.link(*child).proven() == Some(outcome);
        if link.children().all(|child| same(&child)) {
            // It may take all of them.
            return None;
        }
        let nearest = |child: &u32| self.link(*child).distance().abs_diff(link.distance());
        link.children().filter(same).min_by_key(nearest)
    }
}
