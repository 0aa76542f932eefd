//! Moves as they are made on the board: a page shows and offers them, and knows no rules itself.

use diagram::Drawn;
use havannah::rules::notation::write_cell;
use konane::Board;
use serde::Serialize;
use utoipa::ToSchema;

/// A move, and what somebody does on the board to make it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveView {
    /// The move, as it is written.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is done.
    pub kind: MoveKind,
    /// The cells: of a jump where it begins and where it ends; none for the swap.
    pub cells: Vec<String>,
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Puts a stone on a cell.
    Place,
    /// Takes the first stone over.
    Swap,
    /// Takes a stone off the board, in the opening.
    Remove,
    /// Jumps from one cell to another.
    Jump,
}

/// A game whose moves are made on cells.
pub trait OnBoard: Drawn {
    /// The move of this position, as it is made.
    fn on_board(&self, mv: Self::Move, dialect: Self::Dialect) -> MoveView {
        let (kind, cells) = self.made_on(mv, dialect);
        MoveView {
            mv: self.write_move(mv, dialect),
            kind,
            cells,
        }
    }

    /// What a move does, and the names of its cells.
    fn made_on(&self, mv: Self::Move, dialect: Self::Dialect) -> (MoveKind, Vec<String>);
}

impl OnBoard for havannah::Position {
    fn made_on(&self, mv: havannah::Move, dialect: havannah::Dialect) -> (MoveKind, Vec<String>) {
        match mv {
            havannah::Move::Place(cell) => {
                let name = write_cell(self.geometry(), cell, dialect);
                (MoveKind::Place, vec![name])
            }
            havannah::Move::Swap => (MoveKind::Swap, Vec::new()),
        }
    }
}

impl<B: Board> OnBoard for konane::Position<B> {
    fn made_on(&self, mv: konane::Move, (): ()) -> (MoveKind, Vec<String>) {
        match mv {
            konane::Move::Remove(cell) => (MoveKind::Remove, vec![cell.to_string()]),
            konane::Move::Jump { from, to } => {
                (MoveKind::Jump, vec![from.to_string(), to.to_string()])
            }
        }
    }
}
