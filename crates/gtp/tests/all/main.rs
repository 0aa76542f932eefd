//! Sessions, clients and transcripts.

mod analysis;
mod client;
mod files;
mod serve;
mod session;
mod transcripts;
