//! The sequential probability ratio test: play until one of two hypotheses is likely enough.
//!
//! Wald (1945) with the generalised likelihood ratio: the likeliest distribution of results under each
//! hypothesis takes the place of an assumed one (Van den Bergh, "A practical introduction to the GSPRT"
//! and "Normalized Elo in practice", section 4.1), as fishtest and `OpenBench` do it.

use crate::{Outcomes, elo, outcomes::tilt};
use serde::{Deserialize, Serialize};

/// On which scale the two hypotheses are differences in strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Normalised Elo, from which the length of the test follows whatever the share of draws.
    Normalised,
    /// Logistic Elo.
    Logistic,
}

/// A test of "the difference is `elo0`" against "it is `elo1`".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The lesser difference, H0, in Elo of the first player.
    pub elo0: f64,
    /// The greater difference, H1.
    pub elo1: f64,
    /// The chance to accept H1 where H0 is true, above 0 and below ½.
    pub alpha: f64,
    /// The chance to accept H0 where H1 is true.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub scale: Scale,
}

/// What a test says so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Play on.
    Open,
    /// H1: the difference is rather `elo1` than `elo0`.
    Accepted,
    /// H0: the difference is rather `elo0` than `elo1`.
    Rejected,
}

/// Why a test cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// `elo0` and `elo1` are not two finite numbers in this order.
    #[error("elo0 must be below elo1, both finite")]
    Hypotheses,
    /// A chance of error outside of what can be tested.
    #[error("alpha and beta must be above 0 and below 0.5")]
    Errors,
}

/// The weight that fishtest gives a result that did not occur.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The test on pairs or games in normalised Elo.
    ///
    /// # Errors
    /// Bounds that are not in order, or chances of error outside (0, ½).
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, Unusable> {
        Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            scale: Scale::Normalised,
        }
        .checked()
    }

    /// The test itself, if it is one.
    ///
    /// # Errors
    /// As [`Sprt::new`].
    pub fn checked(self) -> Result<Sprt, Unusable> {
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(Unusable::Hypotheses);
        }
        let fine = |chance: f64| chance > 0.0 && chance < 0.5;
        if !(fine(self.alpha) && fine(self.beta)) {
            return Err(Unusable::Errors);
        }
        Ok(self)
    }

    /// The log likelihood ratios at which H0 and H1 are accepted: ln(β ÷ (1 − α)), ln((1 − β) ÷ α).
    pub fn bounds(&self) -> [f64; 2] {
        [
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        ]
    }

    /// The log likelihood ratio of H1 against H0; 0 without games.
    pub fn ratio<const N: usize>(&self, seen: &Outcomes<N>) -> f64 {
        if seen.total() == 0 {
            return 0.0;
        }
        let observed: Vec<(f64, f64)> = seen.distribution(UNSEEN).collect();
        let likeliest = |elo: f64| match self.scale {
            Scale::Normalised => {
                let games = seen.games_each() as f64;
                with_distance(&observed, libm::sqrt(games) * elo / elo::NORMALISED)
            }
            Scale::Logistic => with_mean(&observed, elo::score_of(elo)),
        };
        let per_result: f64 = likeliest(self.elo0)
            .iter()
            .zip(&likeliest(self.elo1))
            .zip(&observed)
            .map(|((p0, p1), (_, share))| share * libm::log(p1 / p0))
            .sum();
        let weight: f64 = seen
            .counts()
            .iter()
            .map(|&count| if count == 0 { UNSEEN } else { count as f64 })
            .sum();
        weight * per_result
    }

    /// What the results so far say.
    pub fn verdict<const N: usize>(&self, seen: &Outcomes<N>) -> Verdict {
        let ratio = self.ratio(seen);
        let [rejected, accepted] = self.bounds();
        if ratio >= accepted {
            Verdict::Accepted
        } else if ratio <= rejected {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }

    /// Games that the test takes in the mean, and the chance that it accepts H1, if the true difference
    /// is `truth` in normalised Elo: a Brownian motion between the two bounds, with drift
    /// (t₁ − t₀)(t − (t₀ + t₁)/2) and variance (t₁ − t₀)² a game, t = Elo ÷ C (Wald's identities). Bounds
    /// in logistic Elo are taken for games without draws.
    pub fn expected(&self, truth: f64) -> Expected {
        let distance = |elo: f64| match self.scale {
            Scale::Normalised => elo / elo::NORMALISED,
            Scale::Logistic => 2.0 * (elo::score_of(elo) - 0.5),
        };
        let (t0, t1) = (distance(self.elo0), distance(self.elo1));
        let step = t1 - t0;
        let drift = step * (truth / elo::NORMALISED - f64::midpoint(t0, t1));
        let [a, b] = self.bounds();
        // The exponent 2 drift ÷ variance; near 0 both formulas lose their digits and have a limit.
        let power = 2.0 * drift / (step * step);
        if (power * (b - a)).abs() < 1e-6 {
            return Expected {
                games: -a * b / (step * step),
                accepted: -a / (b - a),
            };
        }
        // (1 − e^(−power·a)) ÷ (e^(−power·b) − e^(−power·a)), without exponents that overflow.
        let accepted = if power > 0.0 {
            libm::expm1(power * a) / libm::expm1(power * (a - b))
        } else {
            libm::exp(power * b) * libm::expm1(-power * a) / libm::expm1(power * (b - a))
        };
        let accepted = accepted.clamp(0.0, 1.0);
        Expected {
            games: (accepted * b + (1.0 - accepted) * a) / drift,
            accepted,
        }
    }
}

