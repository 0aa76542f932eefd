//! Counts of games or pairs, and what they say of the true score.

use crate::{Estimate, normal};
use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign};

/// Single games: lost, drawn, won.
pub type Games = Outcomes<3>;

/// Pairs of games with the same opening and colours swapped, by points: 0, ½, 1, 1½, 2.
///
/// The two games of a pair share their opening's luck, so their results are not independent, and
/// counting pairs gives intervals that are both honest and narrower (Van den Bergh, "Normalized Elo",
/// 2020; the pentanomial model of fishtest).
pub type Pairs = Outcomes<5>;

/// How often each of `N` equally spaced results occurred, from all points lost to all points won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcomes<const N: usize> {
    #[serde(with = "counts")]
    counts: [u64; N],
}

/// Weight of a result that did not occur, so that it is possible at all: the limit of a tiny weight
/// is the likelihood over every distribution on the `N` results.
const UNSEEN: f64 = 1e-9;

impl<const N: usize> Outcomes<N> {
    /// Counts in the order of the points.
    pub const fn new(counts: [u64; N]) -> Outcomes<N> {
        Outcomes { counts }
    }

    /// Counts in the order of the points.
    pub const fn counts(&self) -> [u64; N] {
        self.counts
    }

    /// Games in one of what is counted: 1 for single games, 2 for pairs.
    pub const fn games_each(&self) -> u64 {
        N as u64 / 2
    }

    /// How many were counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many games that makes.
    pub fn games(&self) -> u64 {
        self.total() * self.games_each()
    }

    /// Points, a draw being half a point.
    pub fn points(&self) -> f64 {
        let halves: u64 = (0..)
            .zip(self.counts)
            .map(|(half, count)| half * count)
            .sum();
        halves as f64 / 2.0
    }

    /// The same results from the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Outcomes<N> {
        self.counts.reverse();
        self
    }

    /// The share of the points, with its interval by likelihood ratio: the true scores s for which
    /// 2 ln(L(best) ÷ L(s)) ≤ z², L(s) being the greatest likelihood of any distribution over the `N`
    /// results with mean s (Owen, "Empirical likelihood ratio confidence intervals", 1988). Near the
    /// middle it is the mean ± z standard errors; at the ends it stays within 0 and 1 and does not
    /// shrink to nothing when everything was won. `None` without games.
    pub fn score(&self, level: f64) -> Option<Estimate> {
        let value = self.mean()?;
        let limit = normal::two_sided(level);
        let bound = |end: f64| {
            let (mut inside, mut outside) = (value, end);
            if self.deviance(end) <= limit * limit {
                return end;
            }
            for _ in 0..60 {
                let middle = f64::midpoint(inside, outside);
                if self.deviance(middle) <= limit * limit {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            inside
        };
        Some(Estimate {
            value,
            low: bound(0.0),
            high: bound(1.0),
        })
    }

    /// The mean result on the scale from 0 to 1.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The variance of one result (one game, or one pair divided by two) on the scale from 0 to 1.
    pub(crate) fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self
            .distribution(0.0)
            .map(|(value, share)| share * (value - mean) * (value - mean))
            .sum();
        Some(squares)
    }

    /// 2 ln(L(best) ÷ L(`score`)): 0 at the mean, infinite for a score that what was seen excludes.
    pub(crate) fn deviance(&self, score: f64) -> f64 {
        let Some(mean) = self.mean() else { return 0.0 };
        if (score - mean).abs() < 1e-12 {
            return 0.0;
        }
        if score <= 0.0 || score >= 1.0 {
            return f64::INFINITY;
        }
        let centred = self
            .distribution(UNSEEN)
            .map(|(value, share)| (value - score, share))
            .collect::<Vec<_>>();
        let x = tilt(&centred);
        let logs: f64 = centred
            .iter()
            .map(|(value, share)| share * libm::log1p(x * value))
            .sum();
        2.0 * self.total() as f64 * logs
    }

    /// Each value between 0 and 1 with its share; what did not occur has the weight `unseen`.
    pub(crate) fn distribution(&self, unseen: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let weight = move |count: u64| if count == 0 { unseen } else { count as f64 };
        let total: f64 = self.counts.iter().map(|&count| weight(count)).sum();
        self.counts
            .iter()
            .enumerate()
            .map(move |(index, &count)| (index as f64 / (N - 1) as f64, weight(count) / total))
    }
}

