//! Statistics of matches: pure functions of counts, without games, clocks or files.
//!
//! - [`outcomes`]: counts of games or of pairs of games, their score, intervals and likelihoods;
//! - [`wilson`]: the interval of a proportion;
//! - [`elo`]: Elo, normalised Elo and the likelihood of superiority;
//! - [`sprt`]: the sequential test on games or pairs;
//! - [`ratings`]: many players on one scale, by maximum likelihood;
//! - [`cross_table`]: who beat whom;
//! - [`plan`]: how many games and hours a verdict needs;
//! - [`spsa`]: the arithmetic of tuning.
//!
//! A score is a share of the points from the first player's point of view: 0 lost everything, 1 won
//! everything, a draw is half a point. Levels are confidence levels such as 0.95.

pub mod cross_table;
pub mod elo;
mod estimate;
mod matrix;
mod normal;
pub mod outcomes;
pub mod plan;
pub mod ratings;
pub mod sprt;
pub mod spsa;
pub mod wilson;

pub use cross_table::CrossTable;
pub use estimate::Estimate;
pub use normal::{cumulative, quantile};
pub use outcomes::{Games, Outcomes, Pairs};
pub use plan::{Cost, Plan};
pub use ratings::Ratings;
pub use sprt::{Scale, Sprt, Verdict};
