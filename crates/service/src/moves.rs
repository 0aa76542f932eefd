//! Moves as they are made on the board: a page shows and offers them, and knows no rules itself.

use engine::Playable;
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

impl MoveView {
    /// A move of a position, as it is made.
    pub fn new<G: Playable>(position: &G, mv: G::Move, dialect: G::Dialect) -> MoveView {
        let (kind, cells) = position.made_on(mv, dialect);
        MoveView {
            mv: position.write_move(mv, dialect),
            kind: match kind {
                engine::MoveKind::Place => MoveKind::Place,
                engine::MoveKind::Swap => MoveKind::Swap,
                engine::MoveKind::Remove => MoveKind::Remove,
                engine::MoveKind::Jump => MoveKind::Jump,
            },
            cells,
        }
    }
}
