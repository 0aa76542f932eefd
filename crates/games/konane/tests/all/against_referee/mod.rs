//! Every kind of board against an independent, slow referee.

mod agreement;
mod perft;
mod referee;
