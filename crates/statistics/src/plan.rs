//! How many games and hours a verdict needs.

use crate::{Sprt, elo, normal};

/// What one game costs and how many are played at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Plies of a game, both sides together.
    pub plies: f64,
    /// Seconds of a move.
    pub seconds: f64,
    /// Games that run at the same time.
    pub parallel: f64,
}

impl Cost {
    /// The hours of this many games.
    pub fn hours(&self, games: f64) -> f64 {
        games * self.plies * self.seconds / self.parallel.max(1.0) / 3600.0
    }
}

/// Games, always an even number, and the hours they take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Games to be played, or expected to be played.
    pub games: u64,
    /// Hours that they take.
    pub hours: f64,
}

impl Plan {
    fn of(games: f64, cost: &Cost) -> Plan {
        let pairs = (games / 2.0).ceil().max(1.0);
        Plan {
            games: 2 * pairs as u64,
            hours: cost.hours(2.0 * pairs),
        }
    }

    /// Games until the interval of a score has this half-width: n = z² σ² ÷ margin², with σ = ½, the
    /// greatest that a game can have.
    pub fn for_margin(margin: f64, level: f64, cost: &Cost) -> Plan {
        let z = normal::two_sided(level);
        Plan::of(z * z / (4.0 * margin * margin), cost)
    }

    /// Games that tell a true score from ½ at this level with this chance (the power of the test):
    /// `n = (z_level + z_power)² σ² ÷ (score − ½)²`, with σ² = score (1 − score), that of games
    /// without draws.
    pub fn for_effect(score: f64, level: f64, power: f64, cost: &Cost) -> Plan {
        let z = normal::two_sided(level) + normal::quantile(power);
        let effect = score - 0.5;
        Plan::of(z * z * score * (1.0 - score) / (effect * effect), cost)
    }

    /// Games that a sequential test takes in the mean where the true score is this, for games without
    /// draws.
    pub fn for_test(test: &Sprt, score: f64, cost: &Cost) -> Plan {
        let distance = (score - 0.5) / libm::sqrt(score * (1.0 - score));
        Plan::of(test.expected(distance * elo::NORMALISED).games, cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, Verdict};
    use game::random;

    const COST: Cost = Cost {
        plies: 60.0,
        seconds: 0.5,
        parallel: 2.0,
    };

    #[test]
    fn games_for_a_margin() {
        // The "several hundred games" behind ± 5 % and the 2,401 behind ± 2 % of any poll.
        let plan = Plan::for_margin(0.05, 0.95, &COST);
        assert_eq!(plan.games, 386);
        assert!((plan.hours - 386.0 * 60.0 * 0.5 / 2.0 / 3600.0).abs() < 1e-12);
        assert_eq!(Plan::for_margin(0.02, 0.95, &COST).games, 2402);
    }

    /// A planned match sees the effect as often as planned.
    #[test]
    fn a_plan_holds() {
        let plan = Plan::for_effect(0.6, 0.95, 0.8, &COST);
        let mut rng = random::seeded(3);
        let seen = (0..1_000)
            .filter(|_| {
                let won = (0..plan.games)
                    .filter(|_| random::unit(&mut rng) < 0.6)
                    .count() as u64;
                Games::of(won, 0, plan.games - won).score(0.95).unwrap().low > 0.5
            })
            .count();
        assert!((760..840).contains(&seen), "{} games: {seen}", plan.games);
    }

    #[test]
    fn a_sequential_test_takes_about_what_is_planned() {
        let test = Sprt::new(0.0, 80.0, 0.05, 0.05).unwrap();
        let plan = Plan::for_test(&test, 0.6, &COST);
        let mut rng = random::seeded(4);
        let matches = 200;
        let mut games = 0;
        for _ in 0..matches {
            let mut seen = Games::default();
            while test.verdict(&seen) == Verdict::Open {
                let won = u64::from(random::unit(&mut rng) < 0.6);
                seen += Games::of(won, 0, 1 - won);
            }
            games += seen.total();
        }
        let mean = games as f64 / f64::from(matches);
        let ratio = mean / plan.games as f64;
        assert!(
            (0.85..1.3).contains(&ratio),
            "{mean} games, planned {}",
            plan.games
        );
    }
}
