//! The rules of Kōnane, after Shokry's thesis (2023), sections 2.1 and 2.2.
//!
//! - The board is a rectangle of 1 to 24 rows and columns, and at most 400 cells. A cell is a column letter and a row number;
//!   `a1` is a corner. In the beginning every cell holds a stone, black on `a1` and in turns from there.
//! - Black removes a black stone from a corner or from the middle; White then removes a white stone
//!   beside the gap. ([`Opening`] has the variants, and [`Setup`] the names of pairs that are removed
//!   before the game begins.)
//! - From then on Black and White take turns to jump. A stone jumps in one of the four directions over a
//!   stone of the opponent on the next cell, on to the empty cell behind it, and the stone under it is
//!   captured. It may go on in the same direction as long as the same holds; where it stops is the
//!   player's choice, so each landing cell is a move of its own.
//! - A player who has no legal move on their turn loses. There are no draws, and no game is longer than
//!   the board has cells, for each move takes at least one stone.
//!
//! A jump goes two cells at a time, so **a stone only ever stands on cells of its own colour**: whose
//! stone it is follows from the cell it stands on ([`Cell::colour`]), and neighbours are opponents. The
//! boards make use of it.
//!
//! [`Position`] is the game, on a bitboard that has as many words as its cells need. [`PositionOn`] is the
//! same on a [`Board`] of one's choice, for searches that want to know the number of words, and for those
//! of the theses. There are three kinds of boards, equal in what they say and different in what they cost:
//!
//! | board | records | a move changes | a question looks at |
//! |---|---|---|---|
//! | [`NaiveBoard`] | what each cell holds | the cells of the jump | every cell |
//! | [`DynamicBoard`](crate::shokry::DynamicBoard) | also what can move where | also the records of the stones around them | the record |
//! | [`BitBoard`] | the occupied cells, as bits | a bit for each cell of the jump | every cell, 64 at a time |

mod any_bitboard;
mod bitboard;
mod bits;
mod board;
mod cell;
mod frame;
mod legality;
mod moves;
mod naive;
mod notation;
mod picture;
mod position;
mod setup;
mod shape;
mod start;
mod symmetry;
mod zobrist;

pub use any_bitboard::AnyBitBoard;
pub(crate) use any_bitboard::Known;
pub use bitboard::{BitBoard, LargeBitBoard, SmallBitBoard};
pub(crate) use bits::Bits;
pub use board::Board;
pub use cell::{Cell, Direction, ParseCellError};
pub(crate) use frame::{Content, Frame};
pub use legality::Illegal;
pub use moves::Move;
pub(crate) use moves::captured;
pub use naive::NaiveBoard;
pub use position::{Position, PositionOn, Stage};
pub use setup::{ParseSetupError, Setup, SetupError};
pub use shape::{Shape, ShapeError};
pub use start::{Opening, Start, StartError};
pub(crate) use symmetry::Symmetry;
