//! The tables of a report.

use crate::experiment::{Experiment, Stop};
use crate::store::Score;
use crate::verdict::{self, LEVEL};
use crate::weights::{Weights, short};
use figures::{Cell, Column, Table};
use statistics::{CrossTable, Estimate, Games, Ratings};
use std::collections::{BTreeMap, BTreeSet};

/// The score of every point.
pub(super) fn points(
    experiment: &Experiment,
    scores: &BTreeMap<u64, Score>,
    closed: &BTreeSet<u64>,
) -> Table {
    let percent = |estimate: Estimate| {
        let [value, low, high] =
            [estimate.value, estimate.low, estimate.high].map(|score| 100.0 * score);
        let text = format!("{value:.1} [{low:.1}, {high:.1}]");
        Cell::estimate(value, (low, high), text)
    };
    let elo = |elo: Estimate| {
        let text = verdict::shown_elo(&elo);
        Cell::estimate(elo.value, (elo.low, elo.high), text)
    };
    let normalised = |elo: Estimate| {
        let text = format!("{:+.0} ± {:.0}", elo.value, elo.margin());
        Cell::estimate(elo.value, (elo.low, elo.high), text)
    };
    let ratio = |test: &verdict::Test| {
        let text = format!("{:.2} [{:.2}, {:.2}]", test.llr, test.lower, test.upper);
        Cell::estimate(test.llr, (test.lower, test.upper), text)
    };
    let mut columns = vec![
        Column::text("Point"),
        Column::number("Games"),
        Column::number("Won / drawn / lost"),
        Column::number("Score % [95 %]"),
        Column::number("Pairs with 0 / ½ / 1 / 1½ / 2 points"),
        Column::number("Elo [95 %]"),
        Column::number("Normalised Elo"),
        Column::number("Superior %"),
    ];
    if experiment.stop != Stop::Fixed {
        columns.push(Column::number("LLR [bounds]"));
        columns.push(Column::text("Test"));
    }
    let mut rows = Vec::new();
    for (place, point) in experiment.points.iter().enumerate() {
        let place = place as u64;
        let Some(score) = scores.get(&place) else {
            continue;
        };
        let summary = verdict::summary(&experiment.stop, score, closed.contains(&place));
        let superior = 100.0 * summary.superiority;
        let mut row = vec![
            experiment.short_name(point).into(),
            Cell::count(score.games()),
            Cell::counts(&[score.wins, score.draws, score.losses]),
            summary.score.map_or_else(Cell::default, percent),
            Cell::counts(&score.pairs),
            summary.elo.map_or_else(Cell::default, elo),
            summary
                .normalised_elo
                .map_or_else(Cell::default, normalised),
            Cell::number(superior, format!("{superior:.1}")),
        ];
        if let Some(test) = &summary.test {
            row.push(ratio(test));
            row.push(verdict::word(test.verdict).into());
        }
        rows.push(row);
    }
    Table {
        name: format!("{}-points", experiment.name),
        title: "All points".to_owned(),
        caption: "Scores are those of the player named first; intervals are of pairs of games with one opening. \
            Superior: the likelihood that it is the stronger one. LLR: the log likelihood ratio of the test, and \
            where it ends."
            .to_owned(),
        columns,
        rows,
        ..Table::default()
    }
}

/// With which weights the players play; `None` where none has some.
pub(super) fn weights(experiment: &Experiment, weights: &Weights) -> Option<Table> {
    let row = |(player, hash): (&str, &str)| vec![player.into(), Cell::name(hash, short(hash))];
    let rows: Vec<Vec<Cell>> = weights.iter().map(row).collect();
    (!rows.is_empty()).then(|| Table {
        name: format!("{}-weights", experiment.name),
        title: "Weights".to_owned(),
        caption: "The SHA-256 of the file of the network with which a player plays.".to_owned(),
        columns: vec![Column::text("Player"), Column::text("SHA-256")],
        rows,
        ..Table::default()
    })
}

/// The names of all players, and the games between each two of them; `None` if they met in no circle, such
/// as all one baseline, so that the scores of the points say all.
fn met(
    experiment: &Experiment,
    scores: &BTreeMap<u64, Score>,
) -> Option<(Vec<String>, CrossTable)> {
    let mut names: Vec<String> = Vec::new();
    let mut pairings = BTreeSet::new();
    for point in &experiment.points {
        let mut place = |name: &String| {
            names
                .iter()
                .position(|known| known == name)
                .unwrap_or_else(|| {
                    names.push(name.clone());
                    names.len() - 1
                })
        };
        let (first, second) = (place(&point.player.name), place(&point.against.name));
        if first != second {
            pairings.insert((first.min(second), first.max(second)));
        }
    }
    if names.len() < 3 || pairings.len() < names.len() {
        return None;
    }
    let mut table = CrossTable::new(names.len());
    let place = |name: &str| names.iter().position(|known| known == name);
    for (number, point) in experiment.points.iter().enumerate() {
        let places = (place(&point.player.name), place(&point.against.name));
        if let (Some(score), (Some(first), Some(second))) = (scores.get(&(number as u64)), places)
            && first != second
        {
            table.add(
                first,
                second,
                Games::of(score.wins, score.draws, score.losses),
            );
        }
    }
    Some((names, table))
}