/// The x with Σ pᵢ aᵢ ÷ (1 + x aᵢ) = 0, for values aᵢ of both signs with shares pᵢ > 0. The
/// distribution pᵢ ÷ (1 + x aᵢ) is then the likeliest one with mean 0 (Van den Bergh, "Comments on
/// the multinomial model", proposition 1.1).
pub(crate) fn tilt(distribution: &[(f64, f64)]) -> f64 {
    let smallest = distribution
        .iter()
        .fold(0.0, |least: f64, (a, _)| least.min(*a));
    let greatest = distribution
        .iter()
        .fold(0.0, |most: f64, (a, _)| most.max(*a));
    // The sum falls from +∞ to −∞ between the poles, so halving cannot miss its zero.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / smallest);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let sum: f64 = distribution
            .iter()
            .map(|(a, p)| p * a / (1.0 + middle * a))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

impl Games {
    /// Games by their results.
    pub const fn of(won: u64, drawn: u64, lost: u64) -> Games {
        Games::new([lost, drawn, won])
    }

    /// Games won.
    pub const fn won(&self) -> u64 {
        self.counts[2]
    }

    /// Games drawn.
    pub const fn drawn(&self) -> u64 {
        self.counts[1]
    }

    /// Games lost.
    pub const fn lost(&self) -> u64 {
        self.counts[0]
    }
}

impl Pairs {
    /// Pairs won (1½ or 2 points), split (1 point) and lost.
    pub const fn won_split_lost(&self) -> [u64; 3] {
        let [none, half, one, more, all] = self.counts;
        [more + all, one, none + half]
    }
}

impl<const N: usize> Default for Outcomes<N> {
    fn default() -> Self {
        Outcomes { counts: [0; N] }
    }
}

impl<const N: usize> Add for Outcomes<N> {
    type Output = Outcomes<N>;

    fn add(mut self, other: Outcomes<N>) -> Outcomes<N> {
        self += other;
        self
    }
}

impl<const N: usize> AddAssign for Outcomes<N> {
    fn add_assign(&mut self, other: Outcomes<N>) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

/// An array of any length as a sequence of exactly that length, which serde lacks.
mod counts {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer, const N: usize>(
        counts: &[u64; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        counts.as_slice().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u64; N], D::Error> {
        Vec::deserialize(deserializer)?
            .try_into()
            .map_err(|found: Vec<u64>| D::Error::invalid_length(found.len(), &"one count a result"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random;

    #[test]
    fn counts_make_games_and_points() {
        let pairs = Pairs::new([1, 2, 3, 4, 5]);
        assert_eq!((pairs.total(), pairs.games()), (15, 30));
        assert!((pairs.points() - (1.0 + 3.0 + 6.0 + 10.0)).abs() < 1e-12);
        assert_eq!(pairs.won_split_lost(), [9, 3, 3]);
        let games = Games::of(3, 2, 1);
        assert_eq!((games.total(), games.games()), (6, 6));
        assert!((games.points() - 4.0).abs() < 1e-12);
        assert_eq!(games.reversed(), Games::of(1, 2, 3));
    }

    /// Owen's interval of n successes in n trials is the closed form exp(−z²/2n).
    #[test]
    fn all_won_is_no_certainty() {
        for n in [1, 5, 40] {
            let score = Pairs::new([0, 0, 0, 0, n]).score(0.95).unwrap();
            let expected = libm::exp(-1.959_963_984_5 * 1.959_963_984_5 / (2.0 * n as f64));
            assert!(
                (score.low - expected).abs() < 1e-4,
                "{n}: {score:?} {expected}"
            );
            assert!((score.high - 1.0).abs() < 1e-12 && (score.value - 1.0).abs() < 1e-12);
        }
        assert_eq!(Pairs::default().score(0.95), None);
    }

    #[test]
    fn many_games_have_the_normal_interval() {
        let pairs = Pairs::new([379, 10_170, 21_828, 10_640, 343]);
        let score = pairs.score(0.95).unwrap();
        let margin = 1.959_963_984_5 * libm::sqrt(pairs.variance().unwrap() / pairs.total() as f64);
        assert!(
            (score.low - (score.value - margin)).abs() < 1e-6,
            "{score:?}"
        );
        assert!(
            (score.high - (score.value + margin)).abs() < 1e-6,
            "{score:?}"
        );
    }

    /// A player that wins a pair with probability 0.5, splits it with 0.4: the interval at 95 % of a
    /// short match holds the true score about as often as it says.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut rng = random::seeded(20);
        for (pairs, least) in [(10, 0.90), (50, 0.93)] {
            let mut held = 0;
            for _ in 0..2_000 {
                let mut seen = Pairs::default();
                for _ in 0..pairs {
                    let luck = random::unit(&mut rng);
                    let index = if luck < 0.5 {
                        4
                    } else if luck < 0.9 {
                        2
                    } else {
                        0
                    };
                    seen.counts[index] += 1;
                }
                let score = seen.score(0.95).unwrap();
                held += i32::from((score.low..=score.high).contains(&0.7));
            }
            let share = f64::from(held) / 2_000.0;
            assert!((least..0.98).contains(&share), "{pairs} pairs: {share}");
        }
    }

    #[test]
    fn counts_are_stored_as_a_list() {
        let pairs = Pairs::new([1, 2, 3, 4, 5]);
        let text = serde_json::to_string(&pairs).unwrap();
        assert_eq!(text, "[1,2,3,4,5]");
        assert_eq!(serde_json::from_str::<Pairs>(&text).unwrap(), pairs);
        assert!(serde_json::from_str::<Pairs>("[1,2,3]").is_err());
    }
}
