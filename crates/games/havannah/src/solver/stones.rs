//! The stones of one side, and what each further stone of that side would do: nothing here depends on
//! the opponent's stones, so that a move leaves the other side's knowledge as it is.
//!
//! For every empty cell there is the group that a stone there would join, the cells next to that
//! group, and the edges and corners that it would touch. A second stone then wins if it is next to
//! that group and the two touch three edges or two corners together, or if it closes a ring.

use super::completing::{Completing, Ways};
use super::layout::Layout;
use super::rings::{self, STONES_BEFORE_RING};
use super::trail::Witness;
use super::word::Word;
use crate::rules::geometry::Rim;

/// See [`Stones::large`].
const LARGE: u32 = STONES_BEFORE_RING / 2 + 1;

/// One side's stones. Entries of the table are kept for empty cells only.
#[derive(Clone, Copy, Debug)]
pub struct Stones<W: Word> {
    /// The stones.
    pub own: W,
    /// The cells on which a stone wins; some may hold a stone of the opponent.
    pub wins: W,
    /// The cells for which [`Stones::next`] is not empty.
    pub threats: W,
    /// The cells for which it has two or more.
    pub doubles: W,
    /// The cells on which a stone would be in a group of so many that it and one of two, the most of other cells, close a ring
    /// together.
    pub large: W,
    /// Two empty cells of which neither is among these do not make two winning cells together: a
    /// [look](super::node::QuietMoves::look) at their pairs has found none, and no stone since has changed what is known of
    /// them.
    pub touched: W,
    /// The cells on which a stone is connected to an edge or corner.
    pub linked: W,
    /// The same by edges and corners, and what these complete.
    pub completing: Completing<W>,
    /// By empty cell.
    cells: W::Table<Around<W>>,
}

/// What a stone on a cell would be part of.
#[derive(Clone, Copy, Debug)]
pub struct Around<W> {
    /// The cell.
    cell: u16,
    /// The edges and corners that the stone is connected to.
    links: Rim,
    /// Its group.
    group: W,
    /// That group and the cells next to it.
    near: W,
    /// Where one more stone wins after it; cells may hold a stone of the opponent.
    next: W,
}

impl<W: Word> Stones<W> {
    /// No stones.
    pub fn none(layout: &Layout<W>) -> Stones<W> {
        let mut stones = Stones {
            own: W::NONE,
            wins: W::NONE,
            threats: W::NONE,
            doubles: W::NONE,
            large: W::NONE,
            touched: layout.board,
            linked: layout.board.minus(layout.interior),
            completing: Completing::new(layout),
            cells: W::table(Around {
                cell: 0,
                links: 0,
                group: W::NONE,
                near: W::NONE,
                next: W::NONE,
            }),
        };
        for index in layout.board.indices() {
            let cell = W::bit(index);
            let near = layout.grown(cell);
            let links = layout.rim.as_ref()[index];
            stones.set(Around {
                cell: index as u16,
                links,
                group: cell,
                near,
                // On boards with sides of two, two corners are next to each other.
                next: near & stones.completing.after(Ways::of(links)),
            });
        }
        stones
    }

    /// The cells on which a second stone wins after one on an empty cell where one does not win yet.
    /// Cells may hold a stone of the opponent.
    #[inline(always)]
    pub fn next(&self, index: usize) -> W {
        self.around(index).next
    }

    /// The empty cells on which a stone would make a winning cell.
    #[inline(always)]
    pub fn threatening(&self, empty: W) -> W {
        let threats = (self.threats & empty).indices();
        let threats = threats.filter(|&index| self.next(index).meets(empty));
        threats.fold(W::NONE, |threats, index| threats | W::bit(index))
    }

    #[inline(always)]
    fn around(&self, index: usize) -> &Around<W> {
        &self.cells.as_ref()[W::within(index)]
    }

    /// Sets what was before.
    #[inline(always)]
    pub fn set_around(&mut self, before: &Around<W>) {
        self.cells.as_mut()[W::within(usize::from(before.cell))] = *before;
    }

    /// Sets what a stone on an empty cell would be part of.
    #[inline(always)]
    fn set(&mut self, mut around: Around<W>) {
        let cell = usize::from(around.cell);
        around.next = around.next.minus(self.own | W::bit(cell));
        self.threats = self.threats | W::bit_if(cell, !around.next.is_none());
        self.doubles = self.doubles | W::bit_if(cell, around.next.is_many());
        self.large = self.large | W::bit_if(cell, around.group.has_more_than(LARGE - 1));
        self.set_around(&around);
    }

