//! Simultaneous perturbation stochastic approximation: the arithmetic of tuning by games.
//!
//! Spall (1992; "Implementation of the simultaneous perturbation algorithm", 1998). In iteration k every
//! parameter θ is moved by `± c_k` at once, the two players `θ + c_k Δ` and `θ − c_k Δ` play, and
//!
//! ```text
//! a_k = a ÷ (A + k + 1)^α      c_k = c ÷ (k + 1)^γ
//! θ ← θ + a_k ÷ c_k · Δ · result,   result = games won − games lost by the first player
//! ```
//!
//! with each parameter's a and c given by what they shall be in the last iteration, as fishtest does:
//! `c_end` is the perturbation there, `r_end` the step in units of c² there (`a_end = r_end c_end²`).

use game::random;
use serde::{Deserialize, Serialize};

/// One parameter to be tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name, for the reader.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// The least value it may take.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// The perturbation in the last iteration: about the change that is worth a few Elo.
    pub c_end: f64,
    /// The step in the last iteration, in units of `c_end`²; fishtest's usual value is 0.002.
    pub r_end: f64,
}

/// How the steps and perturbations shrink.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Iterations in all; each is one or more pairs of games.
    pub iterations: u64,
    /// A, Spall's stability constant: about a tenth of the iterations.
    pub stability: f64,
    /// α, the decay of the steps: 0.602 in practice, 1 in the limit.
    pub alpha: f64,
    /// γ, the decay of the perturbations: 0.101 in practice, 1/6 in the limit.
    pub gamma: f64,
}

impl Schedule {
    /// Spall's practical values, for this many iterations.
    pub fn new(iterations: u64) -> Schedule {
        Schedule {
            iterations,
            stability: iterations as f64 / 10.0,
            alpha: 0.602,
            gamma: 0.101,
        }
    }
}

/// Why a tuning cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// Nothing to tune.
    #[error("there are no parameters to tune")]
    Empty,
    /// The schedule has a number that is not finite, is negative, or no iteration.
    #[error("the schedule needs iterations, and finite numbers that are not negative")]
    Schedule,
    /// A parameter with numbers that do not fit together.
    #[error("parameter {0}: min ≤ start ≤ max, c_end above 0 and r_end not negative, all finite")]
    Parameter(String),
    /// A stored state that belongs to other parameters.
    #[error("the state has {0} values for {1} parameters")]
    State(usize, usize),
}

/// What has been learned so far: all that has to be stored to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Iterations done.
    pub iteration: u64,
    /// The value of each parameter.
    pub values: Vec<f64>,
}

/// A tuning: parameters, schedule and seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// How.
    pub schedule: Schedule,
    /// Seed of the perturbations' signs.
    pub seed: u64,
}

/// The gains of one parameter in one iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gains {
    /// `a_k`.
    pub step: f64,
    /// `c_k`.
    pub perturbation: f64,
}

impl Spsa {
    /// The tuning itself, if it is one.
    ///
    /// # Errors
    /// No parameters, a schedule or a parameter that makes no sense.
    pub fn checked(self) -> Result<Spsa, Unusable> {
        if self.parameters.is_empty() {
            return Err(Unusable::Empty);
        }
        let Schedule {
            iterations,
            stability,
            alpha,
            gamma,
        } = self.schedule;
        let fine = |number: f64| number.is_finite() && number >= 0.0;
        if iterations == 0 || ![stability, alpha, gamma].into_iter().all(fine) {
            return Err(Unusable::Schedule);
        }
        let bad = self.parameters.iter().find(|p| {
            let finite = [p.start, p.min, p.max, p.c_end, p.r_end]
                .into_iter()
                .all(f64::is_finite);
            !(finite && p.min <= p.start && p.start <= p.max && p.c_end > 0.0 && p.r_end >= 0.0)
        });
        match bad {
            Some(parameter) => Err(Unusable::Parameter(parameter.name.clone())),
            None => Ok(self),
        }
    }

    /// Where every tuning begins.
    pub fn start(&self) -> State {
        State {
            iteration: 0,
            values: self
                .parameters
                .iter()
                .map(|parameter| parameter.start)
                .collect(),
        }
    }

    /// The gains of a parameter in an iteration, counted from 0.
    pub fn gains(&self, parameter: &Parameter, iteration: u64) -> Gains {
        let Schedule {
            iterations,
            stability,
            alpha,
            gamma,
        } = self.schedule;
        let (k, last) = ((iteration + 1) as f64, iterations as f64);
        let a_end = parameter.r_end * parameter.c_end * parameter.c_end;
        Gains {
            step: a_end * libm::pow((stability + last) / (stability + k), alpha),
            perturbation: parameter.c_end * libm::pow(last / k, gamma),
        }
    }

    /// Δ of an iteration: a sign for each parameter, each with the same chance. They depend on the
    /// seed and the iteration alone, so that any machine can play any iteration.
    pub fn signs(&self, iteration: u64) -> Vec<f64> {
        let mut rng = random::seeded(random::mix(self.seed ^ random::mix(iteration)));
        let sign = |_| {
            if random::below(2, &mut rng) == 0 {
                1.0
            } else {
                -1.0
            }
        };
        self.parameters.iter().map(sign).collect()
    }

    /// The values of the two players of the next iteration, `θ + c_k Δ` and `θ − c_k Δ`, kept in range.
    ///
    /// # Errors
    /// A state of other parameters.
    pub fn players(&self, state: &State) -> Result<[Vec<f64>; 2], Unusable> {
        self.fits(state)?;
        let signs = self.signs(state.iteration);
        Ok([1.0, -1.0].map(|side| {
            let moved = self.parameters.iter().zip(&state.values).zip(&signs);
            moved
                .map(|((parameter, value), sign)| {
                    let change = self.gains(parameter, state.iteration).perturbation;
                    (value + side * sign * change).clamp(parameter.min, parameter.max)
                })
                .collect()
        }))
    }

