//! Figures of every kind.

use figures::{Axis, Cell, Column, Figure, Item, Line, Point, Published, Report, Table, X};

fn published(values: &[f64]) -> Vec<(X, f64)> {
    (4..)
        .zip(values)
        .map(|(size, value)| (X::Number(f64::from(size)), *value))
        .collect()
}

fn measured(points: &[(f64, f64, f64)]) -> Vec<Point> {
    let point = |(x, value, margin): &(f64, f64, f64)| {
        Point::new(*x, *value)
            .within((value - margin).max(0.0), (value + margin).min(100.0))
            .of(200)
    };
    points.iter().map(point).collect()
}

/// Two lines measured at two sizes, beside the published ones.
pub fn few() -> Figure {
    Figure {
        name: "proof-backups".to_owned(),
        title: "Proof backups: 2-ply look-ahead against less".to_owned(),
        caption: "Share of the points of the player with 2-ply look-ahead & proofs.".to_owned(),
        source: "Castro thesis (2012), section Proof Backups".to_owned(),
        x: Axis::plain("Board size"),
        y: Axis::percent("Win rate"),
        lines: vec![
            Line {
                name: "against 1-ply".to_owned(),
                points: measured(&[(5.0, 66.0, 6.5), (8.0, 79.0, 5.6)]),
                published: Published {
                    points: published(&[68.64, 65.5, 63.86, 74.76, 82.35, 84.24, 84.88]),
                    note: String::new(),
                },
            },
            Line {
                name: "against none".to_owned(),
                points: measured(&[(5.0, 74.5, 6.1), (8.0, 88.0, 4.6)]),
                published: Published {
                    points: published(&[89.15, 72.39, 71.91, 81.1, 86.63, 84.99, 87.32]),
                    note: String::new(),
                },
            },
        ],
    }
}

/// Thirteen values of a parameter, of which two were measured.
pub fn many() -> Figure {
    let series: [(&str, [f64; 7], bool); 9] = [
        (
            "2",
            [51.36, 52.37, 47.45, 57.67, 55.72, 56.46, 62.96],
            false,
        ),
        ("3", [50.62, 60.59, 54.13, 53.38, 58.92, 58.04, 65.88], true),
        ("4", [51.19, 57.16, 55.11, 56.79, 59.25, 60.49, 70.09], true),
        (
            "5",
            [52.61, 62.64, 62.34, 56.18, 58.51, 65.82, 67.59],
            false,
        ),
        ("8", [53.40, 59.93, 67.23, 55.61, 60.16, 68.39, 71.20], true),
        (
            "10",
            [44.26, 61.73, 69.34, 61.88, 61.35, 63.53, 71.33],
            false,
        ),
        (
            "12",
            [48.01, 68.65, 66.78, 54.74, 61.71, 63.70, 68.99],
            true,
        ),
        (
            "15",
            [50.34, 62.69, 69.93, 61.23, 58.53, 64.12, 71.31],
            false,
        ),
        (
            "20",
            [47.67, 64.08, 56.59, 53.61, 62.60, 67.85, 77.37],
            true,
        ),
    ];
    let lines = series.iter().map(|(name, values, hidden)| Line {
        name: (*name).to_owned(),
        points: match *name {
            "5" => measured(&[(5.0, 58.0, 6.8), (8.0, 61.0, 6.7)]),
            "10" => measured(&[(5.0, 60.5, 6.7), (8.0, 66.5, 6.5)]),
            _ => Vec::new(),
        },
        published: Published {
            points: published(values),
            note: if *hidden {
                "commented out in the source".to_owned()
            } else {
                String::new()
            },
        },
    });
    Figure {
        name: "multiple-playouts".to_owned(),
        title: "Several playouts a simulation against the RAVE baseline".to_owned(),
        x: Axis::plain("Board size"),
        y: Axis::percent("Win rate"),
        lines: lines.collect(),
        ..Figure::default()
    }
}

/// The full grid: every line with all its points.
pub fn full() -> Figure {
    let mut figure = many();
    "multiple-playouts-full".clone_into(&mut figure.name);
    for (index, line) in figure.lines.iter_mut().enumerate() {
        line.points = line
            .published
            .points
            .iter()
            .map(|(x, value)| {
                let value = value + 3.0 - index as f64 * 0.7;
                Point {
                    x: x.clone(),
                    value,
                    interval: Some((value - 3.0, value + 3.0)),
                    games: 400,
                }
            })
            .collect();
    }
    figure.lines.retain(|line| !line.published.note.is_empty());
    figure
}

/// A series over the turns of a game, with bands.
pub fn series() -> Figure {
    let line = |name: &str, height: f64, shift: f64| Line {
        name: name.to_owned(),
        points: (0..60)
            .map(|turn| {
                let turn = f64::from(turn);
                let off = (turn - 22.0 - shift) / 11.0;
                let value = height / (1.0 + off * off);
                Point::new(turn + 1.0, value).within(value * 0.8, value * 1.2)
            })
            .collect(),
        published: Published::default(),
    };
    Figure {
        name: "seconds-a-turn".to_owned(),
        title: "Time of the turns of Kōnane games".to_owned(),
        caption: "Mean over the games; the band is where nineteen of twenty lie.".to_owned(),
        x: Axis::plain("Turn"),
        y: Axis::plain("Seconds"),
        lines: vec![
            line("DABS, depth 8", 2.4, 0.0),
            line("WDABS, depth 10", 1.7, 5.0),
        ],
        ..Figure::default()
    }
}

/// Names on the horizontal axis, nothing published.
pub fn names() -> Figure {
    let values = [
        ("AB", 12.0),
        ("DAB", 31.5),
        ("DABS", 55.0),
        ("WDABS", 71.0),
        ("MCTS", 48.0),
        ("DMCTS", 82.0),
    ];
    Figure {
        name: "players".to_owned(),
        title: "Players of the thesis against each other".to_owned(),
        x: Axis::plain("Player"),
        y: Axis::percent("Score"),
        lines: vec![Line {
            points: values
                .map(|(name, value)| {
                    Point::new(name, value)
                        .within(value - 5.0, value + 5.0)
                        .of(300)
                })
                .into(),
            ..Line::default()
        }],
        ..Figure::default()
    }
}

/// A page with all of them.
pub fn report() -> Report {
    Report {
        title: "Samples".to_owned(),
        description: "One figure of each kind.\n\nNumbers of ours are invented <here>.".to_owned(),
        facts: vec![
            (
                "Command".to_owned(),
                "papamu arena run samples.toml --scale quick".to_owned(),
            ),
            ("Games".to_owned(), "1,600".to_owned()),
        ],
        items: vec![
            few().into(),
            many().into(),
            Item::Text {
                title: "What differs".to_owned(),
                text: "Nothing.\n\nReally.".to_owned(),
            },
            Table {
                name: "who-beat-whom".to_owned(),
                title: "Who beat whom".to_owned(),
                caption: "Wins of the row | losses.".to_owned(),
                columns: vec![
                    Column::text("Player"),
                    Column::number("rating"),
                    Column::number("score"),
                    Column::number("games"),
                    Column::text("test"),
                ],
                rows: vec![
                    vec![
                        "rave | 500".into(),
                        Cell::estimate(121.4, (80.0, 162.8), "+121"),
                        Cell::number(72.0, "72.0"),
                        Cell::counts(&[10, 2, 3]),
                        "won".into(),
                    ],
                    vec!["uct".into(), Cell::number(-121.4, "−121"), "".into()],
                ],
                ..Table::default()
            }
            .into(),
            names().into(),
            series().into(),
        ],
    }
}
