//! What the app asks for, and what it is answered, wherever that is computed: by a server (`web`), or in the browser itself
//! (`wasm`).
//!
//! What is known at once is a function from what is asked to what is answered: [`PositionView::after`],
//! [`position::picture`], [`threats::seen_in`],
//! [`structures::expected_after`], [`tree::read`], [`certificates::verify`]. What takes time is a [`Search`]: it
//! is made of what a page [asks](Ask), and [tells](Tell) the [`Asker`] what it finds on its way. How words travel, when a
//! search has its turn and what is kept are the affairs of those who serve.

pub mod catalogue;
pub mod certificates;
pub mod experiments;
mod message;
mod moves;
pub mod position;
mod problem;
pub mod proofs;
mod searches;
pub mod structures;
pub mod threats;
pub mod tree;
mod unfinished;

pub use message::{
    Ask, Candidate, Found, PuzzleView, ReviewedView, SolvedView, SolvingView, Tell, id_of,
};
pub use moves::{MoveKind, MoveView};
pub use position::{Board, GameName, GameState, PositionView};
pub use problem::{Kind, Problem};
pub use searches::{Asker, NEWS, Search, memory};
pub use unfinished::Unfinished;
