//! Stones, groups, and what a stone completes: the inner loop of every playout.
//!
//! Each cell knows which of its six neighbours hold a stone of either side, as a six-bit pattern that
//! is updated when a stone is placed. The pattern gives the runs of own neighbours, hence the groups
//! that a stone joins, and tells whether it closes a ring (see [`super::rings`]).
//!
//! `docs/lab/performance.md` says what a stone costs, and where.

use super::geometry::{Cell, Geometry, Rim};
use super::groups::{CONNECTS, Group, is_fork};
use super::rings::Runs;
use game::Side;
use std::fmt;

/// What a winning stone completes. Where it completes several, the first of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Structure {
    /// A group that touches three edges; corners belong to no edge.
    Fork,
    /// A group that touches two corners.
    Bridge,
    /// A closed loop around at least one cell, whatever is in it.
    Ring,
}

/// `fork`, `bridge` or `ring`, as in the program's JSON.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Structure::Fork => "fork",
            Structure::Bridge => "bridge",
            Structure::Ring => "ring",
        })
    }
}

/// The bit of [`State::around`] that says that the cell itself holds a stone of the side.
const OCCUPIED: u8 = 1 << 6;

/// What [`State::around`] is in the middle of a ring with a stone in it.
const SURROUNDED: u8 = OCCUPIED | 0b11_1111;

/// The state of one place of the grid.
#[derive(Clone, Copy, Debug)]
struct State {
    /// For each side: bit d is set if the neighbour in direction d holds its stone, bit 6 if the cell
    /// itself does.
    around: [u8; 2],
    /// The grid index of another stone of the group, nearer to its root, or of the cell itself.
    parent: u16,
    /// At the root of a group: the group. On an empty cell: the group that a stone there would be alone.
    group: Group,
}

/// In place of a root where there is none.
const NO_ROOT: u16 = u16::MAX;

/// What a stone on an empty cell would make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// The number of stones of the groups that it would join.
    pub stones: u32,
    /// The edges and corners that it would be connected to, its own included.
    pub rim: Rim,
    /// Whether it would complete a structure.
    pub wins: bool,
    roots: [u16; 3],
}

impl Made {
    /// Whether there is a group that both stones would join.
    #[inline]
    pub fn shares_group(&self, other: &Made) -> bool {
        let joins = |root| root != NO_ROOT && other.roots.contains(&root);
        self.roots.into_iter().any(joins)
    }

    /// A bit for each group that the stone would join. Two groups may have the same bit.
    #[inline]
    pub fn groups(&self) -> u64 {
        let roots = self.roots.into_iter().filter(|&root| root != NO_ROOT);
        roots.fold(0, |groups, root| groups | 1 << (root % 64))
    }

    /// Whether a group of both stones would be a fork or a bridge.
    #[inline]
    pub fn connects_with(&self, other: &Made) -> bool {
        CONNECTS[usize::from(self.rim | other.rim)]
    }
}

/// The stones on a board and the groups that they form. It knows nothing of turns or of the end of the
/// game: any stone can be placed on any empty cell.
#[derive(Debug)]
pub struct Board {
    geometry: &'static Geometry,
    /// One entry for each place of the grid. Every `parent` is less than the length.
    states: Box<[State]>,
}

impl Board {
    /// An empty board.
    pub fn new(geometry: &'static Geometry) -> Board {
        let state = |(index, &rim)| State {
            around: [0; 2],
            parent: index as u16,
            group: Group::stone(rim),
        };
        Board {
            geometry,
            states: geometry.rim_table().iter().enumerate().map(state).collect(),
        }
    }

