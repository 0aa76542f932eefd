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
//! [`Unchecked`] is a certificate to be checked, [`write()`] writes one, and [`Writer`] one that leaves out what a checker
//! finds, refers to others, or is larger than memory. [`proof`] keeps the strategy in memory to be looked at.

mod check;
mod claim;
mod coded;
mod depth_first;
mod header;
mod model;
mod omitted;
mod plies;
pub mod proof;
mod provable;
mod range_coder;
mod sorted;
mod strategy;
mod stream;
mod walk;

pub use check::{Checker, Refusal, Unchecked, Verdict, as_written};
pub use claim::{Claim, Promise};
pub use header::{Digest, Header, HeaderError, Terms};
pub use omitted::MOST_SEARCHED;
pub use provable::{Candidate, Judgement, Provable};
pub use sorted::Record;
pub use strategy::{Log, Space, WriteError, Writer, Written, write};
