//! Stones that are placed and taken back: one position for a whole search, where a copy for each ply would take kilobytes.

use super::completing::Completing;
use super::layout::Layout;
use super::node::Node;
use super::stones::Around;
use super::word::Word;

/// Hears what is about to change when a stone is placed. Nothing, `()`, does not.
pub trait Witness<W: Word> {
    /// What is known of a cell.
    fn cell(&mut self, cell: usize, before: &Around<W>);

    /// What completes forks and bridges.
    fn completing(&mut self, before: &Completing<W>);
}

impl<W: Word> Witness<W> for () {
    #[inline(always)]
    fn cell(&mut self, _: usize, _: &Around<W>) {}

    #[inline(always)]
    fn completing(&mut self, _: &Completing<W>) {}
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
    /// By [`Side::index`]: what was [touched](super::stones::Stones::touched).
    touched: [W; 2],
    /// How many changes there were of each kind.
    cells: usize,
    completing: usize,
}

/// What was before it was changed, the latest last.
#[derive(Clone, Debug)]
struct Changes<W> {
    cells: Vec<(usize, Around<W>)>,
    completing: Vec<Completing<W>>,
}

impl<W: Word> Witness<W> for Changes<W> {
    #[inline(always)]
    fn cell(&mut self, cell: usize, before: &Around<W>) {
        self.cells.push((cell, *before));
    }

    #[inline(always)]
    fn completing(&mut self, before: &Completing<W>) {
        self.completing.push(*before);
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
                completing: Vec::new(),
            },
        }
    }

    /// About what a stone adds on a board of so many cells: it seldom changes a quarter of them.
    pub fn bytes_of_stone(cells: usize) -> usize {
        let change = size_of::<(usize, Around<W>)>();
        size_of::<Played<W>>() + size_of::<Completing<W>>() + cells / 4 * change
    }

    /// Begins anew at a position.
    pub fn restart(&mut self, node: &Node<W>) {
        self.node = *node;
        self.played.clear();
        self.changes.cells.clear();
        self.changes.completing.clear();
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
            touched: [stones[0].touched, stones[1].touched],
            cells: self.changes.cells.len(),
            completing: self.changes.completing.len(),
        });
        self.node.play_before(layout, index, &mut self.changes);
    }

    /// Takes back the last stones that were played, and tells their cells.
    #[inline]
    pub fn take_back(&mut self, stones: usize, mut tell: impl FnMut(usize)) {
        for _ in 0..stones {
            let Some(played) = self.played.pop() else {
                return;
            };
            tell(played.index);
            let cell = W::bit(played.index);
            let node = &mut self.node;
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
            for &(cell, before) in self.changes.cells[played.cells..].iter().rev() {
                own.set_around(cell, before);
            }
            self.changes.cells.truncate(played.cells);
            if let Some(before) = self.changes.completing.get(played.completing) {
                own.set_completing(before);
                self.changes.completing.truncate(played.completing);
            }
        }
    }
}
