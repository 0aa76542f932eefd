use crate::jump_masks::{JumpGeometry, JumpMasks};
use crate::rules::Bits;
use crate::shokry::DynamicBoard;
use crate::{Board, Direction, Move};
use game::Side;

/// The lists of movable stones of a [`DynamicBoard`], those that became movable last in front, kept up
/// to date by comparing which stones can move before and after a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Recency {
    /// By [`Side::index`], as numbers of cells.
    lists: [Vec<u16>; 2],
}

impl Recency {
    /// The lists of a board.
    pub fn of(board: &DynamicBoard) -> Recency {
        let shape = board.shape();
        let list = |side| {
            let mut list = Vec::new();
            board.for_each_jump(side, |from, _| {
                let stone = shape.index(from) as u16;
                if list.last() != Some(&stone) {
                    list.push(stone);
                }
            });
            list
        };
        Recency {
            lists: Side::BOTH.map(list),
        }
    }

    /// The movable stones of a side, in order.
    pub fn list(&self, side: Side) -> &[u16] {
        &self.lists[side.index()]
    }

    /// Whether these are the movable stones, in whatever order.
    pub fn has_exactly<const WORDS: usize>(&self, movable: Bits<WORDS>) -> bool {
        let mut count = 0;
        let are_movable = self
            .lists
            .iter()
            .flatten()
            .inspect(|_| count += 1)
            .all(|&stone| movable.has(usize::from(stone)));
        are_movable && count == movable.count()
    }

    /// Makes these the lists after a move, `before` being those before it.
    pub fn follow<const WORDS: usize>(
        &mut self,
        before: &Recency,
        movable_before: Bits<WORDS>,
        after: &JumpMasks<WORDS>,
        mv: Move,
        ground: &JumpGeometry<WORDS>,
    ) {
        for list in &mut self.lists {
            list.clear();
        }
        let fresh = after.movable & !movable_before;
        if !fresh.is_empty() {
            let mut entry = Entry {
                lists: &mut self.lists,
                fresh,
                after,
                ground,
            };
            entry.after_move(mv);
            for list in &mut self.lists {
                list.reverse();
            }
        }
        let stayed = after.movable & !fresh;
        for (list, before) in self.lists.iter_mut().zip(&before.lists) {
            let stayed = |&&stone: &&u16| stayed.has(usize::from(stone));
            list.extend(before.iter().filter(stayed));
        }
    }
}

/// Finds the stones that became movable in the order in which the Dynamic Board learns of them.
struct Entry<'a, const WORDS: usize> {
    /// The latest last.
    lists: &'a mut [Vec<u16>; 2],
    /// Those not found yet.
    fresh: Bits<WORDS>,
    after: &'a JumpMasks<WORDS>,
    ground: &'a JumpGeometry<WORDS>,
}

impl<const WORDS: usize> Entry<'_, WORDS> {
    /// Cell by cell of the move: first the stone that came there, then those on both sides. At last those
    /// beyond the two ends.
    fn after_move(&mut self, mv: Move) {
        match mv {
            Move::Remove(cell) => {
                for direction in Direction::ALL {
                    self.inform(self.ground.index(cell), 2, direction);
                }
            }
            Move::Jump { from, to } => {
                let along = crate::jump_masks::direction_of(from, to);
                let (from, to) = (self.ground.index(from), self.ground.index(to));
                let mut cell = from;
                while cell != to {
                    self.inform_across(cell, 2, along);
                    cell = self.ground.stepped(cell, along, 1);
                }
                self.enter(to);
                self.inform_across(to, 1, along);
                self.inform(from, 2, along.opposite());
                self.inform(to, 1, along);
            }
        }
    }

    fn inform_across(&mut self, cell: usize, steps: usize, along: Direction) {
        for direction in Direction::ALL {
            if direction.index() % 2 != along.index() % 2 {
                self.inform(cell, steps, direction);
            }
        }
    }

    /// A stone can jump towards the cell now: from the next one over the stone that came to it, or from
    /// the second into the cell that was emptied.
    fn inform(&mut self, cell: usize, steps: usize, direction: Direction) {
        if let Some(stone) = self.ground.neighbour(cell, direction, steps)
            && self.after.launching[direction.opposite().index()].has(stone)
        {
            self.enter(stone);
        }
    }

    fn enter(&mut self, stone: usize) {
        if self.fresh.has(stone) {
            self.fresh.toggle(stone);
            let side = self.ground.cell(stone).colour();
            self.lists[side.index()].push(stone as u16);
        }
    }
}
