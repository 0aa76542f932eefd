//! Makes weights from the positions of games.

use crate::error::LearnError;
use crate::games::{Model as _, Subject, start};
use crate::plan::Plan;
use crate::record::{End, Record};
use crate::run::Options;
use crate::self_play::seed;
use game::{Game, random};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use training::{Adam, Loss, Rates, add_to_mean};

/// What is lost at most when the process is killed.
const BETWEEN_CHECKPOINTS: Duration = Duration::from_secs(20);

/// What lessons on boards of one size need.
struct Ground<S: Subject> {
    start: S::Position,
    board: S::Board,
}

/// What training goes on from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// Steps of the run.
    pub age: u64,
    /// Steps of this generation.
    pub step: u64,
    /// Of this generation, so far.
    pub loss: Loss,
    adam: Adam,
}

const BEGIN: &[u8] = b"papamu training 1\n";
const CHECKSUM: usize = 32;

impl State {
    /// Before the first generation, with these weights, or else random ones.
    pub(crate) fn begin<S: Subject>(plan: &Plan, weights: Option<Vec<f32>>) -> State {
        let random = || S::random(plan, &mut random::seeded(seed(plan, "weights", 0, 0)));
        let weights = weights.unwrap_or_else(random);
        State {
            age: 0,
            step: 0,
            loss: Loss::default(),
            adam: Adam::new(weights),
        }
    }

    /// The same for the next generation.
    pub(crate) fn next(self) -> State {
        State {
            step: 0,
            loss: Loss::default(),
            ..self
        }
    }

    /// The weights that play.
    pub(crate) fn learned(&self) -> &[f32] {
        &self.adam.average
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = BEGIN.to_vec();
        bytes.extend(self.age.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend(self.loss.to_bytes());
        let Adam {
            weights,
            slopes,
            squares,
            average,
        } = &self.adam;
        for numbers in [weights, slopes, squares, average] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
    }

    /// With so many weights; `None` if the bytes are not as they were written.
    pub(crate) fn from_bytes(bytes: &[u8], weights: usize) -> Option<State> {
        let (content, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
        if Sha256::digest(content).as_slice() != checksum {
            return None;
        }
        let rest = content.strip_prefix(BEGIN)?;
        let (age, rest) = rest.split_first_chunk()?;
        let (step, rest) = rest.split_first_chunk()?;
        let (loss, rest) = rest.split_first_chunk()?;
        let (numbers, rest) = rest.as_chunks();
        if numbers.len() != 4 * weights || !rest.is_empty() {
            return None;
        }
        let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
        let part = |part: usize| numbers[part * weights..][..weights].to_vec();
        Some(State {
            age: u64::from_le_bytes(*age),
            step: u64::from_le_bytes(*step),
            loss: Loss::from_bytes(loss),
            adam: Adam {
                weights: part(0),
                slopes: part(1),
                squares: part(2),
                average: part(3),
            },
        })
    }
}

/// A position of a game.
#[derive(Clone, Debug)]
pub(crate) struct Sample<S: Subject> {
    pub record: Arc<Record<S>>,
    pub generation: u32,
    pub number: u32,
    /// The moves that lead to the position.
    pub plies: usize,
}

/// The positions of a game, the random ones at its beginning left out. That at its end is one where a search has proven
/// its value.
pub(crate) fn samples<S: Subject>(
    record: Record<S>,
    generation: u32,
    number: u32,
) -> impl Iterator<Item = Sample<S>> {
    let last = record.moves.len() - usize::from(record.end != End::Proven);
    let plies = usize::from(record.random)..=last;
    let record = Arc::new(record);
    plies.map(move |plies| Sample {
        record: Arc::clone(&record),
        generation,
        number,
        plies,
    })
}

impl<S: Subject> Sample<S> {
    /// What is to be learned of it, given the board on which its game began.
    pub(crate) fn lesson(&self, plan: &Plan, start: &S::Position, board: &S::Board) -> S::Lesson {
        let position = self.record.after(start, self.plies);
        let searched = &self.record.searched[self.plies];
        let score = self.record.score(position.to_move());
        S::lesson(plan, &position, searched, score, board)
    }
}

impl<S: Subject> fmt::Display for Sample<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "generation {}, game {}, after {} moves, on size {}",
            self.generation, self.number, self.plies, self.record.size
        )
    }
}