/// The ratings of all players, where many met.
pub(super) fn ratings(experiment: &Experiment, scores: &BTreeMap<u64, Score>) -> Option<Table> {
    let (names, table) = met(experiment, scores)?;
    // One drawn game against an imagined player of rating 0 keeps the ratings finite.
    let ratings = Ratings::fit(&table, 1.0).ok()?;
    let anchor = experiment.anchor.as_ref();
    let anchor = anchor.and_then(|anchor| names.iter().position(|name| name == anchor));
    let rating = |player| match anchor {
        None => ratings.rating(player, LEVEL),
        Some(anchor) => ratings.difference(player, anchor, LEVEL),
    };
    let mut rated: Vec<(usize, Estimate)> = (0..names.len())
        .filter_map(|player| Some((player, rating(player)?)))
        .collect();
    rated.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let row = |(player, rating): &(usize, Estimate)| {
        let games = table.of(*player);
        let share = 100.0 * games.points() / games.games().max(1) as f64;
        let text = format!("{:.0} ± {:.0}", rating.value, rating.margin());
        vec![
            names[*player].as_str().into(),
            Cell::estimate(rating.value, (rating.low, rating.high), text),
            Cell::count(games.games()),
            Cell::number(share, format!("{share:.1}")),
        ]
    };
    Some(Table {
        name: format!("{}-ratings", experiment.name),
        title: "Ratings".to_owned(),
        caption: format!(
            "Elo relative to {}, by maximum likelihood over all points.",
            anchor.map_or("the mean of all players", |anchor| &names[anchor])
        ),
        columns: vec![
            Column::text("Player"),
            Column::number("Elo"),
            Column::number("Games"),
            Column::number("Score %"),
        ],
        rows: rated.iter().map(row).collect(),
        ..Table::default()
    })
}

/// Who beat whom, where many met.
pub(super) fn cross(experiment: &Experiment, scores: &BTreeMap<u64, Score>) -> Option<Table> {
    let (names, table) = met(experiment, scores)?;
    let mut columns = vec![Column::text("")];
    columns.extend(names.iter().map(|name| Column::number(name)));
    let row = |first: usize| {
        let cell = |second: usize| {
            let games = table.between(first, second);
            match games.games() {
                0 => Cell::default(),
                total => {
                    let points = games.points();
                    Cell::number(points, format!("{points:.1} of {total}"))
                }
            }
        };
        let name = std::iter::once(names[first].as_str().into());
        name.chain((0..names.len()).map(cell)).collect()
    };
    Some(Table {
        name: format!("{}-cross", experiment.name),
        title: "Who beat whom".to_owned(),
        caption: "Points of the player of the row.".to_owned(),
        columns,
        rows: (0..names.len()).map(row).collect(),
        ..Table::default()
    })
}

/// How games ended: a row for each two players, a column for each kind of end.
pub(super) fn ends(ends: &BTreeMap<(String, String), u64>) -> Table {
    let players: BTreeSet<&String> = ends.keys().map(|(players, _)| players).collect();
    let kinds: BTreeSet<&String> = ends.keys().map(|(_, end)| end).collect();
    let mut columns = vec![Column::text("Players")];
    columns.extend(kinds.iter().map(|kind| Column::number(kind)));
    let row = |players: &String| {
        let count = |kind: &&String| {
            let count = ends.get(&(players.clone(), (*kind).clone()));
            Cell::count(count.copied().unwrap_or(0))
        };
        let counts = kinds.iter().map(count);
        std::iter::once(players.as_str().into())
            .chain(counts)
            .collect()
    };
    Table {
        name: "ends".to_owned(),
        title: "How games ended".to_owned(),
        columns,
        rows: players.into_iter().map(row).collect(),
        ..Table::default()
    }
}

/// What players did wrong.
pub(super) fn faults(experiment: &Experiment, faults: &BTreeMap<(usize, String), u64>) -> Table {
    let row = |((point, fault), count): (&(usize, String), &u64)| {
        let point = experiment.points.get(*point);
        let point = point.map_or(String::new(), |point| experiment.short_name(point));
        vec![point.into(), fault.as_str().into(), Cell::count(*count)]
    };
    Table {
        name: "faults".to_owned(),
        title: "Games lost by a fault".to_owned(),
        caption: "The player named lost the game: it crashed, gave no answer, played what is not legal, or \
            overstepped its time."
            .to_owned(),
        columns: vec![Column::text("Point"), Column::text("Fault"), Column::number("Games")],
        rows: faults.iter().map(row).collect(),
        ..Table::default()
    }
}
