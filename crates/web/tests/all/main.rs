//! The server as a browser meets it.

mod guard;
mod levels;
mod live;
mod openapi;
mod position;
mod proof;
mod support;