/// The positions of a window of generations.
pub(crate) struct Positions<S: Subject> {
    learned: Vec<Sample<S>>,
    held_out: Vec<Sample<S>>,
    /// By size.
    grounds: HashMap<u32, Ground<S>>,
}

impl<S: Subject> Positions<S> {
    /// Of games, in an order that does not depend on how they were played. The same games are always held out.
    pub(crate) fn new(
        plan: &Plan,
        games: impl IntoIterator<Item = (u32, u32, Record<S>)>,
    ) -> Result<Positions<S>, LearnError> {
        let (mut learned, mut held_out) = (Vec::new(), Vec::new());
        for (generation, number, record) in games {
            let lot = seed(plan, "held-out", generation, number) >> 11;
            let is_held_out = (lot as f64) < plan.training.held_out * (1u64 << 53) as f64;
            let part = if is_held_out {
                &mut held_out
            } else {
                &mut learned
            };
            part.extend(samples(record, generation, number));
        }
        let mut grounds = HashMap::new();
        for sample in learned.iter().chain(&held_out) {
            let size = sample.record.size;
            if let Entry::Vacant(entry) = grounds.entry(size) {
                let start = start::<S>(size)?;
                let board = S::board(&start);
                entry.insert(Ground { start, board });
            }
        }
        Ok(Positions {
            learned,
            held_out,
            grounds,
        })
    }

    fn lesson(&self, plan: &Plan, sample: &Sample<S>) -> (S::Lesson, &S::Board) {
        let Ground { start, board } = &self.grounds[&sample.record.size];
        (sample.lesson(plan, start, board), board)
    }

    /// How many there are to learn from.
    pub(crate) fn len(&self) -> usize {
        self.learned.len()
    }

    /// Steps of a generation's training.
    pub(crate) fn steps(&self, plan: &Plan) -> u64 {
        let seen = plan.training.epochs * self.len() as f64;
        (seen / f64::from(plan.training.batch)).ceil() as u64
    }

    /// How well weights predict what is held out.
    pub(crate) fn test(&self, plan: &Plan, weights: &[f32], threads: usize) -> Loss {
        let model = S::Model::new(plan, weights.to_vec());
        let parts = on_threads(threads, &self.held_out, |sample| {
            let (lesson, board) = self.lesson(plan, sample);
            model.test(&lesson, board)
        });
        let mut loss = Loss::default();
        for part in parts {
            loss += part;
        }
        loss
    }
}

