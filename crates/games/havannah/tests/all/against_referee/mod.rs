//! The rules against an independent, slow referee.

mod agreement;
mod examples;
mod perft;
mod referee;
