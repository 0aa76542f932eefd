//! Published scores beside ours: which effects are there again?

use figures::{Cell, Column, Figure, Point, Table, X};
use std::fmt;

/// A published score counts as an effect from this many percent on, and from its mirror image down: less
/// is within the error of a few hundred games on each side.
const EFFECT: f64 = 60.0;

/// What became of a published effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Our interval lies on the same side of 50 %.
    Reproduced,
    /// Our score does; the interval reaches over to the other side.
    Leaning,
    /// Our score is on the other side; the interval reaches over to the same side.
    NotSeen,
    /// Our interval lies on the other side.
    Opposite,
}

impl Effect {
    /// All of them, the best first.
    pub const ALL: [Effect; 4] = [
        Effect::Reproduced,
        Effect::Leaning,
        Effect::NotSeen,
        Effect::Opposite,
    ];

    /// `None` if what was published is no effect.
    fn of(published: f64, ours: &Point) -> Option<Effect> {
        let sign = if published >= EFFECT {
            1.0
        } else if published <= 100.0 - EFFECT {
            -1.0
        } else {
            return None;
        };
        let (low, high) = ours.interval.unwrap_or((0.0, 100.0));
        let over = |score: f64| sign * (score - 50.0);
        let nearest = over(low).min(over(high));
        let farthest = over(low).max(over(high));
        Some(match over(ours.value) {
            _ if nearest > 0.0 => Effect::Reproduced,
            _ if farthest < 0.0 => Effect::Opposite,
            ours if ours > 0.0 => Effect::Leaning,
            _ => Effect::NotSeen,
        })
    }
}

/// As the table has it.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Effect::Reproduced => "reproduced",
            Effect::Leaning => "same sign, not certain",
            Effect::NotSeen => "not seen",
            Effect::Opposite => "opposite",
        })
    }
}

/// A published score with ours.
#[derive(Clone, Debug)]
struct Row {
    figure: String,
    line: String,
    x: X,
    published: f64,
    ours: Point,
    effect: Option<Effect>,
}

/// All published scores of which we have games.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    rows: Vec<Row>,
    x: String,
}

