//! For a group with given links, the cells that complete a fork or a bridge if they are joined to it.

use super::layout::Layout;
use super::trail::Witness;
use super::word::Word;
use crate::rules::geometry::Rim;

/// The number of corners, and of edges.
const SIX: usize = 6;
/// The ways to touch one or two of six.
const FEW_OF_SIX: usize = 6 + 15;
/// Where nothing is completed: a group without links.
const NO_EDGE: usize = FEW_OF_SIX;
/// Likewise for corners, and for what has no place among corners and edges.
const NONE: usize = SIX;
/// Where all is completed: a group with three edges.
const FORK: usize = FEW_OF_SIX + 1;
/// The same for two corners.
const BRIDGE: usize = SIX + 1;

/// What a group touches, as far as it matters for what completes it: the number of a way to touch corners, and above it
/// one of a way to touch edges.
#[derive(Clone, Copy, Debug)]
pub struct Ways(u8);

/// The bits of the number of a way to touch corners.
const CORNER_BITS: u32 = 3;

impl Ways {
    /// For the links of a group.
    #[inline(always)]
    pub fn of(links: Rim) -> Ways {
        Ways(WAYS[usize::from(links) & ((1 << (2 * SIX)) - 1)])
    }

    #[inline(always)]
    fn corners(self) -> usize {
        usize::from(self.0) & ((1 << CORNER_BITS) - 1)
    }

    #[inline(always)]
    fn edges(self) -> usize {
        usize::from(self.0 >> CORNER_BITS)
    }

    /// The corner, and the edges, of a group that is no fork and no bridge. One edge counts twice, and [`NONE`] stands for
    /// none.
    #[inline(always)]
    fn each(self) -> (usize, [usize; 2]) {
        let edges = ONE_OR_TWO[self.edges()];
        (self.corners(), edges.map(|edge| usize::from(edge) & 7))
    }
}

/// Where [`Completing::corners`] has each corner.
const EACH_CORNER: usize = 8;
/// Where [`Completing::edges`] has each edge.
const EACH_EDGE: usize = 24;

/// See [`Completing::corners`].
pub type Corners<W> = [W; EACH_CORNER + 8];
/// See [`Completing::edges`].
pub type Edges<W> = [W; EACH_EDGE + 8];

/// The cells that are connected to each edge and corner, and what follows. What is noted of corners changes without what is
/// noted of edges, and is kept apart.
#[derive(Clone, Copy, Debug)]
pub struct Completing<W> {
    /// By the corners that a group touches, as [`WAYS_OF_CORNERS`] numbers them: the cells that are connected to so many
    /// others that there are two. Then, by corner: the cells on which a stone is connected to it; the last hold all.
    pub corners: Corners<W>,
    /// By the edges that a group touches, as [`WAYS_OF_EDGES`] numbers them: the cells that are connected to so many others
    /// that there are three. Then by edge, likewise.
    pub edges: Edges<W>,
}

impl<W: Word> Completing<W> {
    /// No stones.
    pub fn new(layout: &Layout<W>) -> Completing<W> {
        let mut completing = Completing {
            corners: [W::NONE; EACH_CORNER + 8],
            edges: [W::NONE; EACH_EDGE + 8],
        };
        completing.corners[EACH_CORNER + NONE..].fill(layout.board);
        completing.edges[EACH_EDGE + NONE..].fill(layout.board);
        completing.corners[BRIDGE] = layout.board;
        completing.edges[FORK] = layout.board;
        for index in layout.board.minus(layout.interior).indices() {
            completing.link(W::bit(index), layout.rim.as_ref()[index], &mut ());
        }
        completing
    }

    /// Notes that stones on these cells are connected to these edges and corners, those of a group that is no fork and no
    /// bridge, before a witness.
    #[inline]
    pub fn link(&mut self, cells: W, links: Rim, witness: &mut impl Witness<W>) {
        let (corner, edges) = Ways::of(links).each();
        if corner != NONE {
            witness.corners(&self.corners);
            let corner = &mut self.corners[EACH_CORNER + corner];
            *corner = *corner | cells;
            self.find_second_corner();
        }
        if edges[0] != NONE {
            witness.edges(&self.edges);
            for edge in edges {
                let edge = &mut self.edges[EACH_EDGE + edge];
                *edge = *edge | cells;
            }
            self.find_third_edge();
        }
    }

