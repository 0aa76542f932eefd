//! Havannah: the choices of searches and the results of games, by a convolutional network.

mod convolution;
mod lesson;
mod model;

pub use convolution::{Near, neighbours};
pub use lesson::{Choice, Lesson, Visits};
pub use model::Model;
