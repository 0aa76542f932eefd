//! Certificates: proofs of a position's value that anybody can check with the rules alone.
//!
//! A certificate claims something of a position, such as that White wins, and holds the strategy that
//! shows it: one move for every position in which the side that it is about has to find one. The
//! checker plays that strategy against every legal move of the other side; it shares the rules with
//! the solvers, and nothing else.
//!
//! `docs/certificates.md` describes the format exactly, for those who want to write a checker of their own;
//! `crates/registry/tests/checker.py` is one, in Python, written from that page. What the rules settle by themselves has its
//! argument in the game's module `certificate`.
//!
//! [`Unchecked`] is a certificate to be checked, [`write()`] writes one as it is found, and [`resume`] goes on with one that was
//! cut anywhere. [`proof`] keeps the strategy in memory to be looked at.

mod check;
mod claim;
mod header;
pub mod proof;
mod provable;
mod strategy;
mod stream;
mod walk;

pub use check::{Refusal, Unchecked, Verdict, as_written, memory};
pub use claim::{Claim, Promise};
pub use header::{Header, HeaderError};
pub use provable::{Judgement, Provable};
pub use strategy::{WriteError, Written, resume, write};
