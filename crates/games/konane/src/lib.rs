//! Kōnane, the Hawaiian jumping game.
//!
//! A rectangle is filled with black and white stones in a checkered pattern. Black removes a black
//! stone, White a white one next to it; from then on the players take turns to jump, Black first. Who
//! cannot jump loses. [`rules`] has the rules in full, and the boards they are played on.
//!
//! ```
//! use game::{Game, Notation, Picture};
//! use konane::{Opening, Position, Setup, Shape, Start};
//!
//! let start = Start {
//!     shape: Shape::new(6, 6)?,
//!     opening: Opening::Removed("centre".parse::<Setup>()?),
//! };
//! let mut position = Position::new(&start)?;
//! assert_eq!(position.picture(()), "
//!  6 O X O X O X
//!  5 X O X O X O
//!  4 O X . . O X
//!  3 X O X O X O
//!  2 O X O X O X
//!  1 X O X O X O
//!    a b c d e f
//! ".trim_start_matches('\n'));
//!
//! position.try_play(position.parse_move("d2-d4", ())?)?;
//! position.try_play(position.parse_move("a4-c4", ())?)?;
//! assert_eq!(position.picture(()), "
//!  6 O X O X O X
//!  5 X O X O X O
//!  4 . . O X O X
//!  3 X O X . X O
//!  2 O X O . O X
//!  1 X O X O X O
//!    a b c d e f
//! ".trim_start_matches('\n'));
//!
//! let refused = position.try_play(position.parse_move("d4-d6", ())?).unwrap_err();
//! assert_eq!(refused.to_string(), "a stone cannot land on d6, which is not empty");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod castro;
mod certificate;
pub mod cgt;
mod diagram;
pub mod evaluation;
mod field;
mod insight;
mod jump_masks;
mod playable;
mod players;
mod processor;
pub mod rules;
pub mod shokry;
pub mod solver;
mod solvers;
mod transfer;

pub use castro::CastroSolver;
pub use certificate::board_name;
pub use transfer::transferred;

pub use rules::{
    AnyBitBoard, BitBoard, Board, Cell, Direction, Illegal, LargeBitBoard, Move, NaiveBoard,
    Opening, Position, PositionOn, Setup, Shape, SmallBitBoard, Stage, Start,
};
