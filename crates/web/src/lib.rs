//! The server behind the web app.
//!
//! It answers three kinds of requests: HTTP for what is known at once (a position, a file that is read
//! or written, the saved games), one WebSocket a page for what takes time (analysis, moves of a player,
//! reviews, solving), and the files of the browser app, which are part of the program. [`openapi`]
//! describes the first two; the browser app's types are generated from it.
//!
//! What is asked and answered is in the crate `service`; here it gets a way to the page.
//! Searches take turns in a fixed number of places, which are shared fairly among all pages (`pool`).
//! Requests are guarded (`guard`). A server with a token for workers passes their requests to its store (`work`).

mod api;
mod app;
mod asked;
mod assets;
mod certificates;
mod error;
mod experiments;
mod guard;
mod live;
mod pool;
mod saved;
mod work;

pub use app::{Config, Server, StartError, openapi};
pub use assets::is_built;