    /// The state after the next iteration, in which the first of [`players`](Self::players) won
    /// `result` more games than it lost.
    ///
    /// # Errors
    /// A state of other parameters.
    pub fn next(&self, state: &State, result: f64) -> Result<State, Unusable> {
        self.fits(state)?;
        let signs = self.signs(state.iteration);
        let moved = self.parameters.iter().zip(&state.values).zip(&signs);
        let values = moved
            .map(|((parameter, value), sign)| {
                let Gains { step, perturbation } = self.gains(parameter, state.iteration);
                (value + step / perturbation * result * sign).clamp(parameter.min, parameter.max)
            })
            .collect();
        Ok(State {
            iteration: state.iteration + 1,
            values,
        })
    }

    /// Whether all iterations are done.
    pub fn finished(&self, state: &State) -> bool {
        state.iteration >= self.schedule.iterations
    }

    fn fits(&self, state: &State) -> Result<(), Unusable> {
        let (values, parameters) = (state.values.len(), self.parameters.len());
        if values == parameters {
            Ok(())
        } else {
            Err(Unusable::State(values, parameters))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo;

    fn parameter(name: &str, start: f64) -> Parameter {
        Parameter {
            name: name.to_owned(),
            start,
            min: -20.0,
            max: 20.0,
            c_end: 1.0,
            r_end: 0.05,
        }
    }

    fn tuning(iterations: u64) -> Spsa {
        Spsa {
            parameters: vec![parameter("x", -8.0), parameter("y", 9.0)],
            schedule: Schedule::new(iterations),
            seed: 1,
        }
        .checked()
        .unwrap()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    /// In the last iteration the gains are what was asked for; before, Spall's powers of k.
    #[test]
    fn gains_follow_the_schedule() {
        let tuning = tuning(1000);
        let last = tuning.gains(&tuning.parameters[0], 999);
        close(last.perturbation, 1.0);
        close(last.step, 0.05);
        let first = tuning.gains(&tuning.parameters[0], 0);
        close(first.perturbation, libm::pow(1000.0, 0.101));
        close(first.step, 0.05 * libm::pow(1100.0 / 101.0, 0.602));
    }

    #[test]
    fn one_step_by_hand() {
        let tuning = tuning(1000);
        let signs = tuning.signs(0);
        let gains = tuning.gains(&tuning.parameters[0], 0);
        let next = tuning.next(&tuning.start(), 2.0).unwrap();
        assert_eq!(next.iteration, 1);
        close(
            next.values[0],
            -8.0 + 2.0 * gains.step / gains.perturbation * signs[0],
        );
        let [plus, minus] = tuning.players(&tuning.start()).unwrap();
        close(plus[1] - minus[1], 2.0 * signs[1] * gains.perturbation);
        // Nothing leaves its range, and a draw moves nothing.
        let far = tuning.next(&tuning.start(), 1e9).unwrap();
        assert!(far.values.iter().all(|value| value.abs() <= 20.0));
        assert_eq!(
            tuning.next(&tuning.start(), 0.0).unwrap().values,
            [-8.0, 9.0]
        );
    }

    #[test]
    fn signs_are_fair_and_named_by_seed_and_iteration() {
        let tuning = tuning(1000);
        assert_eq!(tuning.signs(7), tuning.signs(7));
        let mut counts = [0; 4];
        for iteration in 0..4000 {
            let signs = tuning.signs(iteration);
            counts[usize::from(signs[0] > 0.0) * 2 + usize::from(signs[1] > 0.0)] += 1;
        }
        assert!(
            counts.iter().all(|count| (900..1100).contains(count)),
            "{counts:?}"
        );
    }

    /// Players whose strength falls off by 3 Elo a squared unit from (3, −2): the tuning gets there.
    #[test]
    fn the_optimum_is_found() {
        let tuning = tuning(5_000);
        let strength = |values: &[f64]| {
            -3.0 * ((values[0] - 3.0) * (values[0] - 3.0) + (values[1] + 2.0) * (values[1] + 2.0))
        };
        let mut rng = random::seeded(9);
        let mut state = tuning.start();
        while !tuning.finished(&state) {
            let [plus, minus] = tuning.players(&state).unwrap();
            let score = elo::score_of(strength(&plus) - strength(&minus));
            let mut game = || {
                if random::unit(&mut rng) < score {
                    1.0
                } else {
                    -1.0
                }
            };
            let result = game() + game();
            state = tuning.next(&state, result).unwrap();
        }
        assert!((state.values[0] - 3.0).abs() < 1.5, "{state:?}");
        assert!((state.values[1] + 2.0).abs() < 1.5, "{state:?}");
    }

    #[test]
    fn a_state_is_stored_and_goes_on() {
        let tuning = tuning(100);
        let state = tuning.next(&tuning.start(), 1.0).unwrap();
        let text = serde_json::to_string(&state).unwrap();
        let stored: State = serde_json::from_str(&text).unwrap();
        assert_eq!(tuning.next(&stored, -1.0), tuning.next(&state, -1.0));
        let short = State {
            iteration: 0,
            values: vec![1.0],
        };
        assert_eq!(tuning.next(&short, 1.0), Err(Unusable::State(1, 2)));
        let nothing = Spsa {
            parameters: Vec::new(),
            ..tuning.clone()
        };
        assert_eq!(nothing.checked(), Err(Unusable::Empty));
        let mut outside = tuning;
        outside.parameters[1].start = 21.0;
        assert_eq!(outside.checked(), Err(Unusable::Parameter("y".to_owned())));
    }
}
