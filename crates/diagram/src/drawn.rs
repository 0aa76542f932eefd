use crate::paint::paint;
use crate::{Options, Scene, hexagons, squares, winning_stones};
use game::Notation;
use konane::Board;

/// A game whose boards can be drawn.
pub trait Drawn: Notation {
    /// A place for a stone.
    type Cell: Copy + PartialEq;

    /// The board with its stones, for whoever draws it.
    fn scene(&self, dialect: Self::Dialect) -> Scene<Self::Cell>;

    /// The stones of the structure that the last move completed; none in a game without structures.
    fn winning_cells(&self) -> Vec<Self::Cell>;

    /// The board as SVG.
    fn svg(&self, dialect: Self::Dialect, options: &Options<Self::Cell>) -> String {
        paint(&self.scene(dialect), options)
    }
}

impl Drawn for havannah::Position {
    type Cell = havannah::Cell;

    fn scene(&self, dialect: havannah::Dialect) -> Scene<havannah::Cell> {
        hexagons::scene(self, dialect)
    }

    fn winning_cells(&self) -> Vec<havannah::Cell> {
        winning_stones(self)
    }
}

impl<B: Board> Drawn for konane::Position<B> {
    type Cell = konane::Cell;

    fn scene(&self, (): ()) -> Scene<konane::Cell> {
        squares::scene(self)
    }

    fn winning_cells(&self) -> Vec<konane::Cell> {
        Vec::new()
    }
}
