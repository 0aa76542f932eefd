use super::moves::in_line;
use super::{Board, Cell, Move, PositionOn, Shape, Stage};
use game::Game;
use thiserror::Error;

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// Nobody moves any more.
    #[error("the game is over")]
    GameOver,
    /// A cell of the move is not on the board.
    #[error("{cell} is off the board: the cells of a {shape} board are a1 to {}", shape.last())]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The board.
        shape: Shape,
    },
    /// There is no stone to move or to remove.
    #[error("{0} is empty")]
    Empty(Cell),
    /// The stone to move or to remove belongs to the other side.
    #[error("{0} holds a stone of the opponent")]
    Opponent(Cell),
    /// A jump, while stones are still to be removed.
    #[error("the game begins with the removal of a stone of each colour, then stones jump")]
    JumpInOpening,
    /// A removal, when both stones are gone.
    #[error("the opening is over: no stone is removed any more, stones jump")]
    RemovalAfterOpening,
    /// Black's first stone, where only some may be removed.
    #[error("{0} is neither in a corner nor in the centre")]
    NeitherCornerNorCentre(Cell),
    /// White's first stone, which is not beside the gap.
    #[error("{cell} is not beside {gap}, where Black removed a stone")]
    NotBesideGap {
        /// The stone.
        cell: Cell,
        /// The gap.
        gap: Cell,
    },
    /// The two cells of a jump do not lie as they should.
    #[error("a jump goes 2, 4, 6… cells in a straight line")]
    NotStraight,
    /// A jump over an empty cell.
    #[error("there is no stone to jump over on {0}")]
    NothingToCapture(Cell),
    /// A jump to an occupied cell.
    #[error("a stone cannot land on {0}, which is not empty")]
    Blocked(Cell),
}

impl<B: Board> PositionOn<B> {
    /// Whether a move is legal, by the definition of the rules and whatever the board lists.
    pub(super) fn check_move(&self, mv: Move) -> Result<(), Illegal> {
        let verdict = match (self.stage(), mv) {
            (Stage::Jumping, Move::Jump { from, to }) => self.check_jump(from, to),
            (Stage::Jumping, Move::Remove(_)) => Err(Illegal::RemovalAfterOpening),
            (_, Move::Remove(cell)) => self.check_removal(cell),
            (_, Move::Jump { .. }) => Err(Illegal::JumpInOpening),
        };
        // Only a refusal asks whether there is any legal move at all: a legal one is its own proof.
        verdict.map_err(|why| match self.outcome() {
            Some(_) => Illegal::GameOver,
            None => why,
        })
    }

    /// Whether the side to move may remove a stone, in the opening.
    pub(super) fn check_removal(&self, cell: Cell) -> Result<(), Illegal> {
        self.check_own(cell)?;
        let shape = self.shape();
        match self.stage() {
            Stage::BlackRemoves { anywhere } => {
                if anywhere || shape.is_corner(cell) || shape.is_centre(cell) {
                    Ok(())
                } else {
                    Err(Illegal::NeitherCornerNorCentre(cell))
                }
            }
            Stage::WhiteRemoves { beside: gap } => {
                if cell.is_beside(gap) {
                    Ok(())
                } else {
                    Err(Illegal::NotBesideGap { cell, gap })
                }
            }
            Stage::Jumping => Err(Illegal::RemovalAfterOpening),
        }
    }

    fn check_jump(&self, from: Cell, to: Cell) -> Result<(), Illegal> {
        self.check_own(from)?;
        self.check_on_board(to)?;
        if !in_line(from, to) {
            return Err(Illegal::NotStraight);
        }
        for (over, landing) in from.hops_to(to) {
            if self.board().stone(over) != Some(!self.to_move()) {
                return Err(Illegal::NothingToCapture(over));
            }
            if self.board().stone(landing).is_some() {
                return Err(Illegal::Blocked(landing));
            }
        }
        Ok(())
    }

    fn check_own(&self, cell: Cell) -> Result<(), Illegal> {
        self.check_on_board(cell)?;
        match self.board().stone(cell) {
            None => Err(Illegal::Empty(cell)),
            Some(side) if side == self.to_move() => Ok(()),
            Some(_) => Err(Illegal::Opponent(cell)),
        }
    }

    fn check_on_board(&self, cell: Cell) -> Result<(), Illegal> {
        let shape = self.shape();
        if shape.contains(cell) {
            Ok(())
        } else {
            Err(Illegal::OffBoard { cell, shape })
        }
    }
}