    /// Places a stone that does not win on an empty cell. `empty` are the cells empty after it: only
    /// these are kept up to date.
    #[inline]
    pub fn place(
        &mut self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        witness: &mut impl Witness<W>,
    ) {
        let Around {
            group, near, links, ..
        } = *self.around(index);
        self.own = self.own | W::bit(index);
        self.wins = (self.wins | self.next(index)) & empty;
        self.threats = self.threats & empty;
        self.doubles = self.doubles & empty;
        let gained = self.completing.not_linked(near, links);
        if !gained.is_none() {
            self.linked = self.linked | near;
            self.completing.link(near, links, witness);
        }
        let beside = near & empty;
        let is_large = group.has_more_than(STONES_BEFORE_RING - 2);
        for cell in beside.indices() {
            let before = self.around(cell);
            witness.cell(before);
            let joined = before.group | group;
            let around = before.near | near;
            let links = before.links | links;
            let mut next = around & self.completing.after(Ways::of(links));
            if is_large || joined.has_more_than(STONES_BEFORE_RING - 1) {
                next = next | rings::closing(layout, joined);
            }
            self.set(Around {
                cell: cell as u16,
                links,
                group: joined,
                near: around,
                next,
            });
        }
        let gained = gained & empty;
        let beside_gained = self.beside_any(gained, empty.minus(beside));
        self.touched = self.touched | beside | beside_gained;
        for cell in (beside_gained & self.linked).indices() {
            let before = self.around(cell);
            let completed = self.completed_by(gained & before.near, before.links);
            if !completed.minus(before.next).is_none() {
                witness.cell(before);
                let next = before.next | completed;
                self.set(Around { next, ..*before });
            }
        }
    }

    /// Of some cells, those that have any of others next to their groups. That goes both ways: the groups of
    /// both are next to each other.
    #[inline(always)]
    fn beside_any(&self, others: W, cells: W) -> W {
        let near = |cell: usize| self.around(cell).near;
        cells & others.indices().fold(W::NONE, |all, cell| all | near(cell))
    }

    /// Shows those of the asked cells on which a stone would make winning cells after one on a cell, with these, unless they
    /// are the same as without that stone. `empty` are the cells empty after it, and after a reply to each winning cell
    /// that it makes: it has no winning cell among them.
    ///
    /// A cell has gained a winning cell only if it is next to the group of the new stone, or if the one gained is: a cell
    /// that the group connects to more edges and corners than before. The same as [`Stones::place`] on a copy, which would
    /// take longer to make than this.
    #[inline(always)]
    pub fn threats_after(
        &self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        asked: W,
        see: impl FnMut(usize, W),
    ) {
        self.after::<false>(layout, index, empty, asked, see);
    }

    /// The same for cells on which a stone would make two winning cells or more, and the stone before it may make one.
    #[inline(always)]
    pub fn doubles_after(
        &self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        asked: W,
        see: impl FnMut(usize, W),
    ) {
        self.after::<true>(layout, index, empty, asked, see);
    }

    #[inline(always)]
    fn after<const DOUBLES: bool>(
        &self,
        layout: &Layout<W>,
        index: usize,
        empty: W,
        asked: W,
        mut see: impl FnMut(usize, W),
    ) {
        let is_seen = |next: W| {
            if DOUBLES {
                next.is_many()
            } else {
                !next.is_none()
            }
        };
        let Around {
            group,
            near,
            next: first_next,
            links,
            ..
        } = *self.around(index);
        let beside = near & empty;
        let linked = self.linked;
        // Without a branch, which nothing would foretell.
        let completes = self.completing.after(Ways::of(links)).meets(empty);
        let may_gain = W::all_if(completes | self.large.has(index)) | linked | self.large;
        for cell in (beside & asked & may_gain).indices() {
            let second = self.around(cell);
            let joined = second.group | group;
            let around = second.near | near;
            let mut next = around & self.completing.after(Ways::of(second.links | links));
            if joined.has_more_than(STONES_BEFORE_RING - 1) {
                next = next | rings::closing(layout, joined);
            }
            let next = next & empty;
            if is_seen(next) {
                see(cell, next);
            }
        }
        if links == 0 {
            return;
        }
        let gained = self.completing.not_linked(beside, links);
        let (mut once, mut twice) = (W::NONE, W::NONE);
        for cell in gained.indices() {
            let near = self.around(cell).near;
            twice = twice | (once & near);
            once = once | near;
        }
        let may_gain = if DOUBLES {
            twice | (once & (self.threats | W::all_if(first_next.meets(empty))))
        } else {
            once
        };
        for cell in (may_gain & linked & asked).minus(beside).indices() {
            let second = self.around(cell);
            let completed = self.completed_by(gained & second.near, second.links | links);
            let next = (first_next | second.next | completed) & empty;
            if is_seen(next) {
                see(cell, next);
            }
        }
    }

    /// Of some cells, those on which a stone wins, or completes a fork or a bridge if it joins groups with these links.
    #[inline(always)]
    fn completed_by(&self, cells: W, links: Rim) -> W {
        cells & (self.wins | self.completing.after(Ways::of(links)))
    }
}