/// What a test is expected to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Games in the mean until there is a verdict.
    pub games: f64,
    /// The chance that H1 is accepted.
    pub accepted: f64,
}

/// The likeliest shares with this mean.
fn with_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let centred: Vec<(f64, f64)> = observed.iter().map(|(a, p)| (a - mean, *p)).collect();
    tilted(&centred)
}

/// The likeliest shares whose mean is `distance` standard deviations above ½: repeated solution of the
/// problem made linear at the last solution ("Normalized Elo in practice", section 4.1). It begins with shares that are
/// so far apart themselves: made linear elsewhere, a large distance can have no solution at all.
fn with_distance(observed: &[(f64, f64)], distance: f64) -> Vec<f64> {
    let mut shares = at_distance(observed, distance);
    for _ in 0..100 {
        let (mean, deviation) = mean_and_deviation(observed, &shares);
        let centred: Vec<(f64, f64)> = observed
            .iter()
            .map(|(a, p)| {
                let off = (mean - a) / deviation;
                (a - 0.5 - distance * deviation * (1.0 + off * off) / 2.0, *p)
            })
            .collect();
        let next = tilted(&centred);
        let change = next
            .iter()
            .zip(&shares)
            .map(|(n, o)| (n - o).abs())
            .fold(0.0, f64::max);
        shares = next;
        if change < 1e-12 {
            break;
        }
    }
    shares
}

