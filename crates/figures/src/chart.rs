//! A figure as SVG: axes, lines with intervals, published values, and names at the ends of the lines.

use crate::colours;
use crate::labels::{apart, width};
use crate::markers::marker;
use crate::number::short;
use crate::scale::{self, Horizontal, Linear};
use crate::{Axis, Figure, Line, X};
use svg::{escaped, length};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
const TOP: f64 = 66.0;
const BOTTOM: f64 = HEIGHT - 62.0;
/// The least room left of the axis: the label of the axis, and ticks of three digits.
const LEFT: f64 = 62.0;
/// Between the ticks and the axis, and up to where the label of the axis ends.
const GAP: f64 = 10.0;
const LABEL: f64 = 24.0;
/// Lines of more points than this have no markers, and a band in place of whiskers.
const MARKED: usize = 24;

impl Figure {
    /// The figure as a picture of its own, which follows the reader's choice of light or dark.
    pub fn svg(&self) -> String {
        let style = format!("<style>{}</style>\n", colours::style());
        let title = text(20.0, 28.0, "title", "start", &self.title);
        Chart::of(self).drawn(0.0, &(style + &title))
    }

    /// The picture for a page that has the style sheet and shows the title.
    pub(crate) fn drawing(&self) -> String {
        Chart::of(self).drawn(30.0, "")
    }
}

/// Where everything is.
struct Chart<'a> {
    figure: &'a Figure,
    horizontal: Horizontal,
    vertical: Linear,
    ticks: Vec<f64>,
    left: f64,
    right: f64,
    /// The class of each line's colour; "other" for published lines of which nothing was measured,
    /// when others were.
    classes: Vec<String>,
    /// How far each line is moved aside, so that intervals at one place can be told apart.
    aside: Vec<f64>,
}

