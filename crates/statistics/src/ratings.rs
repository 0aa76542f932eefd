//! Ratings of many players from their games, by maximum likelihood.
//!
//! The model is Bradley and Terry's with the draws of Davidson (1970). Players have strengths π, and
//!
//! ```text
//! P(i wins) = πᵢ ÷ D,  P(draw) = ν √(πᵢ πⱼ) ÷ D,  D = πᵢ + πⱼ + ν √(πᵢ πⱼ)
//! ```
//!
//! The maximum is found by minorization and maximization (Hunter, "MM algorithms for generalized
//! Bradley–Terry models", 2004): ln D and √(πᵢ πⱼ) are replaced by bounds that separate the players, so
//! that each step has a closed form and none lessens the likelihood. A rating is 400 log₁₀ π, with mean
//! 0 over the players.

use crate::{CrossTable, Estimate, matrix, normal};

/// Elo in one unit of ln π.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Players on one scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// ln π of each player, with mean 0.
    strengths: Vec<f64>,
    /// Davidson's ν: 0 without draws; 2 makes half of the games between equals drawn.
    draws: f64,
    covariance: Vec<Vec<f64>>,
}

/// Why there are no ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undetermined {
    /// Nobody to rate.
    #[error("there are no players")]
    Empty,
    /// The players fall into two groups of which one never took a point from the other, or never met
    /// it: then no finite ratings are the likeliest (Ford, 1957).
    #[error(
        "some players never took a point from the others: the maximum-likelihood ratings are not finite"
    )]
    Separate,
}

impl Ratings {
    /// The likeliest ratings. `prior` is a number of drawn games that each player is taken to have
    /// played against one imagined player of rating 0; with 0 the ratings are the plain maximum
    /// likelihood, with 1 they are finite whatever the games.
    ///
    /// # Errors
    /// No players, or, without a prior, results that do not determine finite ratings.
    pub fn fit(table: &CrossTable, prior: f64) -> Result<Ratings, Undetermined> {
        let players = table.players();
        if players == 0 {
            return Err(Undetermined::Empty);
        }
        let prior = if prior.is_finite() {
            prior.max(0.0)
        } else {
            0.0
        };
        if prior == 0.0 && !connected(table) {
            return Err(Undetermined::Separate);
        }
        let data = Data::new(table, prior);
        let (mut strengths, mut draws) = (vec![1.0; players + 1], data.any_draws());
        for _ in 0..100_000 {
            let change = data.step(&mut strengths, &mut draws);
            if change < 1e-11 {
                break;
            }
        }
        let mut logs: Vec<f64> = strengths
            .iter()
            .take(players)
            .map(|s| libm::log(*s))
            .collect();
        let information = data.information(&strengths, draws);
        let mean = logs.iter().sum::<f64>() / players as f64;
        for log in &mut logs {
            *log -= mean;
        }
        Ok(Ratings {
            covariance: covariance(information, players, prior > 0.0)
                .ok_or(Undetermined::Separate)?,
            strengths: logs,
            draws,
        })
    }

    /// The rating of a player, relative to the mean of all; `None` for one that is not there.
    pub fn rating(&self, player: usize, level: f64) -> Option<Estimate> {
        let strength = *self.strengths.get(player)?;
        let deviation = libm::sqrt(self.covariance[player][player].max(0.0));
        let margin = normal::two_sided(level) * deviation;
        Some(Estimate::symmetric(ELO * strength, ELO * margin))
    }

    /// How much stronger one player is than another. Narrower than the two ratings' own intervals
    /// suggest, because these share the doubt of all others.
    pub fn difference(&self, first: usize, second: usize, level: f64) -> Option<Estimate> {
        let value = self.strengths.get(first)? - self.strengths.get(second)?;
        let margin = normal::two_sided(level) * self.deviation(first, second);
        Some(Estimate::symmetric(ELO * value, ELO * margin))
    }

