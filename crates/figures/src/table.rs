//! Tables of text, and their plain forms.

use serde::{Deserialize, Serialize};

/// Rows under named columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    pub rows: Vec<Vec<String>>,
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
    pub(crate) fn cell(row: &[String], column: usize) -> &str {
        row.get(column).map_or("", String::as_str)
    }

    /// Aligned columns for a terminal.
    pub fn text(&self) -> String {
        let mut lines = vec![
            self.columns
                .iter()
                .map(|column| column.title.clone())
                .collect(),
        ];
        lines.extend(self.rows.iter().cloned());
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
        let safe = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
        let mut lines: Vec<Vec<String>> = vec![
            self.columns
                .iter()
                .map(|column| safe(&column.title))
                .collect(),
        ];
        lines.extend(self.rows.iter().map(|row| row.iter().map(safe).collect()));
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
                    .map(|line| Table::cell(line, column).chars().count());
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
            let cell = Table::cell(line, index);
            match column.align {
                Align::Left => format!("{cell:<width$}"),
                Align::Right => format!("{cell:>width$}"),
            }
        })
    }
}
