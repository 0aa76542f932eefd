//! What a figure shows, before anything is drawn.

use crate::{Cell, Column, Table, number};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Lines of points over one horizontal axis.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Short name, for files and addresses: letters, digits, hyphens.
    pub name: String,
    /// Title above the picture.
    pub title: String,
    /// What the reader should know, below it.
    pub caption: String,
    /// Where the published values are from.
    pub source: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

/// What an axis measures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// Its name, with the unit.
    pub label: String,
    /// Whether it runs from 0 to 100 with a line at 50.
    pub percent: bool,
}

/// One line: our points, and the published ones of the same thing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// What was measured.
    pub points: Vec<Point>,
    /// What was published, drawn dashed and hollow in the same colour.
    pub published: Published,
}

/// The published values of a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Place on the horizontal axis, and value.
    pub points: Vec<(X, f64)>,
    /// What there is to say of them, such as "commented out in the source".
    pub note: String,
}

/// A place on the horizontal axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum X {
    /// A number.
    Number(f64),
    /// One of several things without a scale.
    Name(String),
}

/// One measured value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Its place.
    pub x: X,
    /// The estimate.
    pub value: f64,
    /// Its interval, low and high.
    pub interval: Option<(f64, f64)>,
    /// How many games it rests on; 0 where that means nothing.
    pub games: u64,
}

impl Axis {
    /// An axis of numbers or names.
    pub fn plain(label: &str) -> Axis {
        Axis {
            label: label.to_owned(),
            percent: false,
        }
    }

    /// An axis of percentages, from 0 to 100 with a line at 50; " (%)" is added to the label.
    pub fn percent(label: &str) -> Axis {
        Axis {
            label: format!("{label} (%)"),
            percent: true,
        }
    }

    /// A published value as text: as it was published, up to two decimals.
    pub(crate) fn published(value: f64) -> String {
        if value.is_finite() {
            format!("{}", (value * 100.0).round() / 100.0)
        } else {
            number::short(value)
        }
    }

    /// A value of this axis as text.
    pub(crate) fn text(&self, value: f64) -> String {
        if self.percent && value.is_finite() {
            format!("{value:.1}")
        } else {
            number::short(value)
        }
    }
}

impl Point {
    /// A value without interval.
    pub fn new(x: impl Into<X>, value: f64) -> Point {
        Point {
            x: x.into(),
            value,
            interval: None,
            games: 0,
        }
    }

    /// The point with its interval.
    #[must_use]
    pub fn within(mut self, low: f64, high: f64) -> Point {
        self.interval = Some((low, high));
        self
    }

    /// The point with the number of its games.
    #[must_use]
    pub fn of(mut self, games: u64) -> Point {
        self.games = games;
        self
    }
}

impl From<f64> for X {
    fn from(number: f64) -> X {
        X::Number(number)
    }
}

impl From<&str> for X {
    fn from(name: &str) -> X {
        X::Name(name.to_owned())
    }
}

impl fmt::Display for X {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            X::Number(number) => write!(f, "{}", number::short(*number)),
            X::Name(name) => write!(f, "{name}"),
        }
    }
}

impl Figure {
    /// Every place on the horizontal axis that some line uses: numbers in order, then names as they
    /// first occur.
    pub fn places(&self) -> Vec<X> {
        let mut numbers: Vec<f64> = Vec::new();
        let mut names: Vec<X> = Vec::new();
        let ours = |line: &Line| line.points.iter().map(|p| p.x.clone()).collect::<Vec<_>>();
        let theirs = |line: &Line| line.published.points.iter().map(|p| p.0.clone()).collect();
        let all = self.lines.iter().flat_map(ours);
        for x in all.chain(self.lines.iter().flat_map::<Vec<X>, _>(theirs)) {
            match x {
                X::Number(number) if number.is_finite() => numbers.push(number),
                X::Name(_) if !names.contains(&x) => names.push(x),
                _ => {}
            }
        }
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        numbers.into_iter().map(X::Number).chain(names).collect()
    }

    /// Whether anything was measured.
    pub fn measured(&self) -> bool {
        self.lines.iter().any(|line| !line.points.is_empty())
    }

    /// The same numbers as a table: a row for each line and one for its published values, a column for
    /// each place. More than two dozen places are thinned out evenly; CSV and JSON have them all.
    pub fn table(&self) -> Table {
        let mut places = self.places();
        if places.len() > 24 {
            let all = places.len();
            places = (0..13)
                .map(|i| places[i * (all - 1) / 12].clone())
                .collect();
        }
        let mut columns = vec![Column::text("")];
        columns.extend(
            places
                .iter()
                .map(|place| Column::number(&place.to_string())),
        );
        let mut rows = Vec::new();
        for line in &self.lines {
            let name = if line.name.is_empty() {
                &self.y.label
            } else {
                &line.name
            };
            if !line.points.is_empty() {
                let mut row = vec![Cell::from(name.clone())];
                row.extend(places.iter().map(|place| {
                    let point = line.points.iter().find(|point| point.x == *place);
                    point.map_or_else(Cell::default, |point| self.cell(point))
                }));
                rows.push(row);
            }
            if !line.published.points.is_empty() {
                let note = if line.published.note.is_empty() {
                    ""
                } else {
                    "*"
                };
                let mut row = vec![Cell::from(format!("{name} (published{note})"))];
                row.extend(places.iter().map(|place| {
                    let point = line.published.points.iter().find(|(x, _)| x == place);
                    point.map_or_else(Cell::default, |&(_, value)| {
                        Cell::number(value, Axis::published(value))
                    })
                }));
                rows.push(row);
            }
        }
        let mut notes: Vec<&str> = Vec::new();
        for line in &self.lines {
            let note = line.published.note.as_str();
            if !note.is_empty() && !notes.contains(&note) {
                notes.push(note);
            }
        }
        Table {
            name: self.name.clone(),
            title: self.title.clone(),
            caption: notes
                .iter()
                .map(|note| format!("* {note}"))
                .collect::<Vec<_>>()
                .join("; "),
            source: self.source.clone(),
            columns,
            rows,
        }
    }

    fn cell(&self, point: &Point) -> Cell {
        let text = self.y.text(point.value);
        match point.interval {
            None => Cell::number(point.value, text),
            Some((low, high)) => {
                let text = format!("{text} ± {}", self.y.text((high - low) / 2.0));
                Cell::estimate(point.value, (low, high), text)
            }
        }
    }

    /// What a person reads of one point: value, interval, games.
    pub(crate) fn words(&self, line: &str, point: &Point) -> String {
        let mut words = format!(
            "{line}, {} {}: {}",
            self.x.label,
            point.x,
            self.y.text(point.value)
        );
        if let Some((low, high)) = point.interval {
            words += &format!(" ({} to {})", self.y.text(low), self.y.text(high));
        }
        if point.games > 0 {
            words += &format!(", {} games", point.games);
        }
        words.trim_start_matches(", ").to_owned()
    }
}