impl<'a> Chart<'a> {
    fn of(figure: &'a Figure) -> Chart<'a> {
        let longest = figure
            .lines
            .iter()
            .map(|line| width(&line.name, 12.0) * 1.06);
        let right = WIDTH - 34.0 - longest.fold(20.0, f64::max).min(260.0);
        let (vertical, ticks) = vertical(figure);
        let widths = ticks.iter().map(|&tick| width(&short(tick), 12.0));
        let left = LABEL + widths.map(|width| width + GAP).fold(LEFT - LABEL, f64::max);
        let measured = figure.measured();
        let own = |line: &&Line| !measured || !line.points.is_empty();
        let names: Vec<&str> = figure
            .lines
            .iter()
            .filter(own)
            .map(|l| l.name.as_str())
            .collect();
        let mut colours = colours::classes(&names).into_iter();
        let classes = figure.lines.iter().map(|line| {
            let colour = own(&line).then(|| colours.next()).flatten();
            colour.unwrap_or_else(|| "other".to_owned())
        });
        let with_interval = |line: &Line| {
            line.points.len() <= MARKED && line.points.iter().any(|point| point.interval.is_some())
        };
        let moved = figure
            .lines
            .iter()
            .filter(|line| with_interval(line))
            .count();
        let mut next = 0;
        let aside = figure.lines.iter().map(|line| {
            if !with_interval(line) {
                return 0.0;
            }
            next += 1;
            let step = (22.0 / moved as f64).min(6.0);
            (f64::from(next) - 1.0 - (moved as f64 - 1.0) / 2.0) * step
        });
        Chart {
            horizontal: Horizontal::new(&figure.places(), (left, right)),
            vertical,
            ticks,
            left,
            right,
            classes: classes.collect(),
            aside: aside.collect(),
            figure,
        }
    }

    /// The picture without its topmost pixels; `first` is the style sheet and what lies there.
    fn drawn(&self, top: f64, first: &str) -> String {
        let figure = self.figure;
        let height = HEIGHT - top;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 {top} {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\" role=\"img\">\n<title>{}</title>\n",
            escaped(&figure.title)
        );
        if !figure.caption.is_empty() {
            svg += &format!("<desc>{}</desc>\n", escaped(&figure.caption));
        }
        svg += &format!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n{first}");
        self.draw_axes(&mut svg);
        self.draw_key(&mut svg);
        // What was published lies below what was measured.
        for index in 0..figure.lines.len() {
            self.draw_published(&mut svg, index);
        }
        for index in 0..figure.lines.len() {
            self.draw_measured(&mut svg, index);
        }
        self.draw_names(&mut svg);
        svg + "</svg>\n"
    }

    fn draw_axes(&self, svg: &mut String) {
        let axis = &self.figure.y;
        for &tick in &self.ticks {
            let y = self.vertical.at(tick);
            let class = if axis.percent && (tick - 50.0).abs() < 1e-9 {
                "half"
            } else {
                "grid"
            };
            *svg += &line(class, (self.left, y), (self.right, y));
            *svg += &text(self.left - GAP, y + 4.0, "soft", "end", &short(tick));
        }
        let (mut last, mut shown) = (f64::NEG_INFINITY, Vec::new());
        for (x, name) in self.horizontal.ticks() {
            let half = width(&name, 12.0) / 2.0;
            if x - half > last + 4.0 {
                last = x + half;
                shown.push((x, name));
            }
        }
        for (x, name) in shown {
            *svg += &line("grid", (x, BOTTOM), (x, BOTTOM + 5.0));
            *svg += &text(x, BOTTOM + 20.0, "soft", "middle", &name);
        }
        let middle = f64::midpoint(self.left, self.right);
        *svg += &text(middle, BOTTOM + 44.0, "", "middle", &self.figure.x.label);
        let y = f64::midpoint(TOP, BOTTOM);
        *svg += &format!(
            "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            length(y),
            escaped(&axis.label)
        );
    }

    /// What solid, dashed and upright lines mean, for those that there are.
    fn draw_key(&self, svg: &mut String) {
        let lines = &self.figure.lines;
        let mut x = 20.0;
        let mut entry = |svg: &mut String, picture: &dyn Fn(f64) -> String, words: &str| {
            *svg += &picture(x);
            *svg += &text(x + 32.0, 50.0, "soft", "start", words);
            x += 52.0 + width(words, 12.0);
        };
        let measured = self.figure.measured();
        let published = lines.iter().any(|line| !line.published.points.is_empty());
        if measured && published {
            entry(
                svg,
                &|x| {
                    line("line c6", (x, 46.0), (x + 24.0, 46.0))
                        + &marker(0, x + 12.0, 46.0, "marker c6")
                },
                "measured",
            );
        }
        let with_interval = |line: &&Line| line.points.iter().any(|point| point.interval.is_some());
        let interval = lines.iter().find(with_interval);
        if let Some(shown) = interval {
            let as_band = shown.points.len() > MARKED;
            entry(
                svg,
                &|x| {
                    if as_band {
                        band(
                            "c6",
                            &[(x, 39.0), (x + 24.0, 39.0), (x + 24.0, 53.0), (x, 53.0)],
                        )
                    } else {
                        whisker("c6", x + 12.0, 39.0, 53.0)
                    }
                },
                "95 % interval",
            );
        }
        if published {
            entry(
                svg,
                &|x| {
                    line("line published c6", (x, 46.0), (x + 24.0, 46.0))
                        + &marker(0, x + 12.0, 46.0, "marker c6 hollow")
                },
                "published",
            );
        }
        if self.classes.iter().any(|class| class == "other") {
            let grey = |x| line("line published other", (x, 46.0), (x + 24.0, 46.0));
            entry(svg, &grey, "published, not measured here");
        }
    }

    fn draw_published(&self, svg: &mut String, index: usize) {
        let line = &self.figure.lines[index];
        let class = &self.classes[index];
        let places = line.published.points.iter().map(|(x, value)| (x, *value));
        let points = self.points(places, self.aside[index]);
        if self.horizontal.has_order() {
            *svg += &path(&format!("line published {class}"), &points);
        }
        if points.len() > MARKED || class == "other" {
            return;
        }
        for ((x, y), (place, value)) in points.iter().zip(&line.published.points) {
            let words = format!(
                "{} (published), {} {place}: {}",
                line.name,
                self.figure.x.label,
                Axis::published(*value)
            );
            *svg += &titled(
                &marker(index, *x, *y, &format!("marker {class} hollow")),
                &words,
            );
        }
    }

    fn draw_measured(&self, svg: &mut String, index: usize) {
        let line = &self.figure.lines[index];
        let (class, aside) = (&self.classes[index], self.aside[index]);
        let points = self.points(
            line.points.iter().map(|point| (&point.x, point.value)),
            aside,
        );
        let marked = points.len() <= MARKED;
        if !marked {
            *svg += &self.band(line, class);
        }
        if self.horizontal.has_order() {
            *svg += &path(&format!("line {class}"), &points);
        }
        if !marked {
            return;
        }
        for ((x, y), point) in points.iter().zip(&line.points) {
            let mut group = String::new();
            if let Some((low, high)) = point.interval {
                group += &whisker(class, *x, self.height(low), self.height(high));
            }
            group += &marker(index, *x, *y, &format!("marker {class}"));
            *svg += &titled(&group, &self.figure.words(&line.name, point));
        }
    }

    /// The intervals of many points as an area.
    fn band(&self, line: &Line, class: &str) -> String {
        let bounds: Vec<_> = line
            .points
            .iter()
            .filter_map(|point| Some((self.horizontal.at(&point.x)?, point.interval?)))
            .collect();
        if bounds.is_empty() {
            return String::new();
        }
        let there = bounds.iter().map(|(x, (_, high))| (*x, self.height(*high)));
        let back = bounds
            .iter()
            .rev()
            .map(|(x, (low, _))| (*x, self.height(*low)));
        band(class, &there.chain(back).collect::<Vec<_>>())
    }

    /// The name of each line beside its last point.
    fn draw_names(&self, svg: &mut String) {
        let mut names = Vec::new();
        for (index, line) in self.figure.lines.iter().enumerate() {
            let measured = line.points.iter().map(|point| (&point.x, point.value));
            let published = line.published.points.iter().map(|(x, value)| (x, *value));
            let mut ends = self.points(measured, self.aside[index]);
            // What was measured has the name where both end at the same place.
            ends.reverse();
            ends.extend(self.points(published, self.aside[index]).into_iter().rev());
            let furthest = ends
                .into_iter()
                .reduce(|a, b| if b.0 > a.0 + 0.5 { b } else { a });
            if let Some(end) = furthest.filter(|_| !line.name.is_empty()) {
                names.push((index, end));
            }
        }
        let wanted: Vec<f64> = names.iter().map(|(_, (_, y))| *y).collect();
        let moved = apart(&wanted, 15.0, (TOP + 2.0, BOTTOM - 2.0));
        for ((index, (x, y)), place) in names.iter().zip(moved) {
            let class = &self.classes[*index];
            let from = (x + 8.0).min(self.right + 6.0);
            *svg += &format!(
                "<path class=\"leader {class}\" d=\"M{} {}L{} {}\"/>\n",
                length(from),
                length(*y),
                length(self.right + 10.0),
                length(place)
            );
            let name = &self.figure.lines[*index].name;
            *svg += &text(
                self.right + 14.0,
                place + 4.0,
                &format!("label {class}"),
                "start",
                name,
            );
        }
    }

    fn points<'b>(
        &self,
        values: impl Iterator<Item = (&'b X, f64)>,
        aside: f64,
    ) -> Vec<(f64, f64)> {
        values
            .filter(|(_, value)| value.is_finite())
            .filter_map(|(x, value)| Some((self.horizontal.at(x)? + aside, self.height(value))))
            .collect()
    }

    fn height(&self, value: f64) -> f64 {
        self.vertical.at(value).clamp(TOP, BOTTOM)
    }
}

/// The vertical scale and its ticks: 0 to 100 for percentages, otherwise from 0 to above all.
fn vertical(figure: &Figure) -> (Linear, Vec<f64>) {
    let pixels = (BOTTOM, TOP);
    if figure.y.percent {
        return (
            Linear::new((0.0, 100.0), pixels),
            scale::ticks((0.0, 100.0), 10),
        );
    }
    let measured = figure.lines.iter().flat_map(|line| &line.points);
    let with_interval = measured.flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [low, high, point.value]
    });
    let published = figure
        .lines
        .iter()
        .flat_map(|line| &line.published.points)
        .map(|(_, v)| *v);
    let (low, high) = scale::range(with_interval.chain(published)).unwrap_or((0.0, 1.0));
    let (low, high) = if low >= 0.0 {
        (0.0, if high > 0.0 { high } else { 1.0 })
    } else {
        (low, high)
    };
    let room = (high - low) * 0.06;
    let ends = (if low < 0.0 { low - room } else { low }, high + room);
    (Linear::new(ends, pixels), scale::ticks(ends, 6))
}