    /// The board's geometry.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// Whose stone a cell holds.
    #[inline]
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.holds(cell.index(), side))
    }

    /// Whether the place of the grid holds a stone of the side.
    #[inline]
    pub(super) fn holds(&self, index: usize, side: Side) -> bool {
        self.states[index].around[side.index()] & OCCUPIED != 0
    }

    /// Whether a cell is empty.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let [white, black] = self.states[cell.index()].around;
        (white | black) & OCCUPIED == 0
    }

    /// Which of the six neighbours of a cell hold a stone of the side: bit d for direction d.
    #[inline]
    pub fn pattern(&self, cell: Cell, side: Side) -> u8 {
        self.states[cell.index()].around[side.index()] & !OCCUPIED
    }

    /// The number of stones in the group that a cell belongs to; 0 for an empty cell.
    pub fn group_size(&self, cell: Cell) -> u32 {
        self.group(cell).size()
    }

    /// The edges and corners that the group of a cell touches; none for an empty cell.
    pub fn group_rim(&self, cell: Cell) -> Rim {
        self.group(cell).rim()
    }

    /// Whether two cells hold stones of one group.
    pub fn same_group(&self, one: Cell, other: Cell) -> bool {
        !self.is_empty(one) && self.root(one.0) == self.root(other.0)
    }

    /// What a stone on an empty cell would complete.
    #[inline]
    pub fn completes(&self, cell: Cell, side: Side) -> Option<Structure> {
        let pattern = self.pattern(cell, side);
        if pattern == 0 {
            return None;
        }
        let (group, ring, _) = self.joined(cell, side);
        self.completed(cell, side, group, ring)
    }

    /// What a stone on an empty cell would complete that would be in this group, and joins one group twice or not.
    #[inline]
    fn completed(&self, cell: Cell, side: Side, group: Group, ring: bool) -> Option<Structure> {
        if CONNECTS[usize::from(group.rim())] {
            return Some(structure_of(group.rim()));
        }
        let pattern = self.pattern(cell, side);
        // The stone is the last of six around a neighbour that holds an own stone.
        let surrounds = |direction: usize| {
            let neighbour = self.geometry.step(cell.index(), direction);
            let around = self.states[neighbour].around[side.index()];
            around | 1 << ((direction + 3) % 6) == SURROUNDED
        };
        let may_fill_ring = self.geometry.runs()[usize::from(pattern)].may_fill_ring;
        let ring = ring || (may_fill_ring && (0..6).any(surrounds));
        ring.then_some(Structure::Ring)
    }

    /// The number of stones of the groups that a stone on an empty cell would join, and the edges and
    /// corners that it would be connected to, its own included.
    #[inline]
    pub fn would_join(&self, cell: Cell, side: Side) -> (u32, Rim) {
        let (group, ..) = self.joined(cell, side);
        (group.size() - 1, group.rim())
    }

    /// What a stone on an empty cell would make.
    #[inline]
    pub(crate) fn would_make(&self, cell: Cell, side: Side) -> Made {
        let (group, ring, roots) = self.joined(cell, side);
        Made {
            stones: group.size() - 1,
            rim: group.rim(),
            wins: self.pattern(cell, side) != 0
                && self.completed(cell, side, group, ring).is_some(),
            roots,
        }
    }

    /// The group that a stone on an empty cell would be in, whether it joins one group twice, and the roots of the
    /// groups that it joins.
    #[inline]
    fn joined(&self, cell: Cell, side: Side) -> (Group, bool, [u16; 3]) {
        let runs = self.geometry.runs()[usize::from(self.pattern(cell, side))];
        let mut group = self.states[cell.index()].group;
        let mut roots = [NO_ROOT; 3];
        let mut ring = false;
        for run in 0..usize::from(runs.count) {
            let root = self.root(runs.place(cell.index(), run) as u16);
            if roots.contains(&root) {
                ring = true;
            } else {
                roots[run] = root;
                group = group | self.states[usize::from(root)].group;
            }
        }
        (group, ring, roots)
    }

    fn group(&self, cell: Cell) -> Group {
        if self.is_empty(cell) {
            return Group::EMPTY;
        }
        self.states[usize::from(self.root(cell.0))].group
    }

    fn root(&self, mut index: u16) -> u16 {
        loop {
            let parent = self.states[usize::from(index)].parent;
            if parent == index {
                return index;
            }
            index = parent;
        }
    }

    /// Places a stone on an empty cell and tells what it completes.
    ///
    /// # Panics
    /// If the cell is not one of this board, or not empty.
    #[inline]
    pub fn place(&mut self, cell: Cell, side: Side) -> Option<Structure> {
        assert!(
            self.geometry.contains(cell) && self.is_empty(cell),
            "a stone goes on an empty cell of the board"
        );
        // SAFETY: the cell is one of this board.
        unsafe { self.placer().place(cell, side) }
    }

    /// The board as the inner loop of a playout wants it.
    #[inline(always)]
    pub fn placer(&mut self) -> Placer<'_> {
        Placer {
            stride: self.geometry.stride(),
            runs: self.geometry.runs(),
            states: &mut self.states,
        }
    }
}

/// Places stones without checks. It holds in registers and on the stack what would otherwise be loaded
/// anew for every stone.
pub struct Placer<'a> {
    /// Every `parent` is less than the length.
    states: &'a mut [State],
    stride: usize,
    /// The steps that it holds lead from a cell of the board to places of the grid.
    runs: &'static [Runs; 64],
}

