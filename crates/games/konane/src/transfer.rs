use crate::rules::StartError;
use crate::{Board, Move, Opening, PositionOn, Stage, Start};
use game::Game;

/// The same position on another kind of board: the game goes on in the same way. How many moves were
/// played before is not kept.
///
/// # Errors
/// If the board has too many cells for `To`.
pub fn transferred<From: Board, To: Board>(
    position: &PositionOn<From>,
) -> Result<PositionOn<To>, StartError> {
    let start = |opening| {
        PositionOn::<To>::new(&Start {
            shape: position.shape(),
            opening,
        })
    };
    match position.stage() {
        Stage::BlackRemoves { anywhere: true } => start(Opening::AnyStone),
        Stage::BlackRemoves { anywhere: false } => start(Opening::Traditional),
        Stage::WhiteRemoves { beside } => {
            let mut transferred = start(Opening::AnyStone)?;
            transferred.play_unchecked(Move::Remove(beside));
            Ok(transferred)
        }
        Stage::Jumping => {
            let shape = position.shape();
            if shape.area() > To::CAPACITY {
                return Err(StartError::TooManyCells {
                    shape,
                    capacity: To::CAPACITY,
                });
            }
            let board = To::new(shape, |cell| position.board().stone(cell).is_some());
            Ok(PositionOn::from_board(board, position.to_move()))
        }
    }
}