fn text(x: f64, y: f64, class: &str, anchor: &str, words: &str) -> String {
    let (x, y, words) = (length(x), length(y), escaped(words));
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>\n")
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(length);
    format!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n")
}

fn band(class: &str, corners: &[(f64, f64)]) -> String {
    let corners: Vec<String> = corners
        .iter()
        .map(|(x, y)| format!("{},{}", length(*x), length(*y)))
        .collect();
    format!(
        "<polygon class=\"band {class}\" points=\"{}\"/>\n",
        corners.join(" ")
    )
}

fn whisker(class: &str, x: f64, one: f64, other: f64) -> String {
    let [left, right] = [x - 3.0, x + 3.0].map(length);
    let [x, one, other] = [x, one, other].map(length);
    format!(
        "<path class=\"whisker {class}\" d=\"M{left} {one}H{right}M{x} {one}V{other}M{left} {other}H{right}\"/>\n"
    )
}

fn path(class: &str, points: &[(f64, f64)]) -> String {
    if points.len() < 2 {
        return String::new();
    }
    let points: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{},{}", length(*x), length(*y)))
        .collect();
    format!(
        "<polyline class=\"{class}\" points=\"{}\"/>\n",
        points.join(" ")
    )
}

/// An element that says something when it is pointed at.
fn titled(element: &str, words: &str) -> String {
    format!(
        "<g><title>{}</title>{}</g>\n",
        escaped(words),
        element.trim_end()
    )
}