    /// How sure it is that one player is stronger than another, from 0 to 1.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let value = self.strengths.get(first)? - self.strengths.get(second)?;
        let deviation = self.deviation(first, second);
        let z = if deviation > 0.0 {
            value / deviation
        } else {
            0.0
        };
        Some(normal::cumulative(z))
    }

    /// The expected score of one player against another.
    pub fn expected(&self, first: usize, second: usize) -> Option<f64> {
        let (a, b) = (
            libm::exp(*self.strengths.get(first)?),
            libm::exp(*self.strengths.get(second)?),
        );
        let draw = self.draws * libm::sqrt(a * b);
        Some((a + draw / 2.0) / (a + b + draw))
    }

    /// The share of drawn games between equal players.
    pub fn draws_between_equals(&self) -> f64 {
        self.draws / (2.0 + self.draws)
    }

    fn deviation(&self, first: usize, second: usize) -> f64 {
        let v = &self.covariance;
        let variance = v[first][first] + v[second][second] - 2.0 * v[first][second];
        libm::sqrt(variance.max(0.0))
    }
}

/// The results, with the imagined player last.
struct Data {
    /// For each two that met: games won by the first, drawn, won by the second.
    meetings: Vec<(usize, usize, [f64; 3])>,
    players: usize,
}

impl Data {
    fn new(table: &CrossTable, prior: f64) -> Data {
        let players = table.players();
        let mut meetings: Vec<_> = table
            .meetings()
            .map(|(a, b, games)| {
                (
                    a,
                    b,
                    [
                        games.won() as f64,
                        games.drawn() as f64,
                        games.lost() as f64,
                    ],
                )
            })
            .collect();
        if prior > 0.0 {
            // Half won and half lost, which is as much evidence of strength as draws and leaves the
            // share of draws to the real games.
            meetings.extend((0..players).map(|a| (a, players, [prior / 2.0, 0.0, prior / 2.0])));
        }
        Data { meetings, players }
    }

    /// 1 where there were draws (a start for ν), otherwise 0, where ν stays.
    fn any_draws(&self) -> f64 {
        f64::from(u8::from(
            self.meetings
                .iter()
                .any(|(_, _, [_, drawn, _])| *drawn > 0.0),
        ))
    }

    /// One step uphill; the greatest change of a ln π.
    fn step(&self, strengths: &mut [f64], draws: &mut f64) -> f64 {
        let mut points = vec![0.0; strengths.len()];
        let mut weights = vec![0.0; strengths.len()];
        let (mut drawn_games, mut draw_weight) = (0.0, 0.0);
        for &(a, b, [won, drawn, lost]) in &self.meetings {
            let (x, y) = (strengths[a], strengths[b]);
            let root = libm::sqrt(x * y);
            let share = (won + drawn + lost) / (x + y + *draws * root);
            points[a] += won + drawn / 2.0;
            points[b] += lost + drawn / 2.0;
            weights[a] += share * (1.0 + *draws * root / (2.0 * x));
            weights[b] += share * (1.0 + *draws * root / (2.0 * y));
            drawn_games += drawn;
            draw_weight += share * root;
        }
        let mut change: f64 = 0.0;
        // The imagined player stays at strength 1: it is the zero of the scale.
        for player in 0..self.players {
            if weights[player] > 0.0 {
                let next = points[player] / weights[player];
                change = change.max((libm::log(next) - libm::log(strengths[player])).abs());
                strengths[player] = next;
            }
        }
        if *draws > 0.0 && draw_weight > 0.0 {
            *draws = drawn_games / draw_weight;
        }
        change
    }

