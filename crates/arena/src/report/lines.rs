//! From games to the lines of figures.

use super::{Seen, figure_name};
use crate::experiment::{Binding, Experiment, ExperimentError, Figure, Measure, Value};
use crate::play::Notes;
use crate::store::Score;
use crate::verdict;
use figures::{Axis, Line, Point, Published, X};
use std::collections::BTreeMap;

/// A mean that is added to.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean with its 95 % interval (normal approximation).
    fn point(&self, x: X) -> Option<Point> {
        let count = self.count as f64;
        let mean = (self.count > 0).then(|| self.sum / count)?;
        let point = Point::new(x, mean).of(self.count);
        if self.count < 2 {
            return Some(point);
        }
        let variance = (self.squares - count * mean * mean).max(0.0) / (count - 1.0);
        let margin = statistics::quantile(0.975) * (variance / count).sqrt();
        Some(point.within(mean - margin, mean + margin))
    }
}

/// Where the games of a point belong in a figure.
struct Place {
    /// The number of the line.
    line: usize,
    /// The x of the point; `None` if turns or plies are on the axis.
    x: Option<Value>,
}

/// What a figure gathers from the games.
struct Gathered {
    /// The names of the lines, in the order of the points.
    names: Vec<String>,
    /// For each point of the experiment, where it belongs.
    places: Vec<Option<Place>>,
    /// Means for each line and place on the axis; the number orders them, the value is shown.
    means: BTreeMap<(usize, usize), (X, Mean)>,
    /// Games for each line.
    games: Vec<u64>,
}

/// The figures of an experiment while its games are gone through.
pub(super) struct Games<'e> {
    experiment: &'e Experiment,
    gathered: Vec<Gathered>,
}

impl<'e> Games<'e> {
    /// # Errors
    /// If two points of a figure fall on the same line and x.
    pub fn new(experiment: &'e Experiment) -> Result<Games<'e>, ExperimentError> {
        let gathered = |figure: &Figure| gathered(experiment, figure);
        Ok(Games {
            experiment,
            gathered: experiment
                .figures
                .iter()
                .map(gathered)
                .collect::<Result<_, _>>()?,
        })
    }

    /// Takes a game into account.
    pub fn add(&mut self, game: &Seen) {
        for (figure, gathered) in self.experiment.figures.iter().zip(&mut self.gathered) {
            gathered.add(figure, game);
        }
    }

    /// A figure with what was gathered for it.
    pub fn figure(
        &self,
        place: usize,
        figure: &Figure,
        scores: &BTreeMap<u64, Score>,
    ) -> figures::Figure {
        let gathered = &self.gathered[place];
        let mut lines: Vec<Line> = gathered
            .names
            .iter()
            .map(|name| Line {
                name: name.clone(),
                ..Line::default()
            })
            .collect();
        if figure.measure == Measure::Score {
            for (point, place) in gathered.places.iter().enumerate() {
                let score = scores.get(&(point as u64));
                if let (Some(Place { line, x: Some(x) }), Some(score)) = (place, score) {
                    lines[*line].points.extend(score_point(x, score));
                }
            }
        } else {
            for ((line, _), (x, mean)) in &gathered.means {
                lines[*line].points.extend(match figure.measure {
                    Measure::Games => {
                        let share = 100.0 * mean.count as f64 / gathered.games[*line].max(1) as f64;
                        Some(Point::new(x.clone(), share).of(mean.count))
                    }
                    _ => mean.point(x.clone()),
                });
            }
        }
        // Lines stand in the order of the published ones, those that have none after them.
        let mut ordered = Vec::new();
        for published in &figure.published {
            let points = published
                .points
                .iter()
                .map(|(x, y)| (place_of(x), *y))
                .collect();
            let theirs = Published {
                points,
                note: published.note.clone(),
            };
            let ours = lines.iter().position(|line| line.name == published.line);
            let line = match ours {
                Some(place) => lines.remove(place),
                None => Line {
                    name: published.line.clone(),
                    ..Line::default()
                },
            };
            ordered.push(Line {
                published: theirs,
                ..line
            });
        }
        ordered.append(&mut lines);
        let caption = [figure.caption.as_str(), figure.note.as_str()]
            .into_iter()
            .filter(|text| !text.is_empty());
        let label = figure
            .y_label
            .clone()
            .unwrap_or_else(|| label(figure.measure).to_owned());
        // Shares of lengths are small: an axis from 0 to 100 would hide them.
        let percent = matches!(figure.measure, Measure::Score | Measure::WinRate);
        let whole = self.experiment.source.as_str();
        let source = match figure.source.as_str() {
            _ if figure.published.is_empty() => ["", ""],
            part if whole.ends_with(part) => [whole, ""],
            part => [whole, part],
        };
        figures::Figure {
            name: figure_name(self.experiment, place, figure),
            title: if figure.title.is_empty() {
                self.experiment.title.clone()
            } else {
                figure.title.clone()
            },
            caption: caption.collect::<Vec<_>>().join(" "),
            source: source
                .into_iter()
                .filter(|text| !text.is_empty())
                .collect::<Vec<_>>()
                .join(", "),
            x: Axis::plain(figure.x_label.as_deref().unwrap_or(&figure.x)),
            y: if percent {
                Axis::percent(&label)
            } else {
                Axis::plain(&label)
            },
            lines: ordered,
        }
    }
}

fn score_point(x: &Value, score: &Score) -> Option<Point> {
    let estimate = verdict::score(score)?;
    let point = Point::new(place_of(x), 100.0 * estimate.value);
    Some(
        point
            .within(100.0 * estimate.low, 100.0 * estimate.high)
            .of(score.games()),
    )
}

fn place_of(value: &Value) -> X {
    match value.as_number() {
        Some(number) => X::Number(number),
        None => X::Name(value.to_string()),
    }
}

fn gathered(experiment: &Experiment, figure: &Figure) -> Result<Gathered, ExperimentError> {
    let mut gathered = Gathered {
        names: Vec::new(),
        places: Vec::new(),
        means: BTreeMap::new(),
        games: Vec::new(),
    };
    let axis = figure.x != "turn" && figure.x != "plies";
    let mut taken: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for (number, point) in experiment.points.iter().enumerate() {
        let asked = |(name, wanted): (&String, &Value)| {
            let same = point
                .value(name)
                .is_some_and(|value| value.to_string() == wanted.to_string());
            same || experiment.has_one_value(name)
        };
        if !figure.only.iter().all(asked) {
            gathered.places.push(None);
            continue;
        }
        let name = point.fill(&figure.line)?;
        let line = if let Some(line) = gathered.names.iter().position(|known| *known == name) {
            line
        } else {
            gathered.names.push(name.clone());
            gathered.games.push(0);
            gathered.names.len() - 1
        };
        let x = axis.then(|| point.value(&figure.x).cloned()).flatten();
        if let Some(x) = &x {
            if let Some(&other) = taken.get(&(line, x.to_string())) {
                let other = &experiment.points[other].bindings;
                let differs = |(a, b): &(&Binding, &Binding)| a.value != b.value;
                let missing = point
                    .bindings
                    .iter()
                    .zip(other)
                    .find(differs)
                    .map(|(binding, _)| &*binding.name);
                return Err(ExperimentError::new(format!(
                    "figure {:?}: several points have {} {x} and line {name:?}: put {{{}}} into line, or choose by where",
                    figure.title,
                    figure.x,
                    missing.unwrap_or("?"),
                )));
            }
            taken.insert((line, x.to_string()), number);
        }
        gathered.places.push(Some(Place { line, x }));
    }
    Ok(gathered)
}

impl Gathered {
    fn add(&mut self, figure: &Figure, game: &Seen) {
        let Some(Some(Place { line, x })) = self.places.get(game.point) else {
            return;
        };
        let line = *line;
        self.games[line] += 1;
        let order = game.point;
        let before = (game.plies as usize).saturating_sub(game.turns.len());
        let turns = game
            .turns
            .iter()
            .enumerate()
            .filter(|(_, (role, _))| *role == figure.of);
        match (figure.measure, x) {
            (Measure::Score, _) => {}
            (Measure::Games, _) => {
                let plies = game.plies as usize;
                self.mean(line, plies, || X::Number(plies as f64)).add(1.0);
            }
            (Measure::MaxSeconds, x) => {
                let slowest = turns
                    .map(|(_, (_, notes))| notes.seconds)
                    .fold(f64::NAN, f64::max);
                if slowest.is_finite() {
                    let x = x.clone();
                    self.mean(line, order, || x.as_ref().map_or(X::Number(0.0), place_of))
                        .add(slowest);
                }
            }
            (measure, x) => {
                let x = x.clone();
                for (place, (_, notes)) in turns {
                    let Some(value) = measured(measure, notes) else {
                        continue;
                    };
                    let ply = before + place + 1;
                    match &x {
                        Some(x) => self.mean(line, order, || place_of(x)).add(value),
                        None => self.mean(line, ply, || X::Number(ply as f64)).add(value),
                    }
                }
            }
        }
    }