impl Placer<'_> {
    /// Places a stone on an empty cell and tells what it completes. If the cell is not empty, the groups
    /// of the board are no longer meaningful.
    ///
    /// # Safety
    /// The cell must be one of the board's geometry.
    #[inline(always)]
    pub unsafe fn place(&mut self, cell: Cell, side: Side) -> Option<Structure> {
        let index = cell.index();
        let side = side.index();
        // SAFETY: the cell is on the board, so that its index and those of its six neighbours, which
        // may lie in the margin, are places of the grid, as all parents are. Checked indices take a tenth
        // longer where both cores are busy (`docs/lab/performance.md`).
        unsafe {
            self.at_mut(index - self.stride - 1).around[side] |= 1 << 3;
            self.at_mut(index - self.stride).around[side] |= 1 << 4;
            self.at_mut(index + 1).around[side] |= 1 << 5;
            self.at_mut(index + self.stride + 1).around[side] |= 1 << 0;
            self.at_mut(index + self.stride).around[side] |= 1 << 1;
            self.at_mut(index - 1).around[side] |= 1 << 2;

            let state = self.at_mut(index);
            let pattern = state.around[side];
            let stone = state.group;
            state.around[side] = pattern | OCCUPIED;
            // For now the cell is a group without stones: joining it to itself changes nothing.
            state.group = Group::EMPTY;

            let runs = self.runs.get_unchecked(usize::from(pattern));
            let mut root = self.find(runs.place(index, 0));
            let mut group = self.at(root).group;
            let mut ring = false;
            if runs.count > 1 {
                let second = self.find(runs.place(index, 1));
                ring = second == root;
                // A group that is joined twice is counted once.
                let second_group = if ring {
                    Group::EMPTY
                } else {
                    self.at(second).group
                };
                let (larger, smaller) = if second_group > group {
                    (second, root)
                } else {
                    (root, second)
                };
                group = group | second_group;
                if runs.count > 2 {
                    let third = self.find(runs.place(index, 2));
                    if third == root || third == second {
                        ring = true;
                    } else {
                        group = group | self.at(third).group;
                    }
                    self.at_mut(third).parent = larger as u16;
                }
                self.at_mut(smaller).parent = larger as u16;
                // Where a ring closes, two of the roots are one; the root must stay its own parent.
                self.at_mut(larger).parent = larger as u16;
                root = larger;
            }
            group = group | stone;
            self.at_mut(index).parent = root as u16;
            self.at_mut(root).group = group;

            let connects = *CONNECTS.get_unchecked(usize::from(group.rim()));
            if connects | ring | runs.may_fill_ring {
                return self.completed(index, side, group.rim(), ring);
            }
        }
        None
    }

    /// What a stone that was just placed completes. Joining a group twice with a gap on both sides
    /// closes a ring; so does surrounding a cell that holds an own stone.
    #[inline]
    fn completed(&self, index: usize, side: usize, rim: Rim, ring: bool) -> Option<Structure> {
        if CONNECTS[usize::from(rim)] {
            return Some(structure_of(rim));
        }
        let surrounded = |index: usize| self.states[index].around[side] == SURROUNDED;
        let above = index - self.stride;
        let below = index + self.stride;
        let around = [above - 1, above, index + 1, below + 1, below, index - 1];
        (ring || around.into_iter().any(surrounded)).then_some(Structure::Ring)
    }

    /// The root of the group of a place. Paths are short, because the smaller group goes under the
    /// larger: two steps are nearly always enough, and branches that nearly always go one way are free.
    ///
    /// # Safety
    /// `index` must be a place of the grid.
    #[inline(always)]
    unsafe fn find(&mut self, index: usize) -> usize {
        // SAFETY: parents are places of the grid.
        unsafe {
            let parent = usize::from(self.at(index).parent);
            let root = usize::from(self.at(parent).parent);
            if usize::from(self.at(root).parent) != root {
                return find_far(self.states, index);
            }
            self.at_mut(index).parent = root as u16;
            root
        }
    }

    /// # Safety
    /// `index` must be a place of the grid.
    #[inline(always)]
    unsafe fn at(&self, index: usize) -> &State {
        debug_assert!(index < self.states.len());
        // SAFETY: the caller's promise.
        unsafe { self.states.get_unchecked(index) }
    }

    /// # Safety
    /// `index` must be a place of the grid.
    #[inline(always)]
    unsafe fn at_mut(&mut self, index: usize) -> &mut State {
        debug_assert!(index < self.states.len());
        // SAFETY: the caller's promise.
        unsafe { self.states.get_unchecked_mut(index) }
    }
}

/// What a group that connects enough is called.
#[inline]
fn structure_of(rim: Rim) -> Structure {
    if is_fork(rim) {
        Structure::Fork
    } else {
        Structure::Bridge
    }
}

/// The root of a place more than two steps away, halving the path to it.
#[cold]
#[inline(never)]
fn find_far(states: &mut [State], mut index: usize) -> usize {
    loop {
        let parent = usize::from(states[index].parent);
        if parent == index {
            return index;
        }
        let grandparent = states[parent].parent;
        states[index].parent = grandparent;
        index = usize::from(grandparent);
    }
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board {
            geometry: self.geometry,
            states: self.states.clone(),
        }
    }

    /// Does not allocate if both boards have the same shape.
    #[inline]
    fn clone_from(&mut self, source: &Board) {
        self.geometry = source.geometry;
        self.states.clone_from(&source.states);
    }
}

/// Boards are equal if they hold the same stones.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let stones = |state: &State| state.around.map(|around| around & OCCUPIED);
        self.geometry.shape() == other.geometry.shape()
            && self
                .states
                .iter()
                .map(stones)
                .eq(other.states.iter().map(stones))
    }
}

impl Eq for Board {}
