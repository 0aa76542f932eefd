//! A folder of pages: one for each experiment of a store, and a list of them.

use super::read;
use super::report::write;
use anyhow::{Result, bail};
use arena::report::{Comparison, Effect, comparison, report};
use arena::{Experiment, Store};
use figures::{Cell, Column, Item, Table};
use std::path::Path;

/// The folder of the pictures, beside the pages.
const PICTURES: &str = "pictures";

/// What the list tells of an experiment.
struct Entry {
    experiment: Experiment,
    games: u64,
    comparison: Comparison,
}

/// Writes the pages of all experiments, and README.md, which begins with `about`.
pub async fn write_all(store: &Store, folder: &Path, about: &str) -> Result<()> {
    let mut entries = Vec::new();
    for row in store.experiments().await? {
        let experiment = read(&row)?;
        let name = &experiment.name;
        if entries
            .iter()
            .any(|entry: &Entry| entry.experiment.name == *name)
        {
            bail!("two experiments of the store are called {name}, and can have one page only");
        }
        let page = report(store, &experiment).await?;
        for item in &page.items {
            if let Item::Figure(figure) = item {
                let path = folder.join(PICTURES).join(format!("{}.svg", figure.name));
                write(&path, figure.svg().as_bytes())?;
            }
        }
        let path = folder.join(format!("{name}.md"));
        write(&path, page.markdown(Some(PICTURES)).as_bytes())?;
        entries.push(Entry {
            games: store.counts(&experiment.id).await?.games,
            comparison: comparison(store, &experiment).await?,
            experiment,
        });
    }
    entries.sort_by(|a, b| {
        let key = |entry: &Entry| (entry.experiment.game as u8, entry.experiment.name.clone());
        key(a).cmp(&key(b))
    });
    write(&folder.join("README.md"), list(&entries, about).as_bytes())
}

fn list(entries: &[Entry], about: &str) -> String {
    let mut text = format!("# Experiments\n\n{}\n\n", about.trim());
    text += &table(entries).markdown();
    for Entry { experiment, .. } in entries {
        let (name, title) = (&experiment.name, &experiment.title);
        if !experiment.remark.is_empty() {
            text += &format!("\n**[{title}]({name}.md).** {}\n", experiment.remark);
        }
    }
    text
}

fn table(entries: &[Entry]) -> Table {
    let mut columns = vec![
        Column::text("Experiment"),
        Column::number("Games"),
        Column::number("Published scores"),
        Column::number("Effects"),
    ];
    columns.extend(Effect::ALL.map(|effect| Column::number(&effect.to_string())));
    let row = |name: String, games: u64, scores: usize, counts: [usize; 4]| {
        let all = counts.iter().sum::<usize>();
        let numbers = [games, scores as u64, all as u64].into_iter();
        let numbers = numbers.chain(counts.map(|count| count as u64));
        std::iter::once(Cell::from(name))
            .chain(numbers.map(Cell::count))
            .collect::<Vec<_>>()
    };
    let mut rows = Vec::new();
    let (mut games, mut scores, mut sums) = (0, 0, [0; 4]);
    for entry in entries {
        let counts = Effect::ALL.map(|effect| entry.comparison.count(effect));
        let name = &entry.experiment.name;
        let link = format!("[{name}]({name}.md)");
        rows.push(row(link, entry.games, entry.comparison.scores(), counts));
        games += entry.games;
        scores += entry.comparison.scores();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    rows.push(row("all".to_owned(), games, scores, sums));
    Table {
        columns,
        rows,
        ..Table::default()
    }
}
