//! Sessions, clients and transcripts.

mod analysis;
mod client;
mod serve;
mod session;
mod transcripts;
