//! Reports as plain text, Markdown, CSV and JSON.

use crate::{Figure, Item, Report, Table, Value, X};

impl Report {
    /// For a terminal.
    pub fn text(&self) -> String {
        let mut parts = vec![underlined(&self.title, '═')];
        parts.extend(paragraph(&self.description));
        if !self.facts.is_empty() {
            let width = self
                .facts
                .iter()
                .map(|(name, _)| name.chars().count())
                .max()
                .unwrap_or(0);
            let facts = self
                .facts
                .iter()
                .map(|(name, fact)| format!("{name:<width$}  {fact}\n"));
            parts.push(facts.collect());
        }
        for item in &self.items {
            match item {
                Item::Figure(figure) => parts.push(block(&figure.caption, &figure.table())),
                Item::Table(table) => parts.push(block("", table)),
                Item::Text { title, text } => {
                    parts.extend((!title.is_empty()).then(|| underlined(title, '─')));
                    parts.extend(paragraph(text));
                }
            }
        }
        parts.join("\n")
    }

    /// As Markdown. `pictures` is the folder of the figures' SVG files, as the page names it; without
    /// it there are tables only.
    pub fn markdown(&self, pictures: Option<&str>) -> String {
        let mut parts = vec![format!("# {}\n", self.title)];
        parts.extend(paragraph(&self.description));
        if !self.facts.is_empty() {
            let facts = self
                .facts
                .iter()
                .map(|(name, fact)| format!("- **{name}:** {fact}\n"));
            parts.push(facts.collect());
        }
        for item in &self.items {
            match item {
                Item::Figure(figure) => {
                    parts.push(format!("## {}\n", figure.title));
                    parts.extend(pictures.map(|folder| picture(folder, figure)));
                    parts.extend(paragraph(&figure.caption));
                    parts.extend(below(&figure.table()));
                }
                Item::Table(table) => {
                    parts.push(format!("## {}\n", table.title));
                    parts.extend(below(table));
                }
                Item::Text { title, text } => {
                    parts.extend((!title.is_empty()).then(|| format!("## {title}\n")));
                    parts.extend(paragraph(text));
                }
            }
        }
        parts.join("\n")
    }

    /// Every number, one a line: each point of the figures, measured and published, and each cell of the tables, whose
    /// row stands for the line and whose column for x. Of several counts in one cell a space is between each two.
    pub fn csv(&self) -> String {
        let mut rows = vec![
            [
                "figure", "line", "x", "kind", "value", "low", "high", "games", "note",
            ]
            .map(str::to_owned)
            .to_vec(),
        ];
        for item in &self.items {
            match item {
                Item::Figure(figure) => rows.extend(records(figure)),
                Item::Table(table) => rows.extend(cells(table)),
                Item::Text { .. } => {}
            }
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let written = rows.iter().try_for_each(|row| writer.write_record(row));
        let bytes = written
            .ok()
            .and_then(|()| writer.into_inner().ok())
            .unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Everything, as one JSON object.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The points of a figure as records.
fn records(figure: &Figure) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    for line in &figure.lines {
        let start = |x: &X, kind: &str| {
            vec![
                figure.name.clone(),
                line.name.clone(),
                x.to_string(),
                kind.to_owned(),
            ]
        };
        for point in &line.points {
            let mut record = start(&point.x, "measured");
            record.push(point.value.to_string());
            let interval = point
                .interval
                .map(|(low, high)| [low.to_string(), high.to_string()]);
            record.extend(interval.unwrap_or_default());
            record.extend([point.games.to_string(), String::new()]);
            records.push(record);
        }
        for (x, value) in &line.published.points {
            let mut record = start(x, "published");
            record.push(value.to_string());
            record.extend([
                String::new(),
                String::new(),
                String::new(),
                line.published.note.clone(),
            ]);
            records.push(record);
        }
    }
    records
}

/// The cells of a table as records; text that is no number is the note.
fn cells(table: &Table) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    for row in &table.rows {
        let name = Table::cell(row, 0);
        for (cell, column) in row.iter().zip(&table.columns).skip(1) {
            let (mut numbers, mut note) = ([const { String::new() }; 3], String::new());
            match cell.value() {
                Value::Text if cell.text().is_empty() => continue,
                Value::Text => cell.text().clone_into(&mut note),
                Value::Name(name) => note.clone_from(name),
                Value::Count(count) => numbers[0] = count.to_string(),
                Value::Number(number) => numbers[0] = number.to_string(),
                Value::Estimate { value, low, high } => {
                    numbers = [value, low, high].map(f64::to_string);
                }
                Value::Counts(counts) => {
                    let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
                    numbers[0] = counts.join(" ");
                }
            }
            let start = [&table.name, name, &column.title, "measured"].map(str::to_owned);
            let end = [String::new(), note];
            records.push([&start[..], &numbers[..], &end[..]].concat());
        }
    }
    records
}

fn underlined(title: &str, rule: char) -> String {
    format!(
        "{title}\n{}\n",
        rule.to_string().repeat(title.chars().count())
    )
}

fn paragraph(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| format!("{text}\n"))
}

fn block(caption: &str, table: &Table) -> String {
    let mut parts = vec![underlined(&table.title, '─')];
    parts.extend(paragraph(caption));
    parts.push(table.text());
    parts.extend(paragraph(&table.caption));
    parts.extend(source(table));
    parts.join("\n")
}

fn below(table: &Table) -> Vec<String> {
    let mut parts = vec![table.markdown()];
    // An asterisk at the start of a line would make a list.
    parts.extend(paragraph(&table.caption.replace('*', "\\*")));
    parts.extend(source(table));
    parts
}

fn source(table: &Table) -> Option<String> {
    (!table.source.is_empty())
        .then(|| format!("Published: {}.\n", table.source.trim_end_matches('.')))
}

fn picture(folder: &str, figure: &Figure) -> String {
    format!(
        "![{}]({folder}/{}.svg)\n",
        figure.title.replace(['[', ']'], ""),
        figure.name
    )
}
