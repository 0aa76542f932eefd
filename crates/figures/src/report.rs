//! A report: facts, figures and tables in order.

use crate::{Figure, Table};
use serde::Serialize;

/// What is told of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Report {
    /// The title of the page.
    pub title: String,
    /// A paragraph below it.
    pub description: String,
    /// Short facts by name: games, machine, command, versions.
    pub facts: Vec<(String, String)>,
    /// What it shows.
    pub items: Vec<Item>,
}

/// One part of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Item {
    /// A picture, with its numbers as a table.
    Figure(Figure),
    /// A table alone.
    Table(Table),
    /// Paragraphs under a heading.
    Text {
        /// The heading; "" for none.
        title: String,
        /// Paragraphs, separated by empty lines.
        text: String,
    },
}

impl From<Figure> for Item {
    fn from(figure: Figure) -> Item {
        Item::Figure(figure)
    }
}

impl From<Table> for Item {
    fn from(table: Table) -> Item {
        Item::Table(table)
    }
}
