//! Points of the plane and how they are written in a path.

use std::cmp::Ordering::Equal;
use std::ops::{Add, Mul, Sub};
use svg::length;

/// A place, or the way from one place to another: to the right and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// Right of and below everything.
    pub(crate) const MAX: Point = Point {
        x: f64::INFINITY,
        y: f64::INFINITY,
    };

    /// Left of and above everything.
    pub(crate) const MIN: Point = Point {
        x: f64::NEG_INFINITY,
        y: f64::NEG_INFINITY,
    };

    /// The top left corner of the rectangle between two points.
    pub(crate) fn min(self, other: Point) -> Point {
        Point {
            x: self.x.min(other.x),
            y: self.y.min(other.y),
        }
    }

    /// The bottom right corner of the rectangle between two points.
    pub(crate) fn max(self, other: Point) -> Point {
        Point {
            x: self.x.max(other.x),
            y: self.y.max(other.y),
        }
    }

    /// The length of the way.
    pub(crate) fn norm(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// How far the way goes along another one, times the length of that one.
    pub(crate) fn along(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The way turned by a quarter of a circle.
    pub(crate) fn turned(self) -> Point {
        Point {
            x: -self.y,
            y: self.x,
        }
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        self + other * -1.0
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point {
            x: self.x * factor,
            y: self.y * factor,
        }
    }
}

/// The corners of the smallest convex shape that holds some points.
pub fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|one, other| {
        (one.x, one.y)
            .partial_cmp(&(other.x, other.y))
            .unwrap_or(Equal)
    });
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut corners: Vec<Point> = Vec::new();
        for point in points {
            while let [.., one, other] = corners[..]
                && (other - one).turned().along(point - one) <= STRAIGHT
            {
                corners.pop();
            }
            corners.push(point);
        }
        corners
    };
    let mut corners = half(&mut points.iter().copied());
    let back = half(&mut points.iter().rev().copied());
    corners.extend(back.into_iter().skip(1));
    // The first point is met again at the end.
    if corners.len() > 1 {
        corners.pop();
    }
    corners
}

/// What counts as no turn, in areas.
const STRAIGHT: f64 = 1e-6;

/// A closed path through some corners, as the `d` of an SVG path: the first corner, then the steps from
/// each to the next, which are the same wherever a shape is drawn.
pub fn closed_path(corners: &[Point]) -> String {
    let Some(&start) = corners.first() else {
        return String::new();
    };
    let steps = corners.windows(2).map(|pair| pair[1] - pair[0]);
    let steps: Vec<String> = steps.map(written).collect();
    format!("M{}l{}z", written(start), steps.join(" "))
}

fn written(point: Point) -> String {
    format!("{} {}", length(point.x), length(point.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_closed() {
        let corners = [(1.0, 2.0), (3.0, 2.0), (3.5, 1.0)].map(|(x, y)| Point { x, y });
        assert_eq!(closed_path(&corners), "M1 2l2 0 0.5 -1z");
        assert_eq!(closed_path(&[]), "");
    }

    #[test]
    fn a_hull_has_the_corners_alone() {
        let points = [
            (0.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (1.0, 1.0),
            (2.0, 2.0),
            (0.0, 2.0),
        ];
        let corners = hull(points.map(|(x, y)| Point { x, y }).into());
        let corners: Vec<(f64, f64)> = corners.iter().map(|&Point { x, y }| (x, y)).collect();
        assert_eq!(corners, [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
        let line = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)].map(|(x, y)| Point { x, y });
        assert_eq!(hull(line.into()).len(), 2);
        assert_eq!(hull(vec![line[0]]).len(), 1);
    }

    #[test]
    fn ways() {
        let way = Point { x: 3.0, y: 4.0 };
        assert_eq!(length(way.norm()), "5");
        assert_eq!(way.turned(), Point { x: -4.0, y: 3.0 });
        assert_eq!(way - way * 0.5, Point { x: 1.5, y: 2.0 });
    }
}
