use super::frame::{Content, Frame};
use super::moves::captured;
use super::{Board, Cell, Direction, Shape};
use game::Side;
use game::random::{self, Rng};
use std::ops::ControlFlow;

/// The board that records nothing but what each cell holds, and looks at all of it for every question:
/// the naive board of Shokry's thesis (2023), section 2.4.4, and the yardstick for the other two.
///
/// Jumps are listed as a scan of the board finds them: stone by stone, row after row from `a1`; for each
/// stone in the order of [`Direction::ALL`]; in each direction from the shortest to the longest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBoard {
    frame: Frame,
    /// By the places of the frame; those beyond its last count as frame.
    contents: [Content; Frame::MAX_PLACES],
}

impl NaiveBoard {
    /// Scans the board for the stones of a side.
    fn stones_of(&self, side: Side) -> impl Iterator<Item = Cell> {
        self.shape()
            .cells()
            .filter(move |&cell| self.contents[self.frame.place(cell)] == Content::Stone(side))
    }

    /// How often a stone of a side on this cell can jump in a direction, by the definition of a jump.
    fn count_jumps(&self, side: Side, from: Cell, direction: Direction) -> usize {
        let step = self.frame.step(direction);
        let mut at = self.frame.place(from);
        let mut jumps = 0;
        loop {
            let over = at.wrapping_add_signed(step);
            if self.contents[over] != Content::Stone(!side) {
                return jumps;
            }
            at = over.wrapping_add_signed(step);
            if self.contents[at] != Content::Empty {
                return jumps;
            }
            jumps += 1;
        }
    }

    /// Scans the board for jumps until `visit` says that it has seen enough.
    fn scan<T>(
        &self,
        side: Side,
        mut visit: impl FnMut(Cell, Cell) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        for from in self.stones_of(side) {
            for direction in Direction::ALL {
                for jump in 1..=self.count_jumps(side, from, direction) {
                    visit(from, from.stepped(direction, 2 * jump))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn put(&mut self, cell: Cell, content: Content) {
        self.contents[self.frame.place(cell)] = content;
    }
}

impl Board for NaiveBoard {
    type Mark = NaiveBoard;

    fn new(shape: Shape, has_stone: impl Fn(Cell) -> bool) -> Self {
        let mut board = NaiveBoard {
            frame: Frame::around(shape),
            contents: [Content::Frame; Frame::MAX_PLACES],
        };
        for cell in shape.cells() {
            let content = if has_stone(cell) {
                Content::Stone(cell.colour())
            } else {
                Content::Empty
            };
            board.put(cell, content);
        }
        board
    }

    fn shape(&self) -> Shape {
        self.frame.shape()
    }

    fn stone(&self, cell: Cell) -> Option<Side> {
        if self.shape().contains(cell) {
            self.contents[self.frame.place(cell)].stone()
        } else {
            None
        }
    }

    fn pieces(&self, side: Side) -> u32 {
        self.stones_of(side).count() as u32
    }

    fn movable(&self, side: Side) -> u32 {
        let is_movable = |&cell: &Cell| {
            Direction::ALL
                .into_iter()
                .any(|direction| self.count_jumps(side, cell, direction) > 0)
        };
        self.stones_of(side).filter(is_movable).count() as u32
    }

    fn moves(&self, side: Side) -> u32 {
        let mut moves = 0;
        self.for_each_jump(side, |_, _| moves += 1);
        moves
    }

    fn can_jump(&self, side: Side) -> bool {
        self.scan(side, |_, _| ControlFlow::Break(())).is_break()
    }

    fn for_each_jump(&self, side: Side, mut visit: impl FnMut(Cell, Cell)) {
        let _: ControlFlow<()> = self.scan(side, |from, to| {
            visit(from, to);
            ControlFlow::Continue(())
        });
    }

    fn random_jump(&self, side: Side, rng: &mut Rng) -> Option<(Cell, Cell)> {
        let moves = self.moves(side);
        if moves == 0 {
            return None;
        }
        let mut left = random::below(moves, rng);
        let found = self.scan(side, |from, to| match left.checked_sub(1) {
            None => ControlFlow::Break((from, to)),
            Some(fewer) => {
                left = fewer;
                ControlFlow::Continue(())
            }
        });
        found.break_value()
    }

    fn remove(&mut self, cell: Cell) {
        self.put(cell, Content::Empty);
    }

    fn jump(&mut self, from: Cell, to: Cell) {
        self.put(from, Content::Empty);
        for cell in captured(from, to) {
            self.put(cell, Content::Empty);
        }
        self.put(to, Content::Stone(to.colour()));
    }

    fn mark(&mut self) -> NaiveBoard {
        self.clone()
    }

    fn rewind(&mut self, mark: NaiveBoard) {
        *self = mark;
    }
}
