//! The score interval of a proportion.

use crate::{Estimate, normal};

/// The Wilson interval of `points` out of `games` at a confidence `level`; `None` without games or
/// with numbers that cannot be (points below 0, above the games, or not finite).
///
/// ```text
/// p̂ = points ÷ games,  z = Φ⁻¹((1 + level) ÷ 2)
/// (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) ÷ (1 + z²/n)
/// ```
///
/// Wilson (1927), "Probable inference, the law of succession, and statistical inference". A draw
/// counts as half a point; its variance is then overestimated, so the interval errs on the wide side.
/// Games of one pair are not independent: use [`Outcomes::score`](crate::Outcomes::score) for pairs.
pub fn wilson(points: f64, games: u64, level: f64) -> Option<Estimate> {
    let n = games as f64;
    if games == 0 || !(0.0..=n).contains(&points) || !(level > 0.0 && level < 1.0) {
        return None;
    }
    let z = normal::two_sided(level);
    let value = points / n;
    let centre = value + z * z / (2.0 * n);
    let margin = z * libm::sqrt(value * (1.0 - value) / n + z * z / (4.0 * n * n));
    let scale = 1.0 + z * z / n;
    Some(Estimate {
        value,
        low: ((centre - margin) / scale).max(0.0),
        high: ((centre + margin) / scale).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
    #[test]
    fn the_values_of_newcombe() {
        for (points, games, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(points, games, 0.95).unwrap();
            assert!(
                (found.low - low).abs() < 5e-5,
                "{points}/{games}: {found:?}"
            );
            assert!(
                (found.high - high).abs() < 5e-5,
                "{points}/{games}: {found:?}"
            );
        }
    }

    #[test]
    fn nonsense_has_no_interval() {
        assert_eq!(wilson(0.0, 0, 0.95), None);
        assert_eq!(wilson(3.0, 2, 0.95), None);
        assert_eq!(wilson(-1.0, 2, 0.95), None);
        assert_eq!(wilson(f64::NAN, 2, 0.95), None);
        assert_eq!(wilson(1.0, 2, 1.0), None);
    }
}