    /// Those of some cells that are not yet connected to all of these edges and corners, those of a group that is no fork
    /// and no bridge.
    #[inline(always)]
    pub fn not_linked(&self, cells: W, links: Rim) -> W {
        let (corner, [one, other]) = Ways::of(links).each();
        let corner = self.corners[EACH_CORNER + corner];
        cells.minus(corner & self.edges[EACH_EDGE + one] & self.edges[EACH_EDGE + other])
    }

    fn find_second_corner(&mut self) {
        let mut before = W::NONE;
        for one in 0..SIX {
            self.corners[one] = before;
            before = before | self.corners[EACH_CORNER + one];
        }
        let mut behind = W::NONE;
        for one in (0..SIX).rev() {
            self.corners[one] = self.corners[one] | behind;
            behind = behind | self.corners[EACH_CORNER + one];
        }
    }

    /// Edges before and behind one or two give the others: any of them, and any two of them.
    fn find_third_edge(&mut self) {
        // By the number of edges left out at the start: any of the rest, any two of the rest.
        let mut any_behind = [W::NONE; SIX + 1];
        let mut two_behind = [W::NONE; SIX + 1];
        for one in (0..SIX).rev() {
            let edge = self.edges[EACH_EDGE + one];
            two_behind[one] = two_behind[one + 1] | (any_behind[one + 1] & edge);
            any_behind[one] = any_behind[one + 1] | edge;
        }
        let mut any_before = W::NONE;
        let mut two_before = W::NONE;
        for one in 0..SIX {
            let (any, two) = (any_behind[one + 1], two_behind[one + 1]);
            self.edges[one] = two_before | two | (any_before & any);
            let mut others = any_before;
            for other in one + 1..SIX {
                let place = usize::from(WAYS_OF_EDGES[1 << one | 1 << other]);
                self.edges[place] = others | any_behind[other + 1];
                others = others | self.edges[EACH_EDGE + other];
            }
            let edge = self.edges[EACH_EDGE + one];
            two_before = two_before | (any_before & edge);
            any_before = any_before | edge;
        }
    }

    /// The cells that complete a fork or a bridge for a group, which are all if it has one.
    #[inline(always)]
    pub fn after(&self, ways: Ways) -> W {
        self.corners[ways.corners()] | self.edges[ways.edges()]
    }
}

/// By the links of a group: both numbers, so that one look is enough.
static WAYS: [u8; 1 << (2 * SIX)] = {
    let mut table = [0; 1 << (2 * SIX)];
    let mut links = 0;
    while links < table.len() {
        let corners = WAYS_OF_CORNERS[links & ((1 << SIX) - 1)];
        table[links] = corners | WAYS_OF_EDGES[links >> SIX] << CORNER_BITS;
        links += 1;
    }
    table
};

/// By the corners that a group touches, one bit each: the one, [`NONE`] or [`BRIDGE`].
const WAYS_OF_CORNERS: [u8; 1 << SIX] = {
    let mut table = [BRIDGE as u8; 1 << SIX];
    table[0] = NONE as u8;
    let mut one = 0;
    while one < SIX {
        table[1 << one] = one as u8;
        one += 1;
    }
    table
};

/// By the edges that a group touches, one bit each: a number for each way to touch one or two of them, first those with one,
/// [`NO_EDGE`] or [`FORK`].
const WAYS_OF_EDGES: [u8; 1 << SIX] = {
    let mut table = [FORK as u8; 1 << SIX];
    table[0] = NO_EDGE as u8;
    let mut one = 0;
    let mut pair = SIX;
    while one < SIX {
        table[1 << one] = one as u8;
        let mut other = one + 1;
        while other < SIX {
            table[1 << one | 1 << other] = pair as u8;
            pair += 1;
            other += 1;
        }
        one += 1;
    }
    table
};

/// The reverse of [`WAYS_OF_EDGES`]: one edge twice, or two.
static ONE_OR_TWO: [[u8; 2]; 32] = {
    let mut table = [[NONE as u8; 2]; 32];
    let mut one = 0;
    while one < SIX {
        let mut other = one;
        while other < SIX {
            table[WAYS_OF_EDGES[1 << one | 1 << other] as usize] = [one as u8, other as u8];
            other += 1;
        }
        one += 1;
    }
    table
};
