use crate::paint::paint;
use crate::{Options, Scene};
use game::Notation;

/// A game whose boards can be drawn.
pub trait Drawn: Notation {
    /// A place for a stone.
    type Cell: Copy + PartialEq;

    /// The board with its stones, for whoever draws it.
    fn scene(&self, dialect: Self::Dialect) -> Scene<Self::Cell>;

    /// The stones of the structure that the last move completed; none in a game without structures.
    fn winning_cells(&self) -> Vec<Self::Cell> {
        Vec::new()
    }

    /// The board as SVG.
    fn svg(&self, dialect: Self::Dialect, options: &Options<Self::Cell>) -> String {
        paint(&self.scene(dialect), options)
    }
}
