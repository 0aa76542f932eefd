//! The stones of one side, and what each further stone of that side would do: nothing here depends on
//! the opponent's stones, so that a move leaves the other side's knowledge as it is.
//!
//! For every empty cell there is the group that a stone there would join, the cells next to that
//! group, and the edges and corners that it would touch. A second stone then wins if it is next to
//! that group and the two touch three edges or two corners together, or if it closes a ring.

use super::completing::{Completing, Ways, is_complete};
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
    /// The edges and corners that a stone here is connected to.
    links: W::Table<Rim>,
    /// The group of a stone here.
    group: W::Table<W>,
    /// That group and the cells next to it.
    near: W::Table<W>,
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
            links: layout.rim,
            group: W::table(W::NONE),
            near: W::table(W::NONE),
            next: W::table(W::NONE),
        };
        for index in layout.board.indices() {
            let cell = W::bit(index);
            let near = layout.grown(cell);
            stones.group.as_mut()[index] = cell;
            stones.near.as_mut()[index] = near;
            // On boards with sides of two, two corners are next to each other.
            let ways = Ways::of(layout.rim.as_ref()[index]);
            stones.set_next(index, near & stones.completing.after(ways));
        }
        stones
    }

    /// The cells on which a second stone wins after one on an empty cell where one does not win yet.
    /// Cells may hold a stone of the opponent.
    #[inline(always)]
    pub fn next(&self, index: usize) -> W {
        self.next.as_ref()[W::within(index)]
    }

    #[inline(always)]
    fn set_next(&mut self, cell: usize, next: W) {
        let next = next.minus(self.own | W::bit(cell));
        self.next.as_mut()[cell] = next;
        if !next.is_none() {
            self.threats = self.threats | W::bit(cell);
        }
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
        self.threats = self.threats & empty;
        let gained = self.completing.not_linked(near, links);
        if !gained.is_none() {
            self.completing.link(near, links);
        }
        let beside = near & empty;
        let is_large = group.has_more_than(STONES_BEFORE_RING - 2);
        for cell in beside.indices() {
            let cell = W::within(cell);
            let joined = self.group.as_ref()[cell] | group;
            let around = self.near.as_ref()[cell] | near;
            let links = self.links.as_ref()[cell] | links;
            self.group.as_mut()[cell] = joined;
            self.near.as_mut()[cell] = around;
            self.links.as_mut()[cell] = links;
            let mut next = around & self.completing.after(Ways::of(links));
            if is_large || joined.has_more_than(STONES_BEFORE_RING - 1) {
                next = next | rings::closing(layout, joined);
            }
            self.set_next(cell, next);
        }
        let gained = gained & empty;
        for cell in self.beside_any(gained, empty.minus(beside)).indices() {
            let cell = W::within(cell);
            let (links, around) = (self.links.as_ref()[cell], self.near.as_ref()[cell]);
            if links != 0 {
                let next = self.next(cell) | self.completed_by(gained & around, links);
                self.set_next(cell, next);
            }
        }
    }

    /// Of some cells, those that have any of others next to their groups. That goes both ways: the groups of
    /// both are next to each other.
    #[inline(always)]
    fn beside_any(&self, others: W, cells: W) -> W {
        let near = |cell: usize| self.near.as_ref()[W::within(cell)];
        cells & others.indices().fold(W::NONE, |all, cell| all | near(cell))
    }

    /// Shows those of the asked cells on which a stone would make two winning cells or more, with these, after
    /// a stone on a cell where it does not win and makes no winning cell. `empty` are the cells empty after
    /// it. Before it there must be no such cell.
    ///
    /// A cell that has two winning cells now and had not before has gained one. That is so only if it is
    /// next to the group of the new stone, or if the one gained is: a cell that the group connects to more
    /// edges and corners than before. The same as [`Stones::place`] on a copy, which would take longer to
    /// make than this.
    #[inline(always)]
    pub fn doubles_after(
        &self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        asked: W,
        mut see: impl FnMut(usize, W),
    ) {
        let index = W::within(index);
        let (group, near) = (self.group.as_ref()[index], self.near.as_ref()[index]);
        let links = self.links.as_ref()[index];
        let beside = near & empty;
        let gained = self.completing.not_linked(beside, links);
        let is_large = group.has_more_than(STONES_BEFORE_RING - 2);
        for cell in (beside & asked).indices() {
            let cell = W::within(cell);
            let joined = self.group.as_ref()[cell] | group;
            let around = self.near.as_ref()[cell] | near;
            let links = self.links.as_ref()[cell] | links;
            let mut next = around & self.completing.after(Ways::of(links));
            if is_large || joined.has_more_than(STONES_BEFORE_RING - 1) {
                next = next | rings::closing(layout, joined);
            }
            let next = next.minus(W::bit(cell)) & empty;
            if next.is_many() {
                see(cell, next);
            }
        }
        for cell in self.beside_any(gained, asked.minus(beside)).indices() {
            let cell = W::within(cell);
            let links = self.links.as_ref()[cell] | links;
            let around = self.near.as_ref()[cell];
            let next = self.next(cell) | self.completed_by(gained & around, links);
            let next = next.minus(W::bit(cell)) & empty;
            if next.is_many() {
                see(cell, next);
            }
        }
    }

    /// Of some cells, those on which a stone wins, or completes a fork or a bridge if it joins groups with these links.
    #[inline(always)]
    fn completed_by(&self, cells: W, links: Rim) -> W {
        if is_complete(links) {
            cells
        } else {
            cells & (self.wins | self.completing.after(Ways::of(links)))
        }
    }
}
