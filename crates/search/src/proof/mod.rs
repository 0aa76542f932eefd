//! What solvers have in common: the exact value of a position, proven under the rules.
//!
//! Proof numbers and how far a child is searched ([`Numbers`], [`Choice`], [`Rule`]), the transposition table ([`Table`])
//! with its checkpoint, and the depth-first search ([`search()`]), to which a game brings a [`Problem`]. The solvers of the
//! games stand on it, and those of [`castro`](crate::castro).
//!
//! Every solver tells of its [`SolveProgress`] and ends with a [`SolveReport`], which a [`Run`] counts for. Nothing that is
//! claimed rests on a hash: tables hold full keys.

mod bounds;
mod checkpoint;
mod depth_first;
mod entry;
mod fingerprints;
mod growth;
mod notes;
mod numbers;
mod proof_numbers;
mod report;
mod slot;
mod table;
mod threads;

pub use bounds::Bounds;
pub use checkpoint::{CheckpointError, Spent};
pub use depth_first::{Child, DepthFirst, Frame, FrameOf, FramesOf, Problem, search};
pub use entry::{Key, Tag, VALUE_BITS, Value};
pub use growth::Growth;
pub use notes::Notes;
pub use numbers::{Choice, Combination, Numbers, Rule};
pub use proof_numbers::ProofNumbers;
pub use report::{Run, Solution, SolveProgress, SolveReport};
pub use table::{Bucket, Table};
pub use threads::Crew;
pub(crate) use threads::{Clock, Threads};
