//! What a run has come to, for people.

use crate::journal::Generation;
use figures::{Axis, Cell, Column, Figure, Line, Point, Report, Table};
use statistics::Estimate;

/// The generations of a run as a table, and as curves where there are several.
pub fn report(title: &str, rows: &[Generation]) -> Report {
    let games: u64 = rows
        .iter()
        .filter_map(|row| row.played.as_ref())
        .map(|played| played.games)
        .sum();
    let promoted = |row: &&Generation| row.matched.as_ref().is_some_and(|matched| matched.promoted);
    let best = rows.iter().rfind(promoted);
    let best = best.and_then(|row| {
        Some(format!(
            "generation {}, {}",
            row.generation,
            &row.trained.as_ref()?.weights
        ))
    });
    let hours = rows.iter().map(|row| row.seconds).sum::<f64>() / 3600.0;
    let mut items = Vec::new();
    if rows.len() > 1 {
        items.push(strength(rows).into());
        items.push(losses(rows).into());
    }
    items.push(table(rows).into());
    Report {
        title: title.to_owned(),
        description: "A network that learns from games against itself.".to_owned(),
        facts: vec![
            ("generations".to_owned(), rows.len().to_string()),
            ("games of self-play".to_owned(), games.to_string()),
            ("hours".to_owned(), format!("{hours:.2}")),
            (
                "best weights".to_owned(),
                best.unwrap_or_else(|| "none promoted yet".to_owned()),
            ),
        ],
        items,
    }
}

/// The generations as a table.
pub fn table(rows: &[Generation]) -> Table {
    let columns = [
        "generation",
        "games",
        "positions",
        "moves",
        "first",
        "results",
        "right",
        "won-drawn-lost",
        "Elo so far",
    ];
    Table {
        name: "generations".to_owned(),
        title: "Generations".to_owned(),
        caption: "moves, results: mean cross-entropy in nats of games held out; first: the share of searches whose first \
                  choice the network expected; right: the share of winners that it expected; pairs of games of the match; \
                  * promoted"
            .to_owned(),
        columns: columns
            .map(Column::number)
            .into_iter()
            .chain([Column::text("weights")])
            .collect(),
        rows: rows.iter().map(row).collect(),
        ..Table::default()
    }
}

fn row(row: &Generation) -> Vec<Cell> {
    let played = |count: fn(&crate::Played) -> u64| {
        row.played
            .as_ref()
            .map_or(Cell::from(""), |played| Cell::count(count(played)))
    };
    let held_out = |number: fn(&crate::Loss) -> f64, text: fn(f64) -> String| {
        row.trained.as_ref().map_or(Cell::from(""), |trained| {
            let number = number(&trained.held_out);
            Cell::number(number, text(number))
        })
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    vec![
        Cell::count(row.generation.into()),
        played(|played| played.games),
        played(|played| played.positions),
        held_out(crate::Loss::moves, |loss| format!("{loss:.3}")),
        held_out(crate::Loss::first_share, percent),
        held_out(crate::Loss::results, |loss| format!("{loss:.4}")),
        held_out(crate::Loss::right_share, percent),
        played_match(row).map_or(Cell::from(""), |matched| {
            let [won, drawn, lost] = matched.pairs.won_split_lost();
            Cell::from(format!("{won}-{drawn}-{lost}"))
        }),
        row.elo_so_far.map_or(Cell::from(""), |elo| {
            let promoted = row.matched.as_ref().is_some_and(|matched| matched.promoted);
            let mark = if promoted { " *" } else { "" };
            Cell::estimate(
                elo.value,
                (elo.low, elo.high),
                format!("{}{mark}", in_words(elo)),
            )
        }),
        row.trained.as_ref().map_or(Cell::from(""), |trained| {
            Cell::from(trained.weights[..12].to_owned())
        }),
    ]
}

/// The match of a generation, unless it had no games.
fn played_match(row: &Generation) -> Option<&crate::Matched> {
    let matched = row.matched.as_ref();
    matched.filter(|matched| matched.pairs.total() > 0)
}

/// A difference in Elo with its interval.
pub fn in_words(elo: Estimate) -> String {
    format!("{:+.0} ({:+.0} to {:+.0})", elo.value, elo.low, elo.high)
}

fn strength(rows: &[Generation]) -> Figure {
    let point = |row: &Generation| {
        let elo = row.elo_so_far?;
        let games = row
            .matched
            .as_ref()
            .map_or(0, |matched| matched.pairs.games());
        Some(
            Point::new(f64::from(row.generation), elo.value)
                .within(elo.low, elo.high)
                .of(games),
        )
    };
    Figure {
        name: "elo".to_owned(),
        title: "Strength".to_owned(),
        caption: "Elo against what the run began with, added up over the promoted matches, with intervals of 95 %: an \
                  overestimate, because what is promoted has also been lucky"
            .to_owned(),
        x: Axis::plain("generation"),
        y: Axis::plain("Elo so far"),
        lines: vec![Line {
            name: "new weights".to_owned(),
            points: rows.iter().filter_map(point).collect(),
            ..Line::default()
        }],
        ..Figure::default()
    }
}

fn losses(rows: &[Generation]) -> Figure {
    let line = |name: &str, loss: fn(&crate::Loss) -> f64| Line {
        name: name.to_owned(),
        points: rows
            .iter()
            .filter_map(|row| {
                let trained = row.trained.as_ref()?;
                Some(Point::new(
                    f64::from(row.generation),
                    loss(&trained.held_out),
                ))
            })
            .collect(),
        ..Line::default()
    };
    Figure {
        name: "loss".to_owned(),
        title: "What the network expects of games that it has not learned from".to_owned(),
        caption: "Mean cross-entropy in nats: of the moves that searches chose, and of the results"
            .to_owned(),
        x: Axis::plain("generation"),
        y: Axis::plain("nats"),
        lines: vec![
            line("moves", crate::Loss::moves),
            line("results", crate::Loss::results),
        ],
        ..Figure::default()
    }
}
