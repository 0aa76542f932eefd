//! Searches that never name a game: all that they know of one is [`game::Game`].
//!
//! - [`mcts`]: Monte Carlo tree search (UCT, RAVE) that proves wins, losses and draws on its way;
//! - [`alphabeta`]: iterative deepening alpha-beta with an evaluation that the game supplies;
//! - [`implicit`]: Monte Carlo tree search with an evaluation, backed up by minimax beside the means;
//! - [`pvs`]: principal-variation search, alpha-beta with what makes it fast;
//! - [`proof`]: what solvers have in common;
//! - [`castro`]: the solvers of the Castro thesis.
//!
//! The threads of a search and their stacks are the affair of [`threads`].
//!
//! A search owns its position, runs within [`Limits`], tells of its [`Progress`] through a callback and
//! ends with a [`Report`] that says why it stopped. It never prints.
//!
//! With one seed and limits that count work (simulations, nodes, depth) a search gives the same report
//! on every machine, its elapsed time aside: integers and correctly rounded arithmetic, with the
//! logarithm and the exponential taken from `libm`.

pub mod alphabeta;
mod bucket;
pub mod castro;
pub mod clock;
mod deepening;
pub mod implicit;
mod large_pages;
mod limits;
mod lookahead;
pub mod mcts;
mod prefetch;
pub mod proof;
pub mod pvs;
mod report;
mod sync;
pub mod threads;
mod watch;

pub use alphabeta::{AlphaBeta, Evaluate};
pub use implicit::ImplicitMcts;
pub use limits::{Every, Limits, StopFlag};
pub use lookahead::Lookahead;
pub use mcts::{Mcts, Playout, TreePolicy, UniformPlayout};
pub use pvs::Pvs;
pub use report::{Details, MoveStats, Progress, Report, StopReason};
pub use watch::{Tick, Watch};
