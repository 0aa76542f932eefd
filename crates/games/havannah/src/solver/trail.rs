//! Stones that are placed and taken back: one position for a whole search, where a copy for each ply would take kilobytes.

use super::completing::{Corners, Edges};
use super::layout::Layout;
use super::node::Node;
use super::stones::Around;
use super::word::Word;

/// Hears what is about to change when a stone is placed. Nothing, `()`, does not.
pub trait Witness<W: Word> {
    /// What is known of a cell.
    fn cell(&mut self, before: &Around<W>);

    /// What completes bridges.
    fn corners(&mut self, before: &Corners<W>);

    /// What completes forks.
    fn edges(&mut self, before: &Edges<W>);
}

impl<W: Word> Witness<W> for () {
    #[inline(always)]
    fn cell(&mut self, _: &Around<W>) {}

    #[inline(always)]
    fn corners(&mut self, _: &Corners<W>) {}

    #[inline(always)]
    fn edges(&mut self, _: &Edges<W>) {}
}

/// A position, and what the stones that were played in it have changed.
#[derive(Clone, Debug)]
pub struct Trail<W: Word> {
    /// The position.
    pub node: Node<W>,
    played: Vec<Played<W>>,
    changes: Changes<W>,
}

/// A stone, with what was before it.
#[derive(Clone, Copy, Debug)]
struct Played<W> {
    index: usize,
    wins: W,
    threats: W,
    doubles: W,
    large: W,
    linked: W,
    /// By [`Side::index`]: what was [touched](super::stones::Stones::touched).
    touched: [W; 2],
    /// How many changes there were of each kind.
    cells: usize,
    corners: usize,
    edges: usize,
}

/// What was before it was changed, the latest last.
#[derive(Clone, Debug)]
struct Changes<W> {
    cells: Vec<Around<W>>,
    corners: Vec<Corners<W>>,
    edges: Vec<Edges<W>>,
}

impl<W: Word> Witness<W> for Changes<W> {
    #[inline(always)]
    fn cell(&mut self, before: &Around<W>) {
        self.cells.push(*before);
    }

    #[inline(always)]
    fn corners(&mut self, before: &Corners<W>) {
        self.corners.push(*before);
    }

    #[inline(always)]
    fn edges(&mut self, before: &Edges<W>) {
        self.edges.push(*before);
    }
}

impl<W: Word> Trail<W> {
    /// Begins at a position.
    pub fn new(node: Node<W>) -> Trail<W> {
        Trail {
            node,
            played: Vec::new(),
            changes: Changes {
                cells: Vec::new(),
                corners: Vec::new(),
                edges: Vec::new(),
            },
        }
    }

    /// About what a stone adds on a board of so many cells: it seldom changes a quarter of them.
    pub fn bytes_of_stone(cells: usize) -> usize {
        let links = size_of::<Corners<W>>() + size_of::<Edges<W>>();
        size_of::<Played<W>>() + links + cells / 4 * size_of::<Around<W>>()
    }

    /// Begins anew at a position.
    pub fn restart(&mut self, node: &Node<W>) {
        self.node = *node;
        self.played.clear();
        self.changes.cells.clear();
        self.changes.corners.clear();
        self.changes.edges.clear();
    }

    /// Places a stone of the side to move on a cell where it does not win.
    #[inline]
    pub fn play(&mut self, layout: &Layout<W>, index: usize) {
        let stones = &self.node.stones;
        let own = &stones[self.node.to_move.index()];
        self.played.push(Played {
            index,
            wins: own.wins,
            threats: own.threats,
            doubles: own.doubles,
            large: own.large,
            linked: own.linked,
            touched: [stones[0].touched, stones[1].touched],
            cells: self.changes.cells.len(),
            corners: self.changes.corners.len(),
            edges: self.changes.edges.len(),
        });
        self.node.play_before(layout, index, &mut self.changes);
    }

    /// Takes back the last stones that were played, and tells their cells.
    #[inline]
    pub fn take_back(&mut self, stones: usize, mut tell: impl FnMut(usize)) {
        let Trail {
            node,
            played,
            changes,
        } = self;
        let rest = played.len().saturating_sub(stones);
        for played in played[rest..].iter().rev() {
            tell(played.index);
            let cell = W::bit(played.index);
            node.to_move = !node.to_move;
            node.empty = node.empty | cell;
            for (stones, touched) in node.stones.iter_mut().zip(played.touched) {
                stones.touched = touched;
            }
            let own = &mut node.stones[node.to_move.index()];
            own.own = own.own.minus(cell);
            own.wins = played.wins;
            own.threats = played.threats;
            own.doubles = played.doubles;
            own.large = played.large;
            own.linked = played.linked;
            for before in &changes.cells[played.cells..] {
                own.set_around(before);
            }
            changes.cells.truncate(played.cells);
            if let Some(before) = changes.corners.get(played.corners) {
                own.completing.corners = *before;
                changes.corners.truncate(played.corners);
            }
            if let Some(before) = changes.edges.get(played.edges) {
                own.completing.edges = *before;
                changes.edges.truncate(played.edges);
            }
        }
        played.truncate(rest);
    }
}
