//! Differences in strength on Elo's scales.
//!
//! **Elo** (logistic) is a score on another scale: s = 1 ÷ (1 + 10^(−Elo/400)). **Normalised Elo** is
//! the score's distance from ½ in standard deviations of one game, times 800 ÷ ln 10, and says how many
//! games it takes to see the difference (Van den Bergh, "Normalized Elo", 2020). The two agree for small
//! differences between players that never draw.

use crate::{Estimate, Outcomes, normal};

/// Normalised Elo in one standard deviation of a game: 800 ÷ ln 10, which makes it equal to Elo for
/// small differences without draws.
pub const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score of a player who is `elo` stronger.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}

/// The difference in Elo that makes `score` the expected score; infinite at 0 and 1.
pub fn of_score(score: f64) -> f64 {
    -400.0 * libm::log10(1.0 / score - 1.0)
}

impl<const N: usize> Outcomes<N> {
    /// The difference in Elo; infinite where every point was won or lost. `None` without games.
    pub fn elo(&self, level: f64) -> Option<Estimate> {
        Some(self.score(level)?.map(of_score))
    }

    /// The difference in normalised Elo, C (s − ½) ÷ σ with σ the standard deviation of a game, ±
    /// z C ÷ √games, as fishtest and fastchess have it. `None` without games or without variance.
    pub fn normalised_elo(&self, level: f64) -> Option<Estimate> {
        let games = self.games_each() as f64;
        let deviation = libm::sqrt(games * self.variance()?);
        if deviation == 0.0 {
            return None;
        }
        let margin = normal::two_sided(level) * NORMALISED / libm::sqrt(self.games() as f64);
        let value = NORMALISED * (self.mean()? - 0.5) / deviation;
        Some(Estimate::symmetric(value, margin))
    }

    /// The likelihood of superiority: how sure it is that the true score is above ½, from 0 to 1; ½
    /// without games. Φ of the signed root of the likelihood ratio of ½ (so it passes 0.975 exactly
    /// where the 95 % interval of [`score`](Self::score) leaves ½ behind); Φ((s − ½) ÷ standard error),
    /// which others print, is its limit for many games.
    pub fn superiority(&self) -> f64 {
        let root = libm::sqrt(self.deviance(0.5).max(0.0));
        let above = self.mean().is_some_and(|mean| mean > 0.5);
        normal::cumulative(if above { root } else { -root })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, Pairs};

    fn close(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() <= within,
            "{found}, not {expected}"
        );
    }

    #[test]
    fn the_scale_of_elo() {
        for (elo, score) in [
            (0.0, 0.5),
            (100.0, 0.640_065),
            (200.0, 0.759_747),
            (-400.0, 1.0 / 11.0),
        ] {
            close(score_of(elo), score, 1e-6);
            close(of_score(score), elo, 1e-3);
        }
        assert!(of_score(1.0) > 1e300 && of_score(0.0) < -1e300);
    }

    /// The figures of fishtest's page for this test.
    #[test]
    fn normalised_elo_of_a_long_test() {
        let found = Pairs::new([379, 10_170, 21_828, 10_640, 343])
            .normalised_elo(0.95)
            .unwrap();
        close(found.value, 3.05, 0.005);
        close(found.margin(), 2.31, 0.005);
    }

    /// The tests of fastchess (`elo_test.cpp`) for single games: won, lost, drawn.
    #[test]
    fn single_games_as_fastchess_has_them() {
        let first = Games::of(76, 123, 89);
        close(first.normalised_elo(0.95).unwrap().value, -20.76, 0.005);
        close(first.normalised_elo(0.95).unwrap().margin(), 40.13, 0.005);
        close(first.superiority(), 0.1553, 0.0005);
        let second = Games::of(136, 111, 96);
        close(second.normalised_elo(0.95).unwrap().value, 49.77, 0.005);
        close(second.elo(0.95).unwrap().value, 40.70, 0.005);
        close(second.elo(0.95).unwrap().margin(), 30.43, 0.15);
        close(second.superiority(), 0.9960, 0.0003);
        let third = Games::of(34, 0, 356).normalised_elo(0.95).unwrap();
        close(third.value, -508.44, 0.005);
        close(third.margin(), 34.48, 0.005);
    }

    /// The tests of fastchess for pairs.
    #[test]
    fn pairs_as_fastchess_has_them() {
        for (counts, normalised, error, elo, elo_error, superiority) in [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 0.999_97),
            (
                [332, 433, 498, 333, 334],
                -9.17,
                10.96,
                -8.64,
                10.33,
                0.0505,
            ),
            (
                [7895, 8757, 5685, 568, 9999],
                -19.01,
                2.65,
                -21.04,
                2.95,
                0.0,
            ),
        ] {
            let pairs = Pairs::new(counts);
            let found = pairs.normalised_elo(0.95).unwrap();
            close(found.value, normalised, 0.005);
            close(found.margin(), error, 0.005);
            let found = pairs.elo(0.95).unwrap();
            close(found.value, elo, 0.005);
            close(found.margin(), elo_error, elo_error * 0.01);
            close(pairs.superiority(), superiority, 0.0003);
        }
    }

    #[test]
    fn few_games_say_little() {
        close(Games::default().superiority(), 0.5, 0.0);
        let one = Games::of(1, 0, 0);
        close(one.superiority(), 0.880, 0.001);
        assert_eq!(one.normalised_elo(0.95), None);
        assert!(one.elo(0.95).unwrap().value.is_infinite());
        close(Games::of(4, 3, 4).superiority(), 0.5, 1e-6);
    }
}