/// Trains until the generation's steps are done, and gives the last state; `None` if it was stopped, which the last
/// state that was kept outlives. `keep` is called from time to time with what training can go on from.
pub(crate) fn train<S: Subject>(
    plan: &Plan,
    generation: u32,
    positions: &Positions<S>,
    mut state: State,
    options: &Options,
    keep: &mut dyn FnMut(&State) -> Result<(), LearnError>,
    tell: &dyn Fn(&State, u64),
) -> Result<Option<State>, LearnError> {
    let steps = positions.steps(plan);
    let training = &plan.training;
    let rates = Rates {
        rate: training.rate,
        warm_up: training.warm_up,
        shrink: training.shrink,
        average: training.average,
    };
    let numbers = state.adam.weights.len();
    let batch = plan.training.batch as usize;
    let mut model = S::Model::new(plan, state.adam.weights.clone());
    let mut order = Vec::new();
    let mut shuffled = None;
    let mut kept = Instant::now();
    while state.step < steps {
        if options.stop.is_raised() {
            keep(&state)?;
            return Ok(None);
        }
        // A step's positions follow from its number: training goes on anywhere.
        let first = state.step as usize * batch;
        let mut rng = random::seeded(seed(plan, "symmetries", generation, state.step as u32));
        let mut chosen = Vec::with_capacity(batch);
        for place in first..first + batch {
            let (epoch, place) = (place / positions.len(), place % positions.len());
            if shuffled != Some(epoch) {
                order = (0..positions.len()).collect();
                let mut rng = random::seeded(seed(plan, "order", generation, epoch as u32));
                random::shuffle(&mut order, &mut rng);
                shuffled = Some(epoch);
            }
            let symmetry = random::below(S::SYMMETRIES, &mut rng) as usize;
            let symmetry = if plan.training.symmetries {
                symmetry
            } else {
                0
            };
            chosen.push((&positions.learned[order[place]], symmetry));
        }
        let parts: Vec<_> = chosen.chunks(batch.div_ceil(S::PARTS)).collect();
        let learned = on_threads(options.threads, &parts, |part| {
            let mut gradient = vec![0.0; numbers];
            let mut loss = Loss::default();
            for (sample, symmetry) in *part {
                let (lesson, board) = positions.lesson(plan, sample);
                loss += model.learn(&lesson, board, *symmetry, &mut gradient);
            }
            (loss, gradient)
        });
        let mut gradient = vec![0.0; numbers];
        for (loss, slopes) in learned {
            state.loss += loss;
            add_to_mean(&mut gradient, &slopes, batch);
        }
        state.age += 1;
        state.step += 1;
        state.adam.descend(&rates, state.age, &gradient);
        if !state.adam.is_finite() {
            let is_fault = |(sample, symmetry): &(&Sample<S>, usize)| {
                let mut gradient = vec![0.0; numbers];
                let (lesson, board) = positions.lesson(plan, sample);
                model.learn(&lesson, board, *symmetry, &mut gradient);
                !gradient.iter().all(|slope| slope.is_finite())
            };
            let culprit = chosen.iter().find(|&chosen| is_fault(chosen));
            return Err(LearnError::NotANumber {
                generation,
                step: state.step,
                sample: culprit.map_or_else(
                    || "no position alone: training.rate is too large".to_owned(),
                    |(sample, _)| sample.to_string(),
                ),
            });
        }
        model.set(&state.adam.weights);
        tell(&state, steps);
        if kept.elapsed() > BETWEEN_CHECKPOINTS {
            keep(&state)?;
            kept = Instant::now();
        }
    }
    keep(&state)?;
    Ok(Some(state))
}

/// What is made of each thing, in their order.
fn on_threads<T: Sync, R: Send>(
    threads: usize,
    things: &[T],
    make: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    if threads <= 1 || things.len() <= 1 {
        return things.iter().map(make).collect();
    }
    let make = &make;
    thread::scope(|scope| {
        let parts = things.chunks(things.len().div_ceil(threads));
        let spawn = |part| scope.spawn(move || <[T]>::iter(part).map(make).collect::<Vec<R>>());
        let running: Vec<_> = parts.map(spawn).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<R>>| match thread.join() {
            Ok(made) => made,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().flat_map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Havannah;
    use crate::plan::Written;
    use crate::record::tests::random_game;
    use std::path::PathBuf;

    #[test]
    fn a_weight_that_is_no_number_ends_training_with_the_position_that_made_it() {
        let written = Written::read(include_str!("../../../learning/tiny.toml"));
        let plan = &written.expect("a plan").plan;
        let games = (0..20).map(|number| (3, number, random_game(4, number.into())));
        let positions = Positions::<Havannah>::new(plan, games).expect("positions");
        let mut state = State::begin::<Havannah>(plan, None);
        state.adam.weights[0] = f32::NAN;
        let options = Options {
            folder: PathBuf::new(),
            beside: PathBuf::new(),
            threads: 1,
            shared: None,
            stop: search::StopFlag::new(),
        };
        let trained = train(
            plan,
            3,
            &positions,
            state,
            &options,
            &mut |_| Ok(()),
            &|_, _| (),
        );
        let why = trained.map(|_| ()).expect_err("refused").to_string();
        assert!(
            why.starts_with(
                "step 1 of generation 3 made a weight that is no number, from generation 3, game "
            ),
            "{why}"
        );
    }
}
