//! The tables of a report.

use crate::experiment::Experiment;
use crate::store::Score;
use crate::verdict::{self, LEVEL};
use figures::{Column, Table};
use statistics::{CrossTable, Games, Pairs, Ratings, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// The score of every point.
pub(super) fn points(
    experiment: &Experiment,
    scores: &BTreeMap<u64, Score>,
    closed: &BTreeSet<u64>,
) -> Table {
    let mut rows = Vec::new();
    for (place, point) in experiment.points.iter().enumerate() {
        let Some(score) = scores.get(&(place as u64)) else {
            continue;
        };
        let pairs = Pairs::new(score.pairs);
        let [won, split, lost] = pairs.won_split_lost();
        let percent = verdict::score(score).map_or(String::new(), |estimate| {
            format!(
                "{:.1} [{:.1}, {:.1}]",
                100.0 * estimate.value,
                100.0 * estimate.low,
                100.0 * estimate.high
            )
        });
        let elo = pairs
            .normalised_elo(LEVEL)
            .map_or(String::new(), |estimate| {
                format!("{:.0} ± {:.0}", estimate.value, estimate.margin())
            });
        let decided = verdict::decided(&experiment.stop, score, closed.contains(&(place as u64)));
        let decided = decided.map_or(String::new(), |(verdict, ratio)| {
            let verdict = match verdict {
                Verdict::Open => "open",
                Verdict::Accepted => "accepted",
                Verdict::Rejected => "rejected",
            };
            format!("{verdict}, {ratio:.2}")
        });
        rows.push(vec![
            experiment.short_name(point),
            score.games().to_string(),
            format!("{} / {} / {}", score.wins, score.draws, score.losses),
            percent,
            format!("{won} / {split} / {lost}"),
            elo,
            format!("{:.1} %", 100.0 * pairs.superiority()),
            decided,
        ]);
    }
    let mut columns = vec![
        Column::text("Point"),
        Column::number("Games"),
        Column::number("Won / drawn / lost"),
        Column::number("Score % [95 %]"),
        Column::number("Pairs won / split / lost"),
        Column::number("Normalised Elo"),
        Column::number("Superior"),
    ];
    if rows
        .iter()
        .any(|row| row.last().is_some_and(|cell| !cell.is_empty()))
    {
        columns.push(Column::text("Test, log likelihood ratio"));
    } else {
        for row in &mut rows {
            row.truncate(columns.len());
        }
    }
    Table {
        name: format!("{}-points", experiment.name),
        title: "All points".to_owned(),
        caption: "Scores are those of the player named first; intervals are of pairs of games with one opening. \
            Superior: the likelihood that it is the stronger one."
            .to_owned(),
        columns,
        rows,
        ..Table::default()
    }
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
    let mut rated: Vec<(usize, statistics::Estimate)> = (0..names.len())
        .filter_map(|player| Some((player, rating(player)?)))
        .collect();
    rated.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let row = |(player, rating): &(usize, statistics::Estimate)| {
        let games = table.of(*player);
        let share = 100.0 * games.points() / games.games().max(1) as f64;
        vec![
            names[*player].clone(),
            format!("{:.0} ± {:.0}", rating.value, rating.margin()),
            games.games().to_string(),
            format!("{share:.1}"),
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
                0 => String::new(),
                total => format!("{:.1} of {total}", games.points()),
            }
        };
        [
            vec![names[first].clone()],
            (0..names.len()).map(cell).collect(),
        ]
        .concat()
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
            count.copied().unwrap_or(0).to_string()
        };
        let counts = kinds.iter().map(count);
        std::iter::once(players.clone()).chain(counts).collect()
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
        vec![point, fault.clone(), count.to_string()]
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