    fn mean(&mut self, line: usize, order: usize, x: impl FnOnce() -> X) -> &mut Mean {
        &mut self
            .means
            .entry((line, order))
            .or_insert_with(|| (x(), Mean::default()))
            .1
    }
}

/// What a measure says of a turn.
fn measured(measure: Measure, notes: &Notes) -> Option<f64> {
    let counted = notes.statistics.as_ref();
    match measure {
        Measure::Seconds => Some(notes.seconds),
        Measure::Nodes => Some(counted?.nodes as f64),
        Measure::Branching => Some(counted?.branching as f64),
        Measure::BestIndex => Some(counted?.best_index? as f64),
        Measure::Iterations => Some(counted?.iterations as f64),
        Measure::WinRate => Some(100.0 * counted?.win_rate?),
        Measure::Evaluation => Some(f64::from(counted?.evaluation?)),
        Measure::Cutoffs => Some(counted?.cutoffs as f64),
        Measure::WindowCutoffs => Some(counted?.window_cutoffs as f64),
        Measure::InheritedVisits => Some(counted?.inherited_visits as f64),
        Measure::Score | Measure::MaxSeconds | Measure::Games => None,
    }
}

fn label(measure: Measure) -> &'static str {
    match measure {
        Measure::Score => "Win rate",
        Measure::Seconds => "Seconds a move",
        Measure::Nodes => "Nodes a move",
        Measure::Branching => "Legal moves",
        Measure::BestIndex => "Place of the best move",
        Measure::Iterations => "Simulations a move",
        Measure::WinRate => "Estimated win rate",
        Measure::Evaluation => "Evaluation",
        Measure::Cutoffs => "Cut-offs a move",
        Measure::WindowCutoffs => "Moves outside the window",
        Measure::InheritedVisits => "Visits from earlier turns",
        Measure::MaxSeconds => "Seconds of the slowest move",
        Measure::Games => "Games (%)",
    }
}
