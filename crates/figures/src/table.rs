//! Tables, and their plain forms.

use crate::Cell;
use serde::{Deserialize, Serialize};

/// Rows under named columns.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Short name, for files and addresses.
    pub name: String,
    /// Title above the table.
    pub title: String,
    /// What the reader should know, below it.
    pub caption: String,
    /// Where the published values are from.
    pub source: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; one shorter than the columns ends in empty cells.
    pub rows: Vec<Vec<Cell>>,
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// On which side its cells stand.
    pub align: Align,
}

/// The side on which the cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

impl Column {
    /// A column of text.
    pub fn text(title: &str) -> Column {
        Column {
            title: title.to_owned(),
            align: Align::Left,
        }
    }

    /// A column of numbers.
    pub fn number(title: &str) -> Column {
        Column {
            title: title.to_owned(),
            align: Align::Right,
        }
    }
}

impl Table {
    /// A cell; "" where the row is too short.
    pub(crate) fn cell(row: &[Cell], column: usize) -> &str {
        row.get(column).map_or("", Cell::text)
    }

    /// The headings and the rows, as people read them.
    fn lines(&self) -> Vec<Vec<String>> {
        let headings = self.columns.iter().map(|column| column.title.clone());
        let cells = |row: &Vec<Cell>| row.iter().map(|cell| cell.text().to_owned()).collect();
        let rows = self.rows.iter().map(cells);
        std::iter::once(headings.collect()).chain(rows).collect()
    }

    /// Aligned columns for a terminal.
    pub fn text(&self) -> String {
        let lines = self.lines();
        let widths = self.widths(&lines);
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            let cells: Vec<String> = self.padded(line, &widths).collect();
            text += cells.join("  ").trim_end();
            text.push('\n');
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                text += &rules.join("  ");
                text.push('\n');
            }
        }
        text
    }

    /// A Markdown table, readable as it is.
    pub fn markdown(&self) -> String {
        let mut lines = self.lines();
        for cell in lines.iter_mut().flatten() {
            *cell = cell.replace('|', "\\|").replace('\n', " ");
        }
        let widths: Vec<usize> = self
            .widths(&lines)
            .iter()
            .map(|width| (*width).max(3))
            .collect();
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            let cells: Vec<String> = self.padded(line, &widths).collect();
            text += &format!("| {} |\n", cells.join(" | "));
            if index == 0 {
                let rules =
                    self.columns
                        .iter()
                        .zip(&widths)
                        .map(|(column, width)| match column.align {
                            Align::Left => "-".repeat(*width),
                            Align::Right => format!("{}:", "-".repeat(width - 1)),
                        });
                text += &format!("| {} |\n", rules.collect::<Vec<_>>().join(" | "));
            }
        }
        text
    }

    fn widths(&self, lines: &[Vec<String>]) -> Vec<usize> {
        (0..self.columns.len())
            .map(|column| {
                let cells = lines
                    .iter()
                    .map(|line| line.get(column).map_or(0, |cell| cell.chars().count()));
                cells.max().unwrap_or(0)
            })
            .collect()
    }

    fn padded<'a>(
        &'a self,
        line: &'a [String],
        widths: &'a [usize],
    ) -> impl Iterator<Item = String> + 'a {
        let columns = self.columns.iter().zip(widths).enumerate();
        columns.map(|(index, (column, &width))| {
            let cell = line.get(index).map_or("", String::as_str);
            match column.align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            }
        })
    }
}