    /// The Fisher information of ln π of each player and, last, ln ν: the model is a logit whose
    /// features are (1, 0, 0) for a win, (½, ½, 1) for a draw and (0, 1, 0) for a loss, so it is the
    /// number of games times the covariance of the features.
    fn information(&self, strengths: &[f64], draws: f64) -> Vec<Vec<f64>> {
        let last = self.players;
        let mut information = vec![vec![0.0; last + 1]; last + 1];
        for &(a, b, results) in &self.meetings {
            let (x, y) = (strengths[a], strengths[b]);
            let draw = draws * libm::sqrt(x * y);
            let all = x + y + draw;
            let chances = [x / all, draw / all, y / all];
            let games: f64 = results.iter().sum();
            let features = [[1.0, 0.5, 0.0], [0.0, 0.5, 1.0], [0.0, 1.0, 0.0]];
            let mean = features.map(|f| f.iter().zip(chances).map(|(v, p)| v * p).sum::<f64>());
            // The imagined player has no place of its own; ln ν must not take it.
            let places = [Some(a), (b < last).then_some(b), Some(last)];
            for (i, row) in places.iter().enumerate() {
                for (j, column) in places.iter().enumerate() {
                    if let (Some(row), Some(column)) = (*row, *column) {
                        let product: f64 = (0..3)
                            .map(|k| chances[k] * features[i][k] * features[j][k])
                            .sum();
                        information[row][column] += games * (product - mean[i] * mean[j]);
                    }
                }
            }
        }
        information
    }
}

/// The covariance of the players' ln π around their mean.
fn covariance(
    mut information: Vec<Vec<f64>>,
    players: usize,
    anchored: bool,
) -> Option<Vec<Vec<f64>>> {
    if information[players][players] <= 0.0 {
        // No draws: ν is 0 for sure and takes no part.
        information[players][players] = 1.0;
    }
    if !anchored {
        // Adding the same to all changes nothing: fix the mean by giving that direction information.
        for row in information.iter_mut().take(players) {
            for value in row.iter_mut().take(players) {
                *value += 1.0;
            }
        }
    }
    let mut covariance = matrix::inverse(information)?;
    covariance.truncate(players);
    for row in &mut covariance {
        row.truncate(players);
    }
    // Centre: variances of ln πᵢ − mean, with or without anchor.
    let n = players as f64;
    let rows: Vec<f64> = covariance
        .iter()
        .map(|row| row.iter().sum::<f64>() / n)
        .collect();
    let all = rows.iter().sum::<f64>() / n;
    for (i, row) in covariance.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            *value += all - rows[i] - rows[j];
        }
    }
    Some(covariance)
}

