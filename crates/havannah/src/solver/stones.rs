//! The stones of one side, and what each further stone of that side would do: nothing here depends on
//! the opponent's stones, so that a move leaves the other side's knowledge as it is.
//!
//! For every empty cell there is the group that a stone there would join, the cells next to that
//! group, and the edges and corners that it would touch. A second stone then wins if it is next to
//! that group and the two touch three edges or two corners together, or if it closes a ring.

use super::completing::{Completing, Ways};
use super::layout::Layout;
use super::rings::{self, STONES_BEFORE_RING};
use super::word::Word;
use crate::rules::geometry::Rim;

/// One side's stones. Entries of the tables are kept for empty cells only.
#[derive(Clone, Copy, Debug)]
pub struct Stones<W: Word> {
    /// The stones.
    pub own: W,
    /// The cells on which a stone wins; some may hold a stone of the opponent.
    pub wins: W,
    /// The cells for which [`Stones::next`] is not empty.
    pub threats: W,
    /// The cells on which a stone is connected to an edge or corner, and what they complete.
    completing: Completing<W>,
    /// The cells on which a stone makes a group large enough for a ring with one more.
    large: W,
    /// The edges and corners that a stone here is connected to.
    links: W::Table<Rim>,
    /// The same as [`Completing`] numbers it.
    ways: W::Table<Ways>,
    /// The group of a stone here.
    group: W::Table<W>,
    /// That group and the cells next to it.
    near: W::Table<W>,
    /// Where one more stone closes a ring; nowhere for cells that are not in `large`.
    rings: W::Table<W>,
    /// Where one more stone wins after one here; cells may hold a stone of the opponent.
    next: W::Table<W>,
}

impl<W: Word> Stones<W> {
    /// No stones.
    pub fn none(layout: &Layout<W>) -> Stones<W> {
        let mut stones = Stones {
            own: W::NONE,
            wins: W::NONE,
            threats: W::NONE,
            completing: Completing::new(layout),
            large: W::NONE,
            links: layout.rim,
            ways: W::table(Ways::of(0)),
            group: W::table(W::NONE),
            near: W::table(W::NONE),
            rings: W::table(W::NONE),
            next: W::table(W::NONE),
        };
        for index in layout.board.indices() {
            let cell = W::bit(index);
            stones.ways.as_mut()[index] = Ways::of(layout.rim.as_ref()[index]);
            stones.group.as_mut()[index] = cell;
            stones.near.as_mut()[index] = layout.grown(cell);
        }
        // On boards with sides of two, two corners are next to each other.
        stones.find_next(layout.board, layout.board);
        stones
    }

    /// The cells on which a second stone wins after one on an empty cell where one does not win yet.
    /// Cells may hold a stone of the opponent.
    #[inline(always)]
    pub fn next(&self, index: usize) -> W {
        self.next.as_ref()[W::within(index)]
    }

    /// Places a stone that does not win on an empty cell. `empty` are the cells empty after it: only
    /// these are kept up to date.
    #[inline]
    pub fn place(&mut self, layout: &Layout<W>, index: usize, empty: W) {
        let index = W::within(index);
        let (group, near) = (self.group.as_ref()[index], self.near.as_ref()[index]);
        let links = self.links.as_ref()[index];
        self.own = self.own | W::bit(index);
        self.wins = (self.wins | self.next(index)) & empty;
        let beside = near & empty;
        let large = group.count() >= STONES_BEFORE_RING - 1;
        for cell in beside.indices() {
            let cell = W::within(cell);
            let joined = self.group.as_ref()[cell] | group;
            self.group.as_mut()[cell] = joined;
            self.near.as_mut()[cell] = self.near.as_ref()[cell] | near;
            let links = self.links.as_ref()[cell] | links;
            self.links.as_mut()[cell] = links;
            self.ways.as_mut()[cell] = Ways::of(links);
            if large || joined.count() >= STONES_BEFORE_RING {
                self.rings.as_mut()[cell] = rings::closing(layout, joined);
                self.large = self.large | W::bit(cell);
            }
        }
        let mut changed = beside;
        if links != 0 {
            self.completing.link(near, links);
            // What a second stone next to the new group does has changed, for any first stone.
            changed = empty;
        }
        self.find_next(empty, changed);
    }

    /// What [`Stones::next`] would be for each empty cell for which it would not be empty, after a
    /// stone on a cell where it does not win and makes no winning cell. `empty` are the cells empty
    /// after it. The same as [`Stones::place`] on a copy, which would take longer to make than this.
    #[inline(always)]
    pub fn threats_after(
        &self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        mut see: impl FnMut(usize, W),
    ) {
        let index = W::within(index);
        let (group, near) = (self.group.as_ref()[index], self.near.as_ref()[index]);
        let links = self.links.as_ref()[index];
        let own = self.own | W::bit(index);
        let beside = near & empty;
        let is_large = group.count() >= STONES_BEFORE_RING - 1;
        let mut linked_anew = None;
        let mut others = W::NONE;
        if links != 0 {
            let mut completing = self.completing;
            completing.link(near, links);
            others = empty.minus(beside) & (completing.linked() | self.large);
            linked_anew = Some(completing);
        }
        let completing = linked_anew.as_ref().unwrap_or(&self.completing);
        let linked = completing.linked();
        let mut unchanged = self.threats & empty.minus(others);
        for cell in beside.indices() {
            let cell = W::within(cell);
            let joined = self.group.as_ref()[cell] | group;
            let large = is_large || joined.count() >= STONES_BEFORE_RING;
            if !(large || linked.has(cell)) {
                continue;
            }
            unchanged = unchanged.minus(W::bit(cell));
            let ways = Ways::of(self.links.as_ref()[cell] | links);
            let around = self.near.as_ref()[cell] | near;
            let mut next = around & completing.after(ways);
            if large {
                next = next | rings::closing(layout, joined);
            }
            see(cell, next.minus(own | W::bit(cell)));
        }
        for cell in others.indices() {
            let cell = W::within(cell);
            let joined = completing.after(self.ways.as_ref()[cell]);
            let next = self.near.as_ref()[cell] & joined | self.rings.as_ref()[cell];
            see(cell, next.minus(own | W::bit(cell)));
        }
        for cell in unchanged.indices() {
            see(cell, self.next(cell));
        }
    }

    /// Finds anew where a second stone wins after a first on cells of `changed`.
    #[inline(always)]
    fn find_next(&mut self, empty: W, changed: W) {
        let changed = changed & (self.completing.linked() | self.large);
        let mut threats = self.threats & empty;
        for cell in changed.indices() {
            let cell = W::within(cell);
            let joined = self.completing.after(self.ways.as_ref()[cell]);
            let around = self.near.as_ref()[cell];
            let next = (around & joined | self.rings.as_ref()[cell]).minus(self.own | W::bit(cell));
            self.next.as_mut()[cell] = next;
            if !next.is_none() {
                threats = threats | W::bit(cell);
            }
        }
        self.threats = threats;
    }
}
