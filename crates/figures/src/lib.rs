//! Results of experiments as pictures, tables and pages.
//!
//! A [`Figure`] is data: lines of points with intervals, and the published values of the same thing
//! beside them. A [`Table`] is rows of [`Cell`]s. A [`Report`] is a sequence of both, and is written as
//! text for a terminal, Markdown, CSV, JSON, or one HTML page that needs nothing else.
//!
//! Pictures are SVG. With the feature `png`, PNG is made from the same SVG with the fonts that this crate brings along, so
//! it looks the same on every machine, one without fonts included.
//!
//! ```
//! use figures::{Axis, Figure, Line, Point};
//!
//! let figure = Figure {
//!     name: "rave".to_owned(),
//!     title: "RAVE against UCT".to_owned(),
//!     x: Axis::plain("Board size"),
//!     y: Axis::percent("Win rate"),
//!     lines: vec![Line {
//!         name: "k = 500".to_owned(),
//!         points: vec![Point::new(5.0, 86.5).within(81.0, 90.6).of(200)],
//!         ..Line::default()
//!     }],
//!     ..Figure::default()
//! };
//! assert!(figure.svg().starts_with("<svg"));
//! ```

mod cell;
mod chart;
mod colours;
mod figure;
mod formats;
mod html;
mod labels;
mod markers;
mod number;
#[cfg(feature = "png")]
mod png;
mod report;
mod scale;
mod table;

pub use cell::{Cell, Value};
pub use figure::{Axis, Figure, Line, Point, Published, X};
#[cfg(feature = "png")]
pub use png::PngError;
pub use report::{Item, Report};
pub use table::{Align, Column, Table};