/// Whether each player is linked to each other by a chain of players who took at least half a point
/// from the next, in both directions.
fn connected(table: &CrossTable) -> bool {
    let players = table.players();
    let reaches_all = |forward: bool| {
        let mut reached = vec![false; players];
        let mut open = vec![0];
        reached[0] = true;
        while let Some(player) = open.pop() {
            for (other, known) in reached.iter_mut().enumerate() {
                let games = table.between(player, other);
                let points = if forward { games } else { games.reversed() }.points();
                if !*known && points > 0.0 {
                    *known = true;
                    open.push(other);
                }
            }
        }
        reached.iter().all(|&known| known)
    };
    reaches_all(true) && reaches_all(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;
    use game::random;

    fn close(found: f64, expected: f64, within: f64) {
        assert!(
            (found - expected).abs() <= within,
            "{found}, not {expected}"
        );
    }

    /// The American League of 1987 (Agresti, "Categorical Data Analysis", table 10.10; also the
    /// example of R's package BradleyTerry2): the published ln π relative to Baltimore.
    #[test]
    fn the_american_league() {
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let mut table = CrossTable::new(7);
        for (first, row) in wins.iter().enumerate() {
            for (second, won) in row.iter().enumerate() {
                table.add(first, second, Games::of(*won, 0, 0));
            }
        }
        let ratings = Ratings::fit(&table, 0.0).unwrap();
        let published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        let errors = [0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319];
        for (team, expected) in published.iter().enumerate() {
            let difference = ratings.difference(team, 6, 0.95).unwrap();
            close(difference.value / ELO, *expected, 5e-4);
            if let Some(error) = errors.get(team) {
                close(difference.margin() / ELO / 1.959_964, *error, 5e-4);
            }
        }
        let mean: f64 = (0..7)
            .map(|team| ratings.rating(team, 0.95).unwrap().value)
            .sum();
        close(mean, 0.0, 1e-6);
        close(ratings.draws_between_equals(), 0.0, 0.0);
    }

    /// Two players with draws: the likeliest model repeats the shares exactly, and the interval is
    /// that of the score on the scale of Elo.
    #[test]
    fn two_players_repeat_their_shares() {
        let mut table = CrossTable::new(2);
        table.add(0, 1, Games::of(50, 30, 20));
        let ratings = Ratings::fit(&table, 0.0).unwrap();
        close(ratings.expected(0, 1).unwrap(), 0.65, 1e-9);
        // π₁/π₂ = 50/20, ν = 30/√(50·20).
        close(
            ratings.difference(0, 1, 0.95).unwrap().value,
            400.0 * libm::log10(2.5),
            1e-6,
        );
        let equals = 30.0 / libm::sqrt(1000.0);
        close(
            ratings.draws_between_equals(),
            equals / (2.0 + equals),
            1e-9,
        );
        close(ratings.superiority(0, 1).unwrap(), 1.0, 0.002);
    }

    /// Ratings that made the games come back, within their intervals as often as these say.
    #[test]
    fn simulated_players_come_back() {
        let truth = [120.0, 40.0, 0.0, -60.0, -100.0];
        let mut rng = random::seeded(11);
        let (mut held, mut all) = (0, 0);
        for _ in 0..60 {
            let mut table = CrossTable::new(5);
            for first in 0..5 {
                for second in first + 1..5 {
                    for _ in 0..60 {
                        let (x, y) = (
                            libm::exp10(truth[first] / 400.0),
                            libm::exp10(truth[second] / 400.0),
                        );
                        let draw = 0.5 * libm::sqrt(x * y);
                        let luck = random::unit(&mut rng) * (x + y + draw);
                        let game = if luck < x {
                            Games::of(1, 0, 0)
                        } else if luck < x + draw {
                            Games::of(0, 1, 0)
                        } else {
                            Games::of(0, 0, 1)
                        };
                        table.add(first, second, game);
                    }
                }
            }
            let ratings = Ratings::fit(&table, 0.0).unwrap();
            close(ratings.draws_between_equals(), 0.2, 0.08);
            for (player, rating) in truth.iter().enumerate() {
                let found = ratings.rating(player, 0.95).unwrap();
                held += i32::from((found.low..=found.high).contains(rating));
                all += 1;
            }
        }
        let share = f64::from(held) / f64::from(all);
        assert!((0.91..=0.99).contains(&share), "{share}");
    }

    #[test]
    fn a_player_who_lost_everything_needs_a_prior() {
        let mut table = CrossTable::new(3);
        table.add(0, 1, Games::of(5, 0, 5));
        table.add(0, 2, Games::of(10, 0, 0));
        assert_eq!(Ratings::fit(&table, 0.0), Err(Undetermined::Separate));
        assert_eq!(
            Ratings::fit(&CrossTable::new(0), 1.0),
            Err(Undetermined::Empty)
        );
        let ratings = Ratings::fit(&table, 1.0).unwrap();
        let worst = ratings.rating(2, 0.95).unwrap();
        assert!(worst.value < -100.0 && worst.margin().is_finite() && worst.margin() > 100.0);
        assert_eq!(ratings.rating(3, 0.95), None);
        // Nobody has played: all that is known is the prior.
        let nobody = Ratings::fit(&CrossTable::new(2), 1.0).unwrap();
        close(nobody.difference(0, 1, 0.95).unwrap().value, 0.0, 1e-9);
    }
}
