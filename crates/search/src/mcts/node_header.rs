//! How a node hangs in the tree, and what is certain of it: one atomic word.

use game::{Outcome, Side};
use std::ops::Range;

/// The index of the first child in the low half; 0, which is the root and nobody's child, where there
/// are none. Above it the number of children, the flags, the proven value, and the distance to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeHeader(pub(super) u64);

const COUNT_SHIFT: u32 = 32;
/// The most children that a node can have.
pub(super) const MAX_CHILDREN: u32 = (1 << 13) - 1;
/// The policy has evaluated the node, or is about to.
pub(super) const EVALUATED: u64 = 1 << 45;
/// One of the children is a proven draw.
pub(super) const HAS_DRAW: u64 = 1 << 46;
/// The node's children are those that meet a threat, and all other moves lose at once.
pub(super) const FORCED: u64 = 1 << 47;
/// A thread is about to give the node its children.
pub(super) const CLAIMED: u64 = 1 << 48;
/// One of the children is proven.
pub(super) const HAS_PROOF: u64 = 1 << 49;
const PROVEN_SHIFT: u32 = 50;
const PROBED_SHIFT: u32 = 52;
/// The most probes of a node that are counted, after which there are no more.
const MAX_PROBED: u32 = 15;
const DISTANCE_SHIFT: u32 = 56;
const PROOF: u64 = !0 << PROVEN_SHIFT;

impl NodeHeader {
    /// The part of a link that says where the children are.
    pub(super) fn to_children(first_child: u32, count: u32, flags: u64) -> NodeHeader {
        NodeHeader(u64::from(first_child) | u64::from(count) << COUNT_SHIFT | flags)
    }

    /// The same link with this proof in place of the one that it had.
    pub(super) fn with_proof(self, outcome: Outcome, distance: u8) -> NodeHeader {
        let code: u64 = match outcome {
            Outcome::Draw => 1,
            Outcome::Win(Side::White) => 2,
            Outcome::Win(Side::Black) => 3,
        };
        NodeHeader(self.0 & !PROOF | code << PROVEN_SHIFT | u64::from(distance) << DISTANCE_SHIFT)
    }

    /// The proof alone: a node without children.
    pub(super) fn without_children(self) -> NodeHeader {
        NodeHeader(self.0 & PROOF)
    }

    /// The children alone: a node of which nothing is certain.
    pub(super) fn without_proof(self) -> NodeHeader {
        NodeHeader(self.0 & !PROOF)
    }

    /// The same link of a node that has been probed at so many sizes; `None` if it has been before.
    pub(super) fn with_probed(self, sizes: u32) -> Option<NodeHeader> {
        let more = sizes.min(MAX_PROBED).checked_sub(self.probed())?;
        (more > 0).then(|| NodeHeader(self.0 + (u64::from(more) << PROBED_SHIFT)))
    }

    /// At how many sizes the node has been probed, each twice the one before.
    #[inline]
    pub(super) fn probed(self) -> u32 {
        (self.0 >> PROBED_SHIFT) as u32 & MAX_PROBED
    }

    /// The same children elsewhere.
    pub(super) fn moved(self, first_child: u32) -> NodeHeader {
        NodeHeader(self.0 >> 32 << 32 | u64::from(first_child))
    }

    #[inline]
    pub(super) fn first_child(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        (self.0 >> COUNT_SHIFT) as u32 & MAX_CHILDREN
    }

    /// The indices of the children.
    #[inline]
    pub(super) fn children(self) -> Range<u32> {
        self.first_child()..self.first_child() + self.count()
    }

    /// The same as a range of places in an array.
    #[inline]
    pub(super) fn child_range(self) -> Range<usize> {
        let first = self.first_child() as usize;
        first..first + self.count() as usize
    }

    /// Whether the node has children.
    #[inline]
    pub(super) fn is_expanded(self) -> bool {
        self.first_child() != 0
    }

    /// Whether the node's children are those that meet a threat, so that every move that is not among
    /// them lets the opponent win with the next.
    #[inline]
    pub(super) fn is_forced(self) -> bool {
        self.0 & FORCED != 0
    }

    /// Whether the policy has evaluated the node, or is about to.
    #[inline]
    pub(super) fn is_evaluated(self) -> bool {
        self.0 & EVALUATED != 0
    }

    /// Whether one of the children is a proven draw.
    #[inline]
    pub(super) fn has_draw(self) -> bool {
        self.0 & HAS_DRAW != 0
    }

    /// Whether one of the children is known to be proven.
    #[inline]
    pub(super) fn has_proof(self) -> bool {
        self.0 & HAS_PROOF != 0
    }

    /// The exact value under the rules.
    #[inline]
    pub(super) fn proven(self) -> Option<Outcome> {
        match self.0 >> PROVEN_SHIFT & 3 {
            0 => None,
            1 => Some(Outcome::Draw),
            2 => Some(Outcome::Win(Side::White)),
            _ => Some(Outcome::Win(Side::Black)),
        }
    }

    /// Whether the exact value is known.
    #[inline]
    pub(super) fn is_proven(self) -> bool {
        self.0 >> PROVEN_SHIFT & 3 != 0
    }

    /// For a proven node: plies to the end of the game along the proof, at most 255. A win found later
    /// could be shorter.
    #[inline]
    pub(super) fn distance(self) -> u8 {
        (self.0 >> DISTANCE_SHIFT) as u8
    }
}