/// Shares that grow or fall by the same factor from result to result, and whose mean is `distance` standard deviations
/// above ½.
fn at_distance(observed: &[(f64, f64)], distance: f64) -> Vec<f64> {
    let of = |power: f64| -> Vec<f64> {
        let weights = observed
            .iter()
            .map(|(a, _)| libm::exp(power * (a - 0.5)))
            .collect::<Vec<f64>>();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    // Shares of e^-60 are far beyond any distance that results can show.
    let (mut low, mut high) = (-60.0, 60.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let (mean, deviation) = mean_and_deviation(observed, &of(middle));
        if mean - 0.5 < distance * deviation {
            low = middle;
        } else {
            high = middle;
        }
    }
    of(f64::midpoint(low, high))
}

fn mean_and_deviation(observed: &[(f64, f64)], shares: &[f64]) -> (f64, f64) {
    let moment = |of: &dyn Fn(f64) -> f64| -> f64 {
        let of_all = observed.iter().zip(shares);
        of_all.map(|((a, _), share)| share * of(*a)).sum()
    };
    let mean = moment(&|a| a);
    (mean, libm::sqrt(moment(&|a| (a - mean) * (a - mean))))
}

fn tilted(centred: &[(f64, f64)]) -> Vec<f64> {
    let x = tilt(centred);
    centred.iter().map(|(a, p)| p / (1.0 + x * a)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, Pairs};
    use game::random;

    fn close(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() <= within,
            "{found}, not {expected}"
        );
    }

    fn ratio<const N: usize>(scale: Scale, elo0: f64, elo1: f64, seen: [u64; N]) -> f64 {
        let test = Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            scale,
        };
        test.checked().unwrap().ratio(&Outcomes::new(seen))
    }

    /// The difference between hypotheses can be so large that equal shares are no place to begin from.
    #[test]
    fn a_large_difference_is_accepted_and_rejected() {
        let test = Sprt::new(0.0, 400.0, 0.05, 0.05).unwrap();
        for won in [8, 20, 196] {
            assert_eq!(
                test.verdict(&Pairs::new([0, 0, 0, 0, won])),
                Verdict::Accepted
            );
            assert_eq!(
                test.verdict(&Pairs::new([0, 0, won / 8, 0, won])),
                Verdict::Accepted
            );
            assert_eq!(
                test.verdict(&Pairs::new([won, 0, won / 8, 0, 0])),
                Verdict::Rejected
            );
        }
        for seen in [
            [1, 2, 3, 2, 1],
            [0, 0, 20, 0, 0],
            [0, 0, 4, 0, 196],
            [3, 0, 0, 0, 3],
        ] {
            let ratio = test.ratio(&Pairs::new(seen));
            assert!(ratio.is_finite(), "{seen:?}: {ratio}");
        }
    }

    /// A test of Stockfish that fishtest accepted, with 2.946 by the approximation of "Normalized Elo
    /// in practice", section 4.2, and 2.9455 by the exact likelihood of section 4.1.
    #[test]
    fn a_long_test_is_accepted() {
        let test = Sprt::new(0.0, 2.0, 0.05, 0.05).unwrap();
        let pairs = Pairs::new([379, 10_170, 21_828, 10_640, 343]);
        close(test.ratio(&pairs), 2.946, 0.001);
        close(test.bounds()[1], 2.944, 0.0005);
        assert_eq!(test.verdict(&pairs), Verdict::Accepted);
        assert_eq!(test.verdict(&pairs.reversed()), Verdict::Rejected);
        assert_eq!(test.verdict(&Pairs::default()), Verdict::Open);
    }

    /// The tests of fastchess (`sprt_test.cpp`), which give two decimals.
    #[test]
    fn ratios_as_fastchess_has_them() {
        use Scale::{Logistic, Normalised};
        close(
            ratio(Normalised, 0.0, 2.0, [36_027, 68_692, 36_433]),
            0.92,
            0.01,
        );
        close(
            ratio(Normalised, -1.75, 0.25, [10_650, 20_431, 10_871]),
            2.30,
            0.01,
        );
        close(ratio(Normalised, 0.0, 10.0, [0, 0, 4250]), 120.56, 0.3);
        close(
            ratio(Logistic, 0.5, 2.5, [21_184, 40_708, 21_404]),
            -1.57,
            0.01,
        );
        close(
            ratio(Logistic, 0.0, 2.0, [57_030, 106_593, 57_433]),
            -2.59,
            0.01,
        );
        close(
            ratio(Normalised, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390]),
            2.25,
            0.01,
        );
        close(
            ratio(Normalised, -1.75, 0.25, [127, 4883, 10_712, 5150, 104]),
            3.01,
            0.01,
        );
        close(
            ratio(Logistic, 0.5, 2.5, [223, 9863, 21_279, 10_037, 246]),
            -3.07,
            0.01,
        );
        close(
            ratio(Logistic, 0.0, 2.0, [871, 26_175, 55_983, 26_678, 821]),
            -4.98,
            0.01,
        );
    }

    /// Between two players of equal strength H1 is accepted about as often as alpha says, and the
    /// length of the tests is about what is expected.
    #[test]
    fn errors_are_as_rare_as_they_should_be() {
        let test = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
        let mut rng = random::seeded(5);
        let (mut accepted, mut games) = (0, 0);
        let matches = 400;
        for _ in 0..matches {
            let mut counts = [0; 5];
            loop {
                for _ in 0..4 {
                    // Both games are fair coins.
                    counts[2 * random::below(2, &mut rng) as usize
                        + 2 * random::below(2, &mut rng) as usize] += 1;
                }
                let seen = Pairs::new(counts);
                let verdict = test.verdict(&seen);
                if verdict != Verdict::Open {
                    accepted += i32::from(verdict == Verdict::Accepted);
                    games += seen.games();
                    break;
                }
            }
        }
        let expected = test.expected(0.0);
        close(expected.accepted, 0.05, 1e-6);
        close(f64::from(accepted) / f64::from(matches), 0.05, 0.03);
        close(
            games as f64 / f64::from(matches) / expected.games,
            1.1,
            0.15,
        );
    }

    #[test]
    fn what_a_test_takes() {
        let test = Sprt::new(0.0, 2.0, 0.05, 0.05).unwrap();
        // Equal chances half-way, and the longest test there: b² C² ÷ 2².
        let half_way = test.expected(1.0);
        close(half_way.accepted, 0.5, 1e-9);
        close(
            half_way.games,
            2.944_44 * 2.944_44 * elo::NORMALISED * elo::NORMALISED / 4.0,
            10.0,
        );
        close(test.expected(2.0).accepted, 0.95, 1e-6);
        close(test.expected(0.0).games, test.expected(2.0).games, 1.0);
        close(test.expected(300.0).accepted, 1.0, 1e-9);
        close(test.expected(-300.0).accepted, 0.0, 1e-9);
        assert!(test.expected(-300.0).games > 0.0);
    }

    #[test]
    fn tests_that_cannot_be() {
        assert_eq!(Sprt::new(2.0, 0.0, 0.05, 0.05), Err(Unusable::Hypotheses));
        assert_eq!(
            Sprt::new(f64::NAN, 0.0, 0.05, 0.05),
            Err(Unusable::Hypotheses)
        );
        assert_eq!(Sprt::new(0.0, 2.0, 0.0, 0.05), Err(Unusable::Errors));
        assert_eq!(Sprt::new(0.0, 2.0, 0.05, 0.5), Err(Unusable::Errors));
        let all = Games::of(20, 0, 0);
        assert!(
            Sprt::new(0.0, 100.0, 0.05, 0.05)
                .unwrap()
                .ratio(&all)
                .is_finite()
        );
    }
}
