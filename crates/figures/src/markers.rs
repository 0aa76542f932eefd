//! The shapes of points, so that lines differ by more than colour.

use svg::length;

/// How many shapes there are.
const SHAPES: usize = 6;

/// A marker around a point, as an SVG element.
pub fn marker(shape: usize, x: f64, y: f64, class: &str) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let points: Vec<String> = corners
            .iter()
            .map(|(dx, dy)| format!("{},{}", length(x + dx), length(y + dy)))
            .collect();
        format!(
            "<polygon class=\"{class}\" points=\"{}\"/>",
            points.join(" ")
        )
    };
    match shape % SHAPES {
        0 => format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            length(x),
            length(y)
        ),
        1 => polygon(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        2 => polygon(&[(0.0, -4.8), (4.6, 3.4), (-4.6, 3.4)]),
        3 => polygon(&[(0.0, -5.2), (4.6, 0.0), (0.0, 5.2), (-4.6, 0.0)]),
        4 => polygon(&[(0.0, 4.8), (4.6, -3.4), (-4.6, -3.4)]),
        _ => polygon(&[
            (-4.4, -1.5),
            (0.0, -4.8),
            (4.4, -1.5),
            (2.8, 3.8),
            (-2.8, 3.8),
        ]),
    }
}