impl Comparison {
    /// The comparison in figures of scores, in percent.
    pub(super) fn of<'a>(figures: impl Iterator<Item = &'a Figure>) -> Comparison {
        let mut comparison = Comparison::default();
        for figure in figures {
            comparison.x.clone_from(&figure.x.label);
            for line in &figure.lines {
                for (x, published) in &line.published.points {
                    let Some(ours) = line.points.iter().find(|point| point.x == *x) else {
                        continue;
                    };
                    comparison.rows.push(Row {
                        figure: figure.title.clone(),
                        line: line.name.clone(),
                        x: x.clone(),
                        published: *published,
                        ours: ours.clone(),
                        effect: Effect::of(*published, ours),
                    });
                }
            }
        }
        comparison
    }

    /// Published scores of which we have games.
    pub fn scores(&self) -> usize {
        self.rows.len()
    }

    /// Those that are effects and became this.
    pub fn count(&self, effect: Effect) -> usize {
        let rows = self.rows.iter();
        rows.filter(|row| row.effect == Some(effect)).count()
    }

    /// How many effects there are, and what became of them, in a sentence.
    pub fn sentence(&self) -> String {
        let [reproduced, leaning, not_seen, opposite] =
            Effect::ALL.map(|effect| self.count(effect));
        let effects = reproduced + leaning + not_seen + opposite;
        if effects == 0 {
            return format!(
                "None of the {} published scores beside ours is {EFFECT} % or more, or {} % or less.",
                self.scores(),
                100.0 - EFFECT
            );
        }
        format!(
            "Of the {} published scores beside ours {effects} are {EFFECT} % or more, or {} % or less: \
             {reproduced} reproduced, {leaning} of the same sign but not certain, {not_seen} not seen, {opposite} opposite.",
            self.scores(),
            100.0 - EFFECT
        )
    }

    /// A row for each score; `None` where there is nothing to compare.
    pub(super) fn table(&self, name: &str) -> Option<Table> {
        let first = self.rows.first()?;
        let several = self.rows.iter().any(|row| row.figure != first.figure);
        let named = self.rows.iter().any(|row| !row.line.is_empty());
        let mut columns = Vec::new();
        columns.extend(several.then(|| Column::text("Figure")));
        columns.extend(named.then(|| Column::text("Line")));
        columns.extend([
            Column::number(if several { "At" } else { &self.x }),
            Column::number("Published"),
            Column::number("Ours [95 %]"),
            Column::number("Games"),
            Column::text("Effect"),
        ]);
        let row = |row: &Row| {
            let (low, high) = row.ours.interval.unwrap_or((0.0, 100.0));
            let mut cells = Vec::new();
            cells.extend(several.then(|| row.figure.as_str().into()));
            cells.extend(named.then(|| row.line.as_str().into()));
            let ours = format!("{:.1} [{low:.1}, {high:.1}]", row.ours.value);
            let effect = row.effect.map(|effect| effect.to_string());
            cells.extend([
                match &row.x {
                    X::Number(x) => Cell::number(*x, row.x.to_string()),
                    X::Name(name) => name.as_str().into(),
                },
                Cell::number(row.published, row.published.to_string()),
                Cell::estimate(row.ours.value, (low, high), ours),
                Cell::count(row.ours.games),
                effect.unwrap_or("–".to_owned()).into(),
            ]);
            cells
        };
        Some(Table {
            name: format!("{name}-comparison"),
            title: "Published and ours".to_owned(),
            caption: self.sentence(),
            columns,
            rows: self.rows.iter().map(row).collect(),
            ..Table::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use figures::{Line, Published};

    fn figure(points: &[(f64, f64, f64, f64)]) -> Figure {
        let ours = |(place, &(_, value, low, high)): (usize, &(f64, f64, f64, f64))| {
            Point::new(place as f64, value).within(low, high).of(200)
        };
        let theirs = points.iter().enumerate();
        Figure {
            lines: vec![Line {
                name: "line".to_owned(),
                points: points.iter().enumerate().map(ours).collect(),
                published: Published {
                    points: theirs
                        .map(|(x, point)| (X::Number(x as f64), point.0))
                        .collect(),
                    note: String::new(),
                },
            }],
            ..Figure::default()
        }
    }

    #[test]
    fn effects_are_told_apart() {
        use Effect::{Leaning, NotSeen, Opposite, Reproduced};
        let cases = [
            (60.0, 55.0, 51.0, 59.0, Some(Reproduced)),
            (60.0, 55.0, 49.0, 61.0, Some(Leaning)),
            (99.0, 50.0, 44.0, 56.0, Some(NotSeen)),
            (99.0, 45.0, 39.0, 51.0, Some(NotSeen)),
            (70.0, 45.0, 41.0, 49.0, Some(Opposite)),
            (40.0, 45.0, 41.0, 49.0, Some(Reproduced)),
            (40.0, 45.0, 39.0, 51.0, Some(Leaning)),
            (10.0, 55.0, 49.0, 61.0, Some(NotSeen)),
            (10.0, 55.0, 51.0, 59.0, Some(Opposite)),
            (40.1, 55.0, 51.0, 59.0, None),
            (59.9, 55.0, 51.0, 59.0, None),
        ];
        for (published, value, low, high, effect) in cases {
            let ours = Point::new(0.0, value).within(low, high);
            assert_eq!(Effect::of(published, &ours), effect, "{published} {value}");
        }
        let points = cases.map(|(published, value, low, high, _)| (published, value, low, high));
        let comparison = Comparison::of([figure(&points)].iter());
        assert_eq!(comparison.scores(), cases.len());
        assert_eq!(
            Effect::ALL.map(|effect| comparison.count(effect)),
            [2, 2, 3, 2]
        );
        let sentence = comparison.sentence();
        assert!(sentence.contains("11 published scores"), "{sentence}");
        assert!(sentence.contains(" 9 are "), "{sentence}");
        let table = comparison.table("name").expect("a table");
        assert_eq!(table.rows.len(), cases.len());
        assert_eq!(table.rows[0][5].text(), "reproduced");
        assert_eq!(table.rows[10][5].text(), "–");
    }

    #[test]
    fn scores_without_games_are_not_compared() {
        let mut figure = figure(&[(60.0, 55.0, 51.0, 59.0)]);
        figure.lines[0].points.clear();
        let comparison = Comparison::of([figure].iter());
        assert_eq!(comparison.scores(), 0);
        assert!(comparison.table("name").is_none());
    }
}
