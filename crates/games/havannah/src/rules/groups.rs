//! Connected groups of stones: union-find, with the size and the rim of each group kept at its root
//! (Castro thesis, "Fork and Bridge Connections").

use super::geometry::{CORNERS, EDGES, Rim};
use std::ops::BitOr;

/// What a group is, in one word: its size in the high bits, the [`Rim`] it touches in the low twelve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group(u32);

const RIM: u32 = (CORNERS | EDGES) as u32;
const ONE_STONE: u32 = RIM + 1;

impl Group {
    /// No stone at all.
    pub const EMPTY: Group = Group(0);

    /// A single stone.
    #[inline]
    pub const fn stone(rim: Rim) -> Group {
        Group(ONE_STONE + rim as u32)
    }

    /// The number of stones.
    #[inline]
    pub const fn size(self) -> u32 {
        self.0 / ONE_STONE
    }

    /// The edges and corners touched.
    #[inline]
    pub const fn rim(self) -> Rim {
        (self.0 & RIM) as Rim
    }
}

/// Two groups as one: sizes add, rims join.
impl BitOr for Group {
    type Output = Group;

    #[inline]
    fn bitor(self, other: Group) -> Group {
        // A sum of both words counts a rim bit twice where both have it; that much is taken off again.
        Group(self.0 + other.0 - (self.0 & other.0 & RIM))
    }
}

/// Whether a rim is that of a fork: three edges.
#[inline]
pub(super) const fn is_fork(rim: Rim) -> bool {
    (rim & EDGES).count_ones() >= 3
}

/// Whether a rim is that of a bridge: two corners.
#[inline]
pub(super) const fn is_bridge(rim: Rim) -> bool {
    (rim & CORNERS).count_ones() >= 2
}

/// For each rim, whether it is that of a fork or a bridge: one load in place of two bit counts, which
/// not every processor has.
pub(super) static CONNECTS: [bool; 1 << 12] = {
    let mut table = [false; 1 << 12];
    let mut rim = 0;
    while rim < table.len() {
        table[rim] = is_fork(rim as Rim) || is_bridge(rim as Rim);
        rim += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_adds_sizes_and_joins_rims() {
        let corner = Group::stone(0b00_0001);
        let edge = Group::stone(0b100_0000);
        let both = corner | edge | Group::stone(0) | edge;
        assert_eq!(both.size(), 4);
        assert_eq!(both.rim(), 0b100_0001);
        assert_eq!(both | Group::EMPTY, both);
    }

    #[test]
    fn forks_need_three_edges_and_bridges_two_corners() {
        assert!(is_fork(0b0001_0101 << 6));
        assert!(!is_fork(0b0001_0100 << 6 | 0b1));
        assert!(is_bridge(0b10_0001));
        assert!(!is_bridge(0b10_0000 | EDGES));
        assert!(CONNECTS[0b10_0001] && !CONNECTS[0b100_0001]);
    }
}
