//! The server as a browser meets it.

mod guard;
mod learning;
mod levels;
mod live;
mod openapi;
mod position;
mod proof;
mod support;
